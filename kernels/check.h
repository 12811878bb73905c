/* SPDX-License-Identifier: MIT */
/*
 * Is a kernel right? Asked before every timing, in the same process.
 */
#ifndef RP_KERNELS_CHECK_H
#define RP_KERNELS_CHECK_H

#include "core/error.h"
#include "kernels/kernel.h"

/*
 * Compares one mode of a kernel with its reference: random lengths from 0 to 1100 bytes
 * and a few large ones, every alignment from 0 to 63 of source and destination, one to
 * three repetitions, counters next to their 32-bit wrap, guard zones on both sides of the
 * destination, an untouched source; and the published vectors of its context, of which a
 * peer's library may refuse a key. All cases follow from `seed`. False with RP_NO and the
 * first difference in words; `cases` counts what was compared.
 *
 * The kernel must be available (rp_kernel_available), or the CPU faults.
 */
bool rp_check_kernel(const struct rp_kernel *kernel, enum rp_mode mode, uint64_t seed,
                     size_t *cases, struct rp_error *error);

#endif
