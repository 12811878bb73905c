/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "core/clock.h"

/* No figure is asserted, only what holds on any machine that can run the program. */
static void test_clock(void **state)
{
    const uint64_t before = rp_clock_ns();
    const double chain_hz = rp_clock_chain_hz();
    const double nops_hz = rp_clock_nops_hz();
    const double tsc_hz = rp_clock_tsc_hz();
    const uint64_t after = rp_clock_ns();

    (void)state;
    assert_true(before > 0);
    assert_true(after > before);
    /* Hertz and no other unit; 0 when the machine was too busy to tell. */
    assert_true(chain_hz == 0 || (chain_hz > 1e8 && chain_hz < 1e11));
    assert_true(nops_hz == 0 || (nops_hz > 1e8 && nops_hz < 1e12));
    assert_true(tsc_hz > 1e7 && tsc_hz < 1e11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_clock)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
