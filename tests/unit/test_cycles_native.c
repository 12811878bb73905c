/* SPDX-License-Identifier: MIT */
/* The sources of cycles that this machine really has. */
#include "unit.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>

#include "core/cycles.h"

#define MSR_APERF 0xe8u

/* Whatever this test runs on: some source is used, and each other one says why not. */
static void test_native(void **state)
{
    struct rp_error error = {0};
    struct rp_cycles cycles;
    uint64_t before = 0;
    uint64_t after = 0;
    unsigned used = 0;

    (void)state;
    assert_true(rp_cycles_open(&cycles, &rp_cycle_native, (unsigned)sched_getcpu(), NULL,
                               &error));
    for (unsigned i = 0; i < RP_CYCLE_SOURCES; i++) {
        print_message("%s: %s, ratio %g %s\n", cycles.trials[i].name,
                      cycles.trials[i].used ? "used" : "not used", cycles.trials[i].ratio,
                      cycles.trials[i].text);
        used += cycles.trials[i].used;
        assert_int_equal(cycles.trials[i].accepted, cycles.trials[i].text[0] == '\0');
    }
    assert_int_equal(used, 1);
    if (rp_cycles_read(&cycles, &before) && rp_cycles_read(&cycles, &after)) {
        assert_true(rp_cycles_counted(&cycles) ? after > before : after == 0);
    }
    rp_cycles_close(&cycles);
}

/* The parts of the native reader that every machine has. */
static void test_native_time(void **state)
{
    const struct rp_cycle_system *const native = &rp_cycle_native;
    const uint64_t start_ns = native->now_ns(native->context);
    struct rp_perf_count count;
    uint64_t value = 0;

    (void)state;
    native->spin(native->context, 1000000);
    assert_true(native->now_ns(native->context) - start_ns >= 1000000);
    assert_int_equal(native->msr_open(native->context, UINT_MAX), -ENOENT);
    assert_false(native->perf_read(native->context, -1, &count));
    assert_false(native->msr_read(native->context, -1, MSR_APERF, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_native),
        cmocka_unit_test(test_native_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
