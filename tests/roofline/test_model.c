/* SPDX-License-Identifier: MIT */
#include "tests/roofline/model_fixture.h"

#include <string.h>

static struct rp_error error;

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

static void disturbed_step_wins_only_alone_or_beyond_doubt(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-128", 8, 0.48)->verdict = RP_VERDICT_DISTURBED;
    synthetic_unit(&run, "aesenc-128", 10, 0.5);
    synthetic_unit(&run, "aesenc-512", 8, 0.4)->verdict = RP_VERDICT_DISTURBED;
    build();
    assert_near(rp_model_unit(&model, "aesenc-128")->throughput_cycles.value, 0.5);
    assert_near(rp_model_unit(&model, "aesenc-512")->throughput_cycles.value, 0.4);
    assert_int_equal(model.disturbed_count, 2);
    end(state);

    /* What was left undisturbed has too few chains. */
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-256", 1, 3);
    synthetic_unit(&run, "aesenc-256", 2, 1.5);
    synthetic_unit(&run, "aesenc-256", 6, 0.5)->verdict = RP_VERDICT_DISTURBED;
    synthetic_unit(&run, "aesenc-256", 8, 0.52)->verdict = RP_VERDICT_DISTURBED;
    synthetic_unit(&run, "aesenc-512", 6, 0.5)->verdict = RP_VERDICT_DISTURBED;
    synthetic_unit(&run, "aesenc-512", 2, 1.5);
    build();
    assert_near(rp_model_unit(&model, "aesenc-256")->throughput_cycles.value, 0.5);
    assert_near(rp_model_unit(&model, "aesenc-256")->latency_cycles, 3);
    assert_near(rp_model_unit(&model, "aesenc-512")->throughput_cycles.value, 0.5);
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
        TEST(disturbed_step_wins_only_alone_or_beyond_doubt),
        TEST(lucky_step_does_not_set_the_throughput),
        TEST(more_chains_than_a_unit_holds_are_left_out),
        TEST(roof_is_the_best_variant),
        TEST(roof_may_come_from_the_sweep),
        TEST(disturbed_roof_wins_when_faster_beyond_doubt),
        TEST(bus_factor_counts_write_allocates_below_l1),
        TEST(quartiles_keep_their_order_when_inverted),
        TEST(sizes_and_chains_of_zero_are_left_out),
        TEST(model_file_is_never_torn),
        TEST(no_l3_leaves_three_levels),
        TEST(memory_alone_is_no_nearest_cache),
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
