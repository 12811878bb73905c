/* SPDX-License-Identifier: MIT */
/*
 * Two runs from anywhere held against each other, and each against itself. An empty line
 * divides the input into the two; without one there is one run.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hostile.h"
#include "roofline/compare_report.h"
#include "telling.h"

#define THRESHOLD 0.03

static void check_text(const struct rp_comparison *comparison, const char *input)
{
    struct rp_text text = {0};

    rp_comparison_text(comparison, true, &text);
    must(!text.failed, "there is memory for the text");
    must_hold_numbers(text.data, input);
    for (const char *c = text.data; *c != '\0'; c++) {
        must(*c == '\n' || !is_control(*c), "a text leaves the terminal alone");
    }
    rp_text_free(&text);
}

static void check_table(const struct rp_comparison *comparison)
{
    struct rp_text table = {0};

    rp_comparison_csv(comparison, &table);
    must(!table.failed, "there is memory for the table");
    must_be_table(table.data);
    rp_text_free(&table);
}

static void check_json(const struct rp_comparison *comparison)
{
    json_t *const json = rp_comparison_to_json(comparison);

    must(json != NULL, "every comparison can be written");
    must_be_figures(json);
    json_decref(json);
}

/* A ratio with its interval around it, or none at all. */
static void check_ratio(const struct rp_ratio *ratio)
{
    must(isfinite(ratio->high) && ratio->low >= 0, "a ratio is finite");
    must(ratio->low <= ratio->ratio && ratio->ratio <= ratio->high,
         "a ratio lies in its interval");
    must((ratio->ratio > 0) == (ratio->low > 0),
         "a ratio is above zero, or there is none");
}

static void check_counts(const struct rp_comparison *comparison)
{
    size_t changed = 0;

    for (size_t i = 0; i < comparison->point_count; i++) {
        check_ratio(&comparison->points[i].speed);
        check_ratio(&comparison->points[i].cycles);
    }
    for (size_t i = 0; i < comparison->series_count; i++) {
        const struct rp_compared_series *const series = &comparison->series[i];

        check_ratio(&series->speed);
        check_ratio(&series->cycles);
        must(series->changed == (i < comparison->slower_count + comparison->faster_count),
             "changes come first");
        changed += series->changed;
    }
    must(changed == comparison->slower_count + comparison->faster_count,
         "a change is slower or faster");
}

static bool is_one(double mean)
{
    return mean == 0 || fabs(mean - 1) < 1e-9;
}

static void check_sameness(const struct rp_comparison *comparison)
{
    must(comparison->only_a_count + comparison->only_b_count == 0,
         "a run measured what it measured");
    must(comparison->slower_count + comparison->faster_count == 0,
         "a run has not changed from itself");
    for (size_t i = 0; i < comparison->point_count; i++) {
        const struct rp_compared_point *const point = &comparison->points[i];

        must(point->a == point->b, "a job is held against itself");
        must(point->difference == RP_DIFFERENCE_NONE ||
                 point->difference == RP_DIFFERENCE_DISTURBED,
             "a point does not differ from itself");
        must(is_one(point->speed.ratio) && is_one(point->cycles.ratio),
             "a point is as fast as itself");
    }
    for (int i = 0; i < RP_REGION_COUNT; i++) {
        const struct rp_agreement *const agreement = &comparison->regions[i];

        must(is_one(agreement->speed) && is_one(agreement->cycles) &&
                 agreement->within_count == agreement->point_count,
             "a region agrees with itself");
    }
}

static void compare(const struct rp_run *a, const struct rp_run *b, const char *input)
{
    struct rp_comparison comparison;
    struct rp_error error = {0};

    must(rp_compare_runs(&comparison, a, b, THRESHOLD, &error),
         "any two runs can be compared");
    check_counts(&comparison);
    check_text(&comparison, input);
    check_table(&comparison);
    check_json(&comparison);
    if (a == b) {
        check_sameness(&comparison);
    }
    rp_comparison_free(&comparison);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *const gap = size > 0 ? memmem(data, size, "\n\n", 2) : NULL;
    const size_t a_size = gap != NULL ? (size_t)(gap - data) + 1 : size;
    const size_t b_offset = gap != NULL ? a_size + 1 : 0;
    char *const input = text_of(data, size);
    struct rp_run a;
    struct rp_run b;
    const bool has_a = hostile_run(&a, data, a_size);
    const bool has_b = hostile_run(&b, data + b_offset, size - b_offset);

    if (has_a) {
        compare(&a, &a, input);
    }
    if (has_a && has_b && gap != NULL) {
        compare(&a, &b, input);
        compare(&b, &a, input);
    }
    rp_run_free(&a);
    rp_run_free(&b);
    free(input);
    return 0;
}
