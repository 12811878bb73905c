/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/counters.h"
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
    return group != NULL && rp_counter_group_fits(group, counting->likwid_release);
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

static bool choose_named(struct rp_counters_plan *plan,
                         const struct rp_counting *counting, const char *names,
                         struct rp_error *error)
{
    char release[32];
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
            rp_counter_group_likwid(group, release, sizeof release);
            return rp_fail(error, RP_UNABLE,
                           "counters: %s needs likwid %s, and here is %s; leave it out",
                           name, release, counting->likwid_release);
        }
        plan->groups[plan->group_count++] = group;
    }
    return true;
}

/* How many of the jobs the run has counts of with this group. */
static size_t counted_jobs(const struct rp_run *run, const char *group,
                           const struct rp_job_list *jobs)
{
    char key[sizeof run->records->job];
    size_t count = 0;

    for (size_t i = 0; i < jobs->count; i++) {
        if (snprintf(key, sizeof key, "counters/%s/%s", group,
                     rp_counted_region(jobs->jobs[i].key)) < (int)sizeof key) {
            count += rp_run_find(run, key) != NULL;
        }
    }
    return count;
}

/* Takes out the groups that the run has counts with: a second time they would not be
 * added. */
static void leave_out_counted(struct rp_counters_plan *plan,
                              const struct rp_job_list *jobs, const struct rp_run *run)
{
    size_t kept = 0;

    for (size_t i = 0; i < plan->group_count; i++) {
        const struct rp_counter_group *const group = plan->groups[i];
        const size_t count = counted_jobs(run, group->name, jobs);

        if (count == 0) {
            plan->groups[kept++] = group;
        } else {
            fprintf(stderr, "%s is left out: the run has its counts of %zu job%s\n",
                    group->name, count, count == 1 ? "" : "s");
        }
    }
    plan->group_count = kept;
}

/* The jobs of the run's sweep that are of no probe, and of the kernels asked for. */
static bool choose_jobs(struct rp_counters_plan *plan, struct rp_job_list *jobs,
                        const char *kernels, const struct rp_run *run,
                        struct rp_error *error)
{
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
    struct rp_job_list jobs = {0};

    *plan = (struct rp_counters_plan){0};
    if (request->groups == NULL) {
        choose_routine(plan, counting);
    } else if (!choose_named(plan, counting, request->groups, error)) {
        return false;
    }
    const bool chosen = choose_jobs(plan, &jobs, request->kernels, run, error);
    if (chosen) {
        leave_out_counted(plan, &jobs, run);
    }
    rp_job_list_free(&jobs);
    return chosen;
}
