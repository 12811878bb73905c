/* SPDX-License-Identifier: MIT */
/*
 * Marker regions: what `likwid-perfctr -m` counts, job by job.
 *
 * A region is what a job times, under the name that core/counted.h gives it: each thread
 * that takes part starts it before each of its samples and stops it after, so that a
 * region was called once for every sample taken, kept or dropped.
 *
 * likwid is loaded when likwid-perfctr started the program and asks for regions, and at
 * no other time: its library is large, and has a word to say when it finds nothing to do.
 * All functions do nothing on NULL and on regions that are not open.
 *
 * (likwid 5.2 to 5.5. Its own call to prepare a thread is left out: for threads of the
 * system's library it only binds them, in the order in which they come, and ours bind
 * themselves.)
 */
#ifndef RP_PROBES_REGIONS_H
#define RP_PROBES_REGIONS_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

/* What a sample lasts at least while regions are counted, in seconds: to start and to
 * stop takes likwid up to a tenth of that, in which its counters count already. */
#define RP_REGION_SECONDS 0.001

struct rp_regions {
    void *library;  /* NULL: not open */
    cpu_set_t cpus; /* that likwid-perfctr counts on */
    void (*initialize)(void);
    int (*register_region)(const char *name);
    int (*start_region)(const char *name);
    int (*stop_region)(const char *name);
    void (*close)(void);
};

/* The library of likwid that this program was built for; NULL when it was built without.
 */
extern const char *const rp_regions_library;

/* Whether likwid-perfctr started this process and counts its regions. */
bool rp_regions_wanted(void);

/*
 * Loads `library` and prepares the counters, when regions are wanted; else leaves
 * `regions` closed and is done. To be called before there are threads; the calling one
 * may be bound to another CPU afterwards. Fails with RP_UNABLE when likwid cannot be had:
 * a long run without any counts is not what likwid-perfctr was started for. Close also
 * after a failure.
 */
bool rp_regions_open(struct rp_regions *regions, const char *library,
                     struct rp_error *error);

/* Has likwid write what it counted; no other thread may be left. */
void rp_regions_close(struct rp_regions *regions);

bool rp_regions_are_open(const struct rp_regions *regions);

/* RP_REGION_SECONDS while regions are open, else 0. */
double rp_regions_least_seconds(const struct rp_regions *regions);

/* Makes a region known to likwid for the calling thread, which is bound to `cpu`, so that
 * its first start takes no longer than others. Fails with RP_UNABLE when likwid does not
 * count there. */
bool rp_regions_register(const struct rp_regions *regions, const char *name, unsigned cpu,
                         struct rp_error *error);

/* Start and stop a region on the calling thread. They return the context switches that
 * this cost: likwid may have to ask its daemon, and the thread sleeps meanwhile. */
uint64_t rp_regions_start(const struct rp_regions *regions, const char *name);
uint64_t rp_regions_stop(const struct rp_regions *regions, const char *name);

#endif
