/* SPDX-License-Identifier: MIT */
/*
 * Does a kernel, on the walk that is timed, touch what its descriptor says, all of it and
 * nothing else?
 */
#ifndef RP_PROBES_WALK_CHECK_H
#define RP_PROBES_WALK_CHECK_H

#include "core/error.h"
#include "kernels/kernel.h"

/*
 * Checks one mode of a kernel, whose results have been compared with its reference
 * (kernels/check.h), on a working set that is no multiple of its step.
 *
 * The footprint: of each cache line of the input one byte is changed, which the output
 * must show, for as many bytes as the descriptor loads; as many bytes must have been
 * stored to as the descriptor stores. The walk: whole passes, and slices that cross the
 * end of the stream at ever other places, must leave in the destination what the
 * reference leaves on the same walk, nothing outside it, and source and pattern alone.
 *
 * All follows from `seed`. False with RP_NO and the first thing that is wrong in words,
 * or RP_UNABLE without memory. The kernel must be available.
 */
bool rp_walk_check(const struct rp_kernel *kernel, enum rp_mode mode, uint64_t seed,
                   struct rp_error *error);

#endif
