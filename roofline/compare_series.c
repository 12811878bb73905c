/* SPDX-License-Identifier: MIT */
#include "roofline/compare_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "roofline/model_parts.h"

/*
 * Of the series that did not change at all, one would be called changed when nearly all
 * of its points strayed beyond the threshold to the same side. A run holds some fifty
 * series; points stray one time in ten, so that by chance it never happens to eight.
 */
static const double confidence = 0.99;

static int by_number(size_t left, size_t right)
{
    return (left > right) - (left < right);
}

/* What all points of a kernel in all regions have in common. */
static int by_kernel(const struct rp_record *a, const struct rp_record *b)
{
    const int orders[] = {
        strcmp(a->kernel, b->kernel),       by_number(a->mode, b->mode),
        strcmp(a->core_kind, b->core_kind), strcmp(a->data, b->data),
        by_number(a->threads, b->threads),
    };

    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        if (orders[i] != 0) {
            return orders[i];
        }
    }
    return 0;
}

static int by_series(const void *left, const void *right)
{
    const struct rp_compared_point *const a = left;
    const struct rp_compared_point *const b = right;
    const int orders[] = {
        by_kernel(a->a, b->a),
        by_number(a->region, b->region),
        by_number(a->a->working_set_bytes, b->a->working_set_bytes),
        by_number(a->a->chains, b->a->chains),
        strcmp(a->a->job, b->a->job),
    };

    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        if (orders[i] != 0) {
            return orders[i];
        }
    }
    return 0;
}

/* A stretch of the sorted points. */
struct stretch {
    struct rp_compared_point *points;
    size_t count;
    enum rp_region region;
};

static bool is_usable(const struct rp_compared_point *point)
{
    return !point->exposed && point->difference != RP_DIFFERENCE_DISTURBED &&
           point->speed.ratio > 0 && point->cycles.ratio > 0;
}

static size_t count_usable(const struct stretch *stretch)
{
    size_t count = 0;

    for (size_t i = 0; i < stretch->count; i++) {
        count += is_usable(&stretch->points[i]);
    }
    return count;
}

static size_t count_differing(const struct stretch *stretch, bool faster)
{
    size_t count = 0;

    for (size_t i = 0; i < stretch->count; i++) {
        const struct rp_compared_point *const point = &stretch->points[i];
        count += is_usable(point) && point->difference != RP_DIFFERENCE_NONE &&
                 (point->speed.ratio > 1) == faster;
    }
    return count;
}

/* The median of the points' ratios, of speed or of cycles, and its interval. */
static struct rp_ratio median_of(const struct stretch *stretch, bool cycles,
                                 double *scratch)
{
    size_t count = 0;

    for (size_t i = 0; i < stretch->count; i++) {
        const struct rp_compared_point *const point = &stretch->points[i];
        if (is_usable(point)) {
            scratch[count++] = cycles ? point->cycles.ratio : point->speed.ratio;
        }
    }
    const double median = rp_summarize(scratch, count).median; /* sorts */
    const size_t rank = rp_median_rank(count, confidence);
    return (struct rp_ratio){
        .ratio = median,
        .low = scratch[rank - 1],
        .high = scratch[count - rank],
    };
}

/* In the core and in its own caches everything keeps time with the core clock. */
static bool is_the_clock(const struct rp_compared_series *series, bool own,
                         double threshold)
{
    return own && fabs(series->cycles.ratio - 1) <= threshold;
}

/* Judges a stretch; `scratch` has room for all points. */
static struct rp_compared_series judge(const struct stretch *stretch, double threshold,
                                       double *scratch)
{
    const struct rp_compared_point *const first = &stretch->points[0];
    const bool own = first->region == RP_REGION_CORE || first->own_cache;
    struct rp_compared_series series = {
        .record = stretch->points[0].a,
        .region = stretch->region,
        .point_count = count_usable(stretch),
        .speed = median_of(stretch, false, scratch),
        .cycles = median_of(stretch, true, scratch),
    };
    /* As many points as the interval of the median holds on one side of it and within. */
    const size_t enough =
        series.point_count + 1 - rp_median_rank(series.point_count, confidence);
    const bool differs = count_differing(stretch, false) >= enough ||
                         count_differing(stretch, true) >= enough;
    series.clock_only = differs && is_the_clock(&series, own, threshold);
    series.changed = differs && !series.clock_only;
    return series;
}

static void mark_points(const struct stretch *stretch,
                        const struct rp_compared_series *series)
{
    for (size_t i = 0; i < stretch->count; i++) {
        struct rp_compared_point *const point = &stretch->points[i];
        const bool same_way = (point->speed.ratio > 1) == (series->speed.ratio > 1);

        if (is_usable(point) && point->difference == RP_DIFFERENCE_ALONE && same_way) {
            point->difference = RP_DIFFERENCE_CHANGE;
        }
    }
}

enum outcome { TOO_FEW_POINTS, UNCHANGED, ANOTHER_CLOCK, CHANGED };

static enum outcome add_series(struct rp_comparison *comparison,
                               const struct stretch *stretch, double *scratch)
{
    if (rp_median_rank(count_usable(stretch), confidence) == 0) {
        return TOO_FEW_POINTS;
    }
    struct rp_compared_series *const series =
        &comparison->series[comparison->series_count++];
    *series = judge(stretch, comparison->threshold, scratch);
    if (!series->changed) {
        comparison->clock_count += series->clock_only;
        return series->clock_only ? ANOTHER_CLOCK : UNCHANGED;
    }
    comparison->slower_count += series->speed.ratio < 1;
    comparison->faster_count += series->speed.ratio > 1;
    mark_points(stretch, series);
    return CHANGED;
}

/* The points of one region, which begin a stretch. */
static struct stretch first_region(const struct stretch *rest)
{
    struct stretch first = {.points = rest->points, .region = rest->points[0].region};

    while (first.count < rest->count &&
           rest->points[first.count].region == first.region) {
        first.count++;
    }
    return first;
}

/* The points of one kernel, which begin a stretch. */
static struct stretch first_kernel(const struct stretch *rest)
{
    struct stretch first = {.points = rest->points};

    while (first.count < rest->count &&
           by_kernel(rest->points[first.count].a, rest->points[0].a) == 0) {
        first.count++;
    }
    return first;
}

/* L1 and L2 of a kernel, as far as they are the core's own; none where that is but one of
 * them, which has a series anyway. */
static struct stretch own_caches(const struct stretch *kernel)
{
    struct stretch own = {.points = kernel->points, .region = RP_REGION_OWN_CACHES};
    size_t begin = 0;

    while (begin < kernel->count && kernel->points[begin].region < RP_REGION_L1) {
        begin++;
    }
    own.points += begin;
    while (begin + own.count < kernel->count && own.points[own.count].own_cache &&
           own.points[own.count].region <= RP_REGION_L2) {
        own.count++;
    }
    const bool both =
        own.count > 0 && own.points[0].region != own.points[own.count - 1].region;
    return both ? own : (struct stretch){0};
}

/* Takes back the series that was added last, of which the clock is all that differs. */
static void untell_clock(struct rp_comparison *comparison)
{
    comparison->series_count--;
    comparison->clock_count--;
}

/* What the own caches say together is not told again for each of them. */
static void judge_kernel(struct rp_comparison *comparison, const struct stretch *kernel,
                         double *scratch)
{
    const struct stretch own = own_caches(kernel);
    const enum outcome outcome =
        own.count > 0 ? add_series(comparison, &own, scratch) : TOO_FEW_POINTS;
    struct stretch rest = *kernel;

    while (rest.count > 0) {
        const struct stretch region = first_region(&rest);
        const bool is_own = own.count > 0 && region.points >= own.points &&
                            region.points < own.points + own.count;
        const bool told = is_own && outcome != TOO_FEW_POINTS;

        const enum outcome alone = is_own && outcome == CHANGED
                                       ? CHANGED
                                       : add_series(comparison, &region, scratch);

        if (alone == TOO_FEW_POINTS && !told) {
            comparison->sparse_count += count_usable(&region);
        } else if (alone == ANOTHER_CLOCK && is_own && outcome == ANOTHER_CLOCK) {
            untell_clock(comparison);
        }
        rest.points += region.count;
        rest.count -= region.count;
    }
}

/* Changes first, the largest first, then other clocks; then by kernel and region. */
static int by_importance(const void *left, const void *right)
{
    const struct rp_compared_series *const a = left;
    const struct rp_compared_series *const b = right;
    const double a_size = a->changed ? fabs(log(a->speed.ratio)) : 0;
    const double b_size = b->changed ? fabs(log(b->speed.ratio)) : 0;
    const int orders[] = {
        (a_size < b_size) - (a_size > b_size),
        b->clock_only - a->clock_only,
        by_kernel(a->record, b->record),
        by_number(a->region, b->region),
    };

    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        if (orders[i] != 0) {
            return orders[i];
        }
    }
    return 0;
}

bool rp_compare_judge_series(struct rp_comparison *comparison, struct rp_error *error)
{
    const size_t count = comparison->point_count;
    struct stretch rest = {.points = comparison->points, .count = count};
    double *const scratch = calloc(count + 1, sizeof *scratch);

    /* Each point is in two series at most. */
    comparison->series = calloc(2 * count + 1, sizeof *comparison->series);
    if (scratch == NULL || comparison->series == NULL) {
        free(scratch);
        return rp_fail(error, RP_UNABLE, "not enough memory to compare the runs");
    }
    qsort(comparison->points, count, sizeof *comparison->points, by_series);
    while (rest.count > 0) {
        const struct stretch kernel = first_kernel(&rest);

        judge_kernel(comparison, &kernel, scratch);
        rest.points += kernel.count;
        rest.count -= kernel.count;
    }
    for (size_t i = 0; i < count; i++) {
        const struct rp_compared_point *const point = &comparison->points[i];
        comparison->exposed_count +=
            point->exposed && point->difference != RP_DIFFERENCE_DISTURBED;
    }
    qsort(comparison->series, comparison->series_count, sizeof *comparison->series,
          by_importance);
    free(scratch);
    return true;
}
