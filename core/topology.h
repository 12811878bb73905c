/* SPDX-License-Identifier: MIT */
/*
 * What machine.c and place.c share: the hwloc topology behind core/machine.h's opaque
 * type.
 */
#ifndef RP_CORE_TOPOLOGY_H
#define RP_CORE_TOPOLOGY_H

struct hwloc_topology;

struct rp_topology {
    struct hwloc_topology *handle;
};

#endif
