/* SPDX-License-Identifier: MIT */
/* Bandwidth of several cores, from the scaling probe: by cluster of the way between the
 * cores, since that decides what they share. */
#include "roofline/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cores that share a cache are nearer than this on all machines seen so far: 25 to 30 ns
 * in a core complex, some 60 ns across a mesh. */
#define FARTHEST_SHARING_NS 100

/* A cluster with fewer of the samples says nothing about where the cores are. */
#define LEAST_SHARE 0.05

/* ---- what was measured ---- */

/* The bandwidth of the samples that lie in a cluster. */
static struct rp_estimate bandwidth_in(const struct rp_model_builder *builder,
                                       const struct rp_record *record,
                                       const struct rp_cluster *cluster)
{
    size_t count = 0;

    for (size_t i = 0; i < record->sample_count; i++) {
        const struct rp_sample *const sample = &record->samples[i];
        const double bytes_per_s = rp_sample_payload_bytes_per_s(record, sample);

        if (rp_cluster_holds(cluster, sample->pingpong_ns) && bytes_per_s > 0 &&
            isfinite(bytes_per_s)) {
            builder->scratch[count++] = bytes_per_s;
        }
    }
    const struct rp_summary summary = rp_summarize(builder->scratch, count);
    return rp_estimate_of(&summary);
}

static size_t pingpongs_of(const struct rp_record *record, double *values)
{
    for (size_t i = 0; i < record->sample_count; i++) {
        values[i] = record->samples[i].pingpong_ns;
    }
    return record->sample_count;
}

/* The level that a record aims at; memory when this machine has none of that name. */
static unsigned level_of(const struct rp_machine *machine, const struct rp_record *record)
{
    unsigned level = 0;

    while (level + 1 < machine->level_count &&
           strcmp(machine->levels[level].name, record->level) != 0) {
        level++;
    }
    return level;
}

static bool add_scaling(struct rp_model_builder *builder, const struct rp_record *record)
{
    struct rp_model *const model = builder->model;
    struct rp_scaling *const grown =
        rp_grow(model->scaling, model->scaling_count, sizeof *grown, builder->error);

    if (grown == NULL) {
        return false;
    }
    model->scaling = grown;
    struct rp_scaling *const scaling = &grown[model->scaling_count++];
    *scaling = (struct rp_scaling){
        .level = level_of(&builder->run->machine, record),
        .threads = record->threads,
        .working_set_bytes = record->working_set_bytes,
        .verdict = record->verdict,
        .record_id = record->id,
    };
    RP_COPY_NAME(scaling->mix, rp_mix_name(&record->traffic));
    RP_COPY_NAME(scaling->kernel, record->kernel);

    const struct rp_clusters clusters =
        rp_clusters_of(builder->scratch, pingpongs_of(record, builder->scratch));
    scaling->cluster_count = (unsigned)clusters.count;
    scaling->lone_samples = clusters.lone;
    for (size_t i = 0; i < clusters.count; i++) {
        const struct rp_cluster *const cluster = &clusters.clusters[i];

        scaling->clusters[i] = (struct rp_scaling_cluster){
            .pingpong_ns = cluster->median,
            .bytes_per_s = bandwidth_in(builder, record, cluster),
            .samples = cluster->count,
            .share = (double)cluster->count / (double)record->sample_count,
        };
    }
    return true;
}

static int by_level_mix_threads(const void *left, const void *right)
{
    const struct rp_scaling *const a = left;
    const struct rp_scaling *const b = right;
    const int mixes = strcmp(a->mix, b->mix);

    if (a->level != b->level) {
        return (a->level > b->level) - (a->level < b->level);
    }
    return mixes != 0 ? mixes : (a->threads > b->threads) - (a->threads < b->threads);
}

/* ---- what the topology says ---- */

/* The last cache, when the topology says that so many cores share it; else NULL. */
static const struct rp_level *shared_cache(const struct rp_machine *machine,
                                           unsigned threads)
{
    if (machine->level_count < 2 || threads < 2) {
        return NULL;
    }
    const struct rp_level *const last = &machine->levels[machine->level_count - 2];
    return threads <= last->shared_by ? last : NULL;
}

/* The clusters of all samples of so many threads, without what is too rare. */
static struct rp_clusters places_of(const struct rp_run *run, unsigned threads,
                                    double *scratch)
{
    struct rp_clusters common = {0};
    size_t count = 0;

    for (size_t i = 0; i < run->record_count; i++) {
        const struct rp_record *const record = &run->records[i];
        if (rp_record_measured(record, "scaling") && record->threads == threads) {
            count += pingpongs_of(record, scratch + count);
        }
    }
    const struct rp_clusters all = rp_clusters_of(scratch, count);
    for (size_t i = 0; i < all.count; i++) {
        if ((double)all.clusters[i].count >= LEAST_SHARE * (double)count) {
            common.clusters[common.count++] = all.clusters[i];
        }
    }
    return common;
}

/* The condition that a stated cache is not what these cores share, if that is so. */
static void doubt_sharing(struct rp_model_builder *builder, unsigned threads,
                          double *scratch)
{
    struct rp_machine *const machine = &builder->model->view->machine;
    const struct rp_level *const cache = shared_cache(machine, threads);
    const struct rp_clusters places = places_of(builder->run, threads, scratch);
    char text[160];

    if (cache == NULL || places.count == 0) {
        return;
    }
    const struct rp_cluster *const near = &places.clusters[0];
    const struct rp_cluster *const far = &places.clusters[places.count - 1];
    if (places.count > 1) {
        snprintf(
            text, sizeof text,
            "the topology says that %u cores share the %s, but they are %.0f ns apart "
            "at times and %.0f ns at others",
            threads, cache->name, near->median, far->median);
    } else if (far->median > FARTHEST_SHARING_NS) {
        snprintf(text, sizeof text,
                 "the topology says that %u cores share the %s, but a cache line takes "
                 "%.0f ns between them",
                 threads, cache->name, far->median);
    } else {
        return;
    }
    rp_machine_condition(
        machine, RP_SEVERITY_WARN, text,
        "compare figures of several cores at the same distance only; let "
        "the host pin virtual CPUs");
}

static bool doubt_topology(struct rp_model_builder *builder)
{
    const struct rp_model *const model = builder->model;
    size_t capacity = 1;
    unsigned done = 1;

    for (size_t i = 0; i < builder->run->record_count; i++) {
        capacity += builder->run->records[i].sample_count;
    }
    double *const scratch = calloc(capacity, sizeof *scratch);
    if (scratch == NULL) {
        return rp_fail(builder->error, RP_UNABLE,
                       "not enough memory for the model of the run");
    }
    for (;;) { /* by ascending number of threads */
        unsigned next = 0;

        for (size_t i = 0; i < model->scaling_count; i++) {
            const unsigned threads = model->scaling[i].threads;

            if (threads > done && (next == 0 || threads < next)) {
                next = threads;
            }
        }
        if (next == 0) {
            break;
        }
        doubt_sharing(builder, next, scratch);
        done = next;
    }
    free(scratch);
    return true;
}

bool rp_model_add_scaling(struct rp_model_builder *builder)
{
    struct rp_model *const model = builder->model;

    for (size_t i = 0; i < builder->run->record_count; i++) {
        const struct rp_record *const record = &builder->run->records[i];
        if (rp_record_measured(record, "scaling") && !add_scaling(builder, record)) {
            return false;
        }
    }
    if (model->scaling_count == 0) {
        return true;
    }
    qsort(model->scaling, model->scaling_count, sizeof *model->scaling,
          by_level_mix_threads);
    model->first_doubt = builder->run->machine.condition_count;
    const bool done = doubt_topology(builder);
    model->doubt_count = builder->run->machine.condition_count - model->first_doubt;
    return done;
}

const struct rp_scaling *rp_model_one_core(const struct rp_model *model,
                                           const struct rp_scaling *scaling)
{
    for (size_t i = 0; i < model->scaling_count; i++) {
        const struct rp_scaling *const one = &model->scaling[i];

        if (one->threads == 1 && one->level == scaling->level &&
            strcmp(one->mix, scaling->mix) == 0 && one->cluster_count > 0 &&
            one->clusters[0].bytes_per_s.value > 0) {
            return one;
        }
    }
    return NULL;
}
