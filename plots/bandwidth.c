/* SPDX-License-Identifier: MIT */
/* bandwidth: one curve a traffic mix against the working set. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plots/compose.h"

/* The colour says how a mix stores, the dash tells store from copy. */
static const struct mix_look {
    const char *mix;
    const char *name;
    enum rp_colour line;
    enum rp_colour text;
    enum rp_dash dash;
} looks[] = {
    {"load", "load", RP_BLUE, RP_BLUE_TEXT, RP_SOLID},
    {"store", "store", RP_VERMILLION, RP_VERMILLION_TEXT, RP_DASHED},
    {"store-nt", "store, nt", RP_GREEN, RP_GREEN_TEXT, RP_DASHED},
    {"copy", "copy", RP_VERMILLION, RP_VERMILLION_TEXT, RP_SOLID},
    {"copy-nt", "copy, nt", RP_GREEN, RP_GREEN_TEXT, RP_SOLID},
    {"update", "update in place", RP_PURPLE, RP_PURPLE_TEXT, RP_SOLID},
};

enum { MIX_COUNT = sizeof looks / sizeof *looks };

static void measure(const struct rp_model *model, struct rp_range *sizes,
                    struct rp_range *rates)
{
    for (size_t i = 0; i < MIX_COUNT; i++) {
        const struct rp_curve *const curve = rp_model_curve(model, looks[i].mix);

        for (size_t k = 0; curve != NULL && k < curve->step_count; k++) {
            rp_range_add(sizes, (double)curve->steps[k].working_set_bytes);
            rp_range_add(rates, curve->steps[k].bytes_per_s.value / 1e9);
        }
    }
}

static struct rp_estimate in_gb(const struct rp_estimate *bytes)
{
    return (struct rp_estimate){.value = bytes->value / 1e9,
                                .lower_quartile = bytes->lower_quartile / 1e9,
                                .upper_quartile = bytes->upper_quartile / 1e9};
}

static void add_curve(struct rp_drawing *drawing, const struct rp_model *model,
                      const struct rp_curve *curve, const struct mix_look *look,
                      struct rp_end_label *end)
{
    const struct rp_curve_step *const last = &curve->steps[curve->step_count - 1];
    char size[RP_SIZE_TEXT];
    char title[160];

    rp_number_text(last->bytes_per_s.value / 1e9, end->bold);
    snprintf(end->text, sizeof end->text, "%s", look->name);
    end->colour = look->text;
    end->y = rp_axis_pixel(&drawing->frame.y, last->bytes_per_s.value / 1e9);
    snprintf(title, sizeof title, "%s: %s GB/s at %s, %s, record %zu", look->name,
             end->bold, rp_size_text(last->working_set_bytes, size), last->variant,
             (size_t)last->record_id);
    rp_series_begin(drawing, look->line, look->dash, 2, title);
    for (size_t i = 0; i < curve->step_count; i++) {
        const struct rp_curve_step *const step = &curve->steps[i];
        const struct rp_estimate rate = in_gb(&step->bytes_per_s);

        rp_series_vertex(drawing, (double)step->working_set_bytes, &rate,
                         rp_is_hollow(model, step->verdict, step->record_id));
    }
}

/* "One core loads 330 GB/s from L1, 110 GB/s from L2, 11.2 GB/s from DRAM." */
static void conclude(struct rp_drawing *drawing, const struct rp_model *model)
{
    const struct rp_machine *const machine = &model->run->machine;
    struct rp_text *const text = &drawing->conclusion;
    const struct rp_bandwidth_roof *copy = NULL;
    const struct rp_bandwidth_roof *copy_nt = NULL;
    size_t told = 0;

    rp_text_print(text,
                  "Bandwidth of one core of %s against the size of its working set.",
                  machine->processor);
    for (unsigned level = 0; level < machine->level_count; level++) {
        const struct rp_bandwidth_roof *const load = rp_model_roof(model, "load", level);
        char number[24];

        copy = rp_model_roof(model, "copy", level);
        copy_nt = rp_model_roof(model, "copy-nt", level);
        if (load != NULL) {
            rp_text_print(text, "%s %s GB/s from %s",
                          told++ == 0 ? " One core loads" : ",",
                          rp_number_text(load->bytes_per_s.value / 1e9, number),
                          machine->levels[level].name);
        }
    }
    if (told > 0) {
        rp_text_print(text, ".");
    }
    if (copy != NULL && copy_nt != NULL) { /* of the last level: memory */
        rp_text_print(
            text,
            " In %s a copy with non-temporal stores has %.2f times the bandwidth of "
            "one with plain stores.",
            machine->levels[machine->level_count - 1].name,
            copy_nt->bytes_per_s.value / copy->bytes_per_s.value);
    }
}

bool rp_compose_bandwidth(struct rp_drawing *drawing, const struct rp_model *model,
                          struct rp_error *error)
{
    struct rp_range sizes = RP_EMPTY_RANGE;
    struct rp_range rates = RP_EMPTY_RANGE;
    struct rp_end_label ends[MIX_COUNT] = {0};
    size_t count = 0;

    measure(model, &sizes, &rates);
    if (!(rates.high > 0)) {
        return rp_fail(
            error, RP_USAGE,
            "this run holds no bandwidth curve; measure one with `ridgepoint sweep`");
    }
    rp_range_widen(&sizes, 4);
    rp_range_widen(&rates, 8);
    drawing->title = "Bandwidth of one core against its working set";
    drawing->frame = (struct rp_frame){
        .width = 960,
        .height = 600,
        .x = {sizes.low, sizes.high, 78, 808},
        .y = {exp2(floor(log2(rates.low))), exp2(ceil(log2(rates.high * 1.05))), 528,
              116},
    };
    rp_emit_header(drawing, model, "Bandwidth",
                   "one core against the size of its working set",
                   "line: median, band: quartiles", "");
    rp_emit_frame(drawing, "working set", "bandwidth, GB/s of payload");
    rp_emit_size_ticks(drawing);
    rp_emit_binary_ticks(drawing, 'y');
    rp_emit_cache_bands(drawing, model);
    for (size_t i = 0; i < MIX_COUNT; i++) {
        const struct rp_curve *const curve = rp_model_curve(model, looks[i].mix);

        if (curve != NULL && curve->step_count > 0) {
            add_curve(drawing, model, curve, &looks[i], &ends[count++]);
        }
    }
    rp_series_end(drawing);
    rp_emit_end_labels(drawing, ends, count, 17);
    conclude(drawing, model);
    return true;
}
