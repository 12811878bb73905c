/* SPDX-License-Identifier: MIT */
/*
 * Regions: what another program counts of this one, job by job.
 *
 * A region is what a job times, under the name that core/counted.h gives it: each thread
 * that takes part starts it before each of its samples and stops it after, so that a
 * region was called once for every sample taken, kept or dropped.
 *
 * Two programs count regions. `likwid-perfctr -m` has markers with names; likwid's
 * library is loaded when likwid-perfctr started this program and asks for regions, and at
 * no other time: it is large, and has a word to say when it finds nothing to do.
 * `perf stat --control` only turns its counters on and off, and so counts a single job on
 * a single thread of a process; RIDGEPOINT_PERF_CONTROL=CONTROL,ACKNOWLEDGE tells that it
 * counts, with the paths of the two fifos that it was given.
 *
 * All functions do nothing on NULL and on regions that are not open.
 */
#ifndef RP_PROBES_REGIONS_H
#define RP_PROBES_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

/* What a sample lasts at least while regions are counted, in seconds: to start and to
 * stop takes likwid up to a tenth of that, in which its counters count already. */
#define RP_REGION_SECONDS 0.001

struct rp_regions_way;

struct rp_regions {
    const struct rp_regions_way *way; /* NULL: not open */
    void *state;                      /* of that way; owned */
};

/* The library of likwid that this program was built for; NULL when it was built without.
 */
extern const char *const rp_regions_library;

/* The variable by which perf stat's fifos are told. */
#define RP_PERF_CONTROL "RIDGEPOINT_PERF_CONTROL"

/* Whether another program started this process and counts its regions. */
bool rp_regions_wanted(void);

/*
 * Prepares the counters when regions are wanted, those of likwid by loading `library`;
 * else leaves `regions` closed and is done. To be called before there are threads; the
 * calling one may be bound to another CPU afterwards. Fails with RP_UNABLE when likwid
 * cannot be had or perf does not answer within seconds: a long run without any counts is
 * not what they were started for. Close also after a failure.
 */
bool rp_regions_open(struct rp_regions *regions, const char *library,
                     struct rp_error *error);

/* Has likwid write what it counted, or lets go of perf's fifos; no other thread may be
 * left. */
void rp_regions_close(struct rp_regions *regions);

bool rp_regions_are_open(const struct rp_regions *regions);

/* RP_REGION_SECONDS while regions are open, else 0. */
double rp_regions_least_seconds(const struct rp_regions *regions);

/* Makes a region known for the calling thread, which is bound to `cpu`, so that its first
 * start takes no longer than others. Fails with RP_UNABLE when likwid does not count
 * there, and when perf stat has counted another region or thread of this process. */
bool rp_regions_register(const struct rp_regions *regions, const char *name, unsigned cpu,
                         struct rp_error *error);

/* Start and stop a region on the calling thread. They return the context switches that
 * this cost: likwid may have to ask its daemon, and perf has to acknowledge; the thread
 * sleeps meanwhile. */
uint64_t rp_regions_start(const struct rp_regions *regions, const char *name);
uint64_t rp_regions_stop(const struct rp_regions *regions, const char *name);

/* Fails with RP_UNABLE when perf has stopped to answer: what was measured since then is
 * not counted. */
bool rp_regions_check(const struct rp_regions *regions, struct rp_error *error);

#endif
