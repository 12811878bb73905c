/* SPDX-License-Identifier: MIT */
#include "tests/unit/unit.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "roofline/compare_report.h"
#include "tests/roofline/synthetic_run.h"

/* 30 kernels at 60 sizes from 16 KiB, four to an octave: as many points as a default
 * sweep. The machine has 32 KiB, 1 MiB and 16 MiB of cache. */
#define KERNELS   30
#define SIZES     60
#define L1_POINTS 5  /* up to 32 KiB */
#define L2_POINTS 16 /* up to 512 KiB, behind which the edge begins */
#define THRESHOLD 0.03

static struct rp_run a;
static struct rp_run b;
static struct rp_comparison comparison;
static struct rp_text text;
static struct rp_error error;

static size_t size_of(size_t step)
{
    return (size_t)(16384 * exp2((double)step / 4) + 0.5);
}

static void start(struct rp_run *run, size_t kernels, size_t sizes)
{
    synthetic_start(run);
    for (size_t i = 0; i < kernels * sizes; i++) {
        const size_t kernel = i / sizes;
        const size_t bytes = size_of(i % sizes);
        struct rp_record *const record = synthetic_stream(
            run, kernel % 5 == 4 ? "copy-nt-avx2" : "copy-avx2", "", bytes, 20e9);
        snprintf(record->kernel, sizeof record->kernel, "kernel-%02zu", kernel);
        snprintf(record->job, sizeof record->job, "sweep/%s/%zu", record->kernel, bytes);
    }
}

static void start_both(size_t kernels, size_t sizes)
{
    start(&a, kernels, sizes);
    start(&b, kernels, sizes);
}

static int end(void **state)
{
    (void)state;
    rp_text_free(&text);
    text = (struct rp_text){0};
    rp_comparison_free(&comparison);
    synthetic_end(&a);
    synthetic_end(&b);
    return 0;
}

static void compare(double threshold)
{
    rp_comparison_free(&comparison);
    if (!rp_compare_runs(&comparison, &a, &b, threshold, &error)) {
        fail_msg("%s", error.message);
    }
}

static size_t changes(void)
{
    return comparison.slower_count + comparison.faster_count;
}

static size_t points_with(enum rp_difference difference)
{
    size_t count = 0;

    for (size_t i = 0; i < comparison.point_count; i++) {
        count += comparison.points[i].difference == difference;
    }
    return count;
}

/* Stretches some sizes of a kernel. */
static void stretch(struct rp_run *run, size_t sizes, size_t kernel, size_t from,
                    size_t to, double factor)
{
    for (size_t i = from; i < to; i++) {
        synthetic_stretch(&run->records[kernel * sizes + i], factor);
    }
}

#define assert_near(actual, expected) assert_float_equal((actual), (expected), 1e-9)

static void run_is_like_itself(void **state)
{
    (void)state;
    start_both(KERNELS, SIZES);
    compare(THRESHOLD);
    assert_int_equal(comparison.point_count, KERNELS * SIZES);
    assert_int_equal(comparison.only_a_count + comparison.only_b_count, 0);
    assert_int_equal(changes(), 0);
    assert_int_equal(points_with(RP_DIFFERENCE_NONE), KERNELS * SIZES);
    assert_true(comparison.series_count > 0);
    for (int i = RP_REGION_L1; i < RP_REGION_COUNT; i++) {
        const struct rp_agreement *const region = &comparison.regions[i];
        if (i != RP_REGION_L4) {
            assert_true(region->point_count > 0);
            assert_int_equal(region->within_count, region->point_count);
            assert_near(region->speed, 1);
            assert_near(region->cycles, 1);
        }
    }
    rp_comparison_text(&comparison, false, &text);
    assert_contains(text.data, "What differs around them\n  nothing\n");
    assert_contains(text.data, "100.0 % of the points in cached levels differ by at most "
                               "2 %; 100.0 % of those in the core's own caches.");
    assert_contains(text.data, "No change: none of ");
}

static void slower_kernel_is_found(void **state)
{
    (void)state;
    start_both(KERNELS, SIZES);
    stretch(&b, SIZES, 3, 0, SIZES, 1.1);
    a.machine.cpu.hypervisor = true;
    compare(THRESHOLD);
    assert_int_equal(comparison.slower_count, 1);
    assert_int_equal(comparison.faster_count, 0);

    const struct rp_compared_series *const series = &comparison.series[0];
    assert_true(series->changed);
    assert_string_equal(series->record->kernel, "kernel-03");
    assert_int_equal(series->region, RP_REGION_OWN_CACHES);
    assert_int_equal(series->point_count, L1_POINTS + L2_POINTS);
    assert_near(series->speed.ratio, 1 / 1.1);
    assert_near(series->cycles.ratio, 1.1);
    /* In a virtual machine, its points elsewhere are not judged. */
    assert_int_equal(points_with(RP_DIFFERENCE_CHANGE), L1_POINTS + L2_POINTS);
    assert_int_equal(points_with(RP_DIFFERENCE_ALONE), SIZES - L1_POINTS - L2_POINTS);
    rp_comparison_text(&comparison, false, &text);
    assert_contains(text.data, "  slower  0.909 (0.909 to 0.909), cycles 1.100  "
                               "kernel-03, temporal, own caches, 21 points\n");
    assert_contains(text.data, "neighbours decide in shared caches and in memory");
}

/* More time for the same cycles. */
static void slow_down_the_clock(struct rp_record *record, double factor)
{
    for (size_t i = 0; i < record->sample_count; i++) {
        record->samples[i].ns *= factor;
        record->samples[i].baseline_ns *= factor;
    }
}

/* In the core's own caches it is the clock that differs; in memory, which has another
 * one, time is all that counts. */
static void another_clock_is_no_change_of_a_kernel(void **state)
{
    (void)state;
    start_both(2, SIZES);
    for (size_t i = 0; i < SIZES; i++) {
        slow_down_the_clock(&b.records[i], 1.06);
    }
    stretch(&b, SIZES, 1, 0, L1_POINTS + L2_POINTS, 1.05);
    compare(THRESHOLD);
    assert_int_equal(comparison.clock_count, 1);
    for (size_t i = 0; i < changes(); i++) {
        const struct rp_compared_series *const series = &comparison.series[i];
        const bool other = strcmp(series->record->kernel, "kernel-01") == 0;

        assert_true(other == (series->region == RP_REGION_OWN_CACHES));
        assert_false(series->clock_only);
    }
    const struct rp_compared_series *const clock = &comparison.series[changes()];
    assert_true(clock->clock_only && !clock->changed);
    assert_int_equal(clock->region, RP_REGION_OWN_CACHES);
    assert_near(clock->cycles.ratio, 1);
    rp_comparison_text(&comparison, false, &text);
    assert_contains(text.data, "The core clock, not the kernel");
    assert_contains(text.data,
                    "  slower  0.943 (0.943 to 0.943), cycles 1.000  kernel-00");
}

static void larger_change_comes_first(void **state)
{
    (void)state;
    start_both(6, L1_POINTS + L2_POINTS);
    stretch(&b, L1_POINTS + L2_POINTS, 1, 0, L1_POINTS + L2_POINTS, 1.05);
    stretch(&b, L1_POINTS + L2_POINTS, 2, 0, L1_POINTS + L2_POINTS, 1 / 1.2);
    compare(THRESHOLD);
    assert_int_equal(comparison.slower_count, 1);
    assert_int_equal(comparison.faster_count, 1);
    assert_string_equal(comparison.series[0].record->kernel, "kernel-02");
    assert_string_equal(comparison.series[1].record->kernel, "kernel-01");
    assert_false(comparison.series[2].changed);
}

static void change_of_one_level_is_found(void **state)
{
    (void)state;
    start_both(1, L1_POINTS + L2_POINTS);
    stretch(&b, L1_POINTS + L2_POINTS, 0, L1_POINTS, L1_POINTS + L2_POINTS, 1.05);
    compare(THRESHOLD);
    assert_int_equal(changes(), 1);
    assert_int_equal(comparison.series[0].region, RP_REGION_L2);
    assert_int_equal(comparison.series[0].point_count, L2_POINTS);
}

static void memory_is_judged_on_metal_only(void **state)
{
    (void)state;
    start_both(5, SIZES);
    for (size_t kernel = 0; kernel < 5; kernel++) {
        for (size_t i = 0; i < SIZES; i++) {
            const bool beyond = size_of(i) > (32 << 20);
            stretch(&b, SIZES, kernel, i, i + 1, beyond ? 1.5 : 1);
        }
    }
    compare(THRESHOLD);
    assert_int_equal(comparison.slower_count, 4);
    assert_int_equal(comparison.series[0].region, RP_REGION_MEMORY);
    b.machine.cpu.hypervisor = true;
    compare(THRESHOLD);
    assert_int_equal(changes(), 0);
}

/* The fifth kernel stores past the caches. */
static void nt_stores_are_not_in_a_cache(void **state)
{
    (void)state;
    start_both(5, L1_POINTS + L2_POINTS);
    stretch(&b, L1_POINTS + L2_POINTS, 4, 0, L1_POINTS + L2_POINTS, 1.5);
    compare(THRESHOLD);
    assert_int_equal(comparison.slower_count, 1);
    assert_int_equal(comparison.series[0].region, RP_REGION_NT);
    assert_int_equal(comparison.caches.within_count, comparison.caches.point_count);
    assert_int_equal(comparison.caches.point_count, 4 * (L1_POINTS + L2_POINTS));
    b.machine.cpu.hypervisor = true;
    compare(THRESHOLD);
    assert_int_equal(changes(), 0);
}

static void edge_is_never_judged(void **state)
{
    (void)state;
    start_both(1, SIZES);
    for (size_t i = 0; i < SIZES; i++) {
        const size_t bytes = size_of(i);
        const bool edge = (bytes > (512 << 10) && bytes <= (2 << 20)) ||
                          (bytes > (8 << 20) && bytes <= (32 << 20));
        stretch(&b, SIZES, 0, i, i + 1, edge ? 2 : 1);
    }
    compare(THRESHOLD);
    assert_int_equal(changes(), 0);
    assert_int_equal(comparison.regions[RP_REGION_EDGE].point_count, 16);
    assert_int_equal(comparison.regions[RP_REGION_EDGE].differing_count, 16);
    assert_near(comparison.regions[RP_REGION_EDGE].speed, 0.5);
}

static void threshold_decides(void **state)
{
    (void)state;
    start_both(1, L1_POINTS + L2_POINTS);
    stretch(&b, L1_POINTS + L2_POINTS, 0, 0, L1_POINTS + L2_POINTS, 1.02);
    compare(THRESHOLD);
    assert_int_equal(changes(), 0);
    compare(0.01);
    assert_int_equal(changes(), 1);
}

static void few_points_are_no_change(void **state)
{
    (void)state;
    start_both(1, 7);
    stretch(&b, 7, 0, 0, 7, 2);
    compare(THRESHOLD);
    assert_int_equal(changes(), 0);
    assert_int_equal(comparison.series_count, 0);
    assert_int_equal(comparison.sparse_count, 7);
    assert_int_equal(points_with(RP_DIFFERENCE_ALONE), 7);
    rp_comparison_text(&comparison, false, &text);
    assert_contains(text.data, "Nothing could be judged");
}

/* Intervals that overlap are no difference, whatever the medians are. */
static void wide_intervals_are_no_difference(void **state)
{
    (void)state;
    start_both(1, L1_POINTS + L2_POINTS);
    stretch(&b, L1_POINTS + L2_POINTS, 0, 0, L1_POINTS + L2_POINTS, 1.1);
    for (size_t i = 0; i < a.record_count; i++) {
        a.records[i].samples[0].ns *= 1.2;
    }
    compare(THRESHOLD);
    assert_int_equal(points_with(RP_DIFFERENCE_NONE), L1_POINTS + L2_POINTS);
    assert_int_equal(changes(), 0);
}

/* Of 21 points 17 must agree, of the 16 in L2 alone 14. */
static void nearly_all_points_must_agree(void **state)
{
    static const size_t unchanged[] = {0, 1, L1_POINTS, L1_POINTS + 1};

    (void)state;
    start_both(1, L1_POINTS + L2_POINTS);
    stretch(&b, L1_POINTS + L2_POINTS, 0, 0, L1_POINTS + L2_POINTS, 1.1);
    for (size_t i = 0; i < COUNT_OF(unchanged); i++) {
        synthetic_stretch(&b.records[unchanged[i]], 1 / 1.1);
    }
    compare(THRESHOLD);
    assert_int_equal(changes(), 1);
    assert_int_equal(comparison.series[0].region, RP_REGION_OWN_CACHES);
    assert_int_equal(points_with(RP_DIFFERENCE_CHANGE), 17);
    synthetic_stretch(&b.records[L1_POINTS + 2], 1 / 1.1);
    compare(THRESHOLD);
    assert_int_equal(changes(), 0);
    assert_int_equal(points_with(RP_DIFFERENCE_ALONE), 16);
}

static void disturbed_points_are_no_change(void **state)
{
    (void)state;
    start_both(2, L1_POINTS + L2_POINTS);
    stretch(&b, L1_POINTS + L2_POINTS, 0, 0, L1_POINTS + L2_POINTS, 2);
    for (size_t i = 0; i < L1_POINTS + L2_POINTS; i++) {
        (i % 2 == 0 ? &a : &b)->records[i].verdict = RP_VERDICT_DISTURBED;
    }
    compare(THRESHOLD);
    assert_int_equal(changes(), 0);
    assert_int_equal(points_with(RP_DIFFERENCE_DISTURBED), L1_POINTS + L2_POINTS);
    assert_int_equal(comparison.own_caches.disturbed_count, L1_POINTS + L2_POINTS);
    assert_int_equal(comparison.own_caches.point_count, L1_POINTS + L2_POINTS);
    assert_near(comparison.own_caches.speed, 1);
}

static void chains_of_a_unit_are_a_series(void **state)
{
    (void)state;
    synthetic_start(&a);
    synthetic_start(&b);
    for (unsigned chains = 1; chains <= 16; chains++) {
        synthetic_unit(&a, "aesenc-128", chains, 4.0 / chains);
        synthetic_unit(&b, "aesenc-128", chains, 5.0 / chains);
    }
    b.machine.cpu.hypervisor = true;
    compare(THRESHOLD);
    assert_int_equal(comparison.slower_count, 1);
    assert_int_equal(comparison.series[0].region, RP_REGION_CORE);
    assert_near(comparison.series[0].cycles.ratio, 1.25);
}

static void runs_with_nothing_in_common(void **state)
{
    (void)state;
    synthetic_start(&a);
    synthetic_start(&b);
    compare(THRESHOLD);
    assert_int_equal(comparison.point_count, 0);
    synthetic_clock(&a);
    synthetic_unavailable(&b, "units", "aesenc-512", "this CPU has no VAES");
    synthetic_unit(&b, "aesenc-128", 1, 4);
    compare(THRESHOLD);
    assert_int_equal(comparison.point_count, 0);
    assert_int_equal(comparison.only_a_count, 1);
    assert_int_equal(comparison.only_b_count, 1);
    rp_comparison_text(&comparison, true, &text);
    rp_comparison_csv(&comparison, &text);
    assert_contains(text.data, "0 points in both, 1 only in A, 1 only in B");
    assert_null(strstr(text.data, "nan"));
    json_t *const json = rp_comparison_to_json(&comparison);
    assert_non_null(json);
    json_decref(json);
}

/* On a hybrid machine each record lies in the caches of its own kind of core. */
static void core_kinds_have_caches_of_their_own(void **state)
{
    (void)state;
    start_both(2, L1_POINTS + L2_POINTS);
    a.machine.kind_count = 2;
    for (unsigned i = 0; i < 2; i++) {
        struct rp_core_kind *const kind = &a.machine.kinds[i];
        memcpy(kind->levels, a.machine.levels, sizeof kind->levels);
        kind->level_count = a.machine.level_count;
        snprintf(kind->name, sizeof kind->name, i == 0 ? "performance" : "efficiency");
    }
    a.machine.kinds[1].levels[1].shared_by = 4;
    for (size_t i = 0; i < a.record_count; i++) {
        snprintf(a.records[i].core_kind, sizeof a.records[i].core_kind,
                 i % 2 == 0 ? "performance" : "efficiency");
    }
    a.machine.cpu.hypervisor = true;
    compare(THRESHOLD);
    for (size_t i = 0; i < comparison.point_count; i++) {
        const struct rp_compared_point *const point = &comparison.points[i];
        const bool own = point->region == RP_REGION_L1 ||
                         strcmp(point->a->core_kind, "performance") == 0;
        assert_true(point->cached);
        assert_int_equal(point->own_cache, own);
        assert_int_equal(point->exposed, !own);
    }
}

/* ---- noise ---- */

static double uniform(uint64_t *random)
{
    return ((double)(rp_random(random) >> 11) + 0.5) / 9007199254740992.0;
}

/* What two sittings in a virtual machine are like: most points in the core's own caches
 * agree within a percent, one in ten is slowed by up to two, behind them each kernel
 * drifts as a whole and each point once more, and samples scatter by a percent. */
static void add_noise(struct rp_run *run, uint64_t *random)
{
    double drift = 1;

    for (size_t i = 0; i < run->record_count; i++) {
        struct rp_record *const record = &run->records[i];
        const bool own =
            record->working_set_bytes <= (512 << 10) && record->traffic.store_nt == 0;

        if (i % SIZES == 0) {
            drift = 0.9 + 0.2 * uniform(random);
        }
        double factor = own ? 1 + 0.01 * uniform(random) : drift + 0.1 * uniform(random);
        if (uniform(random) < 0.1) {
            factor *= 1 + uniform(random);
        }
        for (size_t j = 0; j < record->sample_count; j++) {
            record->samples[j].ns = 1000 * factor * (1 + 0.01 * uniform(random));
            record->samples[j].cycles = record->samples[j].ns * 2;
        }
    }
}

static void noise_is_no_change(void **state)
{
    uint64_t random = 5;

    (void)state;
    start_both(KERNELS, SIZES);
    a.machine.cpu.hypervisor = true;
    for (int trial = 0; trial < 60; trial++) {
        add_noise(&a, &random);
        add_noise(&b, &random);
        compare(THRESHOLD);
        assert_int_equal(changes(), 0);
        assert_true(points_with(RP_DIFFERENCE_ALONE) > 100);
    }
}

static void change_is_found_in_noise(void **state)
{
    size_t found = 0;
    uint64_t random = 6;

    (void)state;
    start_both(KERNELS, SIZES);
    a.machine.cpu.hypervisor = true;
    for (int trial = 0; trial < 30; trial++) {
        add_noise(&a, &random);
        add_noise(&b, &random);
        stretch(&b, SIZES, 7, 0, SIZES, 1.06);
        compare(THRESHOLD);
        assert_true(changes() <= 1);
        if (changes() == 1) {
            assert_string_equal(comparison.series[0].record->kernel, "kernel-07");
            assert_true(comparison.series[0].speed.ratio < 1);
            found++;
        }
    }
    assert_true(found >= 24);
}

/* ---- formats ---- */

static void text_tells_what_differs_around_the_runs(void **state)
{
    (void)state;
    synthetic_start(&a);
    synthetic_start(&b);
    snprintf(b.machine.name, sizeof b.machine.name, "another");
    snprintf(b.compiler, sizeof b.compiler, "clang 14");
    compare(THRESHOLD);
    rp_comparison_text(&comparison, false, &text);
    assert_contains(text.data, "These are two machines");
    assert_contains(text.data, "  compiler          A  gcc 12.2.0\n"
                               "                    B  clang 14\n");
}

static void csv_has_a_row_for_each_point(void **state)
{
    size_t lines = 0;

    (void)state;
    start_both(2, 10);
    b.records[3].verdict = RP_VERDICT_DISTURBED;
    b.records[4].samples[0].ns = b.records[4].samples[0].baseline_ns = 1;
    snprintf(a.records[0].kernel, sizeof a.records[0].kernel, "a \"b\", c");
    compare(THRESHOLD);
    rp_comparison_csv(&comparison, &text);
    for (const char *line = text.data; *line != '\0'; line = strchr(line, '\n') + 1) {
        size_t commas = 0;
        bool quoted = false;
        for (const char *c = line; *c != '\n'; c++) {
            quoted = quoted != (*c == '"');
            commas += *c == ',' && !quoted;
        }
        assert_int_equal(commas, 16);
        lines++;
    }
    assert_int_equal(lines, 21);
    assert_contains(text.data, "\nsweep/kernel-00/16384,\"a \"\"b\"\", c\",temporal,L1,"
                               "16384,0,1,1,1,1,1,1,1,steady,steady,yes,none\n");
    assert_contains(text.data, ",steady,disturbed,yes,disturbed\n");
}

static void json_holds_everything(void **state)
{
    (void)state;
    start_both(2, L1_POINTS + L2_POINTS);
    stretch(&b, L1_POINTS + L2_POINTS, 1, 0, L1_POINTS + L2_POINTS, 1.25);
    compare(THRESHOLD);
    json_t *const json = rp_comparison_to_json(&comparison);
    const json_t *const series = json_object_get(json, "series");
    const json_t *const first = json_array_get(series, 0);
    assert_int_equal(json_integer_value(json_object_get(json, "slower_series")), 1);
    assert_int_equal(json_array_size(json_object_get(json, "points")),
                     2 * (L1_POINTS + L2_POINTS));
    assert_int_equal(json_array_size(series), comparison.series_count);
    assert_true(json_is_true(json_object_get(first, "changed")));
    assert_string_equal(json_string_value(json_object_get(first, "region")),
                        "own caches");
    assert_near(
        json_real_value(json_object_get(json_object_get(first, "speed"), "ratio")), 0.8);
    json_decref(json);
}

static void json_counts_threads_beyond_int(void **state)
{
    (void)state;
    start_both(1, L1_POINTS + L2_POINTS);
    for (size_t i = 0; i < a.record_count; i++) {
        a.records[i].threads = UINT_MAX;
    }
    compare(THRESHOLD);
    json_t *const json = rp_comparison_to_json(&comparison);
    const json_t *const first = json_array_get(json_object_get(json, "series"), 0);
    assert_int_equal(json_integer_value(json_object_get(first, "threads")), UINT_MAX);
    json_decref(json);
}

#define TEST(name) cmocka_unit_test_teardown(name, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(run_is_like_itself),
        TEST(slower_kernel_is_found),
        TEST(another_clock_is_no_change_of_a_kernel),
        TEST(larger_change_comes_first),
        TEST(change_of_one_level_is_found),
        TEST(memory_is_judged_on_metal_only),
        TEST(nt_stores_are_not_in_a_cache),
        TEST(edge_is_never_judged),
        TEST(threshold_decides),
        TEST(few_points_are_no_change),
        TEST(wide_intervals_are_no_difference),
        TEST(nearly_all_points_must_agree),
        TEST(disturbed_points_are_no_change),
        TEST(chains_of_a_unit_are_a_series),
        TEST(runs_with_nothing_in_common),
        TEST(core_kinds_have_caches_of_their_own),
        TEST(noise_is_no_change),
        TEST(change_is_found_in_noise),
        TEST(text_tells_what_differs_around_the_runs),
        TEST(csv_has_a_row_for_each_point),
        TEST(json_holds_everything),
        TEST(json_counts_threads_beyond_int),
    };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
