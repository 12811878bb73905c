/* SPDX-License-Identifier: MIT */
/*
 * What threads do that wait for each other: spin, since being woken takes longer than
 * what is measured.
 */
#ifndef RP_PROBES_SPIN_H
#define RP_PROBES_SPIN_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Processors that fetch lines in pairs would make neighbours of two lines. */
#define RP_OWN_LINE 128

/* Waits a moment. Now and then, by the count of `turns`, lets another thread have the
 * CPU: it may be the one that is waited for. */
static inline void rp_spin(unsigned *turns)
{
    if (++*turns % 4096 == 0) {
        sched_yield();
    } else {
        __builtin_ia32_pause();
    }
}

/* Where threads meet. Start from {.count = how many}. */
struct rp_barrier {
    unsigned count;
    _Alignas(RP_OWN_LINE) atomic_uint arrived;
    _Alignas(RP_OWN_LINE) atomic_uint round;
    atomic_bool broken;
};

/* Waits until all are here. False when one will not come any more (rp_barrier_break). */
bool rp_barrier_wait(struct rp_barrier *barrier);

/* Lets everybody go who waits, now and later: somebody will not come. */
void rp_barrier_break(struct rp_barrier *barrier);

#endif
