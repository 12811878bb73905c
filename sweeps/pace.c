/* SPDX-License-Identifier: MIT */
#include "sweeps/pace.h"

#include <math.h>

/* Eight samples with what brackets them; the least that a median's interval needs. */
#define LEAST_JOB_SECONDS 0.005

/* What the expectation itself is worth against jobs that were done, in seconds. */
#define EXPECTATION_WEIGHT 0.5

static struct rp_pace_class *class_of(struct rp_pace *pace, const struct rp_job *job)
{
    switch (job->kind) {
    case RP_JOB_CLOCK:
        return &pace->classes[0];
    case RP_JOB_UNIT:
        return &pace->classes[1];
    case RP_JOB_TEAM:
        return &pace->classes[2];
    case RP_JOB_KERNEL:
        if (job->kernel->cycles_per_byte > 0) {
            return &pace->classes[3];
        }
        break;
    case RP_JOB_UNAVAILABLE:
        break;
    }
    return &pace->classes[4 + rp_machine_level_of(pace->machine, job->working_set_bytes)];
}

/* How much longer than expected everything took: what to expect of a class that is still
 * to come. */
static double overall_factor(const struct rp_pace *pace)
{
    double expected = EXPECTATION_WEIGHT;
    double actual = EXPECTATION_WEIGHT;

    for (size_t i = 0; i < RP_PACE_CLASSES; i++) {
        expected += pace->classes[i].expected_seconds;
        actual += pace->classes[i].actual_seconds;
    }
    return actual / expected;
}

static double factor_of(const struct rp_pace *pace, const struct rp_pace_class *class)
{
    return (class->actual_seconds + EXPECTATION_WEIGHT * overall_factor(pace)) /
           (class->expected_seconds + EXPECTATION_WEIGHT);
}

/* Seconds left for what no budget changes, and for samples at the jobs' own budgets. */
static void left(const struct rp_pace *pace, double *fixed, double *sampling)
{
    *fixed = 0;
    *sampling = 0;
    for (size_t i = 0; i < RP_PACE_CLASSES; i++) {
        const struct rp_pace_class *const class = &pace->classes[i];
        const double factor = factor_of(pace, class);

        *fixed += factor * class->fixed_left_seconds;
        *sampling += factor * class->sampling_left_seconds;
    }
}

/* The part of its own budget that each job gets, so that all end in time. */
static double budget_scale(const struct rp_pace *pace)
{
    double fixed = 0;
    double sampling = 0;

    if (!(pace->budget_seconds > 0)) {
        return 1;
    }
    left(pace, &fixed, &sampling);
    const double spare = pace->budget_seconds - pace->elapsed_seconds - fixed;
    return spare > 0 && sampling > 0 ? spare / sampling : 0;
}

bool rp_pace_start(struct rp_pace *pace, const struct rp_job_list *jobs,
                   const struct rp_machine *machine, double budget_seconds,
                   struct rp_error *error)
{
    double least = 0;

    *pace = (struct rp_pace){.machine = machine, .budget_seconds = budget_seconds};
    for (size_t i = 0; i < jobs->count; i++) {
        const struct rp_job *const job = &jobs->jobs[i];
        struct rp_pace_class *const class = class_of(pace, job);

        class->fixed_left_seconds += rp_job_fixed_seconds(job);
        class->sampling_left_seconds += rp_job_sampling_seconds(job, job->budget_seconds);
        least +=
            rp_job_fixed_seconds(job) + rp_job_sampling_seconds(job, LEAST_JOB_SECONDS);
    }
    return !(budget_seconds > 0) || budget_seconds >= least ||
           rp_fail(error, RP_USAGE,
                   "%.3g s is too short a budget for %zu jobs, which need some %.0f s; "
                   "give more, or choose a smaller sweep",
                   budget_seconds, jobs->count, ceil(least));
}

double rp_pace_job_budget(const struct rp_pace *pace, const struct rp_job *job)
{
    return fmax(budget_scale(pace) * job->budget_seconds, LEAST_JOB_SECONDS);
}

void rp_pace_done(struct rp_pace *pace, const struct rp_job *job, double budget_seconds,
                  double seconds)
{
    struct rp_pace_class *const class = class_of(pace, job);
    const double fixed = rp_job_fixed_seconds(job);

    class->fixed_left_seconds -= fixed;
    class->sampling_left_seconds -= rp_job_sampling_seconds(job, job->budget_seconds);
    class->expected_seconds += fixed + rp_job_sampling_seconds(job, budget_seconds);
    class->actual_seconds += seconds;
    pace->elapsed_seconds += seconds;
}

double rp_pace_left_seconds(const struct rp_pace *pace)
{
    double fixed = 0;
    double sampling = 0;

    left(pace, &fixed, &sampling);
    return fixed + budget_scale(pace) * sampling;
}
