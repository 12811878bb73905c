/* SPDX-License-Identifier: MIT */
/*
 * Kernels of known intensity: they load a stream and execute a fixed number of
 * operations for each cache line of it, so that the roofline model says exactly how fast
 * they must be. Where they are slower, or faster, the roofs are wrong.
 *
 *   intensity-aesenc128-x1 ... x32   AESENC, what was loaded is the round key
 *   intensity-fma512-x1 ... x32      VFMADD231PD, what was loaded is a factor
 *
 * `xN` is N instructions for each 64-byte line, for N in 1, 2, 4, 8, 16, 32, at each
 * width of 128, 256 and 512 bits. The loops are assembly in full, and no instruction
 * waits for less than the eleventh before it: what they are bound by is the loads or the
 * unit, and not a latency.
 *
 * A step is 32 operations, and with them 64 * 32 / N bytes of the source. Operation k of
 * a step goes to accumulator k mod 11. The vectors of a line are shared out evenly among
 * its operations; where there are fewer operations than vectors, the other vectors are
 * XORed into three more registers, so that each byte loaded counts. What registers hold
 * in the end, and the bytes behind the last whole step, are folded into the 64 bytes at
 * the destination.
 */
#ifndef RP_KERNELS_INTENSITY_H
#define RP_KERNELS_INTENSITY_H

#include "kernels/kernel.h"

extern const struct rp_kernel rp_intensity_kernels[];
extern const size_t rp_intensity_kernel_count;

#endif
