/* SPDX-License-Identifier: MIT */
/*
 * What hardware counters said of a region: the samples of one job, all together.
 *
 * A region is the part of the program that a job times, under the name that
 * rp_counted_region gives it, so that what another program counted (likwid-perfctr, perf
 * stat) finds its way back to the job. Only what was read is kept; bytes and intensities
 * are derived by whoever reads.
 */
#ifndef RP_CORE_COUNTED_H
#define RP_CORE_COUNTED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

#define RP_REGION_BYTES 96

/* More than any group has; a file with more was not written from one. */
#define RP_MOST_COUNTS 4096

/* One event, all hardware threads and all units of that kind that were asked added up. */
struct rp_count {
    char event[64];   /* as the source calls it: "CAS_COUNT_RD" */
    char counter[64]; /* register with its options: "MBOX0C0"; "" where there is none */
    double value;     /* NaN: the source has none for it */
};

struct rp_counted {
    char region[RP_REGION_BYTES];
    char group[32];  /* "RP_MEM"; the events themselves where they came without one */
    char source[64]; /* "likwid-perfctr, AMD K19 (Zen3) architecture", "perf stat" */
    double calls;    /* of the region, by each thread */
    double items;    /* that those calls worked on, all threads together */
    double seconds;  /* in the region: the longest of its threads; 0 when not told */
    struct rp_count *counts; /* owned */
    size_t count;
};

void rp_counted_free(struct rp_counted *counted);

/* The region of a job: its key; for one of a sweep, which is most, that without the
 * leading "sweep/": "copy-avx512/nt/65536". Points into `job`. No name holds a comma. */
const char *rp_counted_region(const char *job);

/* As one JSON object and back. The value is new; NULL when out of memory. */
json_t *rp_counted_to_json(const struct rp_counted *counted);
bool rp_counted_from_json(struct rp_counted *counted, const json_t *json,
                          struct rp_error *error);

#endif
