/* SPDX-License-Identifier: MIT */
/*
 * What stands behind probes/regions.h: the programs that count regions, each by a way of
 * its own. One that a process was started by is `wanted`, and gets a state from `open`,
 * NULL with the reason when it cannot count.
 */
#ifndef RP_PROBES_REGIONS_WAY_H
#define RP_PROBES_REGIONS_WAY_H

#include <sched.h>
#include <stdbool.h>

#include "core/error.h"

struct rp_regions_way {
    bool (*wanted)(void);
    void *(*open)(const char *library, struct rp_error *error);
    bool (*register_region)(void *state, const char *name, unsigned cpu,
                            struct rp_error *error);
    void (*start)(void *state, const char *name);
    void (*stop)(void *state, const char *name);
    bool (*check)(const void *state, struct rp_error *error);
    void (*close)(void *state); /* frees the state, too */
};

/* `likwid-perfctr -m`, through the library of likwid. (likwid 5.2 to 5.5. Its own call to
 * prepare a thread is left out: for threads of the system's library it only binds them,
 * in the order in which they come, and ours bind themselves.) */
extern const struct rp_regions_way rp_regions_likwid;

/* `perf stat --control`, through its two fifos (perf-stat(1), since perf 5.10). */
extern const struct rp_regions_way rp_regions_perf;

/* What is used of likwid, with the types that its header gives it. */
struct rp_likwid_markers {
    void *library;
    cpu_set_t cpus; /* that likwid-perfctr counts on */
    void (*initialize)(void);
    int (*register_region)(const char *name);
    int (*start_region)(const char *name);
    int (*stop_region)(const char *name);
    void (*close)(void);
};

#endif
