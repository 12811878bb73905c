/* SPDX-License-Identifier: MIT */
/* Every figure from every kind of model, and every way in which drawing fails. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/text.h"
#include "fixture.h"
#include "plots/emit.h"
#include "plots/figure.h"

#define LARGEST_FIGURE 100000

static char directory[] = "/tmp/ridgepoint-figures-XXXXXX";
static char search_path[4096]; /* PATH as the test found it */

static bool have(const char *command)
{
    return system(command) == 0;
}

static const char *in_directory(const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", directory, name);
    return path;
}

static void read_file(struct rp_text *text, const char *path)
{
    FILE *const file = fopen(path, "r");
    char chunk[4096];
    size_t length;

    *text = (struct rp_text){0};
    assert_non_null(file);
    while ((length = fread(chunk, 1, sizeof chunk, file)) > 0) {
        rp_text_append(text, chunk, length);
    }
    fclose(file);
    assert_non_null(text->data);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* A directory that is the whole PATH and holds a gnuplot of our own, or none. */
static void replace_gnuplot(const char *script)
{
    char path[256];

    in_directory("gnuplot", path);
    remove(path);
    if (script != NULL) {
        FILE *const file = fopen(path, "w");

        assert_non_null(file);
        fprintf(file, "#!/bin/sh\n%s\n", script);
        fclose(file);
        assert_int_equal(chmod(path, 0755), 0);
    }
    setenv("PATH", directory, 1);
}

static int restore_gnuplot(void **state)
{
    (void)state;
    setenv("PATH", search_path, 1);
    return 0;
}

static void listed_in_order(void **state)
{
    static const char *const kinds[] = {"roofline-aes", "bandwidth", "aes-unit",
                                        "aes-sweep"};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(rp_figure_at(i)->kind, kinds[i]);
        assert_ptr_equal(rp_figure_find(kinds[i]), rp_figure_at(i));
        assert_true(strlen(rp_figure_at(i)->text) > 0);
        assert_null(strchr(rp_figure_at(i)->text, '\n'));
    }
    assert_null(rp_figure_at(4));
    assert_null(rp_figure_find("aes"));
    assert_null(rp_figure_find(""));
}

static bool drawable(const struct fixture_options *options, const char *kind)
{
    if (strcmp(kind, "bandwidth") == 0) {
        return !options->no_bandwidth;
    }
    if (strcmp(kind, "aes-unit") == 0) {
        return !options->no_units && !options->no_vaes;
    }
    return !options->no_points;
}

static void check_picture(const char *path)
{
    static const char *const forbidden[] = {"<script", "onmouse", "GNUPLOT", "]]>",
                                            "_plot_1</"};
    struct rp_text svg;

    read_file(&svg, path);
    assert_true(svg.length < LARGEST_FIGURE);
    assert_non_null(strstr(svg.data, "role=\"img\""));
    assert_non_null(strstr(svg.data, "prefers-color-scheme:dark"));
    assert_true(strstr(svg.data, "</desc>") - strstr(svg.data, "<desc") > 60);
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        assert_null(strstr(svg.data, forbidden[i]));
    }
    rp_text_free(&svg);
}

static void check_variation(const struct fixture_options *options, bool xmllint)
{
    const struct rp_figure *figure;
    struct fixture fixture;

    fixture_make(&fixture, options);
    for (size_t i = 0; (figure = rp_figure_at(i)) != NULL; i++) {
        struct rp_error error = {.status = RP_OK};
        char path[256];
        char command[512];
        const bool drawn = rp_figure_draw(figure, &fixture.model,
                                          in_directory("figure.svg", path), &error);

        if (drawn != drawable(options, figure->kind)) {
            fail_msg("%s of %s: %s", figure->kind, options->name,
                     drawn ? "drawn from nothing" : error.message);
        }
        assert_int_equal(exists(path), drawn);
        if (!drawn) {
            assert_int_equal(error.status, RP_USAGE);
            assert_non_null(strstr(error.message, "`ridgepoint "));
            continue;
        }
        check_picture(path);
        snprintf(command, sizeof command, "xmllint --noout %s", path);
        assert_true(!xmllint || have(command));
        remove(path);
    }
    fixture_free(&fixture);
}

static void every_model_draws_or_says_why(void **state)
{
    const bool xmllint = have("xmllint --version >/dev/null 2>&1");

    (void)state;
    if (!have("gnuplot --version >/dev/null 2>&1")) {
        print_message("no gnuplot on PATH: nothing to draw with\n");
        skip();
    }
    if (!xmllint) {
        print_message("no xmllint on PATH: figures are not checked as XML\n");
    }
    for (size_t i = 0; fixture_variations[i].name != NULL; i++) {
        check_variation(&fixture_variations[i], xmllint);
    }
}

static void draw(const struct fixture *fixture, const char *kind, const char *name,
                 struct rp_text *svg)
{
    struct rp_error error;
    char path[256];

    in_directory(name, path);
    if (!rp_figure_draw(rp_figure_find(kind), &fixture->model, path, &error)) {
        fail_msg("%s", error.message);
    }
    read_file(svg, path);
    remove(path);
}

/* A run from anywhere may hold any working set, and shares of any number of digits. */
static void extreme_points_are_drawn(void **state)
{
    static const size_t sizes[] = {1, (size_t)INT64_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct fixture fixture;
        struct rp_error error = {0};
        const struct rp_figure *figure = NULL;

        fixture_make(&fixture, &fixture_variations[0]);
        for (size_t k = 0; k < fixture.model.point_count; k++) {
            fixture.model.points[k].working_set_bytes = sizes[i];
            fixture.model.points[k].attained = 1e200;
        }
        for (size_t k = 0; k < fixture.model.curve_count; k++) {
            fixture.model.curves[k].step_count = 1;
            fixture.model.curves[k].steps[0].working_set_bytes = sizes[i];
        }
        for (size_t kind = 0; (figure = rp_figure_at(kind)) != NULL; kind++) {
            struct rp_drawing drawing = {.kind = figure->kind};

            if (!figure->compose(&drawing, &fixture.model, &error)) {
                fail_msg("%s: %s", figure->kind, error.message);
            }
            rp_drawing_free(&drawing);
        }
        fixture_free(&fixture);
    }
}

/* A unit whose width is unknown sets no ceiling, rather than one of zero. */
static void a_unit_without_width_is_no_ceiling(void **state)
{
    struct fixture fixture;
    struct rp_error error = {0};
    struct rp_drawing drawing = {.kind = "roofline-aes"};

    (void)state;
    fixture_make(&fixture, &fixture_variations[0]);
    for (size_t i = 0; i < fixture.model.unit_count; i++) {
        fixture.model.units[i].width_bits = 0;
    }
    assert_true(
        rp_figure_find("roofline-aes")->compose(&drawing, &fixture.model, &error));
    assert_true(drawing.frame.y.low > 0);
    assert_null(strstr(drawing.commands.data, "AES unit, "));
    rp_drawing_free(&drawing);
    fixture_free(&fixture);
}

/* One label for points that lie on each other: the fastest speaks for all. */
static void variants_in_one_place_share_a_label(void **state)
{
    struct fixture fixture;
    struct rp_error error = {0};
    struct rp_drawing drawing = {.kind = "roofline-aes"};

    (void)state;
    fixture_make(&fixture, &fixture_variations[0]);
    for (size_t i = 0; i < fixture.model.point_count; i++) {
        struct rp_point *const point = &fixture.model.points[i];
        const bool faster = strcmp(point->variant, "vaes512-x8-pshufb") == 0;

        if (point->mode == RP_MODE_NT &&
            (faster || strcmp(point->variant, "vaes256-x8-pshufb") == 0)) {
            point->items_per_s.value = faster ? 13.1e9 : 13e9;
        }
    }
    assert_true(
        rp_figure_find("roofline-aes")->compose(&drawing, &fixture.model, &error));
    assert_non_null(strstr(drawing.commands.data, "vaes512-x8-pshufb +1, DRAM nt"));
    assert_null(strstr(drawing.commands.data, "vaes256-x8-pshufb, DRAM nt"));
    /* In the same column, but elsewhere. */
    assert_non_null(strstr(drawing.commands.data, "aesni-x8-pshufb, DRAM nt"));
    rp_drawing_free(&drawing);
    fixture_free(&fixture);
}

static size_t dotted_lines(const struct fixture *fixture)
{
    struct rp_error error = {0};
    struct rp_drawing drawing = {.kind = "aes-sweep"};
    char dotted[8];
    size_t count = 0;

    snprintf(dotted, sizeof dotted, " dt %d", RP_DOTTED);
    assert_true(rp_figure_find("aes-sweep")->compose(&drawing, &fixture->model, &error));
    for (const char *at = strstr(drawing.commands.data, dotted); at != NULL;
         at = strstr(at + 1, dotted)) {
        count++;
    }
    rp_drawing_free(&drawing);
    return count;
}

/* Its label stands at the edge like the others' and would seem to be another curve's. */
static void a_curve_that_ends_early_is_led_to_its_label(void **state)
{
    static const size_t cut_bytes = 1 << 20;
    struct fixture fixture;
    size_t kept = 0;

    (void)state;
    fixture_make(&fixture, &fixture_variations[0]);
    assert_int_equal(dotted_lines(&fixture), 0);
    for (size_t i = 0; i < fixture.model.point_count; i++) {
        const struct rp_point *const point = &fixture.model.points[i];

        if (strcmp(point->variant, "aesni-x8-pshufb") != 0 ||
            point->mode != RP_MODE_TEMPORAL || point->working_set_bytes < cut_bytes) {
            fixture.model.points[kept++] = *point;
        }
    }
    assert_true(kept < fixture.model.point_count);
    fixture.model.point_count = kept;
    assert_int_equal(dotted_lines(&fixture), 1);
    fixture_free(&fixture);
}

static void the_same_model_gives_the_same_bytes(void **state)
{
    struct fixture fixture;
    struct rp_text first;
    struct rp_text second;

    (void)state;
    if (!have("gnuplot --version >/dev/null 2>&1")) {
        skip();
    }
    fixture_make(&fixture, &fixture_variations[0]);
    draw(&fixture, "roofline-aes", "first.svg", &first);
    draw(&fixture, "roofline-aes", "second.svg", &second);
    assert_string_equal(first.data, second.data);
    rp_text_free(&first);
    rp_text_free(&second);
    fixture_free(&fixture);
}

static const struct fixture_options *variation(const char *name)
{
    const struct fixture_options *options = fixture_variations;

    while (strcmp(options->name, name) != 0) {
        options++;
    }
    return options;
}

/* The descriptions hold conclusions, computed from the fixture's numbers. */
static void descriptions_conclude(void **state)
{
    static const struct {
        const char *kind;
        const char *says;
    } cases[] = {
        {"roofline-aes",
         "vaes512-x8-pshufb reaches 18.4 GB/s in L2, 96 % of what the AES "
         "unit allows; 5.29 GB/s in DRAM, where non-temporal stores give 1.35 "
         "times that."},
        {"bandwidth",
         "One core loads 378 GB/s from L1, 150 GB/s from L2, 31.0 GB/s from L3, "
         "12.9 GB/s from DRAM. In DRAM a copy with non-temporal stores has 1.35 "
         "times the bandwidth of one with plain stores."},
        {"aes-unit",
         "At 512 bit an instruction takes 3.00 cycles alone and one completes every "
         "1.00 cycles once 3 are independent."},
        {"aes-sweep",
         "vaes512-x8-pshufb takes 0.163 cycles per byte in L2, where its bound is "
         "0.156; 0.567 in DRAM; 0.421 in DRAM with non-temporal stores."},
    };
    struct fixture fixture;

    (void)state;
    if (!have("gnuplot --version >/dev/null 2>&1")) {
        skip();
    }
    fixture_make(&fixture, &fixture_variations[0]);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rp_text svg;

        draw(&fixture, cases[i].kind, "figure.svg", &svg);
        if (strstr(svg.data, cases[i].says) == NULL) {
            fail_msg("%s does not say \"%s\" but: %.600s", cases[i].kind, cases[i].says,
                     strstr(svg.data, "<desc"));
        }
        rp_text_free(&svg);
    }
    fixture_free(&fixture);
}

/* What was not measured, or not at the same size, is not compared. */
static void descriptions_claim_nothing_unmeasured(void **state)
{
    static const struct {
        const char *variation;
        const char *kind;
        const char *says;
        const char *keeps_quiet;
    } cases[] = {
        {"no-latency", "aes-unit", "At 512 bit one completes every 1.00 cycles",
         "0.00 cycles"},
        {"nt-cut", "roofline-aes", "5.29 GB/s in DRAM.", "times that"},
    };

    (void)state;
    if (!have("gnuplot --version >/dev/null 2>&1")) {
        skip();
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture fixture;
        struct rp_text svg;

        fixture_make(&fixture, variation(cases[i].variation));
        draw(&fixture, cases[i].kind, "figure.svg", &svg);
        assert_non_null(strstr(svg.data, cases[i].says));
        assert_null(strstr(svg.data, cases[i].keeps_quiet));
        rp_text_free(&svg);
        fixture_free(&fixture);
    }
}

/* Draws with whatever gnuplot there is, and expects to fail with `reason` and without a
 * file. */
/* What a reader must know stands under the title, as far as there is room for it. */
static void doubts_are_on_the_figure(void **state)
{
    static const char *const says[] = {
        "2 hard to believe, drawn hollow: see the report",
        "L3 stated as 320 MiB, measured as 36 MiB",
        "the load average is 1.84 on 2 usable cores",
        "+2 more in the report",
        "36 MiB measured",
    };
    struct fixture fixture;
    struct rp_text svg;

    (void)state;
    if (!have("gnuplot --version >/dev/null 2>&1")) {
        skip();
    }
    fixture_make(&fixture, variation("doubts"));
    draw(&fixture, "bandwidth", "figure.svg", &svg);
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
        if (strstr(svg.data, says[i]) == NULL) {
            fail_msg("the figure does not say \"%s\"", says[i]);
        }
    }
    assert_null(strstr(svg.data, "only a note"));
    rp_text_free(&svg);
    fixture_free(&fixture);
}

static void assert_fails(const char *path, const char *reason)
{
    struct fixture fixture;
    struct rp_error error = {.status = RP_OK};

    fixture_make(&fixture, &fixture_variations[0]);
    assert_false(
        rp_figure_draw(rp_figure_find("bandwidth"), &fixture.model, path, &error));
    assert_int_equal(error.status, RP_UNABLE);
    if (strstr(error.message, reason) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.message, reason);
    }
    fixture_free(&fixture);
}

static void a_gnuplot_that_fails_is_explained(void **state)
{
    static const struct {
        const char *script; /* NULL: there is no gnuplot */
        const char *reason;
    } cases[] = {
        {NULL, "gnuplot is not on PATH; install gnuplot (Debian: gnuplot-nox) and run "
               "`ridgepoint plot bandwidth RUN`"},
        {"exit 64", "older than 5.4"},
        {"exit 65", "no svg terminal"},
        {"echo 'line 7: what is this?' >&2; exit 1", "(line 7: what is this?)"},
        {"kill -9 $$", "(no reason given)"},
        {"echo 'not a picture'", "drew no bandwidth"},
        {"exit 0", "drew no bandwidth"},
    };
    char path[256];

    (void)state;
    in_directory("figure.svg", path);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        replace_gnuplot(cases[i].script);
        assert_fails(path, cases[i].reason);
        assert_false(exists(path));
    }
    replace_gnuplot(NULL);
}

static void a_file_that_cannot_be_written_is_named(void **state)
{
    char absent[256];
    char taken[256];
    char part[300];

    (void)state;
    if (!have("gnuplot --version >/dev/null 2>&1")) {
        skip();
    }
    assert_fails(in_directory("absent/figure.svg", absent), absent);
    assert_int_equal(mkdir(in_directory("taken.svg", taken), 0777), 0);
    assert_fails(taken, taken);
    snprintf(part, sizeof part, "%s.part", taken);
    assert_false(exists(part));
    assert_int_equal(rmdir(taken), 0);
    assert_fails("/dev/full/figure.svg", "/dev/full/figure.svg");
}

static void an_old_figure_survives_a_failure(void **state)
{
    char path[256];
    FILE *const file = fopen(in_directory("old.svg", path), "w");
    struct rp_text kept;

    (void)state;
    assert_non_null(file);
    fputs("the old figure", file);
    fclose(file);
    replace_gnuplot("exit 1");
    assert_fails(path, "could not draw bandwidth");
    read_file(&kept, path);
    assert_string_equal(kept.data, "the old figure");
    rp_text_free(&kept);
    remove(path);
    replace_gnuplot(NULL);
}

static int make_directory(void **state)
{
    const char *const path = getenv("PATH");

    (void)state;
    snprintf(search_path, sizeof search_path, "%s", path != NULL ? path : "");
    return mkdtemp(directory) != NULL ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listed_in_order),
        cmocka_unit_test(every_model_draws_or_says_why),
        cmocka_unit_test(extreme_points_are_drawn),
        cmocka_unit_test(a_unit_without_width_is_no_ceiling),
        cmocka_unit_test(variants_in_one_place_share_a_label),
        cmocka_unit_test(a_curve_that_ends_early_is_led_to_its_label),
        cmocka_unit_test(the_same_model_gives_the_same_bytes),
        cmocka_unit_test(descriptions_conclude),
        cmocka_unit_test(descriptions_claim_nothing_unmeasured),
        cmocka_unit_test(doubts_are_on_the_figure),
        cmocka_unit_test_teardown(a_gnuplot_that_fails_is_explained, restore_gnuplot),
        cmocka_unit_test(a_file_that_cannot_be_written_is_named),
        cmocka_unit_test_teardown(an_old_figure_survives_a_failure, restore_gnuplot),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
