/* SPDX-License-Identifier: MIT */
/*
 * Two runs held against each other: what differs, and what of it is a change.
 *
 * A point is a job that both runs measured. Its interval tells how well one sitting knows
 * its median and nothing of how much that varies between sittings, where neighbours,
 * company on the core and the pages that a buffer got make single points stray by far
 * more. So no point is a change by itself. Points are judged in series: the sizes (or
 * chains) of one kernel in one mode, in one region of the machine, or in the core's own
 * caches together. A series is changed when so many of its points lie outside both their
 * intervals and the threshold, on the same side, that the 99 % order-statistic interval
 * of the series' median does too: eight of eight, eleven of twelve, seventeen of
 * twenty-one. docs/explanation/comparing.md has the reasons.
 */
#ifndef RP_ROOFLINE_COMPARE_H
#define RP_ROOFLINE_COMPARE_H

#include "core/record.h"
#include "core/stats.h"

/* Where the bytes of a point live, which decides what it is exposed to. By A's levels. */
enum rp_region {
    RP_REGION_CORE, /* no memory at all: clock, units */
    RP_REGION_L1,
    RP_REGION_L2,
    RP_REGION_L3,
    RP_REGION_L4,
    RP_REGION_MEMORY,
    /* Within a factor of two of the capacity of a cache behind the first. How much of it
     * stays there depends on which physical pages the buffer got. */
    RP_REGION_EDGE,
    RP_REGION_NT, /* non-temporal stores go to memory whatever the working set */
    RP_REGION_COUNT,
    RP_REGION_OWN_CACHES = RP_REGION_COUNT, /* only of a series: L1 and L2 together */
};

/* "core", "L1", "edge", "own caches". */
const char *rp_region_name(enum rp_region region);

enum rp_difference {
    RP_DIFFERENCE_NONE,
    RP_DIFFERENCE_ALONE,     /* outside both intervals and the threshold, but its series
                              * does not confirm it */
    RP_DIFFERENCE_CHANGE,    /* the same, and its series is changed that way */
    RP_DIFFERENCE_DISTURBED, /* one of the two is disturbed: not compared */
};

/* "none", "alone", "change", "disturbed". */
const char *rp_difference_name(enum rp_difference difference);

struct rp_compared_point {
    const struct rp_record *a;
    const struct rp_record *b;
    enum rp_region region;
    bool
        own_cache; /* fits into a cache that is the core's own, non-temporal ones apart */
    bool cached;   /* fits into any cache, non-temporal ones apart */
    bool exposed;  /* to what no run can see: in no series */
    struct rp_ratio speed;  /* items per second, B / A: above 1, B is faster */
    struct rp_ratio cycles; /* cycles per item, B / A: above 1, B takes more */
    enum rp_difference difference;
};

/* A series that had enough undisturbed points to be judged. */
struct rp_compared_series {
    const struct rp_record *record; /* of its first point: kernel, mode, threads */
    enum rp_region region;
    size_t point_count;     /* undisturbed */
    struct rp_ratio speed;  /* median of its points' ratios, with the 99 % interval */
    struct rp_ratio cycles; /* the same */
    bool changed;
    bool clock_only; /* it would be, but in cycles it is the same */
};

/* How well two runs agree over some points; disturbed ones are only counted. */
struct rp_agreement {
    size_t point_count;     /* undisturbed */
    size_t within_count;    /* of these, with a speed within RP_AGREEMENT */
    size_t differing_count; /* alone or a change */
    size_t disturbed_count;
    double speed;  /* geometric mean of the points' ratios; 0 without points */
    double cycles; /* the same */
};

#define RP_AGREEMENT 0.02

struct rp_comparison {
    const struct rp_run *a;
    const struct rp_run *b;
    double threshold;                 /* 0.03 is 3 % */
    bool virtual_machine;             /* one of the two ran in one */
    struct rp_compared_point *points; /* by kernel, mode, region, size, chains; owned */
    size_t point_count;
    size_t only_a_count; /* jobs that only one of them measured */
    size_t only_b_count;
    struct rp_compared_series *series; /* changes first, the largest first; owned */
    size_t series_count;
    size_t slower_count; /* changed series */
    size_t faster_count;
    size_t clock_count;   /* series that differ in the core clock only, behind those */
    size_t exposed_count; /* undisturbed points that are in no series: exposed, or */
    size_t sparse_count;  /* with too few others in theirs */
    struct rp_agreement regions[RP_REGION_COUNT];
    struct rp_agreement own_caches; /* all that fits into the core's own caches */
    struct rp_agreement caches;     /* all that fits into any cache */
};

/* Compares two runs, which must outlive the result; `threshold` is above 0. Fails only
 * when memory ran out. Free with rp_comparison_free, also after a failure. */
bool rp_compare_runs(struct rp_comparison *comparison, const struct rp_run *a,
                     const struct rp_run *b, double threshold, struct rp_error *error);
void rp_comparison_free(struct rp_comparison *comparison);

#endif
