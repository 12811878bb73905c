/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <math.h>

#include "core/work.h"

static void test_mixes(void **state)
{
    static const struct {
        struct rp_traffic traffic;
        const char *mix;
        double payload;
        double bus;
    } rows[] = {
        {{.load = 1}, "load", 1, 1},
        {{.load = 64}, "load", 64, 64},
        {{.store = 1}, "store", 1, 2},
        {{.store_nt = 1}, "store-nt", 1, 1},
        {{.load = 1, .store = 1}, "copy", 2, 3},
        {{.load = 1, .store_nt = 1}, "copy-nt", 2, 2},
        {{.load = 1, .store = 1, .rmw = 1}, "update", 2, 2},
        {{.load = 16, .store = 8}, "other", 24, 32},
        {{.load = 2, .store = 1, .rmw = 0.5}, "other", 3, 3.5},
        {{.load = 0}, "other", 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_string_equal(rp_mix_name(&rows[i].traffic), rows[i].mix);
        assert_true(fabs(rp_payload_bytes(&rows[i].traffic) - rows[i].payload) < 1e-12);
        assert_true(fabs(rp_bus_bytes(&rows[i].traffic) - rows[i].bus) < 1e-12);
    }
}

static void test_modes(void **state)
{
    enum rp_mode mode = RP_MODE_NONE;

    (void)state;
    for (int i = 0; i < RP_MODE_COUNT; i++) {
        assert_true(rp_mode_parse(rp_mode_name((enum rp_mode)i), &mode));
        assert_int_equal(mode, i);
    }
    assert_false(rp_mode_parse("", &mode));
    assert_false(rp_mode_parse("NT", &mode));
    assert_false(rp_mode_parse("temporal ", &mode));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mixes),
        cmocka_unit_test(test_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
