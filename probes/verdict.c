/* SPDX-License-Identifier: MIT */
#include "probes/verdict.h"

#include <stdio.h>

#include "core/cluster.h"
#include "core/stats.h"

static bool is_narrow(const struct rp_record *record, const struct rp_cluster *cluster)
{
    double ns[RP_MOST_SAMPLES];
    size_t count = 0;

    for (size_t i = 0; i < record->sample_count; i++) {
        if (rp_cluster_holds(cluster, record->samples[i].pingpong_ns)) {
            ns[count++] = record->samples[i].ns;
        }
    }
    const struct rp_summary summary = rp_summarize(ns, count);
    return (summary.high - summary.low) / 2 <= RP_INTERVAL_TOLERANCE * summary.median;
}

enum rp_verdict rp_verdict_by_cluster(const struct rp_record *record)
{
    double pingpong_ns[RP_MOST_SAMPLES];
    enum rp_verdict verdict = RP_VERDICT_DISTURBED;

    for (size_t i = 0; i < record->sample_count; i++) {
        pingpong_ns[i] = record->samples[i].pingpong_ns;
    }
    const struct rp_clusters clusters = rp_clusters_of(pingpong_ns, record->sample_count);
    for (size_t i = 0; i < clusters.count; i++) {
        const struct rp_cluster *const cluster = &clusters.clusters[i];

        if (cluster->count < RP_FEWEST_SAMPLES) {
            continue;
        }
        if (!is_narrow(record, cluster)) {
            return RP_VERDICT_BUDGET;
        }
        verdict = RP_VERDICT_STEADY;
    }
    return verdict;
}

void rp_verdict_give(struct rp_record *record)
{
    const struct rp_dropped *const dropped = &record->dropped;
    const unsigned lost = dropped->clock + dropped->preempted + dropped->stolen +
                          dropped->throttled + dropped->moved;

    record->verdict = lost <= record->sample_count ? rp_verdict_by_cluster(record)
                                                   : RP_VERDICT_DISTURBED;
    if (record->verdict == RP_VERDICT_DISTURBED) {
        snprintf(record->why, sizeof record->why,
                 "%zu samples kept, %u dropped (core clock changed: %u, switched out: "
                 "%u, CPU stolen: %u, throttled: %u, cores moved: %u)",
                 record->sample_count, lost, dropped->clock, dropped->preempted,
                 dropped->stolen, dropped->throttled, dropped->moved);
    }
}
