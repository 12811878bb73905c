/* SPDX-License-Identifier: MIT */
/*
 * A kernel on its way round its streams, in whole passes or slice by slice.
 *
 * A pass that takes longer than a sample needs is cut into slices. They follow one
 * another round the stream, so that the reuse distance stays what the working set says,
 * while no sample lasts longer than it must.
 */
#ifndef RP_PROBES_WALK_H
#define RP_PROBES_WALK_H

#include "kernels/kernel.h"

/* What the streams are laid out in; borrowed. */
struct rp_walk_memory {
    uint8_t *data;          /* rp_walk_memory_bytes of it, aligned to a page */
    const uint8_t *pattern; /* RP_BLOCK_BYTES: what a kernel without source stores */
    uint8_t *result;        /* RP_BLOCK_BYTES: what a kernel without destination leaves */
    const void *context;    /* for the kernel, see struct rp_kernel_input */
};

struct rp_walk {
    rp_kernel_function *run;
    struct rp_kernel_input input; /* of a whole pass */
    bool moves_source;            /* false: a block that is not part of the working set */
    bool moves_destination;
    size_t slice_bytes; /* of each stream in one repetition; input.bytes: whole passes */
    size_t cursor;      /* how far round the stream it is */
};

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

/* Makes a pass, which leaves the caches as this working set leaves them, and cuts the
 * walk by how long it took. */
void rp_walk_warm_up(struct rp_walk *walk, double sample_seconds);

#endif
