/* SPDX-License-Identifier: MIT */
/* Points, and what bounds each of them. */
#include "roofline/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two measurements minutes apart agree no better than this. */
static const double above_roof_tolerance = 1.02;

/* An upper limit of a point's items per second, and whose it is. */
struct bound {
    enum rp_bound_kind kind;
    struct rp_estimate items_per_s;
    double allowance; /* factor that a point may exceed it by and not be too fast */
    char name[sizeof((struct rp_point *)0)->bound];
};

static double interpolated(double low_x, double low_y, double high_x, double high_y,
                           double x)
{
    if (!(low_y > 0 && high_y > 0) || low_x >= high_x) {
        return low_y;
    }
    const double share = log(x / low_x) / log(high_x / low_x);
    return low_y * pow(high_y / low_y, share);
}

/* The curve at a working set, straight between its steps on two logarithmic axes; false
 * when the curve does not reach that size. */
static bool curve_at(const struct rp_curve *curve, size_t working_set_bytes,
                     struct rp_estimate *bytes_per_s)
{
    size_t above = 0;

    while (above < curve->step_count &&
           curve->steps[above].working_set_bytes < working_set_bytes) {
        above++;
    }
    if (above == curve->step_count) {
        return false;
    }
    const struct rp_curve_step *const high = &curve->steps[above];
    if (high->working_set_bytes == working_set_bytes) {
        *bytes_per_s = high->bytes_per_s;
        return true;
    }
    if (above == 0) {
        return false;
    }
    const struct rp_curve_step *const low = high - 1;
    const double low_x = (double)low->working_set_bytes;
    const double high_x = (double)high->working_set_bytes;
    const double x = (double)working_set_bytes;
    const struct rp_estimate *const a = &low->bytes_per_s;
    const struct rp_estimate *const b = &high->bytes_per_s;
    *bytes_per_s = (struct rp_estimate){
        .value = interpolated(low_x, a->value, high_x, b->value, x),
        .lower_quartile =
            interpolated(low_x, a->lower_quartile, high_x, b->lower_quartile, x),
        .upper_quartile =
            interpolated(low_x, a->upper_quartile, high_x, b->upper_quartile, x),
        .low = interpolated(low_x, a->low, high_x, b->low, x),
        .high = interpolated(low_x, a->high, high_x, b->high, x),
    };
    return true;
}

/*
 * How much faster than its level's roof a pass may honestly run because the next nearer
 * cache still holds a part of the working set: at most its capacity, and nothing of what
 * is stored past the caches. The curve of a mix needs no such allowance: it was measured
 * with the same share in that cache.
 */
static double nearer_cache_gain(const struct rp_model *model,
                                const struct rp_point *point,
                                const struct rp_traffic *traffic)
{
    const struct rp_bandwidth_roof *const far =
        rp_model_roof(model, point->mix, point->level);
    const struct rp_bandwidth_roof *const nearer =
        point->level > 0 ? rp_model_roof(model, point->mix, point->level - 1) : NULL;

    if (far == NULL || nearer == NULL) {
        return 1;
    }
    const double capacity =
        (double)model->run->machine.levels[point->level - 1].size_bytes;
    const double cached_bytes = (double)point->working_set_bytes *
                                (1 - traffic->store_nt / point->payload_bytes_per_item);
    const double held = cached_bytes > capacity ? capacity / cached_bytes : 1;
    const double ratio = far->bytes_per_s.value / nearer->bytes_per_s.value;
    return ratio < 1 ? 1 / (held * ratio + 1 - held) : 1;
}

static struct bound bandwidth_bound(const struct rp_model *model,
                                    const struct rp_point *point,
                                    const struct rp_traffic *traffic)
{
    struct bound bound = {.kind = RP_BOUND_UNKNOWN, .allowance = 1};
    struct rp_estimate bytes_per_s;
    const struct rp_curve *const curve =
        strcmp(point->family, "stream") == 0 ? NULL : rp_model_curve(model, point->mix);

    if (curve == NULL || !curve_at(curve, point->working_set_bytes, &bytes_per_s)) {
        const struct rp_bandwidth_roof *const roof =
            rp_model_roof(model, point->mix, point->level);
        if (roof == NULL) {
            return bound;
        }
        bytes_per_s = roof->bytes_per_s;
        bound.allowance = nearer_cache_gain(model, point, traffic);
    }
    if (!(point->payload_bytes_per_item > 0)) {
        return bound;
    }
    bound.kind = RP_BOUND_BANDWIDTH;
    bound.items_per_s =
        rp_estimate_scaled(&bytes_per_s, 1 / point->payload_bytes_per_item);
    snprintf(bound.name, sizeof bound.name, "%s %s", point->mix,
             model->run->machine.levels[point->level].name);
    return bound;
}

static struct bound unit_bound(const struct rp_point *point,
                               const struct rp_unit_time *time)
{
    struct bound bound = {.kind = RP_BOUND_UNKNOWN, .allowance = 1};

    if (!(time->cycles.value > 0) || !(point->hz > 0)) {
        return bound;
    }
    bound.kind = RP_BOUND_UNIT;
    bound.items_per_s = rp_estimate_inverse(&time->cycles, point->hz);
    RP_COPY_NAME(bound.name, time->name);
    return bound;
}

static bool is_above(const struct rp_point *point, const struct bound *bound)
{
    return point->items_per_s.lower_quartile >
               above_roof_tolerance * bound->allowance * bound->items_per_s.value &&
           point->items_per_s.low > bound->allowance * bound->items_per_s.high;
}

static void bind_point(const struct rp_model *model, struct rp_point *point,
                       const struct rp_record *record, const struct rp_unit_time *time)
{
    const struct bound bandwidth = bandwidth_bound(model, point, &record->traffic);
    const struct bound unit = unit_bound(point, time);
    const bool unit_binds = unit.kind == RP_BOUND_UNIT &&
                            (bandwidth.kind == RP_BOUND_UNKNOWN ||
                             unit.items_per_s.value < bandwidth.items_per_s.value);
    const struct bound *const bound = unit_binds ? &unit : &bandwidth;

    if (bound->kind == RP_BOUND_UNKNOWN) {
        return;
    }
    point->bound_kind = bound->kind;
    point->bound_items_per_s = bound->items_per_s.value;
    point->attained = point->items_per_s.value / bound->items_per_s.value;
    point->above_roof = is_above(point, bound);
    RP_COPY_NAME(point->bound, bound->name);
}

bool rp_model_make_point(const struct rp_model_builder *builder,
                         const struct rp_record *record, struct rp_point *made)
{
    const struct rp_model *const model = builder->model;
    const struct rp_machine *const machine = &builder->run->machine;
    double *const scratch = builder->scratch;
    const struct rp_unit_time time = rp_model_unit_time(model, record);
    struct rp_point point = {
        .mode = record->mode,
        .working_set_bytes = record->working_set_bytes,
        .level = rp_machine_level_of(machine, record->working_set_bytes),
        .items_per_s = rp_estimate_record(record, rp_sample_items_per_s, scratch),
        .cycles_per_item = rp_estimate_record(record, rp_sample_cycles_per_item, scratch),
        .hz = rp_estimate_record(record, rp_sample_hz, scratch).value,
        .payload_bytes_per_item = rp_payload_bytes(&record->traffic),
        .unit_cycles_per_item = time.cycles.value,
        .verdict = record->verdict,
        .record_id = record->id,
    };
    if (!(point.items_per_s.value > 0)) {
        return false;
    }
    point.bus_bytes_per_item = point.payload_bytes_per_item *
                               rp_bus_factor(machine, point.level, &record->traffic);
    RP_COPY_NAME(point.kernel, record->kernel);
    RP_COPY_NAME(point.family, record->family);
    RP_COPY_NAME(point.variant, record->variant);
    RP_COPY_NAME(point.library, record->library);
    RP_COPY_NAME(point.mix, rp_mix_name(&record->traffic));
    RP_COPY_NAME(point.unit, time.name);
    bind_point(model, &point, record, &time);
    *made = point;
    return true;
}

static bool add_point(struct rp_model_builder *builder, const struct rp_record *record)
{
    struct rp_model *const model = builder->model;
    struct rp_point point;

    if (!rp_model_make_point(builder, record, &point)) {
        return true;
    }
    struct rp_point *const grown =
        rp_grow(model->points, model->point_count, sizeof *grown, builder->error);
    if (grown == NULL) {
        return false;
    }
    model->points = grown;
    grown[model->point_count++] = point;
    return true;
}

static int by_kernel_mode_and_size(const void *left, const void *right)
{
    const struct rp_point *const a = left;
    const struct rp_point *const b = right;
    const int kernels = strcmp(a->kernel, b->kernel);

    if (kernels != 0) {
        return kernels;
    }
    if (a->mode != b->mode) {
        return a->mode < b->mode ? -1 : 1;
    }
    return (a->working_set_bytes > b->working_set_bytes) -
           (a->working_set_bytes < b->working_set_bytes);
}

bool rp_model_add_points(struct rp_model_builder *builder)
{
    struct rp_model *const model = builder->model;

    for (size_t i = 0; i < builder->run->record_count; i++) {
        const struct rp_record *const record = &builder->run->records[i];
        if (rp_record_swept(record) && !add_point(builder, record)) {
            return false;
        }
    }
    if (model->point_count > 0) {
        qsort(model->points, model->point_count, sizeof *model->points,
              by_kernel_mode_and_size);
    }
    return true;
}
