/* SPDX-License-Identifier: MIT */
/* The timing loop, on work whose outcome does not depend on how fast this machine is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <cmocka.h>

#include "core/clock.h"
#include "probes/measure.h"

struct work {
    uint64_t repetitions; /* of the last call */
    uint64_t calls;
    uint64_t baseline_calls;
};

/* About a microsecond a repetition, whatever the machine. */
static void spin(uint64_t repetitions)
{
    const uint64_t end = rp_clock_ns() + repetitions * 1000;

    while (rp_clock_ns() < end) {
    }
}

static void run(void *context, uint64_t repetitions)
{
    struct work *const work = context;

    work->repetitions = repetitions;
    work->calls++;
    spin(2 * repetitions);
}

static void baseline(void *context, uint64_t repetitions)
{
    ((struct work *)context)->baseline_calls++;
    spin(repetitions);
}

static long switches(void)
{
    struct rusage usage;

    assert_int_equal(getrusage(RUSAGE_THREAD, &usage), 0);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* A sleep may end before the thread was switched out, so sleep until it has been. */
static void sleep_a_little(void *context, uint64_t repetitions)
{
    const struct timespec pause = {.tv_nsec = 100000};
    const long before = switches();

    (void)repetitions;
    ((struct work *)context)->calls++;
    while (switches() == before) {
        nanosleep(&pause, NULL);
    }
}

static const struct rp_measure_options options = {
    .sample_seconds = 0.0002,
    .budget_seconds = 0.02,
};

static void samples_are_as_long_as_asked(void **state)
{
    struct work work = {0};
    const struct rp_measurable measurable = {.run = run, .context = &work};
    struct rp_record record = {0};
    struct rp_error error;
    uint64_t repetitions = 0;

    (void)state;
    assert_true(rp_measure(&measurable, &options, &record, &repetitions, &error));
    assert_int_equal(repetitions, work.repetitions);
    assert_string_equal(record.cycle_source, RP_CYCLE_SOURCE_CHAIN);
    for (size_t i = 0; i < record.sample_count; i++) {
        assert_true(record.samples[i].ns >= 1e9 * options.sample_seconds);
        assert_true(record.samples[i].cycles > 0);
        assert_true(record.samples[i].baseline_ns == 0);
    }
    rp_record_free(&record);
}

static void a_baseline_is_timed_beside_every_sample(void **state)
{
    struct work work = {0};
    const struct rp_measurable measurable = {
        .run = run, .baseline = baseline, .context = &work};
    struct rp_record record = {0};
    struct rp_error error;
    uint64_t repetitions = 0;

    (void)state;
    assert_true(rp_measure(&measurable, &options, &record, &repetitions, &error));
    assert_true(work.baseline_calls >= record.sample_count);
    for (size_t i = 0; i < record.sample_count; i++) {
        assert_true(record.samples[i].baseline_ns > 0);
        assert_true(record.samples[i].baseline_cycles > 0);
    }
    rp_record_free(&record);
}

/* Sleeping is giving the CPU away: every sample must go, and the record must say so. */
static void switched_out_samples_are_dropped(void **state)
{
    struct work work = {0};
    const struct rp_measurable measurable = {.run = sleep_a_little, .context = &work};
    struct rp_record record = {0};
    struct rp_error error;
    uint64_t repetitions = 0;

    (void)state;
    assert_true(rp_measure(&measurable, &options, &record, &repetitions, &error));
    assert_int_equal(record.sample_count, 0);
    assert_true(record.dropped.preempted + record.dropped.stolen > 0);
    assert_int_equal(record.verdict, RP_VERDICT_DISTURBED);
    assert_non_null(strstr(record.why, "switched out"));
    rp_record_free(&record);
}

/* A core that once did far more than now must have company; the samples are kept, marked.
 */
static void samples_of_a_shared_core_are_marked(void **state)
{
    double most_per_cycle = 1000;
    struct work work = {0};
    const struct rp_measurable measurable = {.run = run, .context = &work};
    const struct rp_measure_options shared = {
        .sample_seconds = options.sample_seconds,
        .budget_seconds = options.budget_seconds,
        .most_per_cycle = &most_per_cycle,
    };
    struct rp_record record = {0};
    struct rp_error error;
    uint64_t repetitions = 0;

    (void)state;
    assert_true(rp_measure(&measurable, &shared, &record, &repetitions, &error));
    assert_true(most_per_cycle == 1000);
    assert_int_equal(record.verdict, RP_VERDICT_DISTURBED);
    if (record.sample_count > 0) { /* all may have been lost to something worse */
        assert_non_null(strstr(record.why, "another hardware thread"));
    }
    rp_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_as_long_as_asked),
        cmocka_unit_test(a_baseline_is_timed_beside_every_sample),
        cmocka_unit_test(switched_out_samples_are_dropped),
        cmocka_unit_test(samples_of_a_shared_core_are_marked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
