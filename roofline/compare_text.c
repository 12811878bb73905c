/* SPDX-License-Identifier: MIT */
#include "roofline/compare_report.h"

#include <stdio.h>
#include <string.h>

#include "roofline/environment.h"

static double percent(size_t part, size_t whole)
{
    return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

/* ---- what is compared ---- */

static void write_run(char letter, const struct rp_run *run, struct rp_text *out)
{
    rp_text_print(out, "%c  %s, sweep %s, started %s\n", letter, run->machine.name,
                  run->sweep_name, run->started_utc);
}

static void write_environment(const struct rp_comparison *comparison, struct rp_text *out)
{
    struct rp_environment_row rows[RP_MOST_ENVIRONMENT_ROWS];
    const size_t count = rp_environment_compare(comparison->a, comparison->b, rows);

    rp_text_print(out, "\nWhat differs around them\n");
    for (size_t i = 0; i < count; i++) {
        const struct rp_environment_row *const row = &rows[i];
        const char *what = row->what;

        if (row->a[0] != '\0') {
            rp_text_print(out, "  %-17s A  %s\n", what, row->a);
            what = "";
        }
        if (row->b[0] != '\0') {
            rp_text_print(out, "  %-17s B  %s\n", what, row->b);
        }
    }
    if (count == 0) {
        rp_text_print(out, "  nothing\n");
    }
    if (strcmp(comparison->a->machine.name, comparison->b->machine.name) != 0) {
        rp_text_print(out, "These are two machines: a change below need not be one of "
                           "the program.\n");
    }
}

/* ---- how well they agree ---- */

static void write_agreement(const char *name, const struct rp_agreement *agreement,
                            struct rp_text *out)
{
    if (agreement->point_count + agreement->disturbed_count == 0) {
        return;
    }
    rp_text_print(out, "%-12s %7zu %10zu", name, agreement->point_count,
                  agreement->disturbed_count);
    if (agreement->point_count == 0) {
        rp_text_print(out, " %11s %11s %10s %10s\n", "-", "-", "-", "-");
        return;
    }
    rp_text_print(out, " %9.1f %% %11zu %10.4f %10.4f\n",
                  percent(agreement->within_count, agreement->point_count),
                  agreement->differing_count, agreement->speed, agreement->cycles);
}

static void write_agreements(const struct rp_comparison *comparison, struct rp_text *out)
{
    const struct rp_agreement *const caches = &comparison->caches;
    char differing[24];

    snprintf(differing, sizeof differing, "beyond %g %%", 100 * comparison->threshold);
    rp_text_print(out, "\n%zu points in both, %zu only in A, %zu only in B\n\n",
                  comparison->point_count, comparison->only_a_count,
                  comparison->only_b_count);
    rp_text_print(out, "%-12s %7s %10s %11s %11s %10s %10s\n", "", "points", "disturbed",
                  "within 2 %", differing, "speed B/A", "cycles B/A");
    for (int region = 0; region < RP_REGION_COUNT; region++) {
        write_agreement(rp_region_name((enum rp_region)region),
                        &comparison->regions[region], out);
    }
    write_agreement("own caches", &comparison->own_caches, out);
    write_agreement("all caches", caches, out);
    if (caches->point_count > 0) {
        rp_text_print(
            out,
            "\n%.1f %% of the points in cached levels differ by at most %g %%; %.1f %% "
            "of those in the core's own caches.\n",
            percent(caches->within_count, caches->point_count), 100 * RP_AGREEMENT,
            percent(comparison->own_caches.within_count,
                    comparison->own_caches.point_count));
    }
}

/* ---- changes ---- */

/* "copy-avx2, temporal": what is fixed within a series. */
static void write_kernel(const struct rp_record *record, struct rp_text *out)
{
    rp_text_print(out, "%s", record->kernel[0] ? record->kernel : record->probe);
    if (record->mode != RP_MODE_NONE) {
        rp_text_print(out, ", %s", rp_mode_name(record->mode));
    }
    if (record->core_kind[0] != '\0') {
        rp_text_print(out, ", %s core", record->core_kind);
    }
    if (record->data[0] != '\0') {
        rp_text_print(out, ", %s data", record->data);
    }
    if (record->threads > 1) {
        rp_text_print(out, ", %u threads", record->threads);
    }
}

static void write_series(const struct rp_compared_series *series, struct rp_text *out)
{
    rp_text_print(out, "  %s  %.3f (%.3f to %.3f), cycles %.3f  ",
                  series->speed.ratio < 1 ? "slower" : "faster", series->speed.ratio,
                  series->speed.low, series->speed.high, series->cycles.ratio);
    write_kernel(series->record, out);
    rp_text_print(out, ", %s, %zu points\n", rp_region_name(series->region),
                  series->point_count);
}

static void write_changes(const struct rp_comparison *comparison, struct rp_text *out)
{
    const size_t change_count = comparison->slower_count + comparison->faster_count;
    const double threshold = 100 * comparison->threshold;

    rp_text_print(out, "\n");
    if (comparison->series_count == 0) {
        rp_text_print(out, "Nothing could be judged: that takes eight undisturbed points "
                           "of one kernel.\n");
    } else if (change_count == 0) {
        rp_text_print(out, "No change: none of %zu series lies beyond %g %%.\n",
                      comparison->series_count, threshold);
    } else {
        rp_text_print(out,
                      "Changes beyond %g %%: speed B/A with the 99 %% interval over the "
                      "points\n",
                      threshold);
    }
    for (size_t i = 0; i < change_count; i++) {
        write_series(&comparison->series[i], out);
    }
    if (comparison->clock_count > 0) {
        rp_text_print(out, "\nThe core clock, not the kernel: the same cycles at another "
                           "clock, which is no change.\n");
    }
    for (size_t i = 0; i < comparison->clock_count; i++) {
        write_series(&comparison->series[change_count + i], out);
    }
}

/* ---- single points ---- */

static void write_point(const struct rp_compared_point *point, struct rp_text *out)
{
    rp_text_print(out, "  %.3f (%.3f to %.3f), cycles %.3f (%.3f to %.3f)  %s, %s",
                  point->speed.ratio, point->speed.low, point->speed.high,
                  point->cycles.ratio, point->cycles.low, point->cycles.high,
                  point->a->job, rp_region_name(point->region));
    if (point->a->verdict == point->b->verdict) {
        rp_text_print(out, ", %s", rp_verdict_name(point->a->verdict));
    } else {
        rp_text_print(out, ", %s then %s", rp_verdict_name(point->a->verdict),
                      rp_verdict_name(point->b->verdict));
    }
    if (point->difference == RP_DIFFERENCE_ALONE ||
        point->difference == RP_DIFFERENCE_CHANGE) {
        rp_text_print(out, ", %s", rp_difference_name(point->difference));
    }
    rp_text_print(out, "\n");
}

static void write_alone(const struct rp_comparison *comparison, struct rp_text *out)
{
    size_t exposed = 0;
    size_t inner = 0;

    for (size_t i = 0; i < comparison->point_count; i++) {
        const struct rp_compared_point *const point = &comparison->points[i];
        const bool alone = point->difference == RP_DIFFERENCE_ALONE;

        exposed += alone && point->exposed;
        inner += alone && !point->exposed;
    }
    if (inner > 0) {
        rp_text_print(out,
                      "\n%zu single points lie beyond it and outside both intervals, but "
                      "too few others of their\nseries do: no change. Repeat the runs if "
                      "they matter; --all lists every point.\n",
                      inner);
    }
    if (comparison->exposed_count > 0) {
        rp_text_print(
            out,
            "\n%zu points are not judged, %zu of which differ so: at the edge of a cache "
            "the pages of a buffer\ndecide%s.\n",
            comparison->exposed_count, exposed,
            comparison->virtual_machine
                ? ", and in a virtual machine neighbours decide in shared caches and in "
                  "memory"
                : "");
    }
    if (comparison->sparse_count > 0) {
        rp_text_print(out,
                      "\n%zu points have too few others in their series to be judged.\n",
                      comparison->sparse_count);
    }
}

void rp_comparison_text(const struct rp_comparison *comparison, bool all_points,
                        struct rp_text *out)
{
    write_run('A', comparison->a, out);
    write_run('B', comparison->b, out);
    write_environment(comparison, out);
    write_agreements(comparison, out);
    write_changes(comparison, out);
    write_alone(comparison, out);
    if (all_points) {
        rp_text_print(out, "\nAll points, speed B/A and cycles per item B/A with their "
                           "intervals\n");
        for (size_t i = 0; i < comparison->point_count; i++) {
            write_point(&comparison->points[i], out);
        }
    }
}
