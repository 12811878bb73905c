/* SPDX-License-Identifier: MIT */
/* Time left and budgets, on runs whose jobs take what the test says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "core/random.h"
#include "core/text.h"
#include "sweeps/pace.h"
#include "sweeps/sweep.h"

struct fixture {
    struct rp_machine machine;
    struct rp_job_list jobs;
};

static int make(void **state)
{
    struct fixture *const fixture = calloc(1, sizeof *fixture);
    struct rp_sweep sweep;
    struct rp_error error;
    char name[48];
    char *text = NULL;
    size_t left_out = 0;

    assert_non_null(fixture);
    fixture->machine = (struct rp_machine){
        .kinds = {{.levels = {{.name = "L1", .size_bytes = 48 * RP_KIB},
                              {.name = "L2", .size_bytes = 2 * RP_MIB},
                              {.name = "L3", .size_bytes = 32 * RP_MIB},
                              {.name = "DRAM"}},
                   .level_count = 4}},
        .kind_count = 1,
        .memory_bytes = 8 * RP_GIB,
    };
    rp_machine_look_from(&fixture->machine, 0);
    assert_true(rp_cpu_detect(&fixture->machine.cpu, &rp_cpu_native, NULL, &error));
    assert_true(rp_sweep_load("default", &text, name, &error));
    assert_true(rp_sweep_parse(&sweep, name, text, name, &error));
    assert_true(
        rp_sweep_expand(&sweep, &fixture->machine, &fixture->jobs, &left_out, &error));
    free(text);
    *state = fixture;
    return 0;
}

static int unmake(void **state)
{
    struct fixture *const fixture = *state;

    rp_job_list_free(&fixture->jobs);
    free(fixture);
    return 0;
}

/* How a made-up machine turns out: everything that samples in a cache takes this part of
 * its budget, and passes take so much longer than expected. */
struct behaviour {
    double cached_share;
    double pass_factor;
};

static double actual_seconds(const struct rp_job *job, double budget_seconds,
                             const struct behaviour *behaviour, uint64_t *random)
{
    const double noise = 0.8 + 0.4 * (double)rp_random_below(random, 1000) / 1000;
    const double share =
        job->working_set_bytes > 16 * RP_MIB ? 1 : behaviour->cached_share;

    if (job->kind == RP_JOB_UNAVAILABLE) {
        return 0;
    }
    return noise *
           (share * budget_seconds + behaviour->pass_factor * rp_job_fixed_seconds(job));
}

/* Runs all jobs; the time left as foreseen when a quarter of the run was over, as a part
 * of what it was. Stores the whole time. */
static double run(const struct fixture *fixture, double budget_seconds,
                  const struct behaviour *behaviour, double *total)
{
    struct rp_pace pace;
    struct rp_error error;
    uint64_t random = 1;
    double *const foreseen = calloc(fixture->jobs.count, sizeof *foreseen);
    double *const elapsed = calloc(fixture->jobs.count, sizeof *elapsed);
    double accuracy = 0;

    assert_true(foreseen != NULL && elapsed != NULL);
    assert_true(
        rp_pace_start(&pace, &fixture->jobs, &fixture->machine, budget_seconds, &error));
    for (size_t i = 0; i < fixture->jobs.count; i++) {
        const struct rp_job *const job = &fixture->jobs.jobs[i];
        const double budget = rp_pace_job_budget(&pace, job);

        foreseen[i] = rp_pace_left_seconds(&pace);
        elapsed[i] = pace.elapsed_seconds;
        rp_pace_done(&pace, job, budget, actual_seconds(job, budget, behaviour, &random));
    }
    *total = pace.elapsed_seconds;
    assert_true(fabs(rp_pace_left_seconds(&pace)) < 1e-6 * *total);
    for (size_t i = 0; i < fixture->jobs.count && accuracy == 0; i++) {
        if (elapsed[i] >= *total / 4) {
            accuracy = foreseen[i] / (*total - elapsed[i]);
        }
    }
    free(foreseen);
    free(elapsed);
    return accuracy;
}

static const struct behaviour behaviours[] = {
    {.cached_share = 0.03, .pass_factor = 1},  /* quiet */
    {.cached_share = 0.5, .pass_factor = 1.5}, /* busy */
    {.cached_share = 1, .pass_factor = 3},     /* very busy, slow memory */
    {.cached_share = 0.03, .pass_factor = 0.4} /* fast memory */
};

static void time_left_is_right_after_a_quarter(void **state)
{
    for (size_t i = 0; i < sizeof behaviours / sizeof *behaviours; i++) {
        double total = 0;
        const double accuracy = run(*state, 0, &behaviours[i], &total);

        if (accuracy < 0.8 || accuracy > 1.2) {
            fail_msg("behaviour %zu: foreseen %.2f times what was left", i, accuracy);
        }
    }
}

/* Cached points that converge early leave their time to the others. Single passes and the
 * least of samples take some 65 s on the busy machine, whatever the budget. */
static void budget_is_used_and_kept(void **state)
{
    static const double budgets[] = {75, 120, 400};

    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        double total = 0;
        const double accuracy = run(*state, budgets[i], &behaviours[1], &total);

        if (total < 0.85 * budgets[i] || total > 1.1 * budgets[i]) {
            fail_msg("took %.1f s of %.0f s", total, budgets[i]);
        }
        assert_true(accuracy > 0.8 && accuracy < 1.2);
    }
}

static void budget_may_be_too_short(void **state)
{
    const struct fixture *const fixture = *state;
    struct rp_pace pace;
    struct rp_error error;

    assert_false(rp_pace_start(&pace, &fixture->jobs, &fixture->machine, 1, &error));
    assert_int_equal(error.status, RP_USAGE);
    assert_non_null(strstr(error.message, "too short"));
}

/* Late or not, no job gets less than its samples need. */
static void jobs_get_the_least_they_need(void **state)
{
    const struct fixture *const fixture = *state;
    struct rp_pace pace;
    struct rp_error error;

    assert_true(rp_pace_start(&pace, &fixture->jobs, &fixture->machine, 60, &error));
    rp_pace_done(&pace, &fixture->jobs.jobs[1], 0.2, 100);
    for (size_t i = 2; i < fixture->jobs.count; i++) {
        assert_true(rp_pace_job_budget(&pace, &fixture->jobs.jobs[i]) >= 0.005);
    }
    assert_true(rp_pace_left_seconds(&pace) >= 0);
}

static void nothing_to_do_takes_no_time(void **state)
{
    const struct fixture *const fixture = *state;
    const struct rp_job_list none = {0};
    struct rp_pace pace;
    struct rp_error error;

    assert_true(rp_pace_start(&pace, &none, &fixture->machine, 10, &error));
    assert_true(rp_pace_left_seconds(&pace) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_left_is_right_after_a_quarter),
        cmocka_unit_test(budget_is_used_and_kept),
        cmocka_unit_test(budget_may_be_too_short),
        cmocka_unit_test(jobs_get_the_least_they_need),
        cmocka_unit_test(nothing_to_do_takes_no_time),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
