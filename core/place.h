/* SPDX-License-Identifier: MIT */
/*
 * Where measuring threads run.
 */
#ifndef RP_CORE_PLACE_H
#define RP_CORE_PLACE_H

#include "core/error.h"
#include "core/machine.h"

/* Binds the calling thread to the hardware thread with this operating-system index, and
 * fails with RP_UNABLE when the system refuses: an unbound measurement is worth nothing.
 */
bool rp_place_thread(const struct rp_topology *topology, unsigned pu,
                     struct rp_error *error);

/*
 * The hardware threads of a kind of core, in the order in which the threads of one
 * measurement take them: one of each core before the second of any, and from the measured
 * core (whose measured_pu comes first) towards the machine's first core, so that few
 * threads share what is near. Writes at most `capacity` operating-system indices and
 * returns how many there are: 0 when there is no such kind, or no memory. All of them are
 * hardware threads that this process may use.
 */
unsigned rp_machine_pus(const struct rp_topology *topology, unsigned kind, unsigned *pus,
                        unsigned capacity);

#endif
