/* SPDX-License-Identifier: MIT */
#include "plots/layout.h"

#include <math.h>

enum {
    MARKER_RADIUS = 6,
    NEAR_GAP = 10,     /* from a point to a label right beside it */
    FAR_GAP = 26,      /* to one that needs a line */
    CROWD_RADIUS = 40, /* within which another point makes it crowded */
};

static const double soft_cost = 0.06; /* per square pixel over a line */
static const double side_cost = 150;  /* for the side that was not preferred */
static const double leader_cost = 8;  /* for needing a line at all */

static bool hits_any(const struct rp_box *box, const struct rp_box *boxes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rp_box_overlap(box, &boxes[i]) > 0) {
            return true;
        }
    }
    return false;
}

static bool hits_label(const struct rp_box *box, const struct rp_point_label *labels,
                       size_t count, size_t self)
{
    for (size_t i = 0; i < count; i++) {
        const struct rp_point_label *const other = &labels[i];
        const struct rp_box marker = {other->x - MARKER_RADIUS, other->y - MARKER_RADIUS,
                                      other->x + MARKER_RADIUS, other->y + MARKER_RADIUS};

        if (rp_box_overlap(box, &marker) > 0 ||
            (i != self && other->placed && rp_box_overlap(box, &other->box) > 0)) {
            return true;
        }
    }
    return false;
}

static bool leaves(const struct rp_box *box, const struct rp_box *room)
{
    return box->left < room->left || box->right > room->right || box->top < room->top ||
           box->bottom > room->bottom;
}

static struct rp_box label_box(const struct rp_point_label *label, int side, double rise)
{
    const double gap = fabs(rise) > label->height / 2 ? FAR_GAP : NEAR_GAP;
    const double left = side > 0 ? label->x + gap : label->x - gap - label->width;
    const double top = label->y - rise - label->height / 2;

    return (struct rp_box){left, top, left + label->width, top + label->height};
}

/* The best free place on either side, at growing distance up and down. */
static void place_point(struct rp_point_label *labels, size_t count, size_t self,
                        const struct rp_box *room, const struct rp_box *hard,
                        size_t hard_count, const struct rp_box *soft, size_t soft_count)
{
    struct rp_point_label *const label = &labels[self];
    const double reach = room->bottom - room->top;
    double best = INFINITY;

    for (double distance = 0; distance <= reach && distance < best; distance += 2) {
        for (int candidate = 0; candidate < 4; candidate++) {
            const int side = (candidate & 1) == 0 ? 1 : -1;
            const double rise = (candidate & 2) == 0 ? distance : -distance;
            const struct rp_box box = label_box(label, side, rise);

            if (leaves(&box, room) || hits_any(&box, hard, hard_count) ||
                hits_label(&box, labels, count, self)) {
                continue;
            }
            const bool leader = distance > label->height / 2;
            double cost = distance + (leader ? leader_cost : 0) +
                          (side * label->side < 0 ? side_cost : 0);

            for (size_t i = 0; i < soft_count; i++) {
                cost += soft_cost * rp_box_overlap(&box, &soft[i]);
            }
            if (cost < best) {
                best = cost;
                label->box = box;
                label->leader = leader;
                label->placed = true;
            }
        }
    }
}

/* How many points stand close to this one. */
static unsigned crowd(const struct rp_point_label *labels, size_t count, size_t self)
{
    unsigned near = 0;

    for (size_t i = 0; i < count; i++) {
        near += hypot(labels[i].x - labels[self].x, labels[i].y - labels[self].y) <
                CROWD_RADIUS;
    }
    return near;
}

static bool same_column(const struct rp_point_label *a, const struct rp_point_label *b)
{
    return a->placed && b->placed && fabs(a->x - b->x) < 1 &&
           (a->box.left < a->x) == (b->box.left < b->x);
}

/* Gives the labels of two points of one column each other's height, if both fit there. */
static bool swap_heights(struct rp_point_label *labels, size_t count, size_t first,
                         size_t second, const struct rp_box *hard, size_t hard_count)
{
    struct rp_point_label *const a = &labels[first];
    struct rp_point_label *const b = &labels[second];
    const struct rp_point_label kept[2] = {*a, *b};
    const double middle_a = (a->box.top + a->box.bottom) / 2;
    const double middle_b = (b->box.top + b->box.bottom) / 2;

    a->box = label_box(a, a->box.left < a->x ? -1 : 1, a->y - middle_b);
    b->box = label_box(b, b->box.left < b->x ? -1 : 1, b->y - middle_a);
    a->leader = fabs(a->y - middle_b) > a->height / 2;
    b->leader = fabs(b->y - middle_a) > b->height / 2;
    if (hits_label(&a->box, labels, count, first) ||
        hits_any(&a->box, hard, hard_count) ||
        hits_label(&b->box, labels, count, second) ||
        hits_any(&b->box, hard, hard_count)) {
        *a = kept[0];
        *b = kept[1];
        return false;
    }
    return true;
}

static void uncross(struct rp_point_label *labels, size_t count,
                    const struct rp_box *hard, size_t hard_count)
{
    bool swapped = true;

    for (size_t round = 0; swapped && round < count; round++) {
        swapped = false;
        for (size_t i = 0; i < count; i++) {
            for (size_t k = 0; k < count; k++) {
                if (labels[i].y < labels[k].y && same_column(&labels[i], &labels[k]) &&
                    labels[i].box.top > labels[k].box.top) {
                    swapped |= swap_heights(labels, count, i, k, hard, hard_count);
                }
            }
        }
    }
}

void rp_layout_points(struct rp_point_label *labels, size_t count,
                      const struct rp_box *room, const struct rp_box *hard,
                      size_t hard_count, const struct rp_box *soft, size_t soft_count)
{
    bool done[RP_MAX_LABELS] = {false};

    for (size_t i = 0; i < count; i++) {
        labels[i].placed = false;
        labels[i].leader = false;
    }
    for (size_t turn = 0; turn < count; turn++) { /* the most crowded first */
        size_t next = count;

        for (size_t i = 0; i < count; i++) {
            if (!done[i] &&
                (next == count || crowd(labels, count, i) > crowd(labels, count, next))) {
                next = i;
            }
        }
        done[next] = true;
        place_point(labels, count, next, room, hard, hard_count, soft, soft_count);
    }
    uncross(labels, count, hard, hard_count);
}

void rp_obstacles_add_line(struct rp_obstacles *obstacles, double x1, double y1,
                           double x2, double y2)
{
    const size_t capacity = sizeof obstacles->boxes / sizeof *obstacles->boxes;
    const double step = 8;
    const size_t pieces = (size_t)ceil(hypot(x2 - x1, y2 - y1) / step);

    for (size_t i = 0; i < pieces && obstacles->count < capacity; i++) {
        const double middle = ((double)i + 0.5) / (double)pieces;
        const double x = x1 + middle * (x2 - x1);
        const double y = y1 + middle * (y2 - y1);

        obstacles->boxes[obstacles->count++] =
            (struct rp_box){x - step / 2, y - step / 2, x + step / 2, y + step / 2};
    }
}

/* In coordinates along (u) and across (v, growing upwards) the lines, slanted boxes are
 * upright. */
struct slant {
    double u;
    double v;
};

static struct slant to_slant(double x, double y, double angle)
{
    return (struct slant){x * cos(angle) - y * sin(angle),
                          -x * sin(angle) - y * cos(angle)};
}

static double slant_cost(const struct rp_slant_label *labels, size_t count, size_t self,
                         const struct rp_box *boxes, const struct rp_box *box,
                         double angle)
{
    double cost = 0;

    for (size_t i = 0; i < count; i++) {
        const struct slant start = to_slant(labels[i].start_x, labels[i].start_y, angle);
        const bool crossed = start.v > box->top - 1 && start.v < box->bottom + 1 &&
                             start.u < box->right &&
                             start.u + labels[i].length > box->left;

        if (i < self && labels[i].placed && rp_box_overlap(&boxes[i], box) > 0) {
            return INFINITY;
        }
        cost += crossed ? 200 : 0;
    }
    return cost;
}

void rp_layout_slants(struct rp_slant_label *labels, size_t count, double degrees)
{
    const double inset = 22; /* of the text from the line's start */
    const double angle = degrees * M_PI / 180;
    struct rp_box boxes[RP_MAX_LABELS];

    for (size_t i = 0; i < count; i++) {
        struct rp_slant_label *const label = &labels[i];
        const struct slant start = to_slant(label->start_x, label->start_y, angle);
        const double lift = label->height / 2 + 2;
        double best = INFINITY;

        label->placed = false;
        for (double along = inset; along + label->width < label->length; along += 6) {
            for (int side = 1; side >= -1; side -= 2) {
                const double v = start.v + side * lift;
                const struct rp_box box = {start.u + along, v - label->height / 2,
                                           start.u + along + label->width,
                                           v + label->height / 2};
                const double cost = along + (side < 0 ? 30 : 0) +
                                    slant_cost(labels, count, i, boxes, &box, angle);

                if (cost < best) {
                    best = cost;
                    boxes[i] = box;
                    label->placed = true;
                    label->x = box.left * cos(angle) - v * sin(angle);
                    label->y = -box.left * sin(angle) - v * cos(angle);
                }
            }
        }
    }
}
