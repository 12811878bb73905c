/* SPDX-License-Identifier: MIT */
/* aes-unit: cycles per AES round instruction against the number of independent chains. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plots/compose.h"

/* Curves often coincide, so each is drawn narrower over the one before. */
static const struct width_look {
    const char *unit;
    const char *name;
    enum rp_colour line;
    enum rp_colour text;
    double line_width;
} looks[] = {
    {"aesenc-128", "128 bit", RP_GREEN, RP_GREEN_TEXT, 7},
    {"aesenc-256", "256 bit", RP_PURPLE, RP_PURPLE_TEXT, 4},
    {"aesenc-512", "512 bit", RP_VERMILLION, RP_VERMILLION_TEXT, 1.6},
};

enum { WIDTH_COUNT = sizeof looks / sizeof *looks };

/* The measured units, with their looks. */
struct measured {
    const struct rp_unit *unit;
    const struct width_look *look;
};

static size_t find_units(const struct rp_model *model, struct measured units[WIDTH_COUNT],
                         struct rp_text *absent)
{
    size_t count = 0;

    for (size_t i = 0; i < WIDTH_COUNT; i++) {
        const struct rp_unit *const unit = rp_model_unit(model, looks[i].unit);

        if (unit != NULL && unit->step_count > 0 && unit->throughput_cycles.value > 0) {
            units[count++] = (struct measured){unit, &looks[i]};
        } else if (unit != NULL && unit->unavailable[0] != '\0') {
            rp_text_print(absent, "%s%s: %s", absent->length > 0 ? " · " : "",
                          looks[i].name, unit->unavailable);
        }
    }
    return count;
}

static bool alike(double a, double b)
{
    return fabs(a / b - 1) < 0.02;
}

static bool same_latency(const struct rp_unit *a, const struct rp_unit *b)
{
    return alike(a->latency_cycles, b->latency_cycles);
}

static bool same_knee(const struct rp_unit *a, const struct rp_unit *b)
{
    return a->knee_chains == b->knee_chains &&
           alike(a->throughput_cycles.value, b->throughput_cycles.value);
}

/* "128, 256 bit": the widths from `first` on that are the same. Marks them in `told`. */
static void name_same(const struct measured *units, size_t count, size_t first,
                      bool (*same)(const struct rp_unit *a, const struct rp_unit *b),
                      bool *told, char *text, size_t capacity)
{
    size_t length = 0;

    for (size_t i = first; i < count && length < capacity; i++) {
        if (same(units[i].unit, units[first].unit)) {
            told[i] = true;
            length += (size_t)snprintf(text + length, capacity - length, "%s%u",
                                       length > 0 ? ", " : "", units[i].unit->width_bits);
        }
    }
    if (length < capacity) {
        snprintf(text + length, capacity - length, " bit");
    }
}

static void add_curve(struct rp_drawing *drawing, const struct rp_model *model,
                      const struct measured *measured, struct rp_end_label *end)
{
    const struct rp_unit *const unit = measured->unit;
    const struct rp_unit_step *const last = &unit->steps[unit->step_count - 1];
    char title[160];

    snprintf(end->bold, sizeof end->bold, "%.2f", last->cycles.value);
    snprintf(end->text, sizeof end->text, "%s", measured->look->name);
    end->colour = measured->look->text;
    end->y = rp_axis_pixel(&drawing->frame.y, last->cycles.value);
    char latency[40] = "";

    if (unit->latency_cycles > 0) {
        snprintf(latency, sizeof latency, "latency %.2f cycles, ", unit->latency_cycles);
    }
    snprintf(title, sizeof title,
             "%s: %s%.3f cycles per instruction from %u chains, record %zu", unit->name,
             latency, unit->throughput_cycles.value, unit->knee_chains,
             (size_t)unit->throughput_record_id);
    rp_series_begin(drawing, measured->look->line, RP_SOLID, measured->look->line_width,
                    title);
    for (unsigned i = 0; i < unit->step_count; i++) {
        rp_series_vertex(
            drawing, unit->steps[i].chains, &unit->steps[i].cycles,
            rp_is_hollow(model, unit->steps[i].verdict, unit->steps[i].record_id));
    }
}

/* The line of perfect overlap for every distinct latency, down to the plot's lower edge.
 */
static void add_ideals(struct rp_drawing *drawing, const struct measured *units,
                       size_t count)
{
    struct rp_text *const commands = &drawing->commands;
    const struct rp_frame *const frame = &drawing->frame;
    unsigned lines = 0;

    rp_text_print(commands, "$ideal << EOD\n");
    for (size_t i = 0; i < count; i++) {
        const double latency = units[i].unit->latency_cycles;
        bool known = !(latency > 0);

        for (size_t k = 0; k < i && !known; k++) {
            known = same_latency(units[i].unit, units[k].unit);
        }
        if (!known) {
            const double last = fmin(frame->x.high, latency / frame->y.low);

            rp_text_print(commands, "%s1 %.6g\n%.6g %.6g\n", lines++ > 0 ? "\n\n" : "",
                          latency, last, latency / last);
        }
    }
    rp_text_print(commands, "EOD\nIDEAL=%u\n", lines);
}

/* Notes at places on curves: a bold figure, then what it is. */
struct notes {
    struct rp_point_label labels[2 * WIDTH_COUNT];
    char bold[2 * WIDTH_COUNT][32];
    char text[2 * WIDTH_COUNT][64];
    size_t count;
};

static void add_note(struct notes *notes, const struct rp_frame *frame, double chains,
                     double cycles, const char *text)
{
    const size_t index = notes->count++;

    snprintf(notes->bold[index], sizeof notes->bold[index], "%.2f cycles", cycles);
    snprintf(notes->text[index], sizeof notes->text[index], "%s", text);
    notes->labels[index] = (struct rp_point_label){
        .x = rp_axis_pixel(&frame->x, chains),
        .y = rp_axis_pixel(&frame->y, cycles),
        .width =
            rp_text_width(notes->bold[index], 12) * 1.1 + rp_text_width(text, 12) + 8,
        .height = 17,
        .side = 1,
    };
}

static void collect_notes(struct notes *notes, const struct rp_drawing *drawing,
                          const struct measured *units, size_t count)
{
    bool knee_told[WIDTH_COUNT] = {false};
    bool latency_told[WIDTH_COUNT] = {false};

    for (size_t i = 0; i < count; i++) {
        const struct rp_unit *const unit = units[i].unit;
        char widths[32];
        char text[64];

        if (!knee_told[i]) {
            name_same(units, count, i, same_knee, knee_told, widths, sizeof widths);
            snprintf(text, sizeof text, "from %u chains on, %s", unit->knee_chains,
                     widths);
            add_note(notes, &drawing->frame, unit->knee_chains,
                     unit->throughput_cycles.value, text);
        }
        if (!latency_told[i] && unit->latency_cycles > 0) {
            name_same(units, count, i, same_latency, latency_told, widths, sizeof widths);
            snprintf(text, sizeof text, "latency, %s", widths);
            add_note(notes, &drawing->frame, 1, unit->latency_cycles, text);
        }
    }
}

static void draw_notes(struct rp_drawing *drawing, const struct measured *units,
                       size_t count)
{
    const struct rp_frame *const frame = &drawing->frame;
    const struct rp_box room = rp_frame_box(frame);
    struct rp_obstacles curves = {.count = 0};
    struct notes notes = {.count = 0};

    for (size_t i = 0; i < count; i++) {
        const struct rp_unit_step *const steps = units[i].unit->steps;

        for (unsigned k = 1; k < units[i].unit->step_count; k++) {
            rp_obstacles_add_line(&curves, rp_axis_pixel(&frame->x, steps[k - 1].chains),
                                  rp_axis_pixel(&frame->y, steps[k - 1].cycles.value),
                                  rp_axis_pixel(&frame->x, steps[k].chains),
                                  rp_axis_pixel(&frame->y, steps[k].cycles.value));
        }
    }
    /* The lines of perfect overlap, past the curves. */
    for (size_t i = 0; i < count; i++) {
        const double latency = units[i].unit->latency_cycles;
        const double last = latency / frame->y.low;

        if (!(latency > 0)) {
            continue; /* one chain was not measured */
        }
        rp_obstacles_add_line(
            &curves, rp_axis_pixel(&frame->x, units[i].unit->knee_chains),
            rp_axis_pixel(&frame->y, latency / units[i].unit->knee_chains),
            rp_axis_pixel(&frame->x, last), frame->y.start);
    }
    collect_notes(&notes, drawing, units, count);
    rp_layout_points(notes.labels, notes.count, &room, NULL, 0, curves.boxes,
                     curves.count);
    for (size_t i = 0; i < notes.count; i++) {
        const struct rp_point_label *const label = &notes.labels[i];

        if (label->placed) {
            rp_emit_leader(drawing, label, RP_MUTED);
            rp_emit_label(
                drawing, &(struct rp_label){.x = label->box.left,
                                            .y = (label->box.top + label->box.bottom) / 2,
                                            .colour = RP_INK,
                                            .bold = notes.bold[i],
                                            .text = notes.text[i]});
        }
    }
}

/* A drop from each knee to the axis, on which its chains are read. */
static void draw_knees(struct rp_drawing *drawing, const struct measured *units,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double x = rp_axis_pixel(&drawing->frame.x, units[i].unit->knee_chains);
        const double y =
            rp_axis_pixel(&drawing->frame.y, units[i].unit->throughput_cycles.value);

        rp_emit_line(drawing, x, drawing->frame.y.start, x, y, RP_MUTED, RP_DOTTED,
                     false);
    }
}

static void conclude(struct rp_drawing *drawing, const struct rp_model *model,
                     const struct measured *units, size_t count)
{
    struct rp_text *const text = &drawing->conclusion;

    rp_text_print(text, "AES round instructions on one core of %s.",
                  model->run->machine.processor);
    for (size_t i = 0; i < count; i++) {
        const struct rp_unit *const unit = units[i].unit;

        rp_text_print(text, " At %s ", units[i].look->name);
        if (unit->latency_cycles > 0) {
            rp_text_print(text, "an instruction takes %.2f cycles alone and ",
                          unit->latency_cycles);
        }
        rp_text_print(text, "one completes every %.2f cycles once %u are independent.",
                      unit->throughput_cycles.value, unit->knee_chains);
    }
}

static void set_frame(struct rp_drawing *drawing, const struct measured *units,
                      size_t count)
{
    struct rp_range cycles = RP_EMPTY_RANGE;
    struct rp_range chains = RP_EMPTY_RANGE;

    for (size_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < units[i].unit->step_count; k++) {
            rp_range_add(&cycles, units[i].unit->steps[k].cycles.value);
            rp_range_add(&chains, units[i].unit->steps[k].chains);
        }
    }
    rp_range_widen(&cycles, 4);
    drawing->frame = (struct rp_frame){
        .width = 960,
        .height = 560,
        .x = {1, fmax(chains.high, 4), 78, 848},
        .y = {cycles.low * 0.6, cycles.high * 1.3, 490, 96},
    };
}

bool rp_compose_aes_unit(struct rp_drawing *drawing, const struct rp_model *model,
                         struct rp_error *error)
{
    struct measured units[WIDTH_COUNT];
    struct rp_end_label ends[WIDTH_COUNT] = {0};
    struct rp_text absent = {0};
    const size_t count = find_units(model, units, &absent);

    if (count == 0) {
        rp_fail(error, RP_USAGE,
                "this run holds no AES-unit figures (%s); measure them with "
                "`ridgepoint probe units`",
                absent.length > 0 ? absent.data : "no units record");
        rp_text_free(&absent);
        return false;
    }
    set_frame(drawing, units, count);
    drawing->title = "AES unit: cycles per instruction against independent chains";
    rp_emit_header(drawing, model, "AES unit",
                   "cycles per instruction against independent chains",
                   "median, band: quartiles, dashed: latency / chains",
                   absent.length > 0 ? absent.data : "");
    rp_text_free(&absent);
    rp_emit_frame(drawing, "independent chains of AESENC in flight",
                  "core cycles per instruction");
    rp_emit_binary_ticks(drawing, 'x');
    rp_text_print(&drawing->commands, "set xtics add ('3' 3, '6' 6, '12' 12)\n");
    rp_emit_binary_ticks(drawing, 'y');
    add_ideals(drawing, units, count);
    draw_knees(drawing, units, count);
    for (size_t i = 0; i < count; i++) {
        add_curve(drawing, model, &units[i], &ends[i]);
    }
    rp_series_end(drawing);
    rp_emit_end_labels(drawing, ends, count, 17);
    draw_notes(drawing, units, count);
    conclude(drawing, model, units, count);
    return true;
}
