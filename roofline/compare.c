/* SPDX-License-Identifier: MIT */
#include "roofline/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "roofline/compare_parts.h"
#include "roofline/model_parts.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const region_names[] = {
    [RP_REGION_CORE] = "core",
    [RP_REGION_L1] = "L1",
    [RP_REGION_L2] = "L2",
    [RP_REGION_L3] = "L3",
    [RP_REGION_L4] = "L4",
    [RP_REGION_MEMORY] = "memory",
    [RP_REGION_EDGE] = "edge",
    [RP_REGION_NT] = "nt stores",
    [RP_REGION_OWN_CACHES] = "own caches",
};

static const char *const difference_names[] = {
    [RP_DIFFERENCE_NONE] = "none",
    [RP_DIFFERENCE_ALONE] = "alone",
    [RP_DIFFERENCE_CHANGE] = "change",
    [RP_DIFFERENCE_DISTURBED] = "disturbed",
};

const char *rp_region_name(enum rp_region region)
{
    return region_names[region];
}

const char *rp_difference_name(enum rp_difference difference)
{
    return difference_names[difference];
}

/* ---- where a point lives ---- */

static bool at_an_edge(const struct rp_machine *machine, size_t working_set_bytes)
{
    /* The nearest cache takes its lines by the part of the address that a page does not
     * change; memory has no capacity. */
    for (unsigned i = 1; i + 1 < machine->level_count; i++) {
        const size_t capacity = machine->levels[i].size_bytes;
        if (working_set_bytes > capacity / 2 && working_set_bytes / 2 <= capacity) {
            return true;
        }
    }
    return false;
}

static enum rp_region region_of(const struct rp_machine *machine,
                                const struct rp_record *record)
{
    if (record->working_set_bytes == 0) {
        return RP_REGION_CORE;
    }
    if (record->traffic.store_nt > 0) {
        return RP_REGION_NT;
    }
    if (at_an_edge(machine, record->working_set_bytes)) {
        return RP_REGION_EDGE;
    }
    const unsigned level = rp_machine_level_of(machine, record->working_set_bytes);
    for (int region = RP_REGION_L1; region <= RP_REGION_L4; region++) {
        if (strcmp(machine->levels[level].name, region_names[region]) == 0) {
            return (enum rp_region)region;
        }
    }
    return RP_REGION_MEMORY;
}

/* A virtual machine shares the outer caches and the memory with neighbours, and its
 * processors may move apart; the pages under an edge are drawn anew in each run. */
static bool is_exposed(const struct rp_compared_point *point, bool virtual_machine)
{
    if (point->region == RP_REGION_EDGE) {
        return true;
    }
    const bool in_the_core = point->region == RP_REGION_CORE || point->own_cache;
    return virtual_machine && (!in_the_core || point->a->threads > 1);
}

static void locate(struct rp_compared_point *point, const struct rp_machine *machine,
                   bool virtual_machine)
{
    const size_t bytes = point->a->working_set_bytes;

    point->region = region_of(machine, point->a);
    if (bytes > 0 && point->region != RP_REGION_NT) {
        const unsigned index = rp_machine_level_of(machine, bytes);
        point->cached = index + 1 < machine->level_count;
        /* Only the first two levels: what a virtual machine shows as its own third one
         * is a share of a larger one. */
        point->own_cache =
            point->cached && index < 2 && machine->levels[index].shared_by <= 1;
    }
    point->exposed = is_exposed(point, virtual_machine);
}

/* ---- points ---- */

static int by_job(const void *left, const void *right)
{
    return strcmp((*(const struct rp_record *const *)left)->job,
                  (*(const struct rp_record *const *)right)->job);
}

/* The measured records of a run, by job. NULL when out of memory. */
static const struct rp_record **list_measured(const struct rp_run *run, size_t *count)
{
    const struct rp_record **const list =
        calloc(run->record_count + 1, sizeof(const struct rp_record *));

    *count = 0;
    for (size_t i = 0; list != NULL && i < run->record_count; i++) {
        if (rp_record_measured(&run->records[i], run->records[i].probe)) {
            list[(*count)++] = &run->records[i];
        }
    }
    if (*count > 0) {
        qsort(list, *count, sizeof(const struct rp_record *), by_job);
    }
    return list;
}

static struct rp_ratio ratio_of(const struct rp_record *numerator,
                                const struct rp_record *denominator,
                                rp_quantity *quantity, double *scratch)
{
    const struct rp_summary above = rp_summarize_record(numerator, quantity, scratch);
    const struct rp_summary below = rp_summarize_record(denominator, quantity, scratch);

    return rp_ratio_of_medians(&above, &below);
}

/* In log space, so that B / A and A / B are judged alike. */
static bool is_beyond(double ratio, double threshold)
{
    return ratio > 0 && fabs(log(ratio)) > log1p(threshold);
}

static enum rp_difference difference_of(const struct rp_compared_point *point,
                                        double threshold)
{
    if (point->a->verdict == RP_VERDICT_DISTURBED ||
        point->b->verdict == RP_VERDICT_DISTURBED) {
        return RP_DIFFERENCE_DISTURBED;
    }
    const bool outside = point->speed.low > 1 || point->speed.high < 1;
    return outside && is_beyond(point->speed.ratio, threshold) ? RP_DIFFERENCE_ALONE
                                                               : RP_DIFFERENCE_NONE;
}

/* The machine as seen from the core that a record ran on. */
static void look_from_core_of(struct rp_machine *machine, const struct rp_record *record)
{
    for (unsigned i = 0; i < machine->kind_count; i++) {
        if (machine->kind != i &&
            strcmp(machine->kinds[i].name, record->core_kind) == 0) {
            rp_machine_look_from(machine, i);
            return;
        }
    }
}

static void add_point(struct rp_comparison *comparison, const struct rp_record *a,
                      const struct rp_record *b, struct rp_machine *machine,
                      double *scratch)
{
    struct rp_compared_point *const point =
        &comparison->points[comparison->point_count++];

    *point = (struct rp_compared_point){
        .a = a,
        .b = b,
        .speed = ratio_of(b, a, rp_sample_items_per_s, scratch),
        .cycles = ratio_of(b, a, rp_sample_cycles_per_item, scratch),
    };
    look_from_core_of(machine, a);
    locate(point, machine, comparison->virtual_machine);
    point->difference = difference_of(point, comparison->threshold);
}

static size_t longest_of(const struct rp_record *const *records, size_t count)
{
    size_t longest = 1;

    for (size_t i = 0; i < count; i++) {
        if (records[i]->sample_count > longest) {
            longest = records[i]->sample_count;
        }
    }
    return longest;
}

static bool match_points(struct rp_comparison *comparison)
{
    struct rp_machine machine = comparison->a->machine;
    size_t a_count = 0;
    size_t b_count = 0;
    const struct rp_record **const a = list_measured(comparison->a, &a_count);
    const struct rp_record **const b = list_measured(comparison->b, &b_count);
    double *scratch = NULL;

    if (a != NULL && b != NULL) {
        const size_t a_longest = longest_of(a, a_count);
        const size_t b_longest = longest_of(b, b_count);
        scratch = calloc(a_longest > b_longest ? a_longest : b_longest, sizeof *scratch);
        comparison->points = calloc(a_count + 1, sizeof *comparison->points);
    }
    const bool ok = scratch != NULL && comparison->points != NULL;
    for (size_t i = 0; ok && i < a_count; i++) {
        const struct rp_record *const *const found =
            bsearch(&a[i], b, b_count, sizeof(const struct rp_record *), by_job);
        if (found != NULL) {
            add_point(comparison, a[i], *found, &machine, scratch);
        }
    }
    comparison->only_a_count = a_count - comparison->point_count;
    comparison->only_b_count = b_count - comparison->point_count;
    free(scratch);
    free(a);
    free(b);
    return ok;
}

/* ---- how well they agree ---- */

/* Sums of logarithms until `finish` turns them into means. */
static void count_point(struct rp_agreement *agreement,
                        const struct rp_compared_point *point)
{
    if (point->difference == RP_DIFFERENCE_DISTURBED) {
        agreement->disturbed_count++;
        return;
    }
    if (!(point->speed.ratio > 0 && point->cycles.ratio > 0)) {
        return; /* samples that tell nothing */
    }
    agreement->point_count++;
    agreement->within_count += fabs(point->speed.ratio - 1) <= RP_AGREEMENT;
    agreement->differing_count += point->difference != RP_DIFFERENCE_NONE;
    agreement->speed += log(point->speed.ratio);
    agreement->cycles += log(point->cycles.ratio);
}

static void finish(struct rp_agreement *agreement)
{
    const double count = (double)agreement->point_count;

    agreement->speed = count > 0 ? exp(agreement->speed / count) : 0;
    agreement->cycles = count > 0 ? exp(agreement->cycles / count) : 0;
}

static void sum_up(struct rp_comparison *comparison)
{
    for (size_t i = 0; i < comparison->point_count; i++) {
        const struct rp_compared_point *const point = &comparison->points[i];

        count_point(&comparison->regions[point->region], point);
        if (point->own_cache) {
            count_point(&comparison->own_caches, point);
        }
        if (point->cached) {
            count_point(&comparison->caches, point);
        }
    }
    for (size_t i = 0; i < COUNT(comparison->regions); i++) {
        finish(&comparison->regions[i]);
    }
    finish(&comparison->own_caches);
    finish(&comparison->caches);
}

bool rp_compare_runs(struct rp_comparison *comparison, const struct rp_run *a,
                     const struct rp_run *b, double threshold, struct rp_error *error)
{
    *comparison = (struct rp_comparison){
        .a = a,
        .b = b,
        .threshold = threshold,
        .virtual_machine = a->machine.cpu.hypervisor || b->machine.cpu.hypervisor,
    };
    if (!match_points(comparison)) {
        return rp_fail(error, RP_UNABLE, "not enough memory to compare the runs");
    }
    if (!rp_compare_judge_series(comparison, error)) {
        return false;
    }
    sum_up(comparison);
    return true;
}

void rp_comparison_free(struct rp_comparison *comparison)
{
    free(comparison->points);
    free(comparison->series);
    *comparison = (struct rp_comparison){0};
}
