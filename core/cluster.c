/* SPDX-License-Identifier: MIT */
#include "core/cluster.h"

#include "core/stats.h"

#define FEWEST 2 /* one value shows no group */

static void add(struct rp_clusters *clusters, double *values, size_t count)
{
    if (count < FEWEST) {
        clusters->lone += count;
        return;
    }
    const struct rp_summary summary = rp_summarize(values, count);
    clusters->clusters[clusters->count++] = (struct rp_cluster){
        .low = summary.minimum,
        .high = summary.maximum,
        .median = summary.median,
        .count = count,
    };
}

struct rp_clusters rp_clusters_of(double *values, size_t count)
{
    struct rp_clusters clusters = {0};
    size_t first = 0;

    rp_summarize(values, count); /* sorts */
    for (size_t i = 1; i <= count; i++) {
        const bool apart = i < count && values[i] > RP_CLUSTERS_APART * values[i - 1] &&
                           clusters.count < RP_MAX_CLUSTERS - 1;

        if (i == count || apart) {
            add(&clusters, values + first, i - first);
            first = i;
        }
    }
    return clusters;
}

bool rp_cluster_holds(const struct rp_cluster *cluster, double value)
{
    return value >= cluster->low && value <= cluster->high;
}
