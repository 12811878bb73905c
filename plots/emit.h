/* SPDX-License-Identifier: MIT */
/*
 * The words in which a figure is told to gnuplot.
 *
 * A drawing collects gnuplot commands: everything whose place is computed here (labels,
 * boxes, lines) in pixels of the page, everything that is data as datablocks. The
 * figure's .gp file comes after them and plots.
 */
#ifndef RP_PLOTS_EMIT_H
#define RP_PLOTS_EMIT_H

#include "core/text.h"
#include "plots/layout.h"
#include "plots/palette.h"
#include "roofline/model.h"

/* Dash types, defined in style.gp. */
enum rp_dash {
    RP_SOLID = 1,
    RP_DASHED = 11,
    RP_DOTTED = 12,
};

enum rp_align { RP_LEFT, RP_CENTRE, RP_RIGHT };

struct rp_drawing {
    const char *kind;
    struct rp_frame frame;
    struct rp_text commands;
    struct rp_text series; /* datablock text of the series so far */
    struct rp_text styles; /* their array assignments */
    unsigned series_count;
    unsigned vertex_count;     /* of the series begun last */
    unsigned most_vertices;    /* of any series */
    struct rp_text conclusion; /* for the SVG's description: whole sentences */
    const char *title;         /* for the SVG's title; static storage */
    bool shows_points;         /* bounded points, some of which may be above their roof */
};

/* 0xrrggbb on light paper. */
unsigned rp_colour_value(enum rp_colour colour);

void rp_drawing_free(struct rp_drawing *drawing);

/* A gnuplot string literal of any bytes: quotes doubled, control characters and malformed
 * UTF-8 replaced. `enhanced` also takes the meaning from gnuplot's markup characters. */
void rp_emit_string(struct rp_text *text, const char *string, bool enhanced);

struct rp_label {
    double x;
    double y; /* the middle of the letters */
    enum rp_align align;
    enum rp_colour colour;
    double size; /* 0: 12 */
    double degrees;
    const char *bold; /* comes first; NULL when there is none */
    const char *text;
};

void rp_emit_label(struct rp_drawing *drawing, const struct rp_label *label);
void rp_emit_box(struct rp_drawing *drawing, const struct rp_box *box,
                 enum rp_colour colour);
/* A hairline, in front of the data or behind it. */
void rp_emit_line(struct rp_drawing *drawing, double x1, double y1, double x2, double y2,
                  enum rp_colour colour, enum rp_dash dash, bool front);
/* The line from a point's label to its point, when it needs one. */
void rp_emit_leader(struct rp_drawing *drawing, const struct rp_point_label *label,
                    enum rp_colour colour);

/* Title, then the machine, the clock and `statistic` under it, then whatever a reader
 * must know before believing the figure: `note` ("" for none), the run's own warnings and
 * the machine's, as many as fit on a line. */
void rp_emit_header(struct rp_drawing *drawing, const struct rp_model *model,
                    const char *title, const char *sentence, const char *statistic,
                    const char *note);

/* Margins and ranges, from the frame; ticks follow. */
void rp_emit_frame(struct rp_drawing *drawing, const char *x_title, const char *y_title);
/* Sizes in bytes along x: every fourth, with the powers of two between as minor ticks. */
void rp_emit_size_ticks(struct rp_drawing *drawing);
/* Powers of two along 'x' or 'y': "1/8", "1/4", ... */
void rp_emit_binary_ticks(struct rp_drawing *drawing, char axis);
/* 1, 2, 5, 10, ... along y. */
void rp_emit_decimal_ticks(struct rp_drawing *drawing);

/* The cache levels as the model uses them along an x axis of working sets. */
void rp_emit_cache_bands(struct rp_drawing *drawing, const struct rp_model *model);

/* Whether a result is drawn hollow: disturbed, or hard to believe. */
bool rp_is_hollow(const struct rp_model *model, enum rp_verdict verdict,
                  uint64_t record_id);

/* A curve: begin, then its vertices. The title is the tooltip. */
void rp_series_begin(struct rp_drawing *drawing, enum rp_colour colour, enum rp_dash dash,
                     double line_width, const char *title);
void rp_series_vertex(struct rp_drawing *drawing, double x, const struct rp_estimate *y,
                      bool hollow);
/* Writes the series as $series, N, COLOUR[], DASH[], WIDTH[] and TITLE[]; MARKS is 1 when
 * they are so short that a curve alone would not show what was measured. */
void rp_series_end(struct rp_drawing *drawing);

/* A label of a curve's end, right of the plot. */
struct rp_end_label {
    double x; /* of the end, in pixels; 0: at the plot's edge */
    double y;
    enum rp_colour colour;
    char bold[24];
    char text[64];
    char under[64]; /* a second line; "" for none */
};

/* Draws them one under the other without overlap; at most RP_MAX_LABELS. */
void rp_emit_end_labels(struct rp_drawing *drawing, const struct rp_end_label *labels,
                        size_t count, double line_height);

/* Smallest and largest of what was added; start from RP_EMPTY_RANGE. */
struct rp_range {
    double low;
    double high;
};

#define RP_EMPTY_RANGE ((struct rp_range){.low = HUGE_VAL, .high = 0})

void rp_range_add(struct rp_range *range, double value);
/* Makes `high` at least `ratio` times `low`, around the same middle. */
void rp_range_widen(struct rp_range *range, double ratio);

/* Three digits, or as many as stand before the point: "0.157", "19.2", "1234". */
const char *rp_number_text(double value, char text[24]);

#endif
