/* SPDX-License-Identifier: MIT */
/*
 * The stream kernels: the traffic mixes whose speed is a bandwidth roof.
 *
 *   load     destination block = XOR of the source's blocks, over all repetitions
 *   store    every destination block = the pattern block at the source
 *   copy     destination = source
 *   update   every destination block is XORed with the pattern block at the source
 *
 * A block is a cache line of 64 bytes. Each kernel exists for SSE2, AVX2 and AVX-512;
 * store and copy also with non-temporal stores, which need a destination aligned to the
 * vector and store temporally where it is not, and as "prefetchw" variants, which ask for
 * the lines of a later step as a store will want them, owned. CPUs with AVX2 have
 * PREFETCHW or take it for a no-operation. The "prefetch" variants of copy store
 * non-temporally and have what they will load fetched into the second level, 4 KiB ahead;
 * where stores are temporal, owning lines ahead does as much.
 *
 * A load is an XOR so that it can be checked: a kernel that skips a line or reads one
 * twice is caught. The loops are assembly in full, so no compiler changes what is
 * measured.
 */
#ifndef RP_KERNELS_STREAM_H
#define RP_KERNELS_STREAM_H

#include "kernels/kernel.h"

extern const struct rp_kernel rp_stream_kernels[];
extern const size_t rp_stream_kernel_count;

#endif
