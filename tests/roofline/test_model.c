/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "tests/unit/unit.h"

#include "roofline/model.h"
#include "tests/roofline/synthetic_run.h"

#define CLOSE 1e-9

/* Relative comparison: the quantities span ten orders of magnitude. */
#define assert_near(actual, expected) assert_float_equal((actual) / (expected), 1, CLOSE)

static struct rp_run run;
static struct rp_model model;
static struct rp_error error;

static void build(void)
{
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

static const struct rp_point *point_of(const char *kernel, enum rp_mode mode,
                                       size_t bytes)
{
    for (size_t i = 0; i < model.point_count; i++) {
        const struct rp_point *const point = &model.points[i];
        if (strcmp(point->kernel, kernel) == 0 && point->mode == mode &&
            point->working_set_bytes == bytes) {
            return point;
        }
    }
    fail_msg("no point %s at %zu bytes", kernel, bytes);
    return NULL;
}

static void clock_is_the_clock_probes(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_stretch(synthetic_stream(&run, "load-avx2", "L1", 16 << 10, 1e9), 1);
    run.records[0].samples[0].cycles *= 3;
    synthetic_clock(&run);
    build();
    assert_near(model.hz, SYNTHETIC_HZ);
    assert_near(model.hz_summary.maximum, SYNTHETIC_HZ);
}

static void clock_without_its_probe_comes_from_the_records(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_stream(&run, "load-avx2", "L1", 16 << 10, 1e9);
    build();
    assert_near(model.hz, SYNTHETIC_HZ);
    assert_int_equal(model.hz_summary.count, SYNTHETIC_SAMPLES);
}

static void unit_has_latency_throughput_and_knee(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-256", 16, 0.5);
    synthetic_unit(&run, "aesenc-256", 10, 0.505);
    synthetic_unit(&run, "aesenc-256", 8, 0.52);
    synthetic_unit(&run, "aesenc-256", 1, 4);
    build();

    const struct rp_unit *const unit = rp_model_unit(&model, "aesenc-256");
    assert_non_null(unit);
    assert_int_equal(unit->width_bits, 256);
    assert_int_equal(unit->step_count, 4);
    assert_int_equal(unit->steps[0].chains, 1);
    assert_int_equal(unit->steps[3].chains, 16);
    assert_near(unit->latency_cycles, 4);
    assert_near(unit->throughput_cycles.value, 0.5);
    assert_int_equal(unit->throughput_record_id, 1);
    assert_int_equal(unit->knee_chains, 10);
    assert_near(unit->hz, SYNTHETIC_HZ);
}

static void unit_without_one_chain_has_no_latency(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-128", 8, 0.5);
    build();
    assert_float_equal(rp_model_unit(&model, "aesenc-128")->latency_cycles, 0, 0);
}

static void disturbed_step_wins_only_alone(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-128", 8, 0.4)->verdict = RP_VERDICT_DISTURBED;
    synthetic_unit(&run, "aesenc-128", 10, 0.5);
    synthetic_unit(&run, "aesenc-512", 8, 0.4)->verdict = RP_VERDICT_DISTURBED;
    build();
    assert_near(rp_model_unit(&model, "aesenc-128")->throughput_cycles.value, 0.5);
    assert_near(rp_model_unit(&model, "aesenc-512")->throughput_cycles.value, 0.4);
    assert_int_equal(model.disturbed_count, 2);
}

static void lucky_step_does_not_set_the_throughput(void **state)
{
    (void)state;
    synthetic_start(&run);
    struct rp_record *const lucky = synthetic_unit(&run, "aesenc-128", 8, 0.48);
    lucky->samples[0].cycles += 1000;
    synthetic_unit(&run, "aesenc-128", 10, 0.5);
    build();
    assert_near(rp_model_unit(&model, "aesenc-128")->throughput_cycles.value, 0.5);
}

static void more_chains_than_a_unit_holds_are_left_out(void **state)
{
    (void)state;
    synthetic_start(&run);
    for (unsigned chains = 1; chains <= 2 * RP_MAX_CHAINS; chains++) {
        synthetic_unit(&run, "aesenc-128", chains, 4.0 / chains);
    }
    build();
    assert_int_equal(rp_model_unit(&model, "aesenc-128")->step_count, RP_MAX_CHAINS);
}

static void roof_is_the_best_variant(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_stream(&run, "load-sse2", "L2", 128 << 10, 40e9);
    synthetic_stream(&run, "load-avx2", "L2", 256 << 10, 80e9);
    synthetic_stream(&run, "load-avx2", "L2", 512 << 10, 79e9);
    struct rp_record *const doubtful =
        synthetic_stream(&run, "load-avx512", "L2", 256 << 10, 99e9);
    doubtful->verdict = RP_VERDICT_DISTURBED;
    doubtful->samples[0].ns *= 1.5; /* 66 GB/s */
    synthetic_stream(&run, "store-avx2", "DRAM", 64 << 20, 9e9)->verdict =
        RP_VERDICT_DISTURBED;
    build();

    const struct rp_bandwidth_roof *const roof = rp_model_roof(&model, "load", 1);
    assert_non_null(roof);
    assert_near(roof->bytes_per_s.value, 80e9);
    assert_string_equal(roof->variant, "load-avx2");
    assert_int_equal(roof->working_set_bytes, 256 << 10);
    assert_int_equal(roof->record_id, 2);
    assert_near(rp_model_roof(&model, "store", 3)->bytes_per_s.value, 9e9);
    assert_null(rp_model_roof(&model, "load", 3));
}

/* 24 KiB is well inside a cache of 32 KiB; 30 KiB is not. */
static void roof_may_come_from_the_sweep(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_stream(&run, "load-avx2", "L1", 16 << 10, 100e9);
    synthetic_stream(&run, "load-avx2", "", 24 << 10, 110e9);
    synthetic_stream(&run, "load-avx2", "", 30 << 10, 120e9);
    build();
    assert_near(rp_model_roof(&model, "load", 0)->bytes_per_s.value, 110e9);
}

static void disturbed_roof_wins_when_faster_beyond_doubt(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_stream(&run, "load-sse2", "L1", 16 << 10, 40e9);
    synthetic_stream(&run, "load-avx2", "L1", 16 << 10, 80e9)->verdict =
        RP_VERDICT_DISTURBED;
    build();
    assert_string_equal(model.roofs[0].variant, "load-avx2");
}

static void bus_factor_counts_write_allocates_below_l1(void **state)
{
    (void)state;
    synthetic_full(&run);
    build();
    assert_near(rp_model_roof(&model, "copy", 0)->bus_factor, 1);
    assert_near(rp_model_roof(&model, "copy", 1)->bus_factor, 1.5);
    assert_near(rp_model_roof(&model, "copy-nt", 3)->bus_factor, 1);
    assert_near(rp_model_roof(&model, "store", 3)->bus_factor, 2);
    assert_near(rp_model_roof(&model, "update", 3)->bus_factor, 1);
    const struct rp_point *const point =
        point_of("aes128ctr-vaes512-x8", RP_MODE_TEMPORAL, 256 << 20);
    assert_near(point->payload_bytes_per_item, 2);
    assert_near(point->bus_bytes_per_item, 3);
}

/* The samples spread: the slow quartile of the time is the fast one of the rate. */
static void quartiles_keep_their_order_when_inverted(void **state)
{
    (void)state;
    synthetic_start(&run);
    struct rp_record *const record =
        synthetic_stream(&run, "load-avx2", "L1", 8 << 10, 1e9);
    for (size_t i = 0; i < record->sample_count; i++) {
        record->samples[i].ns *= 1 + 0.1 * (double)i;
    }
    build();
    const struct rp_estimate *const rate = &model.roofs[0].bytes_per_s;
    assert_true(rate->low < rate->lower_quartile);
    assert_true(rate->lower_quartile < rate->value);
    assert_true(rate->value < rate->upper_quartile);
    assert_true(rate->upper_quartile < rate->high);
}

static void bound_by_the_unit_in_cache(void **state)
{
    (void)state;
    synthetic_full(&run);
    build();
    const struct rp_point *const point =
        point_of("aes128ctr-vaes512-x8", RP_MODE_TEMPORAL, 256 << 10);
    assert_int_equal(point->bound_kind, RP_BOUND_UNIT);
    assert_string_equal(point->bound, "aesenc-512");
    assert_near(point->unit_cycles_per_item, 10.0 / 64);
    assert_near(point->bound_items_per_s, SYNTHETIC_HZ / (10.0 / 64));
    assert_near(point->attained, 12.16e9 / 12.8e9);
    assert_near(point->cycles_per_item.value, SYNTHETIC_HZ / 12.16e9);
    assert_near(point->hz, SYNTHETIC_HZ);
    assert_false(point->above_roof);
}

static void bound_by_memory_of_the_own_mix(void **state)
{
    (void)state;
    synthetic_full(&run);
    build();
    static const struct {
        enum rp_mode mode;
        const char *bound;
        double items_per_s;
    } cases[] = {
        {RP_MODE_TEMPORAL, "copy DRAM", 5e9},
        {RP_MODE_NT, "copy-nt DRAM", 8e9},
        {RP_MODE_INPLACE, "update DRAM", 9e9},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct rp_point *const point =
            point_of("aes128ctr-vaes512-x8", cases[i].mode, 256 << 20);
        assert_int_equal(point->bound_kind, RP_BOUND_BANDWIDTH);
        assert_string_equal(point->bound, cases[i].bound);
        assert_near(point->bound_items_per_s, cases[i].items_per_s);
    }
}

/* Between two steps of the curve the bound lies on the line of a doubly logarithmic plot.
 */
static void bound_between_two_sizes_is_interpolated(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_stream(&run, "copy-avx2", "", 1 << 10, 64e9);
    synthetic_stream(&run, "copy-avx2", "", 4 << 10, 16e9);
    synthetic_stream(&run, "copy-sse2", "", 4 << 10, 8e9);
    synthetic_stream(&run, "copy-avx2", "L1", 16 << 10, 70e9);
    synthetic_cipher(&run, "ttable", 0, RP_MODE_TEMPORAL, 2 << 10, 1e9);
    synthetic_cipher(&run, "ttable", 0, RP_MODE_TEMPORAL, 8 << 10, 1e9);
    build();
    assert_int_equal(rp_model_curve(&model, "copy")->step_count, 2);
    assert_string_equal(rp_model_curve(&model, "copy")->steps[1].variant, "copy-avx2");
    const struct rp_point *point =
        point_of("aes128ctr-ttable", RP_MODE_TEMPORAL, 2 << 10);
    assert_near(point->bound_items_per_s, 16e9);
    /* Beyond the curve the level's roof takes over. */
    point = point_of("aes128ctr-ttable", RP_MODE_TEMPORAL, 8 << 10);
    assert_near(point->bound_items_per_s, 35e9);
}

static void stream_is_bound_by_its_levels_roof(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_stream(&run, "load-avx2", "L1", 16 << 10, 200e9);
    synthetic_stream(&run, "load-avx2", "", 24 << 10, 150e9);
    build();
    const struct rp_point *const point = point_of("load-avx2", RP_MODE_NONE, 24 << 10);
    assert_string_equal(point->bound, "load L1");
    assert_near(point->attained, 0.75);
}

static void above_roof_needs_more_than_two_per_cent(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_stream(&run, "load-avx2", "L1", 16 << 10, 100e9);
    synthetic_stream(&run, "load-avx2", "", 28 << 10, 101e9);
    synthetic_stream(&run, "load-avx2", "", 30 << 10, 110e9);
    build();
    assert_false(point_of("load-avx2", RP_MODE_NONE, 28 << 10)->above_roof);
    assert_true(point_of("load-avx2", RP_MODE_NONE, 30 << 10)->above_roof);
    assert_int_equal(model.above_roof_count, 1);
}

static void above_roof_needs_separate_intervals(void **state)
{
    (void)state;
    synthetic_start(&run);
    struct rp_record *const roof =
        synthetic_stream(&run, "load-avx2", "L1", 16 << 10, 100e9);
    roof->samples[0].ns /= 2;
    roof->samples[1].ns /= 2;
    synthetic_stream(&run, "load-avx2", "", 30 << 10, 110e9);
    build();
    assert_true(model.points[0].attained > 1.09);
    assert_false(model.points[0].above_roof);
}

/* Half of 2 MiB fits into L2, so the pass may take half its time from L2's bandwidth. */
static void nearer_cache_explains_a_point_above_its_level(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_stream(&run, "load-avx2", "L2", 256 << 10, 90e9);
    synthetic_stream(&run, "load-avx2", "L3", 8 << 20, 30e9);
    synthetic_stream(&run, "load-avx2", "", 2 << 20, 44e9);
    synthetic_stream(&run, "load-avx2", "", 14 << 20, 44e9);
    build();
    assert_false(point_of("load-avx2", RP_MODE_NONE, 2 << 20)->above_roof);
    assert_true(point_of("load-avx2", RP_MODE_NONE, 14 << 20)->above_roof);
}

/* Nothing of the destination is cached, so all of the source still fits into L1. */
static void nt_stores_leave_the_nearer_cache_to_the_source(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_stream(&run, "copy-nt-avx2", "L1", 16 << 10, 50e9);
    synthetic_stream(&run, "copy-nt-avx2", "L2", 256 << 10, 40e9);
    synthetic_stream(&run, "copy-nt-avx2", "", 64 << 10, 49e9);
    build();
    assert_string_equal(model.points[0].bound, "copy-nt L2");
    assert_false(model.points[0].above_roof);
}

/* The curve was measured with the same share in the nearer cache: it allows no more. */
static void curve_is_allowed_nothing_from_the_nearer_cache(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_stream(&run, "copy-avx2", "L1", 16 << 10, 160e9);
    synthetic_stream(&run, "copy-avx2", "L2", 256 << 10, 80e9);
    synthetic_stream(&run, "copy-avx2", "", 64 << 10, 90e9);
    synthetic_cipher(&run, "ttable", 0, RP_MODE_TEMPORAL, 64 << 10, 50e9);
    synthetic_cipher(&run, "ttable", 0, RP_MODE_TEMPORAL, 96 << 10, 41e9);
    build();
    assert_true(point_of("aes128ctr-ttable", RP_MODE_TEMPORAL, 64 << 10)->above_roof);
    /* Past the curve's end the level's roof takes over, with its allowance. */
    assert_false(point_of("aes128ctr-ttable", RP_MODE_TEMPORAL, 96 << 10)->above_roof);
}

/* No figure has a place for them, and their logarithms would spoil the others. */
static void sizes_and_chains_of_zero_are_left_out(void **state)
{
    (void)state;
    synthetic_full(&run);
    const size_t records = run.record_count;
    synthetic_unit(&run, "aesenc-128", 0, 0.1);
    synthetic_stream(&run, "copy-avx2", "", 0, 1e12);
    synthetic_cipher(&run, "ttable", 0, RP_MODE_TEMPORAL, 0, 1e12);
    build();
    assert_int_equal(run.record_count, records + 3);
    assert_int_equal(rp_model_unit(&model, "aesenc-128")->steps[0].chains, 1);
    assert_true(rp_model_curve(&model, "copy")->steps[0].working_set_bytes > 0);
    for (size_t i = 0; i < model.point_count; i++) {
        assert_true(model.points[i].working_set_bytes > 0);
    }
}

/* The file is a whole one or the old one. */
static void model_file_is_never_torn(void **state)
{
    (void)state;
    synthetic_full(&run);
    build();
    assert_false(rp_model_write(&model, "/dev/full", &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "/dev/full");
}

static void faster_than_its_unit_is_above_roof(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-128", 8, 0.5);
    synthetic_cipher(&run, "aesni-x8", 128, RP_MODE_TEMPORAL, 256 << 10, 7e9);
    build();
    assert_string_equal(model.points[0].bound, "aesenc-128");
    assert_true(model.points[0].above_roof);
}

static void no_l3_leaves_three_levels(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_drop_l3(&run);
    synthetic_stream(&run, "copy-avx2", "DRAM", 64 << 20, 10e9);
    synthetic_cipher(&run, "ttable", 0, RP_MODE_TEMPORAL, 4 << 20, 1e9);
    build();
    assert_non_null(rp_model_roof(&model, "copy", 2));
    assert_string_equal(model.points[0].bound, "copy DRAM");
}

/* Without caches to be seen, the first level is memory and write-allocates count there.
 */
static void memory_alone_is_no_nearest_cache(void **state)
{
    (void)state;
    synthetic_start(&run);
    run.machine.levels[0] = run.machine.levels[3];
    run.machine.level_count = 1;
    synthetic_stream(&run, "copy-avx2", "DRAM", 64 << 20, 10e9);
    build();
    assert_near(rp_model_roof(&model, "copy", 0)->bus_factor, 1.5);
}

static void points_alone_have_no_bound(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_cipher(&run, "vaes512-x8", 512, RP_MODE_TEMPORAL, 256 << 10, 5e9);
    build();
    assert_int_equal(model.points[0].bound_kind, RP_BOUND_UNKNOWN);
    assert_string_equal(model.points[0].bound, "");
    assert_false(model.points[0].above_roof);
    assert_float_equal(model.points[0].bound_items_per_s, 0, 0);
}

static void absences_are_listed_once(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unavailable(&run, "sweep", "aes128ctr-vaes512-x8", "this CPU has no VAES");
    synthetic_unavailable(&run, "sweep", "aes128ctr-vaes512-x8", "this CPU has no VAES");
    synthetic_unavailable(&run, "units", "aesenc-512", "this CPU has no VAES");
    build();
    assert_int_equal(model.absence_count, 2);
    assert_string_equal(model.absences[0].name, "aes128ctr-vaes512-x8");
    assert_string_equal(rp_model_unit(&model, "aesenc-512")->unavailable,
                        "this CPU has no VAES");
    assert_int_equal(model.point_count, 0);
}

static void senseless_samples_are_passed_over(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_clock(&run);
    struct rp_record *record = synthetic_unit(&run, "aesenc-128", 8, 0.5);
    record->samples[0].cycles = 0; /* less than its baseline */
    record = synthetic_stream(&run, "load-avx2", "L1", 16 << 10, 1e9);
    synthetic_stretch(record, 0);
    record = synthetic_cipher(&run, "ttable", 0, RP_MODE_TEMPORAL, 4 << 20, 1e9);
    record->items_per_sample = 0;
    build();
    assert_near(rp_model_unit(&model, "aesenc-128")->throughput_cycles.value, 0.5);
    assert_int_equal(model.roof_count, 0);
    assert_int_equal(model.point_count, 0);
}

static void empty_run_is_refused(void **state)
{
    (void)state;
    synthetic_start(&run);
    assert_false(rp_model_build(&model, &run, 0, &error));
    assert_int_equal(error.status, RP_USAGE);
    assert_non_null(strstr(error.message, "no usable record"));
}

static void points_are_ordered(void **state)
{
    (void)state;
    synthetic_full(&run);
    build();
    for (size_t i = 1; i < model.point_count; i++) {
        const struct rp_point *const a = &model.points[i - 1];
        const struct rp_point *const b = &model.points[i];
        const int kernels = strcmp(a->kernel, b->kernel);
        assert_true(kernels < 0 || (kernels == 0 && a->mode <= b->mode));
        assert_true(kernels < 0 || a->mode < b->mode ||
                    a->working_set_bytes < b->working_set_bytes);
    }
}

/* Every number of the model's JSON leads back to a record. */
static void json_names_its_records(void **state)
{
    static const char *const arrays[] = {"roofs", "points"};

    (void)state;
    synthetic_full(&run);
    build();
    json_t *const root = rp_model_to_json(&model);
    assert_non_null(root);
    for (size_t i = 0; i < COUNT_OF(arrays); i++) {
        const json_t *const array = json_object_get(root, arrays[i]);
        assert_true(json_array_size(array) > 0);
        for (size_t j = 0; j < json_array_size(array); j++) {
            const json_t *const id = json_object_get(json_array_get(array, j), "record");
            assert_non_null(rp_model_record(&model, (uint64_t)json_integer_value(id)));
        }
    }
    const json_t *const unit = json_array_get(json_object_get(root, "units"), 0);
    const json_t *const step = json_array_get(json_object_get(unit, "steps"), 0);
    assert_int_equal(json_integer_value(json_object_get(step, "record")), 2);
    assert_non_null(json_object_get(root, "machine"));
    json_decref(root);
}

static void unwritable_path_is_named(void **state)
{
    (void)state;
    synthetic_full(&run);
    build();
    assert_false(rp_model_write(&model, "/nonexistent/model.json", &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_non_null(strstr(error.message, "/nonexistent/model.json"));
}

#define TEST(name) cmocka_unit_test_teardown(name, end)

/* Counts of a file go up to 2^32 - 1. */
static void large_counts_stay_positive(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unit(&run, "x-4294967295", UINT32_MAX, 1);
    synthetic_unavailable(&run, "units", "y-4294967295", "no");
    build();
    json_t *const root = rp_model_to_json(&model);
    const json_t *const units = json_object_get(root, "units");
    const json_t *const unit = json_array_get(units, 0);
    const json_t *const step = json_array_get(json_object_get(unit, "steps"), 0);
    assert_int_equal(json_integer_value(json_object_get(step, "chains")), UINT32_MAX);
    assert_int_equal(json_integer_value(json_object_get(unit, "knee_chains")),
                     UINT32_MAX);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(
            json_integer_value(json_object_get(json_array_get(units, i), "width_bits")),
            UINT32_MAX);
    }
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(clock_is_the_clock_probes),
        TEST(clock_without_its_probe_comes_from_the_records),
        TEST(unit_has_latency_throughput_and_knee),
        TEST(unit_without_one_chain_has_no_latency),
        TEST(disturbed_step_wins_only_alone),
        TEST(lucky_step_does_not_set_the_throughput),
        TEST(more_chains_than_a_unit_holds_are_left_out),
        TEST(roof_is_the_best_variant),
        TEST(roof_may_come_from_the_sweep),
        TEST(disturbed_roof_wins_when_faster_beyond_doubt),
        TEST(bus_factor_counts_write_allocates_below_l1),
        TEST(quartiles_keep_their_order_when_inverted),
        TEST(bound_by_the_unit_in_cache),
        TEST(bound_by_memory_of_the_own_mix),
        TEST(bound_between_two_sizes_is_interpolated),
        TEST(stream_is_bound_by_its_levels_roof),
        TEST(above_roof_needs_more_than_two_per_cent),
        TEST(above_roof_needs_separate_intervals),
        TEST(nearer_cache_explains_a_point_above_its_level),
        TEST(nt_stores_leave_the_nearer_cache_to_the_source),
        TEST(curve_is_allowed_nothing_from_the_nearer_cache),
        TEST(sizes_and_chains_of_zero_are_left_out),
        TEST(model_file_is_never_torn),
        TEST(faster_than_its_unit_is_above_roof),
        TEST(no_l3_leaves_three_levels),
        TEST(memory_alone_is_no_nearest_cache),
        TEST(points_alone_have_no_bound),
        TEST(absences_are_listed_once),
        TEST(senseless_samples_are_passed_over),
        TEST(empty_run_is_refused),
        TEST(points_are_ordered),
        TEST(json_names_its_records),
        TEST(unwritable_path_is_named),
        TEST(large_counts_stay_positive),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
