/* SPDX-License-Identifier: MIT */
/*
 * What the files that speak to hwloc share: the topology behind core/machine.h's opaque
 * type.
 */
#ifndef RP_CORE_TOPOLOGY_H
#define RP_CORE_TOPOLOGY_H

#include <stdbool.h>

struct hwloc_topology;
struct rp_error;
struct rp_machine;

struct rp_topology {
    struct hwloc_topology *handle;
};

/* What the topology shows of a machine: cores, their kinds and levels, and the conditions
 * that come from that (machine_topology.c). */
bool rp_topology_describe(const struct rp_topology *topology, struct rp_machine *machine,
                          struct rp_error *error);

#endif
