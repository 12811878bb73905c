/* SPDX-License-Identifier: MIT */
/*
 * Several threads, each on a core of its own, doing the same at the same time.
 *
 * Each thread binds itself, is the first to touch its part of the working set, and meets
 * the others at a barrier. A sample is as many repetitions of every thread, and lasts
 * from the first start to the last end. Around every sample the way of a cache line from
 * the first core to each other one is timed and the longest kept: when that changes by
 * more than half, the cores have moved and the sample is dropped. Samples are judged
 * cluster by cluster of that time (core/cluster.h), since a median over two places that
 * the cores have been at never occurred at either; else by the rules of
 * probes/measure.h, but that nobody asks who else is on the cores.
 */
#ifndef RP_PROBES_TEAM_H
#define RP_PROBES_TEAM_H

#include <stdint.h>

#include "core/error.h"
#include "core/machine.h"
#include "core/record.h"
#include "kernels/kernel.h"
#include "probes/regions.h"

/* Part of a thread: its memory, which stays where it was touched first. */
struct rp_team_part;

/* Memory that is kept from one measurement to the next. Start from {0}. */
struct rp_team {
    struct rp_team_part *parts; /* owned */
    unsigned part_count;
    size_t part_bytes;
};

struct rp_team_options {
    const struct rp_topology *topology;
    const unsigned *pus; /* one for each thread */
    unsigned threads;
    const struct rp_kernel *kernel;
    enum rp_mode mode;
    const void *context;      /* for the kernel */
    size_t working_set_bytes; /* of all threads together */
    uint64_t seed;
    double budget_seconds;
    const struct rp_regions *regions; /* each thread's part of a sample is a call of the
                                         job's; or NULL */
};

/*
 * Measures and fills what rp_measure fills of a record, and items per sample, working set
 * and page size. Memory is kept for as many threads and at most as large a set, else
 * replaced. Fails with RP_UNABLE when a thread cannot be had, bound, given memory, or
 * counted by likwid.
 */
bool rp_team_measure(struct rp_team *team, const struct rp_team_options *options,
                     struct rp_record *record, struct rp_error *error);

/* Frees the memory. */
void rp_team_close(struct rp_team *team);

#endif
