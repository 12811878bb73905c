/* SPDX-License-Identifier: MIT */
/*
 * Bytes out of counters: which events count the lines that cross a boundary of the memory
 * hierarchy, and what a region's records of counters come to for one item.
 *
 * A volume is a sum of events that is complete or is not there: lines of which only a
 * part was counted are no traffic. Several groups may count the same volume in ways of
 * their own, which are never added to each other, and several may have to come together
 * for one: reads and writes, or channels.
 */
#ifndef RP_ROOFLINE_COUNTED_TRAFFIC_H
#define RP_ROOFLINE_COUNTED_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include "core/record.h"

/* Where traffic is counted: on the core's side of the level that it is named for. */
enum rp_boundary {
    RP_BOUNDARY_NONE,
    RP_BOUNDARY_L2,     /* between L1 and L2 */
    RP_BOUNDARY_L3,     /* between L2 and all that is beyond it, the L3 or not */
    RP_BOUNDARY_MEMORY, /* at the memory, of everything that runs on the socket */
    RP_BOUNDARY_COUNT,
};

enum rp_direction {
    RP_READ,    /* towards the core */
    RP_WRITTEN, /* away from it */
    RP_BOTH_WAYS,
};

#define RP_MOST_VOLUME_EVENTS 4

/* One way to count the traffic of a boundary. */
struct rp_counted_volume {
    enum rp_boundary boundary;
    enum rp_direction direction;
    double bytes_per_count;
    struct {
        const char *name;            /* "#" in it stands for the numbers from 0 on */
        unsigned numbers;            /* how many; 0 where there is no "#" */
    } events[RP_MOST_VOLUME_EVENTS]; /* ends at the first NULL; all are needed */
    /* Which of the groups in probes/groups count it, as a pattern: their formulas are
     * where bytes and direction come from. NULL: perf's own names, of the PMU's aliases
     * in sysfs and of Linux, tools/perf/pmu-events. perf multiplies cas_count_* into MiB,
     * which has to be undone before such a value is a count. */
    const char *groups;
};

/* By boundary and direction, what is counted most directly first; NULL past the last. */
const struct rp_counted_volume *rp_counted_volume_at(size_t index);

/* The name of an event of a volume, with its number in it. */
const char *rp_counted_event_name(const char *name, unsigned number, char text[64]);

#define RP_MOST_COUNTED_RECORDS 8

/* What crossed a boundary for one item of the job that was watched. */
struct rp_counted_traffic {
    double read_bytes; /* NaN: not counted; so are the next two */
    double written_bytes;
    double total_bytes; /* of both; also where only their sum was counted */
    uint64_t record_ids[RP_MOST_COUNTED_RECORDS]; /* that say so */
    unsigned record_count;
    char why[160]; /* what is missing of a volume that was asked for; "" when nothing */
};

/* What records of counters, all of one region, say of a boundary. */
struct rp_counted_traffic rp_counted_traffic(const struct rp_record *const *records,
                                             size_t count, enum rp_boundary boundary);

#endif
