/* SPDX-License-Identifier: MIT */
/* What stands around the data: header, axes, ticks and cache bands. */
#include "plots/emit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The end of a logarithmic axis is widened by this, else gnuplot drops the tick there. */
#define END_SLACK 1.0005

#define WARNING_SIZE 11

/* What a reader must know before believing a figure, the gravest first. */
struct warnings {
    char texts[RP_MAX_CONDITIONS + RP_MAX_LEVELS + 4][256];
    size_t count;
};

__attribute__((format(printf, 2, 3))) static void warn(struct warnings *warnings,
                                                       const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(warnings->texts[warnings->count++], sizeof *warnings->texts, format,
              arguments);
    va_end(arguments);
}

static void warn_of_results(struct warnings *warnings, const struct rp_model *model,
                            bool points)
{
    if (points && model->above_roof_count > 0) {
        warn(warnings, "%zu point%s above %s roof: do not trust %s",
             model->above_roof_count, model->above_roof_count == 1 ? "" : "s",
             model->above_roof_count == 1 ? "its" : "their",
             model->above_roof_count == 1 ? "it" : "them");
    }
    if (model->disturbed_count > 0) {
        warn(warnings, "%zu of %zu records disturbed, drawn hollow",
             model->disturbed_count, rp_run_done_count(model->run));
    }
    if (model->flag_count > 0) {
        warn(warnings, "%zu hard to believe, drawn hollow: see the report",
             model->flag_count);
    }
}

static void warn_of_machine(struct warnings *warnings, const struct rp_model *model)
{
    const struct rp_machine *const machine = &model->run->machine;

    for (unsigned i = 0; i < model->level_count; i++) {
        char stated[RP_SIZE_TEXT];
        char used[RP_SIZE_TEXT];

        if (model->levels[i].verdict == RP_LEVEL_DIFFERS) {
            warn(warnings, "%s stated as %s, measured as %s", model->levels[i].name,
                 rp_size_text(model->levels[i].stated_bytes, stated),
                 rp_size_text(machine->levels[i].size_bytes, used));
        }
    }
    for (unsigned i = 0; i < machine->condition_count; i++) {
        if (machine->conditions[i].severity == RP_SEVERITY_WARN) {
            warn(warnings, "%s", machine->conditions[i].text);
        }
    }
}

/* As many as fit into `width` pixels; how many do not is said. */
static void print_fitting(struct rp_text *line, const struct warnings *warnings,
                          double width)
{
    static const char separator[] = " · ";
    size_t told = 0;
    const double more_width = rp_text_width(" · +99 more in the report", WARNING_SIZE);
    double used = 0;

    for (size_t i = 0; i < warnings->count; i++) {
        const double own = rp_text_width(warnings->texts[i], WARNING_SIZE) +
                           rp_text_width(separator, WARNING_SIZE);
        const bool last = told + 1 == warnings->count;

        if (used + own + (last ? 0 : more_width) <= width) {
            rp_text_print(line, "%s%s", told++ > 0 ? separator : "", warnings->texts[i]);
            used += own;
        }
    }
    if (told < warnings->count) {
        rp_text_print(line, "%s+%zu more in the report", told > 0 ? separator : "",
                      warnings->count - told);
    }
}

void rp_emit_header(struct rp_drawing *drawing, const struct rp_model *model,
                    const char *title, const char *sentence, const char *statistic,
                    const char *note)
{
    const struct rp_machine *const machine = &model->run->machine;
    const double left = drawing->frame.x.start;
    const double right_margin = 16;
    struct rp_text line = {0};
    struct rp_text third = {0};
    struct warnings warnings = {.count = 0};

    rp_text_print(&line, "%s%s", machine->processor,
                  machine->cpu.hypervisor ? " under a hypervisor" : "");
    if (model->hz > 0) {
        rp_text_print(&line, " · %.2f GHz measured", model->hz / 1e9);
    }
    rp_text_print(&line, " · one core · %s", statistic);
    if (note[0] != '\0') {
        warn(&warnings, "%s", note);
    }
    warn_of_results(&warnings, model, drawing->shows_points);
    warn_of_machine(&warnings, model);
    print_fitting(&third, &warnings, drawing->frame.width - left - right_margin);
    rp_emit_label(drawing, &(struct rp_label){.x = left,
                                              .y = 29,
                                              .colour = RP_INK,
                                              .size = 17,
                                              .bold = title,
                                              .text = sentence});
    if (line.data != NULL) {
        rp_emit_label(drawing,
                      &(struct rp_label){
                          .x = left, .y = 55, .colour = RP_MUTED, .text = line.data});
    }
    if (third.data != NULL) {
        rp_emit_label(drawing, &(struct rp_label){.x = left,
                                                  .y = 74,
                                                  .colour = RP_INK,
                                                  .size = WARNING_SIZE,
                                                  .text = third.data});
    }
    rp_text_free(&line);
    rp_text_free(&third);
}

void rp_emit_frame(struct rp_drawing *drawing, const char *x_title, const char *y_title)
{
    const struct rp_frame *const frame = &drawing->frame;
    struct rp_text *const commands = &drawing->commands;

    rp_text_print(commands,
                  "set lmargin at screen %.6f; set rmargin at screen %.6f\n"
                  "set bmargin at screen %.6f; set tmargin at screen %.6f\n"
                  "set xrange [%.10g:%.10g]; set yrange [%.10g:%.10g]\n",
                  frame->x.start / frame->width, frame->x.end / frame->width,
                  1 - frame->y.start / frame->height, 1 - frame->y.end / frame->height,
                  frame->x.low / END_SLACK, frame->x.high * END_SLACK,
                  frame->y.low / END_SLACK, frame->y.high * END_SLACK);
    rp_emit_label(drawing, &(struct rp_label){.x = (frame->x.start + frame->x.end) / 2,
                                              .y = frame->y.start + 46,
                                              .align = RP_CENTRE,
                                              .colour = RP_MUTED,
                                              .size = 13,
                                              .text = x_title});
    rp_emit_label(drawing, &(struct rp_label){.x = 17,
                                              .y = (frame->y.start + frame->y.end) / 2,
                                              .align = RP_CENTRE,
                                              .colour = RP_MUTED,
                                              .size = 13,
                                              .degrees = 90,
                                              .text = y_title});
}

static bool on_axis(const struct rp_axis *axis, double value)
{
    return value >= axis->low / END_SLACK && value <= axis->high * END_SLACK;
}

void rp_emit_size_ticks(struct rp_drawing *drawing)
{
    struct rp_text *const commands = &drawing->commands;
    const struct rp_axis *const axis = &drawing->frame.x;
    const int step = log2(axis->high / axis->low) > 9 ? 2 : 1;

    rp_text_print(commands, "set xtics ()\n");
    for (int exponent = (int)fmax(ceil(log2(axis->low)), 0);
         exponent < 64 && on_axis(axis, ldexp(1, exponent)); exponent++) {
        char size[RP_SIZE_TEXT];

        if (exponent % step == 0) {
            rp_text_print(commands, "set xtics add ('%s' %.0f)\n",
                          rp_size_text((size_t)1 << exponent, size), ldexp(1, exponent));
        } else {
            rp_text_print(commands, "set xtics add ('' %.0f 1)\n", ldexp(1, exponent));
        }
    }
}

void rp_emit_binary_ticks(struct rp_drawing *drawing, char axis_name)
{
    const struct rp_axis *const axis =
        axis_name == 'x' ? &drawing->frame.x : &drawing->frame.y;

    rp_text_print(&drawing->commands, "set %ctics ()\n", axis_name);
    for (int exponent = (int)ceil(log2(axis->low / END_SLACK));
         on_axis(axis, ldexp(1, exponent)); exponent++) {
        rp_text_print(&drawing->commands, "set %ctics add ('%s%.0f' %.10g)\n", axis_name,
                      exponent < 0 ? "1/" : "",
                      ldexp(1, exponent < 0 ? -exponent : exponent), ldexp(1, exponent));
    }
}

void rp_emit_decimal_ticks(struct rp_drawing *drawing)
{
    const struct rp_axis *const axis = &drawing->frame.y;
    static const double steps[] = {1, 2, 5};

    rp_text_print(&drawing->commands, "set ytics ()\n");
    for (int decade = (int)floor(log10(axis->low)); pow(10, decade) <= axis->high;
         decade++) {
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            const double value = steps[i] * pow(10, decade);

            if (on_axis(axis, value)) {
                rp_text_print(&drawing->commands, "set ytics add ('%g' %.10g)\n", value,
                              value);
            }
        }
    }
}

/* The level's name, with its size as stated or as measured. */
static void print_level(char text[96], const struct rp_model *model, unsigned index)
{
    const struct rp_level *const level = &model->run->machine.levels[index];
    const bool checked = index < model->level_count;
    const enum rp_level_verdict verdict =
        checked ? model->levels[index].verdict : RP_LEVEL_UNSEEN;
    const bool measured = verdict == RP_LEVEL_DIFFERS || verdict == RP_LEVEL_UNSTATED;
    char size[RP_SIZE_TEXT];

    snprintf(text, 96, "%s  %s%s%s", level->name, rp_size_text(level->size_bytes, size),
             measured ? " measured" : "", level->shared_by > 1 ? ", shared" : "");
}

/* Writes the level's name above its band: in full, or short, or not at all, as it fits.
 */
static void name_band(struct rp_drawing *drawing, const struct rp_model *model,
                      unsigned index, double left, double right)
{
    const struct rp_level *const level = &model->run->machine.levels[index];
    char full[96];

    print_level(full, model, index);
    const char *const text =
        level->size_bytes > 0 && rp_text_width(full, 12) + 8 < right - left ? full
                                                                            : level->name;

    if (rp_text_width(text, 12) < right - left) {
        rp_emit_label(drawing, &(struct rp_label){.x = (left + right) / 2,
                                                  .y = drawing->frame.y.end - 12,
                                                  .align = RP_CENTRE,
                                                  .colour = RP_MUTED,
                                                  .text = text});
    }
}

void rp_emit_cache_bands(struct rp_drawing *drawing, const struct rp_model *model)
{
    const struct rp_machine *const machine = &model->run->machine;
    const struct rp_box plot = rp_frame_box(&drawing->frame);
    double left = plot.left;

    for (unsigned i = 0; i < machine->level_count && left < plot.right; i++) {
        const struct rp_level *const level = &machine->levels[i];
        const double end =
            level->size_bytes == 0
                ? plot.right
                : rp_axis_pixel(&drawing->frame.x, (double)level->size_bytes);
        const double right = fmin(end, plot.right);

        if (right <= left) {
            continue; /* smaller than the smallest working set */
        }
        if (i % 2 == 0) {
            rp_emit_box(drawing, &(struct rp_box){left, plot.top, right, plot.bottom},
                        RP_TINT);
        }
        if (right < plot.right) {
            rp_text_print(
                &drawing->commands,
                "set arrow from %zu, graph 0 to %zu, graph 1 nohead lc rgb RULE back\n",
                level->size_bytes, level->size_bytes);
        }
        name_band(drawing, model, i, left, right);
        left = right;
    }
}
