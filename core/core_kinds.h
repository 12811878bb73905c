/* SPDX-License-Identifier: MIT */
/*
 * Which cores are alike: what machine_topology.c describes and place.c hands out.
 */
#ifndef RP_CORE_CORE_KINDS_H
#define RP_CORE_CORE_KINDS_H

#include <stdbool.h>

struct hwloc_obj;
struct rp_topology;

/* A core; a hardware thread where a virtual machine shows no cores. */
struct rp_core {
    struct hwloc_obj *object;
    const char *type;   /* what hwloc calls it: "IntelCore", "IntelAtom"; "" when unknown.
                           Belongs to the topology */
    double mhz;         /* the most it is made for; 0 when unknown */
    int rank;           /* hwloc's, the fastest has the highest; -1 when unknown */
    double cache_bytes; /* all that is its own, and its share of the rest */
    unsigned kind;      /* below kind_count, the fastest is 0 */
};

struct rp_core_list {
    struct rp_core *cores; /* in hwloc's order; owned */
    unsigned count;
    unsigned kind_count; /* at most RP_MAX_CORE_KINDS: the last holds what is beyond */
    unsigned found;      /* how many there would be without that limit */
};

/*
 * Lists the cores of a topology by kind. Cores are alike when they are of the same type,
 * see caches of the same sizes, and their frequencies differ by no more than a tenth:
 * some systems report a frequency of its own for every core (hwloc ranks each as a kind).
 * False when out of memory. Free with rp_core_list_free.
 */
bool rp_core_list_make(struct rp_core_list *list, const struct rp_topology *topology);
void rp_core_list_free(struct rp_core_list *list);

#endif
