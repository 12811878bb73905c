/* SPDX-License-Identifier: MIT */
/*
 * Question: how much more do several cores get out of the last cache and out of memory
 * than one? Trick: the plain stream kernels at the widest width on 1, 2, 4, 8 ... cores
 * at once, each on its own part, with the way between the cores timed around every
 * sample. Known ways to fool it: cores that share less than the topology says, or that
 * their host moves meanwhile (hence the clusters); parts that together fit into more
 * caches than were counted; memory first touched by another core.
 */
#include <stdio.h>

#include "core/text.h"
#include "probes/probe.h"

static const char *const widths[] = {"avx512", "avx2", "sse2"}; /* widest first */

static const struct {
    const char *shape;
    enum rp_mode mode;
} mixes[] = {
    {"load", RP_MODE_NONE},     {"store", RP_MODE_TEMPORAL}, {"store", RP_MODE_NT},
    {"copy", RP_MODE_TEMPORAL}, {"copy", RP_MODE_NT},        {"update", RP_MODE_INPLACE},
};

static const struct rp_kernel *widest(const char *shape, const struct rp_cpu *cpu)
{
    const struct rp_kernel *kernel = NULL;
    char name[32];
    char why[160];

    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        snprintf(name, sizeof name, "%s-%s", shape, widths[i]);
        kernel = rp_kernel_find(name);
        if (kernel != NULL && rp_kernel_available(kernel, cpu, why, sizeof why)) {
            return kernel;
        }
    }
    return NULL; /* SSE2 is a part of x86-64 */
}

/* The instances of a cache that so many cores use, when neighbours share. */
static size_t instances(const struct rp_level *cache, unsigned threads)
{
    const unsigned shared_by = cache->shared_by > 0 ? cache->shared_by : 1;

    return (threads + shared_by - 1) / shared_by;
}

/* All last caches in use, in bytes; 0 on a machine without caches. */
static size_t last_caches(const struct rp_machine *machine, unsigned threads)
{
    if (machine->level_count < 2) {
        return 0;
    }
    const struct rp_level *const last = &machine->levels[machine->level_count - 2];
    return instances(last, threads) * last->size_bytes;
}

static size_t whole(size_t bytes, unsigned threads)
{
    const size_t lines = 2 * RP_BLOCK_BYTES * (size_t)threads;

    return (bytes + lines - 1) / lines * lines;
}

/* Well out of reach of all last caches; 0 with the reason when that is too much. */
static size_t memory_set(const struct rp_machine *machine, unsigned threads,
                         struct rp_job *job)
{
    const size_t least = 4 * last_caches(machine, threads);
    const size_t set =
        whole(least > RP_LEAST_MEMORY_SET ? least : RP_LEAST_MEMORY_SET, threads);
    const size_t spendable = rp_machine_spendable_bytes(machine);
    char set_text[RP_SIZE_TEXT];
    char spendable_text[RP_SIZE_TEXT];

    if (set <= spendable) {
        return set;
    }
    snprintf(job->why, sizeof job->why,
             "%u threads need %s, to be out of reach of the caches, and only %s may be "
             "used",
             threads, rp_size_text(set, set_text),
             rp_size_text(spendable, spendable_text));
    return 0;
}

/* Four times what the nearer caches of these cores hold, so that they hold little of it;
 * 0 with the reason where the last caches have no room for that. */
static size_t cache_set(const struct rp_machine *machine, unsigned threads,
                        struct rp_job *job)
{
    const unsigned last = machine->level_count - 2;
    const size_t nearer = last > 0 ? instances(&machine->levels[last - 1], threads) *
                                         machine->levels[last - 1].size_bytes
                                   : 0;
    const size_t most = last_caches(machine, threads) / 4 * 3;
    const size_t set = whole(last > 0 ? 4 * nearer : most, threads);

    if (set <= most) {
        return set;
    }
    if (most >= 2 * nearer) {
        return whole(most, threads);
    }
    snprintf(job->why, sizeof job->why,
             "the nearer caches of %u cores hold nearly as much as their last ones",
             threads);
    return 0;
}

static bool add(struct rp_job_list *jobs, struct rp_job *job, size_t set,
                const struct rp_machine *machine, struct rp_error *error)
{
    for (size_t i = 0; i < sizeof mixes / sizeof *mixes; i++) {
        job->mode = mixes[i].mode;
        job->kernel = widest(mixes[i].shape, &machine->cpu);
        job->working_set_bytes = set;
        job->kind = set > 0 ? RP_JOB_TEAM : RP_JOB_UNAVAILABLE;
        if (job->kernel == NULL) {
            continue;
        }
        snprintf(job->key, sizeof job->key, "scaling/%s/%s/%s/%u-threads/%zu",
                 job->kernel->name, rp_mode_name(job->mode), job->level, job->threads,
                 set);
        if (!rp_job_list_add(jobs, job, error)) {
            return false;
        }
    }
    return true;
}

/* Memory first: its parts have room for the smaller ones too. */
static bool add_threads(struct rp_job_list *jobs, unsigned threads, double budget_seconds,
                        const struct rp_machine *machine, struct rp_error *error)
{
    struct rp_job in_memory = {
        .probe = "scaling", .threads = threads, .budget_seconds = budget_seconds};
    struct rp_job in_cache = in_memory;
    const struct rp_level *const memory = &machine->levels[machine->level_count - 1];

    in_memory.core_kind = in_cache.core_kind = machine->kind;
    snprintf(in_memory.level, sizeof in_memory.level, "%s", memory->name);
    if (!add(jobs, &in_memory, memory_set(machine, threads, &in_memory), machine,
             error)) {
        return false;
    }
    if (machine->level_count == 1) {
        return true;
    }
    snprintf(in_cache.level, sizeof in_cache.level, "%s", (memory - 1)->name);
    return add(jobs, &in_cache, cache_set(machine, threads, &in_cache), machine, error);
}

bool rp_probe_scaling(const struct rp_machine *machine, double budget_seconds,
                      struct rp_job_list *jobs, struct rp_error *error)
{
    const unsigned cores = machine->kinds[machine->kind].core_count;

    if (cores < 2) {
        const struct rp_job none = {
            .kind = RP_JOB_UNAVAILABLE,
            .key = "scaling",
            .probe = "scaling",
            .core_kind = machine->kind,
            .why = "needs two cores, and this process may use one; widen its CPU mask",
        };
        return rp_job_list_add(jobs, &none, error);
    }
    for (unsigned threads = 1; threads < 2 * cores; threads *= 2) {
        if (!add_threads(jobs, threads < cores ? threads : cores, budget_seconds, machine,
                         error)) {
            return false;
        }
    }
    return true;
}
