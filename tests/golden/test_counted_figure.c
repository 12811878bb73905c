/* SPDX-License-Identifier: MIT */
/* From counts in a run to marks on roofline-aes, to the printed digits. */
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/text.h"
#include "plots/compose.h"
#include "plots/figure.h"
#include "plots/layout.h"
#include "tests/roofline/synthetic_run.h"

static struct rp_run run;
static struct rp_model model;

static size_t record_of(const char *variant, enum rp_mode mode, size_t bytes)
{
    for (size_t i = 0; i < run.record_count; i++) {
        if (strcmp(run.records[i].variant, variant) == 0 && run.records[i].mode == mode &&
            run.records[i].working_set_bytes == bytes) {
            return i;
        }
    }
    fail_msg("no record of %s", variant);
    return 0;
}

/* Lines read and written at the memory for 1000 bytes encrypted. */
static void count(enum rp_mode mode, double read_lines, double written_lines)
{
    const struct synthetic_count counts[] = {
        {"CAS_COUNT_RD", "MBOX0C0", read_lines / 1000},
        {"CAS_COUNT_WR", "MBOX0C1", written_lines / 1000},
        {NULL, "", 0},
    };
    synthetic_counted(&run, record_of("vaes512-x8", mode, 256 << 20), "RP_MEM", counts);
}

static void build(void)
{
    struct rp_error error;

    if (!rp_model_build(&model, &run, 0, &error)) {
        fail_msg("%s", error.message);
    }
}

static int end(void **state)
{
    (void)state;
    rp_model_free(&model);
    synthetic_end(&run);
    return 0;
}

static void compose(struct rp_drawing *drawing)
{
    struct rp_error error;

    if (!rp_figure_find("roofline-aes")->compose(drawing, &model, &error)) {
        fail_msg("%s", error.message);
    }
}

/* 31 lines read and 15.6 written a thousand bytes: 2.98 bytes each, 1.49 x the payload.
 */
static void make_run(void)
{
    synthetic_full(&run);
    count(RP_MODE_TEMPORAL, 31, 15.5625);
    count(RP_MODE_NT, 16, 15.875);
    build();
}

static const char *draw(struct rp_text *svg)
{
    char path[] = "/tmp/ridgepoint-counted-XXXXXX";
    struct rp_error error;
    char chunk[4096];
    const int file = mkstemp(path);
    ssize_t length = 0;

    assert_true(file >= 0);
    if (!rp_figure_draw(rp_figure_find("roofline-aes"), &model, path, &error)) {
        fail_msg("%s", error.message);
    }
    close(file);
    FILE *const drawn = fopen(path, "r");
    assert_non_null(drawn);
    while ((length = (ssize_t)fread(chunk, 1, sizeof chunk, drawn)) > 0) {
        rp_text_append(svg, chunk, (size_t)length);
    }
    fclose(drawn);
    remove(path);
    return svg->data;
}

/* Where the mark below a title stands, in pixels. */
static void find_mark(const char *svg, const char *title, double *x, double *y)
{
    const char *const found = strstr(svg, title);

    if (found == NULL) {
        fail_msg("no mark \"%s\"", title);
    }
    const char *const use =
        strstr(found, "<use xlink:href='#gpPt1' transform='translate(");
    assert_non_null(use);
    assert_int_equal(sscanf(strstr(use, "translate("), "translate(%lf,%lf)", x, y), 2);
}

/* The axis as gnuplot has it: a little longer at both ends, so that ticks there stay. */
static double pixel(struct rp_axis axis, double value)
{
    const double slack = 1.0005;

    axis.low /= slack;
    axis.high *= slack;
    return rp_axis_pixel(&axis, value);
}

static void marks_stand_where_the_counts_say(void **state)
{
    static const struct {
        const char *title;
        double bytes_per_item;
        double gb_per_s;
    } marks[] = {
        {"<title>vaes512-x8 temporal, 256 MiB in DRAM: counted 2.98 bytes moved for each "
         "byte encrypted, 1.49 x the payload, record",
         46.5625 * 64 / 1000, 4},
        {"<title>vaes512-x8 nt, 256 MiB in DRAM: counted 2.04 bytes moved for each byte "
         "encrypted, 1.02 x the payload, record",
         31.875 * 64 / 1000, 6},
    };
    struct rp_drawing drawing = {.kind = "roofline-aes"};
    struct rp_text svg = {0};

    (void)state;
    if (system("gnuplot --version >/dev/null 2>&1") != 0) {
        skip();
    }
    make_run();
    compose(&drawing);
    draw(&svg);
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        double x = 0;
        double y = 0;

        find_mark(svg.data, marks[i].title, &x, &y);
        assert_float_equal(x, pixel(drawing.frame.x, 1 / marks[i].bytes_per_item), 0.02);
        assert_float_equal(y, pixel(drawing.frame.y, marks[i].gb_per_s), 0.02);
    }
    assert_contains(svg.data, "crosses: as counted");
    assert_contains(svg.data, "In DRAM counters see 2.98 bytes move for each byte "
                              "encrypted, 1.49 times the payload.");
    rp_text_free(&svg);
    rp_drawing_free(&drawing);
}

static size_t count_crosses(const struct rp_drawing *drawing)
{
    unsigned long crosses = 0;
    const char *const found = strstr(drawing->commands.data, "COUNTED=");

    assert_non_null(found);
    assert_int_equal(sscanf(found, "COUNTED=%lu", &crosses), 1);
    return crosses;
}

/* The mark is no place for a label, and the line to it none for the frame to cut. */
static void marks_are_inside_and_not_under_labels(void **state)
{
    struct rp_drawing drawing = {.kind = "roofline-aes"};

    (void)state;
    synthetic_full(&run);
    count(RP_MODE_TEMPORAL, 15.625, 0.5); /* far to the right of its column */
    build();
    compose(&drawing);
    const double x = rp_axis_pixel(&drawing.frame.x, 1000 / (16.125 * 64));
    const double y = rp_axis_pixel(&drawing.frame.y, 4);
    assert_int_equal(count_crosses(&drawing), 1);
    assert_true(x > drawing.frame.x.start && x < drawing.frame.x.end);
    for (const char *at = drawing.commands.data; (at = strstr(at, "set label '")) != NULL;
         at++) {
        const char *const place = strstr(at, "' at screen ");
        double left = 0;
        double middle = 0;

        assert_int_equal(sscanf(place, "' at screen %lf,%lf", &left, &middle), 2);
        left *= drawing.frame.width;
        middle = (1 - middle) * drawing.frame.height;
        assert_false(fabs(middle - y) < 5 && left < x && left + 20 > x);
    }
    rp_drawing_free(&drawing);
}

/* What was hardly counted at all has no place on the figure. */
static void marks_far_off_are_not_drawn(void **state)
{
    static const double lines[] = {0, 1e-6, 1e6};

    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct rp_drawing drawing = {.kind = "roofline-aes"};

        synthetic_full(&run);
        count(RP_MODE_TEMPORAL, lines[i], lines[i]);
        build();
        compose(&drawing);
        assert_int_equal(count_crosses(&drawing), 0);
        assert_null(strstr(drawing.commands.data, "crosses"));
        rp_drawing_free(&drawing);
        end(state);
    }
}

static void without_counters_there_is_no_mark(void **state)
{
    struct rp_drawing drawing = {.kind = "roofline-aes"};

    (void)state;
    synthetic_full(&run);
    build();
    compose(&drawing);
    assert_int_equal(count_crosses(&drawing), 0);
    assert_null(strstr(drawing.commands.data, "ounter"));
    assert_null(strstr(drawing.conclusion.data, "ounter"));
    rp_drawing_free(&drawing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(marks_stand_where_the_counts_say, end),
        cmocka_unit_test_teardown(marks_are_inside_and_not_under_labels, end),
        cmocka_unit_test_teardown(marks_far_off_are_not_drawn, end),
        cmocka_unit_test_teardown(without_counters_there_is_no_mark, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
