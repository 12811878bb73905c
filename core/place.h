/* SPDX-License-Identifier: MIT */
/*
 * Where the measuring thread runs.
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

#endif
