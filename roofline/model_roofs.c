/* SPDX-License-Identifier: MIT */
/* Bandwidth: level roofs from the bandwidth probe, curves from the sweep of the stream
 * kernels. */
#include "roofline/model_parts.h"

#include <stdlib.h>
#include <string.h>

/* The mix's payload bandwidth in a record; 0 when the record says nothing about a mix. */
static struct rp_estimate bandwidth_of(const struct rp_model_builder *builder,
                                       const struct rp_record *record)
{
    if (strcmp(rp_mix_name(&record->traffic), "other") == 0) {
        return (struct rp_estimate){0};
    }
    return rp_estimate_record(record, rp_sample_payload_bytes_per_s, builder->scratch);
}

static bool add_roof(struct rp_model_builder *builder, const struct rp_record *record)
{
    struct rp_model *const model = builder->model;
    const struct rp_bandwidth_roof candidate = {
        .level = rp_machine_level_of(&builder->run->machine, record->working_set_bytes),
        .bytes_per_s = bandwidth_of(builder, record),
        .hz = rp_estimate_record(record, rp_sample_hz, builder->scratch).value,
        .working_set_bytes = record->working_set_bytes,
        .record_id = record->id,
    };
    const char *const mix = rp_mix_name(&record->traffic);
    struct rp_bandwidth_roof *roof = NULL;

    if (!(candidate.bytes_per_s.value > 0)) {
        return true;
    }
    for (size_t i = 0; i < model->roof_count && roof == NULL; i++) {
        if (model->roofs[i].level == candidate.level &&
            strcmp(model->roofs[i].mix, mix) == 0) {
            roof = &model->roofs[i];
        }
    }
    if (roof == NULL) {
        struct rp_bandwidth_roof *const grown =
            rp_grow(model->roofs, model->roof_count, sizeof *grown, builder->error);
        if (grown == NULL) {
            return false;
        }
        model->roofs = grown;
        roof = &grown[model->roof_count++];
    } else if (rp_credible_rate(&candidate.bytes_per_s, record->verdict) <=
               rp_credible_rate(&roof->bytes_per_s,
                                rp_model_record(model, roof->record_id)->verdict)) {
        return true;
    }
    *roof = candidate;
    roof->bus_factor =
        rp_bus_factor(&builder->run->machine, candidate.level, &record->traffic);
    RP_COPY_NAME(roof->mix, mix);
    RP_COPY_NAME(roof->variant, record->kernel);
    return true;
}

/* Levels of nearly the same size leave no room between them: anything will do there. */
static bool inside_level(const struct rp_machine *machine, size_t working_set_bytes)
{
    size_t least = 0;
    size_t most = 0;

    rp_machine_level_range(machine, rp_machine_level_of(machine, working_set_bytes),
                           &least, &most);
    return least > most || (working_set_bytes >= least && working_set_bytes <= most);
}

/* Where a record counts is told by its working set, not by the level that the probe aimed
 * at: the probe knew the stated sizes only. */
static bool tells_roof(const struct rp_machine *machine, const struct rp_record *record)
{
    if (record->data[0] != '\0') {
        return false; /* what is stored decides how fast some machines store it */
    }
    return (rp_record_measured(record, "bandwidth") ||
            (rp_record_swept(record) && strcmp(record->family, "stream") == 0)) &&
           inside_level(machine, record->working_set_bytes);
}

static int by_mix_and_level(const void *left, const void *right)
{
    const struct rp_bandwidth_roof *const a = left;
    const struct rp_bandwidth_roof *const b = right;
    const int mixes = strcmp(a->mix, b->mix);

    return mixes != 0 ? mixes : (a->level > b->level) - (a->level < b->level);
}

bool rp_model_add_roofs(struct rp_model_builder *builder)
{
    struct rp_model *const model = builder->model;

    for (size_t i = 0; i < builder->run->record_count; i++) {
        const struct rp_record *const record = &builder->run->records[i];
        if (tells_roof(&builder->run->machine, record) && !add_roof(builder, record)) {
            return false;
        }
    }
    if (model->roof_count > 0) {
        qsort(model->roofs, model->roof_count, sizeof *model->roofs, by_mix_and_level);
    }
    return true;
}

/* ---- curves ---- */

static struct rp_curve *curve_of(struct rp_model_builder *builder, const char *mix)
{
    struct rp_model *const model = builder->model;

    for (size_t i = 0; i < model->curve_count; i++) {
        if (strcmp(model->curves[i].mix, mix) == 0) {
            return &model->curves[i];
        }
    }
    struct rp_curve *const grown =
        rp_grow(model->curves, model->curve_count, sizeof *grown, builder->error);
    if (grown == NULL) {
        return NULL;
    }
    model->curves = grown;
    struct rp_curve *const curve = &grown[model->curve_count++];
    RP_COPY_NAME(curve->mix, mix);
    return curve;
}

static bool add_step(struct rp_model_builder *builder, const struct rp_record *record)
{
    struct rp_curve_step step = {
        .working_set_bytes = record->working_set_bytes,
        .bytes_per_s = bandwidth_of(builder, record),
        .verdict = record->verdict,
        .record_id = record->id,
    };
    RP_COPY_NAME(step.variant, record->kernel);
    if (!(step.bytes_per_s.value > 0)) {
        return true;
    }
    struct rp_curve *const curve = curve_of(builder, rp_mix_name(&record->traffic));
    if (curve == NULL) {
        return false;
    }
    for (size_t i = 0; i < curve->step_count; i++) {
        struct rp_curve_step *const old = &curve->steps[i];
        if (old->working_set_bytes == step.working_set_bytes) {
            if (rp_credible_rate(&step.bytes_per_s, step.verdict) >
                rp_credible_rate(&old->bytes_per_s, old->verdict)) {
                *old = step;
            }
            return true;
        }
    }
    struct rp_curve_step *const grown =
        rp_grow(curve->steps, curve->step_count, sizeof *grown, builder->error);
    if (grown == NULL) {
        return false;
    }
    curve->steps = grown;
    grown[curve->step_count++] = step;
    return true;
}

static int by_working_set(const void *left, const void *right)
{
    const struct rp_curve_step *const a = left;
    const struct rp_curve_step *const b = right;

    return (a->working_set_bytes > b->working_set_bytes) -
           (a->working_set_bytes < b->working_set_bytes);
}

bool rp_model_add_curves(struct rp_model_builder *builder)
{
    struct rp_model *const model = builder->model;

    for (size_t i = 0; i < builder->run->record_count; i++) {
        const struct rp_record *const record = &builder->run->records[i];
        if (rp_record_swept(record) && strcmp(record->family, "stream") == 0 &&
            !add_step(builder, record)) {
            return false;
        }
    }
    for (size_t i = 0; i < model->curve_count; i++) {
        qsort(model->curves[i].steps, model->curves[i].step_count,
              sizeof *model->curves[i].steps, by_working_set);
    }
    return true;
}
