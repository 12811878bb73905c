/* SPDX-License-Identifier: MIT */
#include "probes/spin.h"

bool rp_barrier_wait(struct rp_barrier *barrier)
{
    const unsigned round = atomic_load(&barrier->round);
    unsigned turns = 0;

    if (atomic_fetch_add(&barrier->arrived, 1) + 1 == barrier->count) {
        atomic_store(&barrier->arrived, 0);
        atomic_store(&barrier->round, round + 1);
    }
    while (atomic_load(&barrier->round) == round && !atomic_load(&barrier->broken)) {
        rp_spin(&turns);
    }
    return !atomic_load(&barrier->broken);
}

void rp_barrier_break(struct rp_barrier *barrier)
{
    atomic_store(&barrier->broken, true);
}
