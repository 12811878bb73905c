/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/counters.h"
#include "roofline/counters.h"
#include "sweeps/pace.h"
#include "sweeps/sweep.h"

#define MOST_GROUPS (sizeof((struct rp_counters_plan *)NULL)->groups / sizeof(void *))

static const struct rp_counter_group *find(const struct rp_counting *counting,
                                           const char *name)
{
    const struct rp_counter_group *group = NULL;
    size_t index = 0;

    while ((group = rp_counting_next(counting, &index)) != NULL &&
           strcmp(group->name, name) != 0) {
    }
    return group;
}

static bool fits(const struct rp_counting *counting, const struct rp_counter_group *group)
{
    return group != NULL && rp_counting_fits(counting, group);
}

/* What a roofline wants first, as far as it can be counted here. */
static void choose_routine(struct rp_counters_plan *plan,
                           const struct rp_counting *counting)
{
    const bool cores_only =
        rp_pmu_way(&counting->pmu) == RP_PMU_PERF_EVENT && !counting->pmu.memory;
    const struct rp_counter_group *group = NULL;
    size_t index = 0;

    while ((group = rp_counting_next(counting, &index)) != NULL &&
           plan->group_count < MOST_GROUPS) {
        const struct rp_counter_purpose *const purpose =
            rp_counter_group_purpose(group->name);

        if (purpose->routine && fits(counting, group) &&
            !(purpose->outside && cores_only) &&
            !(purpose->better != NULL &&
              fits(counting, find(counting, purpose->better)))) {
            plan->groups[plan->group_count++] = group;
        }
    }
}

static bool refuse(const struct rp_counting *counting,
                   const struct rp_counter_group *group, struct rp_error *error)
{
    char release[32];

    if (counting->with == RP_COUNT_WITH_PERF) {
        return rp_fail(error, RP_UNABLE,
                       "counters: %s is not counted with perf, which counts the first "
                       "events of the cores only; leave it out, or count it with likwid",
                       group->name);
    }
    rp_counter_group_likwid(group, release, sizeof release);
    return rp_fail(error, RP_UNABLE,
                   "counters: %s needs likwid %s, and here is %s; leave it out",
                   group->name, release, counting->likwid_release);
}

static bool choose_named(struct rp_counters_plan *plan,
                         const struct rp_counting *counting, const char *names,
                         struct rp_error *error)
{
    char copy[512];
    char *rest = copy;
    const char *name = NULL;

    if (snprintf(copy, sizeof copy, "%s", names) >= (int)sizeof copy) {
        return rp_fail(error, RP_USAGE, "counters: --groups has too many names");
    }
    while ((name = strsep(&rest, ",")) != NULL) {
        const struct rp_counter_group *const group = find(counting, name);

        if (group == NULL || plan->group_count == MOST_GROUPS) {
            return rp_fail(error, RP_USAGE,
                           "counters: '%s' is no group of %s; `ridgepoint counters "
                           "--list` names them, with commas between for --groups",
                           name, counting->architecture);
        }
        if (!fits(counting, group)) {
            return refuse(counting, group, error);
        }
        plan->groups[plan->group_count++] = group;
    }
    return true;
}

static bool has_counts(const struct rp_run *run, const char *group, const char *job)
{
    char key[sizeof run->records->job];

    return snprintf(key, sizeof key, "counters/%s/%s", group, rp_counted_region(job)) <
               (int)sizeof key &&
           rp_run_find(run, key) != NULL;
}

bool rp_counters_lacks(const struct rp_run *run, const char *group, const char *job)
{
    return rp_counters_find(run, rp_counted_region(job)) != NULL &&
           !has_counts(run, group, job);
}

/* Takes out the groups that the run has counts with: a second time they would not be
 * added. perf counts job by job, and goes on within a group. */
static void leave_out_counted(struct rp_counters_plan *plan,
                              const struct rp_counting *counting,
                              const struct rp_run *run)
{
    const struct rp_job_list *const jobs = &plan->jobs;
    size_t kept = 0;

    for (size_t i = 0; i < plan->group_count; i++) {
        const struct rp_counter_group *const group = plan->groups[i];
        size_t count = 0;
        size_t lacking = 0;

        for (size_t k = 0; k < jobs->count; k++) {
            count += has_counts(run, group->name, jobs->jobs[k].key);
            lacking += rp_counters_lacks(run, group->name, jobs->jobs[k].key);
        }
        if (count == 0 || (counting->with == RP_COUNT_WITH_PERF && lacking > 0)) {
            plan->groups[kept++] = group;
        } else {
            fprintf(stderr, "%s is left out: the run has its counts of %zu job%s\n",
                    group->name, count, count == 1 ? "" : "s");
        }
    }
    plan->group_count = kept;
}

/* The jobs of the run's sweep that are of no probe, and of the kernels asked for. */
static bool choose_jobs(struct rp_counters_plan *plan, const char *kernels,
                        const struct rp_run *run, struct rp_error *error)
{
    struct rp_job_list *const jobs = &plan->jobs;
    struct rp_sweep sweep;
    struct rp_pace pace;
    size_t left_out = 0;

    if (snprintf(plan->pattern, sizeof plan->pattern, "sweep/%s/*",
                 kernels != NULL ? kernels : "*") >= (int)sizeof plan->pattern) {
        return rp_fail(error, RP_USAGE, "counters: the pattern of --kernels is too long");
    }
    if (!rp_sweep_parse(&sweep, run->sweep_name, run->sweep_text, run->sweep_name,
                        error) ||
        !rp_sweep_expand(&sweep, &run->machine, jobs, &left_out, error)) {
        return false;
    }
    rp_job_list_keep(jobs, plan->pattern);
    if (jobs->count == 0) {
        return rp_fail(error, RP_USAGE,
                       "counters: the sweep of the run (%s) has no job %s; give the "
                       "kernels of one that it has with --kernels",
                       run->sweep_name, plan->pattern);
    }
    if (!rp_pace_start(&pace, jobs, &run->machine, 0, error)) {
        return false;
    }
    plan->sweep_seconds = rp_pace_left_seconds(&pace);
    return true;
}

bool rp_counters_choose(struct rp_counters_plan *plan, const struct rp_counting *counting,
                        const struct rp_counters_request *request,
                        const struct rp_run *run, struct rp_error *error)
{
    *plan = (struct rp_counters_plan){0};
    if (request->groups == NULL) {
        choose_routine(plan, counting);
    } else if (!choose_named(plan, counting, request->groups, error)) {
        return false;
    }
    if (!choose_jobs(plan, request->kernels, run, error)) {
        return false;
    }
    leave_out_counted(plan, counting, run);
    return true;
}

void rp_counters_plan_free(struct rp_counters_plan *plan)
{
    rp_job_list_free(&plan->jobs);
}
