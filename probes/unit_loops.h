/* SPDX-License-Identifier: MIT */
/*
 * Loops of one instruction, for latency and throughput: c independent chains of it, each
 * instruction depending on its predecessor in the chain.
 *
 * One chain shows the latency; with enough chains (latency times units) the units are the
 * limit and the reciprocal throughput shows. Each loop exists with UNROLL and with twice
 * UNROLL instructions a chain and iteration: the difference of the two is free of loop
 * overhead. The way to fool it: a destination that is not also an input makes no chain.
 * AESENC's is, and so are those of PCLMULQDQ and VFMADD231PD.
 *
 * A mix shows whether two classes get in each other's way: chains of both, none of which
 * waits for another. It has four AESENC for each carry-less multiplication, so that
 * AESENC alone fills its pipes: with as many of both, a multiplier that starts one every
 * two cycles would leave the other AES pipe time enough, and sharing would not show (Zen
 * 4).
 */
#ifndef RP_PROBES_UNIT_LOOPS_H
#define RP_PROBES_UNIT_LOOPS_H

#include <stddef.h>
#include <stdint.h>

#include "core/work.h"

#define RP_UNIT_CHAINS     16
#define RP_UNIT_UNROLL     8
#define RP_UNIT_MOST_MIXED 2

typedef void rp_unit_loop(uint64_t iterations);

struct rp_unit_class {
    const char *name; /* "aesenc-512": the operation class that kernels declare */
    const char *text;
    uint32_t needs; /* bits of enum rp_cpu_feature */
    /* [chains - 1][0: UNROLL, 1: twice UNROLL]; NULL where there is no such loop */
    rp_unit_loop *loops[RP_UNIT_CHAINS][2];
    /* Of a mix, the classes in it and their shares of an instruction, which add up to 1;
     * else empty. */
    struct rp_operation mixed[RP_UNIT_MOST_MIXED];
};

/* The classes; NULL past the last. */
const struct rp_unit_class *rp_unit_class_at(size_t index);

#endif
