/* SPDX-License-Identifier: MIT */
/* roofline-aes: the AES-CTR variants under the machine's bandwidth roofs and AES
 * ceilings. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plots/aes.h"
#include "plots/compose.h"
#include "plots/roofline_scene.h"

static void set_frame(struct rp_drawing *drawing, const struct rp_scene *scene)
{
    struct rp_range rates = RP_EMPTY_RANGE;
    struct rp_range intensities = RP_EMPTY_RANGE;

    for (size_t i = 0; i < scene->spot_count; i++) {
        rp_range_add(&rates, scene->spots[i].y);
        rp_range_add(&intensities, scene->spots[i].x);
        if (scene->spots[i].counted_x > 0) {
            rp_range_add(&intensities, scene->spots[i].counted_x);
        }
    }
    for (size_t i = 0; i < scene->ceiling_count; i++) {
        rp_range_add(&rates, scene->ceilings[i].gb_per_s);
    }
    const double rightmost = intensities.high;

    if (scene->roof_count >
        0) { /* show where the highest and the lowest roof meet the top */
        rp_range_add(&intensities, rates.high / scene->roofs[0].bus_gb_per_s);
        rp_range_add(&intensities,
                     rates.high / scene->roofs[scene->roof_count - 1].bus_gb_per_s);
    }
    drawing->frame = (struct rp_frame){
        .width = 960,
        .height = 640,
        .x = {fmax(intensities.low, 1.0 / 128) / 2.6,
              fmax(fmin(intensities.high, 8) * 1.5, rightmost * 5), 78, 792},
        .y = {rates.low / 2, rates.high * 1.7, 568, 96},
    };
}

/* The visible part of a roof, in values: from the frame's edge to the highest ceiling. */
struct stretch {
    double x1, y1, x2, y2;
};

/* Where roofs end: at the highest ceiling, or at the frame when there is none. */
static double highest_rate(const struct rp_drawing *drawing, const struct rp_scene *scene)
{
    const double ceiling = rp_scene_highest_ceiling(scene);

    return ceiling > 0 ? ceiling : drawing->frame.y.high;
}

static struct stretch roof_stretch(const struct rp_frame *frame, double slope, double top)
{
    const double x1 = fmax(frame->x.low, frame->y.low / slope);
    const double x2 = fmin(frame->x.high, top / slope);

    return (struct stretch){x1, x1 * slope, x2, x2 * slope};
}

static void add_line(struct rp_drawing *drawing, struct rp_obstacles *lines,
                     const struct stretch *line)
{
    const struct rp_frame *const frame = &drawing->frame;

    rp_series_vertex(drawing, line->x1, &(struct rp_estimate){.value = line->y1}, false);
    rp_series_vertex(drawing, line->x2, &(struct rp_estimate){.value = line->y2}, false);
    rp_obstacles_add_line(
        lines, rp_axis_pixel(&frame->x, line->x1), rp_axis_pixel(&frame->y, line->y1),
        rp_axis_pixel(&frame->x, line->x2), rp_axis_pixel(&frame->y, line->y2));
}

static void draw_roofs(struct rp_drawing *drawing, const struct rp_scene *scene,
                       struct rp_obstacles *lines, struct rp_obstacles *texts)
{
    const struct rp_frame *const frame = &drawing->frame;
    const double slant = rp_frame_slant(frame);
    const double top = highest_rate(drawing, scene);
    struct rp_slant_label labels[RP_MAX_ROOFS];

    for (size_t i = 0; i < scene->roof_count; i++) {
        const struct rp_roof_line *const roof = &scene->roofs[i];
        const struct stretch line = roof_stretch(frame, roof->bus_gb_per_s, top);
        const double x = rp_axis_pixel(&frame->x, line.x1);
        const double y = rp_axis_pixel(&frame->y, line.y1);
        char title[160];

        snprintf(title, sizeof title, "%s moved, %s, record %zu", roof->label,
                 roof->roof->variant, (size_t)roof->roof->record_id);
        rp_series_begin(drawing, roof->line, roof->dash, roof->line_width, title);
        add_line(drawing, lines, &line);
        labels[i] = (struct rp_slant_label){
            .start_x = x,
            .start_y = y,
            .length = hypot(rp_axis_pixel(&frame->x, line.x2) - x,
                            rp_axis_pixel(&frame->y, line.y2) - y),
            .width = rp_text_width(roof->label, 12),
            .height = 14,
        };
    }
    rp_layout_slants(labels, scene->roof_count, slant);
    for (size_t i = 0; i < scene->roof_count; i++) {
        if (labels[i].placed) {
            rp_emit_label(drawing, &(struct rp_label){.x = labels[i].x,
                                                      .y = labels[i].y,
                                                      .degrees = slant,
                                                      .colour = scene->roofs[i].text,
                                                      .text = scene->roofs[i].label});
            rp_obstacles_add_line(texts, labels[i].x, labels[i].y,
                                  labels[i].x + labels[i].width * cos(slant * M_PI / 180),
                                  labels[i].y -
                                      labels[i].width * sin(slant * M_PI / 180));
        }
    }
}

static void draw_ceilings(struct rp_drawing *drawing, const struct rp_scene *scene,
                          struct rp_obstacles *lines)
{
    const struct rp_frame *const frame = &drawing->frame;
    struct rp_end_label labels[RP_MAX_CEILINGS] = {0};
    const double top = highest_rate(drawing, scene);

    for (size_t i = 0; i < scene->ceiling_count; i++) {
        const struct rp_ceiling *const ceiling = &scene->ceilings[i];
        const double rate = ceiling->gb_per_s;
        const double start =
            scene->roof_count > 0 ? rate / scene->roofs[0].bus_gb_per_s : frame->x.low;
        const struct stretch line = {fmax(start, frame->x.low), rate, frame->x.high,
                                     rate};
        const bool highest = rate >= top;
        char number[24];
        char title[160];

        rp_number_text(rate, number);
        snprintf(title, sizeof title,
                 "AES unit at ten rounds a block, %s bit: %s GB/s, record %zu",
                 ceiling->widths, number, (size_t)ceiling->unit->throughput_record_id);
        rp_series_begin(drawing, highest ? RP_INK : RP_MUTED,
                        highest ? RP_SOLID : RP_DASHED, highest ? 2.6 : 1, title);
        add_line(drawing, lines, &line);
        snprintf(labels[i].bold, sizeof labels[i].bold, "%s", number);
        snprintf(labels[i].text, sizeof labels[i].text, "GB/s");
        snprintf(labels[i].under, sizeof labels[i].under, "10 AES rounds, %s bit",
                 ceiling->widths);
        labels[i].colour = highest ? RP_INK : RP_MUTED;
        labels[i].y = rp_axis_pixel(&frame->y, rate);
    }
    rp_emit_end_labels(drawing, labels, scene->ceiling_count, 34);
}

/* The region above every roof: the highest bandwidth's slope, then the highest ceiling.
 */
static void draw_beyond(struct rp_drawing *drawing, const struct rp_scene *scene)
{
    const struct rp_frame *const frame = &drawing->frame;
    const double top = highest_rate(drawing, scene);
    struct rp_text *const commands = &drawing->commands;

    rp_text_print(commands, "ROOM=%.6g\n$beyond << EOD\n", frame->y.high);
    if (scene->roof_count > 0) {
        const struct stretch roof =
            roof_stretch(frame, scene->roofs[0].bus_gb_per_s, top);

        rp_text_print(commands, "%.6g %.6g\n%.6g %.6g\n", roof.x1, roof.y1, roof.x2,
                      roof.y2);
    } else {
        rp_text_print(commands, "%.6g %.6g\n", frame->x.low, top);
    }
    rp_text_print(commands, "%.6g %.6g\nEOD\n", frame->x.high, top);
}

static void emit_points(struct rp_drawing *drawing, const struct rp_scene *scene,
                        const struct rp_model *model)
{
    struct rp_text *const commands = &drawing->commands;

    rp_text_print(commands, "POINTS=%zu; array POINT[POINTS]\n$points << EOD\n",
                  scene->spot_count);
    for (size_t i = 0; i < scene->spot_count; i++) {
        const struct rp_point *const point = scene->spots[i].point;

        const struct rp_mode_look *const look = rp_mode_look(point->mode);

        rp_text_print(commands, "%.6g %.6g %.6g %.6g %d %u\n", scene->spots[i].x,
                      scene->spots[i].y, point->items_per_s.lower_quartile / 1e9,
                      point->items_per_s.upper_quartile / 1e9,
                      rp_is_hollow(model, point->verdict, point->record_id)
                          ? look->hollow
                          : look->marker,
                      rp_colour_value(look->line));
    }
    rp_text_print(commands, "EOD\n");
    for (size_t i = 0; i < scene->spot_count; i++) {
        const struct rp_point *const point = scene->spots[i].point;
        struct rp_text title = {0};
        char number[24];
        char size[RP_SIZE_TEXT];

        rp_text_print(&title, "%s %s, %s in %s: %s GB/s", point->variant,
                      rp_mode_name(point->mode),
                      rp_size_text(point->working_set_bytes, size),
                      model->run->machine.levels[point->level].name,
                      rp_number_text(scene->spots[i].y, number));
        if (point->bound_kind != RP_BOUND_UNKNOWN) {
            rp_text_print(&title, ", %.0f %% of its bound (%s)", point->attained * 100,
                          point->bound);
        }
        rp_text_print(&title, ", record %zu", (size_t)point->record_id);
        rp_text_print(commands, "POINT[%zu]=", i + 1);
        rp_emit_string(commands, title.data != NULL ? title.data : "", false);
        rp_text_print(commands, "\n");
        commands->failed = commands->failed || title.failed;
        rp_text_free(&title);
    }
}

/* A dotted drop from the highest point of each column, with what it stands for at its
 * foot. */
static void draw_columns(struct rp_drawing *drawing, const struct rp_scene *scene,
                         struct rp_obstacles *lines, struct rp_obstacles *texts)
{
    const struct rp_frame *const frame = &drawing->frame;
    const double bottom = frame->y.start;

    for (size_t i = 0; i < scene->spot_count; i++) {
        const double intensity = scene->spots[i].x;
        const double x = rp_axis_pixel(&frame->x, intensity);
        double highest = scene->spots[i].y;
        bool leftmost = false;
        bool drawn = false;
        char text[48];

        for (size_t k = 0; k < scene->spot_count; k++) {
            const double ratio = scene->spots[k].x / intensity;
            const bool same = fabs(ratio - 1) < 0.01;

            drawn = drawn || (same && k < i);
            leftmost = leftmost || (!same && ratio > 1);
            highest = same ? fmax(highest, scene->spots[k].y) : highest;
        }
        if (drawn) {
            continue;
        }
        snprintf(text, sizeof text, "%.3g bytes moved", 1 / intensity);
        const double width = rp_text_width(text, 11);
        const double left = leftmost ? x - 8 - width : x + 8;
        const double top = rp_axis_pixel(&frame->y, highest);

        rp_emit_line(drawing, x, bottom, x, top, RP_MUTED, RP_DOTTED, false);
        rp_emit_label(drawing, &(struct rp_label){.x = left,
                                                  .y = bottom - 13,
                                                  .colour = RP_MUTED,
                                                  .size = 11,
                                                  .text = text});
        rp_obstacles_add_line(lines, x, bottom, x, top);
        rp_obstacles_add_line(texts, left, bottom - 13, left + width, bottom - 13);
    }
}

static void label_spots(struct rp_drawing *drawing, const struct rp_scene *scene,
                        const struct rp_obstacles *hard, const struct rp_obstacles *soft)
{
    const struct rp_frame *const frame = &drawing->frame;
    const struct rp_box room = rp_frame_box(frame);
    const double size = scene->spot_count > 8 ? 11 : 12;
    struct rp_point_label labels[RP_MAX_SPOTS];
    const struct rp_spot *owners[RP_MAX_SPOTS];
    double rightmost = 0;
    size_t count = 0;

    for (size_t i = 0; i < scene->spot_count; i++) {
        rightmost = fmax(rightmost, scene->spots[i].x);
    }
    for (size_t i = 0; i < scene->spot_count; i++) {
        const struct rp_spot *const spot = &scene->spots[i];

        if (spot->text[0] != '\0') {
            owners[count] = spot;
            labels[count++] = (struct rp_point_label){
                .x = rp_axis_pixel(&frame->x, spot->x),
                .y = rp_axis_pixel(&frame->y, spot->y),
                .width = rp_text_width(spot->text, size),
                .height = size + 3,
                .side = spot->x < rightmost * 0.9 ? -1 : 1,
            };
        }
    }
    rp_layout_points(labels, count, &room, hard->boxes, hard->count, soft->boxes,
                     soft->count);
    for (size_t i = 0; i < count; i++) {
        const struct rp_point_label *const label = &labels[i];

        if (label->placed) {
            rp_emit_leader(drawing, label, RP_MUTED);
            rp_emit_label(drawing,
                          &(struct rp_label){
                              .x = label->box.left,
                              .y = (label->box.top + label->box.bottom) / 2,
                              .colour = owners[i]->mixed
                                            ? RP_INK
                                            : rp_mode_look(owners[i]->point->mode)->text,
                              .size = size,
                              .text = owners[i]->text,
                          });
        }
    }
}

/* "vaes512-x8-pshufb reaches 17.9 GB/s in L2, 96 % of what the AES unit allows;
 * in DRAM 5.1 GB/s, with non-temporal stores 1.31 times that." */
static void conclude(struct rp_drawing *drawing, const struct rp_model *model)
{
    const struct rp_machine *const machine = &model->run->machine;
    const double cached = rp_aes_cached_bytes(machine);
    const struct rp_point *const best =
        rp_aes_best(model, cached > 0 ? cached : RP_LARGEST);
    struct rp_text *const text = &drawing->conclusion;
    char number[24];

    rp_text_print(text, "AES-128-CTR roofline of one core of %s.", machine->processor);
    if (best == NULL) {
        return;
    }
    const struct rp_point *const far =
        rp_aes_point(model, best->variant, RP_MODE_TEMPORAL, RP_LARGEST);
    const struct rp_point *const far_nt =
        rp_aes_point(model, best->variant, RP_MODE_NT, RP_LARGEST);

    rp_text_print(text, " %s reaches %s GB/s in %s", best->variant,
                  rp_number_text(best->items_per_s.value / 1e9, number),
                  machine->levels[best->level].name);
    if (best->unit_cycles_per_item > 0 && best->cycles_per_item.value > 0) {
        rp_text_print(text, ", %.0f %% of what the AES unit allows",
                      best->unit_cycles_per_item / best->cycles_per_item.value * 100);
    }
    if (far != NULL && far != best) {
        rp_text_print(text, "; %s GB/s in %s",
                      rp_number_text(far->items_per_s.value / 1e9, number),
                      machine->levels[far->level].name);
    }
    if (far != NULL && far_nt != NULL &&
        far->working_set_bytes == far_nt->working_set_bytes) {
        rp_text_print(text, ", where non-temporal stores give %.2f times that",
                      far_nt->items_per_s.value / far->items_per_s.value);
    }
    rp_text_print(text, ".");
    rp_conclude_counted(text, model, far != NULL ? far : best);
}

bool rp_compose_roofline_aes(struct rp_drawing *drawing, const struct rp_model *model,
                             struct rp_error *error)
{
    struct rp_scene scene = {.spot_count = 0};
    struct rp_obstacles lines = {.count = 0};
    struct rp_obstacles texts = {.count = 0};

    rp_scene_find(&scene, model);
    if (scene.spot_count == 0) {
        return rp_fail(
            error, RP_USAGE,
            "this run holds no AES-CTR points; measure some with `ridgepoint sweep`");
    }
    set_frame(drawing, &scene);
    drawing->title = "AES-128-CTR roofline of one core";
    drawing->shows_points = true;
    rp_emit_header(drawing, model, "AES-128-CTR roofline",
                   "how fast one core encrypts, and what stops it",
                   rp_scene_is_counted(&scene)
                       ? "median, whiskers: quartiles, crosses: as counted"
                       : "median, whiskers: quartiles",
                   "");
    rp_emit_frame(drawing, "bytes encrypted per byte moved", "bytes encrypted, GB/s");
    rp_emit_binary_ticks(drawing, 'x');
    rp_emit_decimal_ticks(drawing);
    draw_beyond(drawing, &scene);
    draw_columns(drawing, &scene, &lines, &texts);
    draw_roofs(drawing, &scene, &lines, &texts);
    draw_ceilings(drawing, &scene, &lines);
    rp_series_end(drawing);
    rp_scene_draw_counted(drawing, &scene, model, &texts, &lines);
    emit_points(drawing, &scene, model);
    rp_scene_merge(&scene, &drawing->frame);
    label_spots(drawing, &scene, &texts, &lines);
    conclude(drawing, model);
    return true;
}
