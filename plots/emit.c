/* SPDX-License-Identifier: MIT */
#include "plots/emit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plots/utf8.h"

#define COLOUR_VALUE(name, light, dark) light,
static const unsigned colours[RP_COLOUR_COUNT] = {RP_PALETTE(COLOUR_VALUE)};
#undef COLOUR_VALUE

static const char *const align_names[] = {
    [RP_LEFT] = "left",
    [RP_CENTRE] = "center",
    [RP_RIGHT] = "right",
};

unsigned rp_colour_value(enum rp_colour colour)
{
    return colours[colour];
}

void rp_drawing_free(struct rp_drawing *drawing)
{
    rp_text_free(&drawing->commands);
    rp_text_free(&drawing->series);
    rp_text_free(&drawing->styles);
    rp_text_free(&drawing->conclusion);
}

static void emit_characters(struct rp_text *text, const char *string, bool enhanced)
{
    for (const unsigned char *c = (const unsigned char *)string; *c != '\0';) {
        const size_t length = rp_utf8_length(c);

        if (length == 0 || *c < ' ' || *c == 0x7f) {
            rp_text_append(text, "?", 1);
        } else if (*c == '\'') {
            rp_text_append(text, "''", 2);
        } else {
            if (enhanced && strchr("_^{}~@&\\", *c) != NULL) {
                rp_text_append(text, "\\", 1);
            }
            rp_text_append(text, (const char *)c, length);
        }
        c += length > 0 ? length : 1;
    }
}

void rp_emit_string(struct rp_text *text, const char *string, bool enhanced)
{
    rp_text_append(text, "'", 1);
    emit_characters(text, string, enhanced);
    rp_text_append(text, "'", 1);
}

static double screen_x(const struct rp_drawing *drawing, double x)
{
    return x / drawing->frame.width;
}

static double screen_y(const struct rp_drawing *drawing, double y)
{
    return 1 - y / drawing->frame.height;
}

void rp_emit_label(struct rp_drawing *drawing, const struct rp_label *label)
{
    struct rp_text *const commands = &drawing->commands;

    rp_text_print(commands, "set label ");
    if (label->bold != NULL) {
        rp_text_print(commands, "'{/:Bold ");
        emit_characters(commands, label->bold, true);
        rp_text_print(commands, "}  ");
        emit_characters(commands, label->text, true);
        rp_text_print(commands, "'");
    } else {
        rp_emit_string(commands, label->text, false);
    }
    rp_text_print(commands, " at screen %.5f,%.5f %s font ',%g' tc rgb '#%06x' front",
                  screen_x(drawing, label->x), screen_y(drawing, label->y),
                  align_names[label->align], label->size > 0 ? label->size : 12,
                  colours[label->colour]);
    if (label->degrees != 0) {
        rp_text_print(commands, " rotate by %.2f", label->degrees);
    }
    rp_text_print(commands, label->bold != NULL ? "\n" : " noenhanced\n");
}

void rp_emit_box(struct rp_drawing *drawing, const struct rp_box *box,
                 enum rp_colour colour)
{
    rp_text_print(&drawing->commands,
                  "set object rect from screen %.5f,%.5f to screen %.5f,%.5f "
                  "fc rgb '#%06x' fs solid noborder behind\n",
                  screen_x(drawing, box->left), screen_y(drawing, box->top),
                  screen_x(drawing, box->right), screen_y(drawing, box->bottom),
                  colours[colour]);
}

void rp_emit_line(struct rp_drawing *drawing, double x1, double y1, double x2, double y2,
                  enum rp_colour colour, enum rp_dash dash, bool front)
{
    rp_text_print(&drawing->commands,
                  "set arrow from screen %.5f,%.5f to screen %.5f,%.5f "
                  "nohead lc rgb '#%06x' lw 0.8 dt %d %s\n",
                  screen_x(drawing, x1), screen_y(drawing, y1), screen_x(drawing, x2),
                  screen_y(drawing, y2), colours[colour], (int)dash,
                  front ? "front" : "back");
}

void rp_emit_leader(struct rp_drawing *drawing, const struct rp_point_label *label,
                    enum rp_colour colour)
{
    const bool left = label->box.left < label->x;
    const double gap = 3; /* to the text */
    const double end = left ? label->box.right + gap : label->box.left - gap;

    if (label->leader) {
        rp_emit_line(drawing, label->x + (left ? -5 : 5), label->y, end,
                     (label->box.top + label->box.bottom) / 2, colour, RP_SOLID, true);
    }
}

void rp_series_begin(struct rp_drawing *drawing, enum rp_colour colour, enum rp_dash dash,
                     double line_width, const char *title)
{
    const unsigned number = ++drawing->series_count;

    drawing->vertex_count = 0;
    if (number > 1) {
        rp_text_print(&drawing->series, "\n\n");
    }
    rp_text_print(&drawing->styles,
                  "COLOUR[%u]='#%06x'; DASH[%u]=%d; WIDTH[%u]=%g; TITLE[%u]=", number,
                  colours[colour], number, (int)dash, number, line_width, number);
    rp_emit_string(&drawing->styles, title, false);
    rp_text_print(&drawing->styles, "\n");
}

void rp_series_vertex(struct rp_drawing *drawing, double x, const struct rp_estimate *y,
                      bool hollow)
{
    rp_text_print(&drawing->series, "%.7g %.6g %.6g %.6g %d\n", x, y->value,
                  y->lower_quartile, y->upper_quartile, hollow);
    drawing->vertex_count++;
    if (drawing->vertex_count > drawing->most_vertices) {
        drawing->most_vertices = drawing->vertex_count;
    }
}

void rp_series_end(struct rp_drawing *drawing)
{
    struct rp_text *const commands = &drawing->commands;
    const unsigned count = drawing->series_count;

    const unsigned few = 12;

    /* gnuplot looks at all names also where there is nothing to draw. */
    rp_text_print(commands, "N=%u; MARKS=%d\n", count, drawing->most_vertices <= few);
    rp_text_print(commands, "array COLOUR[N+1]; array DASH[N+1]; array WIDTH[N+1]; "
                            "array TITLE[N+1]\n");
    if (count > 0) {
        rp_text_append(commands, drawing->styles.data, drawing->styles.length);
    }
    rp_text_print(commands, "$series << EOD\n");
    if (count > 0) {
        rp_text_append(commands, drawing->series.data, drawing->series.length);
    }
    rp_text_print(commands, "EOD\n");
    commands->failed =
        commands->failed || drawing->styles.failed || drawing->series.failed;
}

void rp_emit_end_labels(struct rp_drawing *drawing, const struct rp_end_label *labels,
                        size_t count, double line_height)
{
    const struct rp_box plot = rp_frame_box(&drawing->frame);
    double positions[RP_MAX_LABELS];

    for (size_t i = 0; i < count; i++) {
        positions[i] = labels[i].y;
    }
    rp_layout_relax(positions, count, line_height, plot.top,
                    plot.bottom - line_height / 2);
    for (size_t i = 0; i < count; i++) {
        const bool moved = fabs(positions[i] - labels[i].y) > line_height / 3;
        const bool ends_early = labels[i].x > 0 && labels[i].x < plot.right - 1;

        /* Show whose end it is. */
        if (ends_early) {
            rp_emit_line(drawing, labels[i].x + 6, labels[i].y, plot.right + 2,
                         labels[i].y, labels[i].colour, RP_DOTTED, true);
        }
        if (moved) {
            rp_emit_line(drawing, plot.right + 2, labels[i].y, plot.right + 14,
                         positions[i], labels[i].colour, RP_SOLID, true);
        }
        const bool two_lines = labels[i].under[0] != '\0';
        const double x = plot.right + 18;

        rp_emit_label(drawing, &(struct rp_label){.x = x,
                                                  .y = positions[i] - (two_lines ? 7 : 0),
                                                  .colour = labels[i].colour,
                                                  .bold = labels[i].bold,
                                                  .text = labels[i].text});
        if (two_lines) {
            rp_emit_label(drawing, &(struct rp_label){.x = x,
                                                      .y = positions[i] + 8,
                                                      .colour = labels[i].colour,
                                                      .size = 11,
                                                      .text = labels[i].under});
        }
    }
}

bool rp_is_hollow(const struct rp_model *model, enum rp_verdict verdict,
                  uint64_t record_id)
{
    return verdict == RP_VERDICT_DISTURBED ||
           (record_id > 0 && rp_model_flag(model, record_id) != NULL);
}

void rp_range_add(struct rp_range *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

void rp_range_widen(struct rp_range *range, double ratio)
{
    const double missing = ratio / (range->high / range->low);

    if (missing > 1) {
        range->low /= sqrt(missing);
        range->high *= sqrt(missing);
    }
}

const char *rp_number_text(double value, char text[24])
{
    const int decimals = value < 0.9995 ? 3 : value < 9.995 ? 2 : value < 99.5 ? 1 : 0;

    snprintf(text, 24, "%.*f", decimals, value);
    return text;
}
