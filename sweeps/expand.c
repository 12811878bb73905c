/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probes/probe.h"
#include "sweeps/sweep.h"

/* Around a capacity the curve bends within a fraction of an octave. */
static const double near_capacity[] = {0.75, 0.875, 1, 1.25, 1.5};

#define NEAR_CAPACITY (sizeof near_capacity / sizeof *near_capacity)

/* The steps of a group with the most octaves, its end, and those around capacities. */
#define MOST_SETS                                                                        \
    (RP_SWEEP_MOST_OCTAVES * RP_SWEEP_MOST_PER_OCTAVE + 2 + RP_MAX_LEVELS * NEAR_CAPACITY)

static size_t rounded(double bytes)
{
    return (size_t)(bytes / (double)RP_SWEEP_LEAST_SET + 0.5) * RP_SWEEP_LEAST_SET;
}

static int ascending(const void *left, const void *right)
{
    const size_t a = *(const size_t *)left;
    const size_t b = *(const size_t *)right;

    return (a > b) - (a < b);
}

static size_t working_sets(const struct rp_sweep_group *group,
                           const struct rp_machine *machine, size_t sets[MOST_SETS])
{
    const double from = (double)group->from_bytes;
    const double to = (double)group->to_bytes;
    const double octaves = log2(to / from);
    const unsigned steps = (unsigned)(octaves * group->per_octave + 1e-9);
    size_t count = 0;

    for (unsigned i = 0; i <= steps; i++) {
        sets[count++] = rounded(from * exp2((double)i / group->per_octave));
    }
    sets[count++] = rounded(to);
    for (unsigned level = 0; group->near_capacities && level < machine->level_count;
         level++) {
        for (size_t i = 0; i < NEAR_CAPACITY; i++) {
            const double set =
                (double)machine->levels[level].size_bytes * near_capacity[i];

            if (set >= from && set <= to) {
                sets[count++] = rounded(set);
            }
        }
    }
    qsort(sets, count, sizeof *sets, ascending);
    size_t unique = 0;
    for (size_t i = 0; i < count; i++) {
        if (unique == 0 || sets[i] != sets[unique - 1]) {
            sets[unique++] = sets[i];
        }
    }
    return unique;
}

static bool selects(const struct rp_sweep_group *group, const struct rp_kernel *kernel)
{
    for (unsigned i = 0; i < group->kernel_count; i++) {
        if (rp_matches(group->kernels[i], kernel->name)) {
            return true;
        }
    }
    return false;
}

static bool expand_group(const struct rp_sweep *sweep, const struct rp_sweep_group *group,
                         const struct rp_machine *machine, struct rp_job_list *jobs,
                         size_t *left_out, struct rp_error *error)
{
    const size_t most = rp_machine_spendable_bytes(machine);
    size_t sets[MOST_SETS];
    const size_t set_count = working_sets(group, machine, sets);
    const struct rp_kernel *kernel = NULL;
    bool any = false;

    for (size_t i = 0; (kernel = rp_kernel_at(i)) != NULL; i++) {
        for (int mode = 0; mode < RP_MODE_COUNT && selects(group, kernel); mode++) {
            if (!group->modes[mode] || !rp_kernel_has_mode(kernel, (enum rp_mode)mode)) {
                continue;
            }
            any = true;
            for (size_t j = 0; j < set_count; j++) {
                if (sets[j] > most) {
                    ++*left_out;
                } else if (!rp_job_list_add_kernel(
                               jobs, "sweep", kernel, (enum rp_mode)mode, "", sets[j],
                               sweep->point_budget_seconds, &machine->cpu, error)) {
                    return false;
                }
            }
        }
    }
    if (!any) {
        return rp_fail(error, RP_USAGE,
                       "sweep %s: [%s] selects no kernel in any of its "
                       "modes; `ridgepoint list kernels` shows what there is",
                       sweep->name, group->name);
    }
    return true;
}

/* All jobs for one kind of core, as if there were no other. */
static bool expand_kind(const struct rp_sweep *sweep, const struct rp_machine *machine,
                        struct rp_job_list *jobs, size_t *left_out,
                        struct rp_error *error)
{
    for (unsigned i = 0; i < sweep->probe_count; i++) {
        const struct rp_probe *const probe = rp_probe_find(sweep->probes[i]);

        if (!probe->expand(machine, sweep->point_budget_seconds, jobs, error)) {
            return false;
        }
    }
    for (unsigned i = 0; i < sweep->group_count; i++) {
        if (!expand_group(sweep, &sweep->groups[i], machine, jobs, left_out, error)) {
            return false;
        }
    }
    return true;
}

bool rp_sweep_expand(const struct rp_sweep *sweep, const struct rp_machine *machine,
                     struct rp_job_list *jobs, size_t *left_out, struct rp_error *error)
{
    bool ok = true;

    *left_out = 0;
    for (unsigned kind = 0; ok && kind < machine->kind_count; kind++) {
        struct rp_job_list of_kind = {0};
        struct rp_machine seen = *machine;

        rp_machine_look_from(&seen, kind);
        ok = expand_kind(sweep, &seen, &of_kind, left_out, error);
        for (size_t i = 0; ok && i < of_kind.count; i++) {
            ok = rp_job_list_add_for(jobs, &of_kind.jobs[i], machine, kind, error);
        }
        rp_job_list_free(&of_kind);
    }
    return ok;
}
