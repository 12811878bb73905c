/* SPDX-License-Identifier: MIT */
/*
 * Machines of all kinds, from hwloc's synthetic descriptions and from XML beside this
 * file, and what the program has to make of each.
 */
#ifndef RP_TESTS_MACHINES_H
#define RP_TESTS_MACHINES_H

#include "core/machine.h"

struct machine_kind {
    const char *name;
    unsigned core_count;
    unsigned measured_pu;
    const char *levels; /* "L1 32 KiB /1, ...": name, size, cores that share it */
};

struct machine_case {
    const char *name;
    const char *synthetic; /* a description by hwloc's rules, or */
    const char *xml;       /* a file beside this one */
    struct {
        const char *path;
        const char *text; /* NULL: take the file away */
    } files[4]; /* changes of the system that all have; ends with a path of NULL */
    unsigned core_count;
    unsigned pu_count;
    unsigned numa_count;
    struct machine_kind kinds[RP_MAX_CORE_KINDS]; /* ends with a name of NULL */
    const char *pus;           /* the first of kinds[0], in the order of use: "6 4 2" */
    const char *conditions[5]; /* parts of all that are found; ends with NULL */
};

/* All of them; the name is NULL past the last. */
extern const struct machine_case machine_cases[];

/* Lays the machine's system out in `folder` and reads it from there. The topology is the
 * caller's. */
bool machine_case_read(const struct machine_case *machine_case, const char *folder,
                       struct rp_machine *machine, struct rp_topology **topology,
                       struct rp_error *error);

#endif
