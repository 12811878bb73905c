/* SPDX-License-Identifier: MIT */
/*
 * Interleaving measured: AES-128 rounds with 1 to 16 vectors in flight, of 128, 256 and
 * 512 bits.
 *
 *   aes128ecb-WIDTH-xN         each block of the source encrypted by itself; bytes past
 *                              the last whole block are copied unchanged
 *   aes128ecb-WIDTH-xN-nomem   the blocks of N vectors, numbered from 0 in their first
 *                              four bytes (little-endian), are encrypted in turn, again
 *                              and again: as often altogether as the set has blocks. All
 *                              are folded by XOR into the first 16 bytes of the
 *                              destination block; the rest is 0
 *
 * Loops to measure with: nobody should encrypt blocks by themselves (ECB). The context is
 * a struct rp_aes_key of 128 bits.
 */
#ifndef RP_KERNELS_AES_INTERLEAVE_KERNELS_H
#define RP_KERNELS_AES_INTERLEAVE_KERNELS_H

#include "kernels/aes/aes.h"

extern const struct rp_kernel rp_interleave_kernels[];
extern const size_t rp_interleave_kernel_count;

/* DO(width, chains) for each number of chains. */
#define RP_INTERLEAVE_EACH(DO, width)                                                    \
    DO(width, 1)                                                                         \
    DO(width, 2)                                                                         \
    DO(width, 3)                                                                         \
    DO(width, 4)                                                                         \
    DO(width, 5)                                                                         \
    DO(width, 6)                                                                         \
    DO(width, 7)                                                                         \
    DO(width, 8)                                                                         \
    DO(width, 9)                                                                         \
    DO(width, 10)                                                                        \
    DO(width, 11)                                                                        \
    DO(width, 12)                                                                        \
    DO(width, 13)                                                                        \
    DO(width, 14)                                                                        \
    DO(width, 15)                                                                        \
    DO(width, 16)

#define RP_INTERLEAVE_DECLARE(width, chains)                                             \
    extern rp_kernel_function rp_aes128ecb_##width##_x##chains,                          \
        rp_aes128ecb_##width##_x##chains##_nomem;

RP_INTERLEAVE_EACH(RP_INTERLEAVE_DECLARE, aesni)
RP_INTERLEAVE_EACH(RP_INTERLEAVE_DECLARE, vaes256)
RP_INTERLEAVE_EACH(RP_INTERLEAVE_DECLARE, vaes512)

#endif
