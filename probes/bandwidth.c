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

#define MAXIMUM_SETS 4
#define DRAM_FACTOR                                                                      \
    4 /* times the last-level cache, so that at most a quarter can hit                   \
       */
#define DRAM_LEAST   (256 * RP_MIB)
#define MEMORY_SHARE 0.8 /* of what is available; the rest is for everybody else */

/* The working sets that stand for a level; their number, or 0 with the reason in `why`.
 */
static unsigned level_sets(const struct rp_machine *machine, unsigned index,
                           size_t sets[MAXIMUM_SETS], char *why, size_t capacity)
{
    const size_t size = machine->levels[index].size_bytes;
    unsigned count = 0;

    if (index + 1 == machine->level_count) {
        const size_t last_cache = rp_machine_last_cache_bytes(machine);
        const size_t wanted =
            last_cache * DRAM_FACTOR > DRAM_LEAST ? last_cache * DRAM_FACTOR : DRAM_LEAST;
        const size_t most = (size_t)((double)machine->memory_bytes * MEMORY_SHARE);
        char wanted_text[RP_SIZE_TEXT];
        char most_text[RP_SIZE_TEXT];

        if (wanted > most) {
            snprintf(why, capacity,
                     "needs %s (%d times the last-level cache) and only %s may be used",
                     rp_size_text(wanted, wanted_text), DRAM_FACTOR,
                     rp_size_text(most, most_text));
            return 0;
        }
        sets[count++] = wanted;
        return count;
    }
    if (index == 0) {
        sets[count++] = size / 2;
        sets[count++] = size / 4 * 3;
        return count;
    }
    const size_t previous = machine->levels[index - 1].size_bytes;
    for (size_t set = 2 * previous; set <= size / 2 && count < 3; set *= 2) {
        sets[count++] = set;
    }
    if (count == 0) { /* levels of nearly the same size: midway is the best there is */
        sets[count++] = (size_t)sqrt((double)previous * (double)size) / 128 * 128;
    }
    return count;
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
    const unsigned count = level_sets(machine, index, sets, job.why, sizeof job.why);

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
