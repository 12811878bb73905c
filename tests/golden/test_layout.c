/* SPDX-License-Identifier: MIT */
/* Geometry of the figures: axes, curve ends, point labels, labels along roofs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "plots/layout.h"

static const struct rp_box page = {80, 90, 790, 570};

static void axis_maps_both_ways(void **state)
{
    const struct rp_axis axis = {.low = 1, .high = 1024, .start = 100, .end = 600};

    (void)state;
    assert_float_equal(rp_axis_pixel(&axis, 1), 100, 1e-9);
    assert_float_equal(rp_axis_pixel(&axis, 32), 350, 1e-9);
}

static void slant_is_that_of_the_page(void **state)
{
    const struct rp_frame frame = {
        .x = {1, 16, 0, 400},  /* 100 pixels an octave */
        .y = {1, 256, 400, 0}, /* 50 */
    };

    (void)state;
    assert_float_equal(rp_frame_slant(&frame), atan2(50, 100) * 180 / M_PI, 1e-9);
}

static void text_is_measured_by_letter(void **state)
{
    (void)state;
    assert_float_equal(rp_text_width("", 12), 0, 1e-9);
    assert_true(rp_text_width("WWWW", 12) > 2 * rp_text_width("iiii", 12));
    assert_float_equal(rp_text_width("ab", 20), 2 * rp_text_width("ab", 10), 1e-9);
    /* one character, whatever its bytes */
    assert_float_equal(rp_text_width("\xc2\xb7", 10), rp_text_width("\xe2\x82\xac", 10),
                       1e-9);
}

static void touching_boxes_do_not_overlap(void **state)
{
    const struct rp_box left = {0, 0, 10, 10};
    const struct rp_box touching = {10, 0, 20, 10};
    const struct rp_box inside = {8, 5, 12, 20};

    (void)state;
    assert_float_equal(rp_box_overlap(&left, &touching), 0, 1e-9);
    assert_float_equal(rp_box_overlap(&left, &inside), 10, 1e-9);
}

static void relax_leaves_what_is_apart(void **state)
{
    double positions[] = {300, 100, 200};

    (void)state;
    rp_layout_relax(positions, 3, 17, 0, 400);
    assert_float_equal(positions[0], 300, 1e-9);
    assert_float_equal(positions[1], 100, 1e-9);
    assert_float_equal(positions[2], 200, 1e-9);
    rp_layout_relax(positions, 0, 17, 0, 400);
}

static void relax_spreads_a_cluster_around_its_middle(void **state)
{
    double positions[] = {200, 201, 199};

    (void)state;
    rp_layout_relax(positions, 3, 20, 0, 400);
    assert_float_equal(positions[2], 180, 1e-9);
    assert_float_equal(positions[0], 200, 1e-9);
    assert_float_equal(positions[1], 220, 1e-9);
}

static void relax_stays_within_its_bounds(void **state)
{
    double positions[] = {395, 396, 397, 398};

    (void)state;
    rp_layout_relax(positions, 4, 20, 0, 400);
    for (int i = 0; i < 4; i++) {
        assert_float_equal(positions[i], 340 + 20 * i, 1e-9);
    }
}

static void relax_shrinks_the_gap_when_the_room_is_small(void **state)
{
    double positions[RP_MAX_LABELS];

    (void)state;
    for (int i = 0; i < RP_MAX_LABELS; i++) {
        positions[i] = 50;
    }
    rp_layout_relax(positions, RP_MAX_LABELS, 17, 0, 126);
    for (int i = 0; i < RP_MAX_LABELS; i++) {
        assert_float_equal(positions[i], 2.0 * i, 1e-9);
    }
}

static void assert_apart(const struct rp_point_label *labels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            const struct rp_box point = {labels[k].x - 3, labels[k].y - 3,
                                         labels[k].x + 3, labels[k].y + 3};

            if (!labels[i].placed) {
                continue;
            }
            assert_float_equal(rp_box_overlap(&labels[i].box, &point), 0, 1e-9);
            if (k != i && labels[k].placed) {
                assert_float_equal(rp_box_overlap(&labels[i].box, &labels[k].box), 0,
                                   1e-9);
            }
        }
        if (labels[i].placed) {
            assert_true(labels[i].box.left >= page.left);
            assert_true(labels[i].box.right <= page.right);
            assert_true(labels[i].box.top >= page.top);
            assert_true(labels[i].box.bottom <= page.bottom);
        }
    }
}

/* Fifteen points almost on each other, each with a name of sixty characters. */
static void crowded_labels_do_not_overlap(void **state)
{
    static const char name[] =
        "a-variant-name-of-sixty-characters-as-nobody-would-choose-it";
    struct rp_point_label labels[15];
    const size_t count = sizeof labels / sizeof *labels;

    (void)state;
    assert_int_equal(sizeof name - 1, 60);
    for (size_t i = 0; i < count; i++) {
        labels[i] = (struct rp_point_label){
            .x = 540 + (double)(i % 2),
            .y = 300 + 0.7 * (double)i,
            .width = rp_text_width(name, 11),
            .height = 14,
            .side = i % 3 == 0 ? 1 : -1,
        };
    }
    rp_layout_points(labels, count, &page, NULL, 0, NULL, 0);
    for (size_t i = 0; i < count; i++) {
        assert_true(labels[i].placed);
    }
    assert_apart(labels, count);
}

static void lines_to_one_column_do_not_cross(void **state)
{
    struct rp_point_label labels[12];
    const size_t count = sizeof labels / sizeof *labels;

    (void)state;
    for (size_t i = 0; i < count; i++) {
        labels[i] = (struct rp_point_label){.x = 300,
                                            .y = 250 + 5 * (double)((i * 7) % count),
                                            .width = 60 + 9 * (double)i,
                                            .height = 14,
                                            .side = 1};
    }
    rp_layout_points(labels, count, &page, NULL, 0, NULL, 0);
    assert_apart(labels, count);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            if (labels[i].y < labels[k].y) {
                assert_true(labels[i].box.top < labels[k].box.top);
            }
        }
    }
}

static void a_lone_label_stands_beside_its_point(void **state)
{
    struct rp_point_label label = {
        .x = 400, .y = 300, .width = 100, .height = 15, .side = -1};

    (void)state;
    rp_layout_points(&label, 1, &page, NULL, 0, NULL, 0);
    assert_true(label.placed);
    assert_false(label.leader);
    assert_true(label.box.right < 400);
    assert_float_equal((label.box.top + label.box.bottom) / 2, 300, 1e-9);
}

static void labels_avoid_what_is_hard_and_lines(void **state)
{
    struct rp_point_label label = {
        .x = 400, .y = 300, .width = 100, .height = 15, .side = 1};
    const struct rp_box hard = {405, 280, 600, 320};
    struct rp_obstacles lines = {.count = 0};

    (void)state;
    rp_obstacles_add_line(&lines, 200, 300, 700, 300);
    rp_layout_points(&label, 1, &page, &hard, 1, lines.boxes, lines.count);
    assert_true(label.placed);
    assert_float_equal(rp_box_overlap(&label.box, &hard), 0, 1e-9);
    for (size_t i = 0; i < lines.count; i++) {
        assert_float_equal(rp_box_overlap(&label.box, &lines.boxes[i]), 0, 1e-9);
    }
}

static void a_full_page_leaves_labels_out(void **state)
{
    struct rp_point_label labels[RP_MAX_LABELS];
    size_t placed = 0;

    (void)state;
    for (size_t i = 0; i < RP_MAX_LABELS; i++) {
        labels[i] = (struct rp_point_label){
            .x = 430, .y = 300 + (double)i / 9, .width = 300, .height = 40};
    }
    rp_layout_points(labels, RP_MAX_LABELS, &page, NULL, 0, NULL, 0);
    for (size_t i = 0; i < RP_MAX_LABELS; i++) {
        placed += labels[i].placed;
    }
    assert_true(placed >= 14);
    assert_true(placed < RP_MAX_LABELS);
    assert_apart(labels, RP_MAX_LABELS);
}

static void obstacles_are_left_out_when_full(void **state)
{
    static struct rp_obstacles lines;
    const size_t capacity = sizeof lines.boxes / sizeof *lines.boxes;

    (void)state;
    for (size_t i = 0; i < capacity; i++) {
        rp_obstacles_add_line(&lines, 0, 0, 100, 100);
    }
    assert_int_equal(lines.count, capacity);
}

/* Four roofs a few pixels apart: whatever is placed keeps clear of the others along and
 * across the slant. */
static void labels_along_close_lines_do_not_overlap(void **state)
{
    const double degrees = 30;
    const double angle = degrees * M_PI / 180;
    struct rp_slant_label labels[4];

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        labels[i] = (struct rp_slant_label){.start_x = 80,
                                            .start_y = 400 + 5 * (double)i,
                                            .length = 600,
                                            .width = 120,
                                            .height = 14};
    }
    rp_layout_slants(labels, 4, degrees);
    for (size_t i = 0; i < 4; i++) {
        assert_true(labels[i].placed);
        for (size_t k = 0; k < i; k++) {
            const double dx = labels[i].x - labels[k].x;
            const double dy = labels[k].y - labels[i].y;
            const double along = dx * cos(angle) + dy * sin(angle);
            const double across = -dx * sin(angle) + dy * cos(angle);

            assert_true(fabs(along) > 119.9 || fabs(across) > 13.9);
        }
    }
}

static void a_line_too_short_has_no_label(void **state)
{
    struct rp_slant_label label = {
        .start_x = 80, .start_y = 400, .length = 90, .width = 120, .height = 14};

    (void)state;
    rp_layout_slants(&label, 1, 30);
    assert_false(label.placed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axis_maps_both_ways),
        cmocka_unit_test(slant_is_that_of_the_page),
        cmocka_unit_test(text_is_measured_by_letter),
        cmocka_unit_test(touching_boxes_do_not_overlap),
        cmocka_unit_test(relax_leaves_what_is_apart),
        cmocka_unit_test(relax_spreads_a_cluster_around_its_middle),
        cmocka_unit_test(relax_stays_within_its_bounds),
        cmocka_unit_test(relax_shrinks_the_gap_when_the_room_is_small),
        cmocka_unit_test(crowded_labels_do_not_overlap),
        cmocka_unit_test(lines_to_one_column_do_not_cross),
        cmocka_unit_test(a_lone_label_stands_beside_its_point),
        cmocka_unit_test(labels_avoid_what_is_hard_and_lines),
        cmocka_unit_test(a_full_page_leaves_labels_out),
        cmocka_unit_test(obstacles_are_left_out_when_full),
        cmocka_unit_test(labels_along_close_lines_do_not_overlap),
        cmocka_unit_test(a_line_too_short_has_no_label),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
