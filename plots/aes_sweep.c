/* SPDX-License-Identifier: MIT */
/* aes-sweep: cycles per byte of every AES-CTR variant against the working set, above what
 * the machine allows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plots/aes.h"
#include "plots/compose.h"

/* Stores in place stay out: they would run along the nt curves. The roofline shows them.
 */
static const struct {
    enum rp_mode mode;
    enum rp_dash dash;
} modes[] = {
    {RP_MODE_TEMPORAL, RP_SOLID},
    {RP_MODE_NT, RP_DASHED},
};

enum { MODE_COUNT = sizeof modes / sizeof *modes };

/* Non-temporal stores matter where encrypting is faster than memory. */
static bool drawn(const struct rp_point *point)
{
    const bool fast = strstr(point->variant, "-x8") != NULL;

    return rp_is_aes(point) && point->cycles_per_item.value > 0 &&
           (point->mode == RP_MODE_TEMPORAL || (point->mode == RP_MODE_NT && fast));
}

static bool belongs(const struct rp_point *point, const char *variant, enum rp_mode mode)
{
    return drawn(point) && point->mode == mode && strcmp(point->variant, variant) == 0;
}

/* A variant that is slower than the best everywhere by more than this would only press
 * the others together: it is told in words. */
#define OFF_SCALE 5

static double slowest(const struct rp_model *model, const char *variant)
{
    double cycles = 0;

    for (size_t i = 0; i < model->point_count; i++) {
        if (drawn(&model->points[i]) && strcmp(model->points[i].variant, variant) == 0) {
            cycles = fmax(cycles, model->points[i].cycles_per_item.value);
        }
    }
    return cycles;
}

static bool off_scale(const struct rp_model *model, const char *variant, double limit)
{
    for (size_t i = 0; i < model->point_count; i++) {
        if (drawn(&model->points[i]) && strcmp(model->points[i].variant, variant) == 0 &&
            model->points[i].cycles_per_item.value <= limit) {
            return false;
        }
    }
    return true;
}

static void add_note(struct rp_drawing *drawing, const struct rp_model *model,
                     const char *variant, unsigned row)
{
    const struct rp_point *const last =
        rp_aes_point(model, variant, RP_MODE_TEMPORAL, RP_LARGEST);
    char number[24];
    char text[96];

    if (last != NULL) {
        snprintf(text, sizeof text, "off the scale: %s, %s cycles per byte", variant,
                 rp_number_text(last->cycles_per_item.value, number));
        rp_emit_label(drawing,
                      &(struct rp_label){.x = drawing->frame.x.start + 10,
                                         .y = drawing->frame.y.end + 16 + 15 * row,
                                         .colour = RP_MUTED,
                                         .size = 11,
                                         .text = text});
    }
}

static double bound_cycles(const struct rp_point *point)
{
    return point->bound_items_per_s > 0 ? point->hz / point->bound_items_per_s : 0;
}

static void add_curve(struct rp_drawing *drawing, const struct rp_model *model,
                      const char *variant, size_t mode_index, struct rp_end_label *ends,
                      size_t *end_count)
{
    const enum rp_mode mode = modes[mode_index].mode;
    const struct rp_point *const last = rp_aes_point(model, variant, mode, RP_LARGEST);
    struct rp_end_label *const end = &ends[*end_count];
    char size[RP_SIZE_TEXT];
    char title[160];

    if (last == NULL || !drawn(last)) {
        return;
    }
    rp_number_text(last->cycles_per_item.value, end->bold);
    snprintf(end->text, sizeof end->text, "%s%s", variant, rp_mode_look(mode)->suffix);
    end->colour = rp_variant_look(variant)->text;
    end->x = rp_axis_pixel(&drawing->frame.x, (double)last->working_set_bytes);
    end->y = rp_axis_pixel(&drawing->frame.y, last->cycles_per_item.value);
    snprintf(title, sizeof title, "%s: %s cycles per byte at %s, record %zu", end->text,
             end->bold, rp_size_text(last->working_set_bytes, size),
             (size_t)last->record_id);
    rp_series_begin(drawing, rp_variant_look(variant)->line, modes[mode_index].dash, 2,
                    title);
    for (size_t i = 0; i < model->point_count; i++) {
        const struct rp_point *const point = &model->points[i];

        if (belongs(point, variant, mode)) {
            rp_series_vertex(drawing, (double)point->working_set_bytes,
                             &point->cycles_per_item,
                             rp_is_hollow(model, point->verdict, point->record_id));
        }
    }
    (*end_count)++;
}

/* The fewest cycles per byte that any drawn way of storing allows the best variant, so
 * that no curve can lie in the shade by right. */
static double lowest_bound(const struct rp_model *model, const char *variant,
                           size_t bytes)
{
    double lowest = HUGE_VAL;

    for (size_t i = 0; i < model->point_count; i++) {
        const struct rp_point *const point = &model->points[i];

        if (drawn(point) && point->working_set_bytes == bytes &&
            bound_cycles(point) > 0 && strcmp(point->variant, variant) == 0) {
            lowest = fmin(lowest, bound_cycles(point));
        }
    }
    return lowest;
}

static void add_bound(struct rp_drawing *drawing, const struct rp_model *model,
                      const char *variant)
{
    struct rp_text *const commands = &drawing->commands;
    unsigned vertices = 0;

    rp_text_print(commands, "$bound << EOD\n");
    for (size_t i = 0; i < model->point_count; i++) {
        const struct rp_point *const point = &model->points[i];

        if (belongs(point, variant, RP_MODE_TEMPORAL)) {
            const double bound = lowest_bound(model, variant, point->working_set_bytes);

            if (bound < HUGE_VAL) {
                rp_text_print(commands, "%zu %.6g\n", point->working_set_bytes, bound);
                vertices++;
            }
        }
    }
    rp_text_print(commands, "EOD\nBOUND=%d; FLOOR=%.6g; BOUND_TITLE=", vertices > 1,
                  drawing->frame.y.low);
    char title[64];

    snprintf(title, sizeof title, "bound of %s", variant);
    rp_emit_string(commands, title, false);
    rp_text_print(commands, "\n");
    if (vertices > 1) { /* a region needs an extent */
        snprintf(title, sizeof title, "beyond the bound of %s", variant);
        rp_emit_label(drawing, &(struct rp_label){.x = drawing->frame.x.start + 10,
                                                  .y = drawing->frame.y.start - 13,
                                                  .colour = RP_MUTED,
                                                  .size = 11,
                                                  .text = title});
    }
}

static void measure(const struct rp_model *model, const char *best, double limit,
                    struct rp_range *sizes, struct rp_range *costs)
{
    for (size_t i = 0; i < model->point_count; i++) {
        const struct rp_point *const point = &model->points[i];

        if (!drawn(point) || off_scale(model, point->variant, limit)) {
            continue;
        }
        rp_range_add(sizes, (double)point->working_set_bytes);
        rp_range_add(costs, point->cycles_per_item.value);
        if (strcmp(point->variant, best) == 0 && bound_cycles(point) > 0) {
            rp_range_add(costs, bound_cycles(point));
        }
    }
}

static void conclude(struct rp_drawing *drawing, const struct rp_model *model,
                     const struct rp_point *best)
{
    struct rp_text *const text = &drawing->conclusion;
    const struct rp_point *const far =
        rp_aes_point(model, best->variant, RP_MODE_TEMPORAL, RP_LARGEST);
    const struct rp_point *const far_nt =
        rp_aes_point(model, best->variant, RP_MODE_NT, RP_LARGEST);
    const struct rp_level *const levels = model->run->machine.levels;
    char number[24];

    rp_text_print(text, "AES-128-CTR on one core of %s. ", model->run->machine.processor);
    rp_text_print(text, "%s takes %s cycles per byte in %s", best->variant,
                  rp_number_text(best->cycles_per_item.value, number),
                  levels[best->level].name);
    if (bound_cycles(best) > 0) {
        rp_text_print(text, ", where its bound is %s",
                      rp_number_text(bound_cycles(best), number));
    }
    if (far != NULL && far != best) {
        rp_text_print(text, "; %s in %s",
                      rp_number_text(far->cycles_per_item.value, number),
                      levels[far->level].name);
    }
    if (far_nt != NULL) {
        rp_text_print(text, "; %s in %s with non-temporal stores",
                      rp_number_text(far_nt->cycles_per_item.value, number),
                      levels[far_nt->level].name);
    }
    rp_text_print(text, ".");
}

bool rp_compose_aes_sweep(struct rp_drawing *drawing, const struct rp_model *model,
                          struct rp_error *error)
{
    const char *variants[RP_MAX_VARIANTS];
    const size_t variant_count = rp_aes_variants(model, variants);
    const double cached = fmax(rp_aes_cached_bytes(&model->run->machine), 1);
    const struct rp_point *const best = rp_aes_best(model, cached);
    struct rp_end_label ends[RP_MAX_VARIANTS * MODE_COUNT] = {0};
    struct rp_range sizes = RP_EMPTY_RANGE;
    struct rp_range costs = RP_EMPTY_RANGE;
    size_t count = 0;
    unsigned notes = 0;
    const double limit = best == NULL ? 0 : OFF_SCALE * slowest(model, best->variant);

    if (best != NULL) {
        measure(model, best->variant, limit, &sizes, &costs);
    }
    if (best == NULL || !(costs.high > 0)) {
        return rp_fail(
            error, RP_USAGE,
            "this run holds no AES-CTR points; measure some with `ridgepoint sweep`");
    }
    rp_range_widen(&sizes, 4);
    rp_range_widen(&costs, 4);
    drawing->title = "AES-128-CTR: cycles per byte against the working set";
    drawing->frame = (struct rp_frame){
        .width = 960,
        .height = 600,
        .x = {sizes.low, sizes.high, 78, 760},
        .y = {costs.low * 0.6, costs.high * 1.25, 528, 116},
    };
    drawing->shows_points = true;
    rp_emit_header(drawing, model, "AES-128-CTR",
                   "cycles per byte against the working set",
                   "line: median, band: quartiles, dashed: nt stores", "");
    rp_emit_frame(drawing, "working set: source and destination",
                  "core cycles per byte encrypted");
    rp_emit_size_ticks(drawing);
    rp_emit_decimal_ticks(drawing);
    rp_emit_cache_bands(drawing, model);
    add_bound(drawing, model, best->variant);
    for (size_t i = 0; i < variant_count; i++) {
        if (off_scale(model, variants[i], limit)) {
            add_note(drawing, model, variants[i], notes++);
            continue;
        }
        for (size_t mode = 0; mode < MODE_COUNT; mode++) {
            add_curve(drawing, model, variants[i], mode, ends, &count);
        }
    }
    rp_series_end(drawing);
    rp_emit_end_labels(drawing, ends, count, 17);
    conclude(drawing, model, best);
    return true;
}
