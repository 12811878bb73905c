/* SPDX-License-Identifier: MIT */
/*
 * A kernel on its way round its streams, in whole passes or slice by slice.
 *
 * A pass that takes longer than a sample needs is cut into slices. They follow one
 * another round the stream, so that the reuse distance stays what the working set says,
 * while no sample lasts longer than it must.
 *
 * A cache behind the first is found by physical address: how much of a working set it
 * holds depends on the pages that the set lies on. At three quarters of the L2 of a
 * virtual machine (Golden Cove), loads of the same set take from 1.4 to 2.0 cycles a line
 * depending on where in the buffer it lies, each time the same. One place would make a
 * figure that no other run repeats, so a walk may move to another place before each
 * sample, and the median is over places, too.
 */
#ifndef RP_PROBES_WALK_H
#define RP_PROBES_WALK_H

#include "kernels/kernel.h"

/* What the streams are laid out in; borrowed. */
struct rp_walk_memory {
    uint8_t *data;          /* rp_walk_memory_bytes of it or more, aligned to a page */
    size_t data_bytes;      /* how much of it there is: room for other places */
    const uint8_t *pattern; /* RP_BLOCK_BYTES: what a kernel without source stores */
    uint8_t *result;        /* RP_BLOCK_BYTES: what a kernel without destination leaves */
    const void *context;    /* for the kernel, see struct rp_kernel_input */
    void *state;            /* as well */
    uint8_t *tag;           /* RP_BLOCK_BYTES: its input's result */
};

struct rp_walk {
    rp_kernel_function *run;
    struct rp_kernel_input input; /* of a whole pass */
    bool moves_source;            /* false: a block that is not part of the working set */
    bool moves_destination;
    size_t slice_bytes; /* of each stream in one repetition; input.bytes: whole passes */
    size_t cursor;      /* how far round the stream it is */
    unsigned places;    /* in the memory, that it takes in turn */
    unsigned place;     /* where it is */
    size_t place_bytes; /* from one to the next */
};

/* As many as there may be samples: at the edge of a cache places differ by a fifth, and
 * only many of them have a median that the next run repeats. */
#define RP_WALK_PLACES 200

/* How much memory a working set may need, with the distances between its streams. */
size_t rp_walk_memory_bytes(size_t working_set_bytes);

/* Lays the streams of a kernel out for whole passes. The kernel must have the mode. */
struct rp_walk rp_walk_prepare(const struct rp_kernel *kernel, enum rp_mode mode,
                               size_t working_set_bytes,
                               const struct rp_walk_memory *memory);

/* Walks so many repetitions further; `context` is a struct rp_walk. */
void rp_walk_run(void *context, uint64_t repetitions);

/* Makes a repetition and tells how long it took. */
double rp_walk_seconds(struct rp_walk *walk);

/* Cuts passes of `pass_seconds` into slices of about `sample_seconds`, but not below 64
 * KiB, when a pass is much longer than that. */
void rp_walk_cut(struct rp_walk *walk, double pass_seconds, double sample_seconds);

/* Goes to the next place and makes a pass there, or two; `context` is a struct rp_walk.
 */
void rp_walk_move(void *context);

/* Gives the walk up to RP_WALK_PLACES in `memory`; one only, when a pass takes so long
 * that moving would take the time for samples. */
void rp_walk_spread(struct rp_walk *walk, const struct rp_walk_memory *memory,
                    size_t working_set_bytes, double pass_seconds);

/* Makes a pass, which leaves the caches as this working set leaves them, and cuts the
 * walk by how long it took, which is returned. */
double rp_walk_warm_up(struct rp_walk *walk, double sample_seconds);

#endif
