/* SPDX-License-Identifier: MIT */
/*
 * Where things go on a page: pure geometry, in pixels from the page's upper left corner.
 *
 * gnuplot places no label out of another's way, so labels are placed here, on boxes that
 * are known before anything is drawn.
 */
#ifndef RP_PLOTS_LAYOUT_H
#define RP_PLOTS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#define RP_MAX_LABELS 64

struct rp_box {
    double left;
    double top;
    double right;
    double bottom;
};

/* Area that two boxes share, in square pixels; 0 when they only touch. */
double rp_box_overlap(const struct rp_box *a, const struct rp_box *b);

/* A logarithmic axis: `low` lies at pixel `start`, `high` at pixel `end`. */
struct rp_axis {
    double low;
    double high;
    double start;
    double end;
};

double rp_axis_pixel(const struct rp_axis *axis, double value);

/* The page and the plot on it. y.start is the plot's lower edge, x.start its left one. */
struct rp_frame {
    double width;
    double height;
    struct rp_axis x;
    struct rp_axis y;
};

struct rp_box rp_frame_box(const struct rp_frame *frame);

/* Angle on the page, in degrees, of a line along which y grows as x does. */
double rp_frame_slant(const struct rp_frame *frame);

/* Width of one line of UTF-8 in Liberation Sans, Arial or Helvetica, which share it. */
double rp_text_width(const char *text, double size);

/*
 * Moves `count` positions apart to at least `gap`, each as little as possible (least
 * squares), in the order of their values and within [low, high]. When the room is too
 * small the gap shrinks to what fits. At most RP_MAX_LABELS.
 */
void rp_layout_relax(double *positions, size_t count, double gap, double low,
                     double high);

/* A label that belongs to a point. */
struct rp_point_label {
    double x; /* of the point */
    double y;
    double width; /* of the text */
    double height;
    int side;          /* preferred: -1 left of the point, 1 right, 0 either */
    struct rp_box box; /* out: the text, right-aligned when left of the point */
    bool placed;       /* out: false when the page has no room left for it */
    bool leader;       /* out: far enough from its point to need a line to it */
};

/*
 * Places labels beside their points: no two overlap, none leaves `room`, none covers a
 * box of `hard`, and boxes of `soft` (lines, which a halo keeps legible) are avoided
 * where that costs little. Lines from labels to the points of one column do not cross. At
 * most RP_MAX_LABELS.
 */
void rp_layout_points(struct rp_point_label *labels, size_t count,
                      const struct rp_box *room, const struct rp_box *hard,
                      size_t hard_count, const struct rp_box *soft, size_t soft_count);

/* Boxes along a line, for `soft` above. */
struct rp_obstacles {
    struct rp_box boxes[2048];
    size_t count;
};

/* Covers a line from one place to another; what no longer fits is left out. */
void rp_obstacles_add_line(struct rp_obstacles *obstacles, double x1, double y1,
                           double x2, double y2);

/* A label written along a slanted line; all lines of one call are parallel. */
struct rp_slant_label {
    double start_x; /* the lower left end of the visible line */
    double start_y;
    double length; /* of the visible line */
    double width;  /* of the text */
    double height;
    double x; /* out: where the text starts, halfway up its letters */
    double y;
    bool placed; /* out */
};

/* Places labels along lines that rise by `degrees`, above their line where there is room.
 * At most RP_MAX_LABELS. */
void rp_layout_slants(struct rp_slant_label *labels, size_t count, double degrees);

#endif
