/* SPDX-License-Identifier: MIT */
/* The timing loop, on work whose outcome does not depend on how fast this machine is. */
#include <math.h>
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

static struct rp_cycles chain;
static struct rp_disturbance_watch watch;

static const struct rp_measure_options options = {
    .sample_seconds = 0.0002,
    .budget_seconds = 0.02,
    .cycles = &chain,
    .watch = &watch,
};

static int open_chain(void **state)
{
    struct rp_error error;

    (void)state;
    rp_disturbance_watch(&watch, "", 0);
    return rp_cycles_open(&chain, &rp_cycle_native, 0, RP_CYCLE_SOURCE_CHAIN, &error)
               ? 0
               : -1;
}

/* Measures run() by cycles from elsewhere. */
static struct rp_record measure_by(const struct rp_cycles *cycles)
{
    struct work work = {0};
    const struct rp_measurable measurable = {.run = run, .context = &work};
    struct rp_measure_options other = options;
    struct rp_record record = {0};
    struct rp_error error;
    uint64_t repetitions = 0;

    other.cycles = cycles;
    assert_true(rp_measure(&measurable, &other, &record, &repetitions, &error));
    return record;
}

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
    struct rp_company company = {.alone = 1000};
    struct work work = {0};
    const struct rp_measurable measurable = {.run = run, .context = &work};
    const struct rp_measure_options shared = {
        .sample_seconds = options.sample_seconds,
        .budget_seconds = options.budget_seconds,
        .cycles = &chain,
        .watch = &watch,
        .company = &company,
    };
    struct rp_record record = {0};
    struct rp_error error;
    uint64_t repetitions = 0;

    (void)state;
    assert_true(rp_measure(&measurable, &shared, &record, &repetitions, &error));
    assert_true(company.alone == 1000);
    assert_int_equal(record.verdict, RP_VERDICT_DISTURBED);
    if (record.sample_count > 0) { /* all may have been lost to something worse */
        assert_non_null(strstr(record.why, "another hardware thread"));
    }
    rp_record_free(&record);
}

/* A made-up clock, and a made-up counter behind it. */
struct fake {
    double hz[2];       /* before and after the step */
    unsigned step_at;   /* reading of the clock from which on it is the second */
    bool every_other;   /* or: the two take turns */
    double drift;       /* or: it falls by this part at each reading */
    unsigned readings;  /* of the clock */
    unsigned counts;    /* readings of the counter */
    unsigned lost_from; /* of them; 0: never */
};

static double fake_hz(void *context)
{
    struct fake *const fake = context;
    const unsigned reading = fake->readings++;

    return fake->hz[fake->every_other ? reading % 2 : reading >= fake->step_at] *
           pow(1 - fake->drift, reading);
}

/* A thousand cycles between any two readings. */
static bool fake_count(void *context, int descriptor, struct rp_perf_count *count)
{
    struct fake *const fake = context;

    (void)descriptor;
    *count = (struct rp_perf_count){
        .value = 1000 * (uint64_t)++fake->counts, .enabled_ns = 1, .running_ns = 1};
    return fake->lost_from == 0 || fake->counts < fake->lost_from;
}

static struct rp_record measure_faked(struct fake *fake, const char *source)
{
    const struct rp_cycle_system system = {
        .chain_hz = fake_hz, .perf_read = fake_count, .context = fake};
    struct rp_cycles cycles = {.system = &system, .descriptor = -1};

    while (strcmp(chain.trials[cycles.source].name, source) != 0) {
        cycles.source++;
        assert_true(cycles.source < RP_CYCLE_SOURCES);
    }
    memcpy(cycles.trials, chain.trials, sizeof cycles.trials);
    return measure_by(&cycles);
}

static void a_clock_that_never_holds_still_leaves_nothing(void **state)
{
    struct fake fake = {.hz = {3e9, 2e9}, .every_other = true};
    struct rp_record record = measure_faked(&fake, RP_CYCLE_SOURCE_CHAIN);

    (void)state;
    assert_int_equal(record.sample_count, 0);
    assert_true(record.dropped.clock + record.dropped.preempted + record.dropped.stolen >
                0);
    assert_int_equal(record.verdict, RP_VERDICT_DISTURBED);
    assert_non_null(strstr(record.why, "core clock changed"));
    rp_record_free(&record);
}

/* On a busy machine the first reading of the clock may take all the time there is. */
static void one_sample_is_tried_whatever_the_budget(void **state)
{
    struct work work = {0};
    const struct rp_measurable measurable = {.run = run, .context = &work};
    struct rp_measure_options hasty = options;
    struct rp_record record = {0};
    struct rp_error error;
    uint64_t repetitions = 0;

    (void)state;
    hasty.budget_seconds = 1e-9;
    assert_true(rp_measure(&measurable, &hasty, &record, &repetitions, &error));
    const struct rp_dropped *const dropped = &record.dropped;
    assert_int_equal(record.sample_count + dropped->clock + dropped->preempted +
                         dropped->stolen + dropped->throttled,
                     1);
    assert_int_equal(record.verdict, RP_VERDICT_DISTURBED);
    rp_record_free(&record);
}

/* A sample on one side of the step is as good as any; the one across it is not. */
static void a_clock_that_steps_costs_the_sample_across(void **state)
{
    struct fake fake = {.hz = {3e9, 2e9}, .step_at = 6};
    struct rp_record record = measure_faked(&fake, RP_CYCLE_SOURCE_CHAIN);

    (void)state;
    for (size_t i = 0; i < record.sample_count; i++) {
        const double ghz = record.samples[i].cycles / record.samples[i].ns;

        assert_true((ghz > 2.999 && ghz < 3.001) || (ghz > 1.999 && ghz < 2.001));
    }
    if (record.dropped.preempted + record.dropped.stolen == 0) { /* else it went so */
        assert_int_equal(record.dropped.clock, 1);
    }
    rp_record_free(&record);
}

/* From sample to sample it is hardly noticed, over the record it is. */
static void a_clock_that_drifts_disturbs_the_record(void **state)
{
    struct fake fake = {.hz = {3e9, 3e9}, .drift = 0.006};
    struct rp_record record = measure_faked(&fake, RP_CYCLE_SOURCE_CHAIN);

    (void)state;
    assert_int_equal(record.verdict, RP_VERDICT_DISTURBED);
    assert_int_equal(record.dropped.clock, 0);
    if (record.dropped.preempted + record.dropped.stolen <= record.sample_count) {
        assert_non_null(strstr(record.why, "core clock moved from"));
    }
    rp_record_free(&record);
}

static void a_counter_counts_cycles_by_itself(void **state)
{
    struct fake fake = {.hz = {3e9, 3e9}};
    struct rp_record record = measure_faked(&fake, "perf-event");

    (void)state;
    assert_string_equal(record.cycle_source, "perf-event");
    for (size_t i = 0; i < record.sample_count; i++) {
        assert_true(record.samples[i].cycles == 1000);
    }
    rp_record_free(&record);
}

static void a_counter_that_goes_away_takes_its_samples_along(void **state)
{
    struct fake fake = {.hz = {3e9, 3e9}, .lost_from = 5};
    struct rp_record record = measure_faked(&fake, "perf-event");

    (void)state;
    assert_true(record.sample_count <= 2);
    assert_int_equal(record.verdict, RP_VERDICT_DISTURBED);
    rp_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_as_long_as_asked),
        cmocka_unit_test(a_baseline_is_timed_beside_every_sample),
        cmocka_unit_test(switched_out_samples_are_dropped),
        cmocka_unit_test(samples_of_a_shared_core_are_marked),
        cmocka_unit_test(a_clock_that_never_holds_still_leaves_nothing),
        cmocka_unit_test(one_sample_is_tried_whatever_the_budget),
        cmocka_unit_test(a_clock_that_steps_costs_the_sample_across),
        cmocka_unit_test(a_clock_that_drifts_disturbs_the_record),
        cmocka_unit_test(a_counter_counts_cycles_by_itself),
        cmocka_unit_test(a_counter_that_goes_away_takes_its_samples_along),
    };

    return cmocka_run_group_tests(tests, open_chain, NULL);
}
