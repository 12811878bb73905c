/* SPDX-License-Identifier: MIT */
/*
 * Question: how many bytes a second does each level deliver to each traffic mix? Trick:
 * every variant of every stream kernel at a few working sets strictly inside the level;
 * the best median is the roof. Known ways to fool it: sizes next to a capacity, where
 * neighbours in a shared cache decide; a DRAM set that partly fits the last level;
 * storing zeros.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "probes/probe.h"

#define MAXIMUM_SETS 3

/* Where levels of nearly the same size leave no room between them, midway is the best
 * there is: whole cache lines of two streams. */
static size_t midway(size_t nearer, size_t own)
{
    const size_t lines = 2 * RP_BLOCK_BYTES;

    return (size_t)sqrt((double)nearer * (double)own) / lines * lines;
}

/* The working sets that stand for a cache level; their number. */
static unsigned cache_sets(const struct rp_machine *machine, unsigned level,
                           size_t sets[MAXIMUM_SETS])
{
    const size_t size = machine->levels[level].size_bytes;
    size_t least = 0;
    size_t most = 0;
    unsigned count = 0;

    rp_machine_level_range(machine, level, &least, &most);
    for (size_t set = level == 0 ? size / 2 : least; set <= most && count < MAXIMUM_SETS;
         set = level == 0 ? set + size / 4 : 2 * set) {
        sets[count++] = set;
    }
    if (count == 0) {
        sets[count++] = midway(machine->levels[level - 1].size_bytes, size);
    }
    return count;
}

/* The one that stands for memory; 0 with the reason in `why` when it does not fit. */
static unsigned memory_sets(const struct rp_machine *machine, size_t sets[MAXIMUM_SETS],
                            char *why, size_t capacity)
{
    const size_t spendable = rp_machine_spendable_bytes(machine);
    size_t least = 0;
    size_t most = 0;
    char wanted_text[RP_SIZE_TEXT];
    char spendable_text[RP_SIZE_TEXT];

    rp_machine_level_range(machine, machine->level_count - 1, &least, &most);
    sets[0] = least > RP_LEAST_MEMORY_SET ? least : RP_LEAST_MEMORY_SET;
    if (sets[0] <= spendable) {
        return 1;
    }
    snprintf(why, capacity,
             "needs %s, to be out of reach of the caches, and only %s may be used",
             rp_size_text(sets[0], wanted_text), rp_size_text(spendable, spendable_text));
    return 0;
}

static bool add_level(const struct rp_machine *machine, unsigned index,
                      const struct rp_kernel *kernel, enum rp_mode mode,
                      double budget_seconds, struct rp_job_list *jobs,
                      struct rp_error *error)
{
    const char *const level = machine->levels[index].name;
    size_t sets[MAXIMUM_SETS];
    struct rp_job job = {
        .kind = RP_JOB_UNAVAILABLE, .probe = "bandwidth", .kernel = kernel, .mode = mode};
    const unsigned count = index + 1 < machine->level_count
                               ? cache_sets(machine, index, sets)
                               : memory_sets(machine, sets, job.why, sizeof job.why);

    if (count == 0) {
        snprintf(job.level, sizeof job.level, "%s", level);
        snprintf(job.key, sizeof job.key, "bandwidth/%s/%s/%s", kernel->name,
                 rp_mode_name(mode), level);
        return rp_job_list_add(jobs, &job, error);
    }
    for (unsigned i = 0; i < count; i++) {
        if (!rp_job_list_add_kernel(jobs, "bandwidth", kernel, mode, level, sets[i],
                                    budget_seconds, &machine->cpu, error)) {
            return false;
        }
    }
    return true;
}

bool rp_probe_bandwidth(const struct rp_machine *machine, double budget_seconds,
                        struct rp_job_list *jobs, struct rp_error *error)
{
    const struct rp_kernel *kernel = NULL;

    for (unsigned level = 0; level < machine->level_count; level++) {
        for (size_t i = 0; (kernel = rp_kernel_at(i)) != NULL; i++) {
            if (strcmp(kernel->family, "stream") != 0) {
                continue;
            }
            for (int mode = 0; mode < RP_MODE_COUNT; mode++) {
                if (rp_kernel_has_mode(kernel, (enum rp_mode)mode) &&
                    !add_level(machine, level, kernel, (enum rp_mode)mode, budget_seconds,
                               jobs, error)) {
                    return false;
                }
            }
        }
    }
    return true;
}
