/* SPDX-License-Identifier: MIT */
/*
 * Values that come in groups far apart, told apart.
 *
 * A median of two groups is a figure that never occurred. Where a virtual machine's CPUs
 * are moved by its host, the times between two of them do that, and so does all that is
 * measured on both.
 */
#ifndef RP_CORE_CLUSTER_H
#define RP_CORE_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>

#define RP_CLUSTERS_APART 1.5 /* times the value before: in another cluster */
#define RP_MAX_CLUSTERS   8   /* any further ones are one with the last */

struct rp_cluster {
    double low; /* the smallest and the largest value in it */
    double high;
    double median;
    size_t count;
};

struct rp_clusters {
    struct rp_cluster clusters[RP_MAX_CLUSTERS]; /* by ascending value */
    size_t count;
    size_t lone; /* values that are alone far from all others, and in no cluster */
};

/*
 * Splits `count` values, none negative, into clusters; they are sorted in place. Two
 * neighbours belong apart when one is more than RP_CLUSTERS_APART times the other: a
 * cache line takes some 5 to 10 ns between hardware threads of one core, 25 to 30 ns
 * between cores that share a cache, 60 to 160 ns between others, and repeats itself
 * within a tenth. All zero for count 0.
 */
struct rp_clusters rp_clusters_of(double *values, size_t count);

/* True when the value lies in the cluster. */
bool rp_cluster_holds(const struct rp_cluster *cluster, double value);

#endif
