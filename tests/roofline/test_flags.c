/* SPDX-License-Identifier: MIT */
/* Every flag provoked, and none by a clean run. */
#include "tests/roofline/model_fixture.h"

#include <string.h>

/* The model has exactly one flag: this record's, which says this. */
static void assert_flagged(uint64_t record_id, const char *what, const char *cause)
{
    for (size_t i = 1; i < model.flag_count; i++) {
        print_message("%s: %s\n", model.flags[i].where, model.flags[i].what);
    }
    assert_int_equal(model.flag_count, 1);
    assert_int_equal(model.flags[0].record_id, record_id);
    assert_contains(model.flags[0].what, what);
    assert_contains(model.flags[0].cause, cause);
    assert_true(strlen(model.flags[0].what_to_do) > 0);
    assert_true(strlen(model.flags[0].where) > 0);
    assert_ptr_equal(rp_model_flag(&model, record_id), &model.flags[0]);
}

/* Cycles as a counter would tell them that ticks at another rate than the core. */
static void count_cycles_at(struct rp_record *record, double ratio)
{
    for (size_t i = 0; i < record->sample_count; i++) {
        record->samples[i].cycles *= ratio;
        record->samples[i].baseline_cycles *= ratio;
    }
}

static void clean_run_has_no_flag(void **state)
{
    (void)state;
    synthetic_full(&run);
    build();
    assert_int_equal(model.flag_count, 0);
    assert_null(rp_model_flag(&model, 1));
}

/* 64 bytes a cycle fit through two 256-bit ports, 150 GB/s at 1 GHz through none. */
static void more_than_the_ports_move(void **state)
{
    static const struct {
        const char *kernel;
        double possible; /* bytes per cycle */
        double too_many;
    } cases[] = {
        {"load-sse2", 64, 70},     {"load-avx2", 96, 105},    {"load-avx512", 128, 140},
        {"store-avx2", 64, 70},    {"update-avx2", 128, 140}, {"copy-avx512", 256, 280},
        {"store-nt-avx2", 64, 70},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        synthetic_start(&run);
        synthetic_stream(&run, cases[i].kernel, "", 16 * RP_KIB,
                         cases[i].possible * SYNTHETIC_HZ);
        synthetic_clock(&run);
        build();
        assert_int_equal(model.flag_count, 0);
        end(NULL);
        synthetic_start(&run);
        synthetic_stream(&run, cases[i].kernel, "", 16 * RP_KIB,
                         cases[i].too_many * SYNTHETIC_HZ);
        synthetic_clock(&run);
        build();
        assert_flagged(1, "bytes per cycle", "time stamp counter");
        end(NULL);
    }
}

static void latency_under_one_cycle(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_clock(&run);
    synthetic_unit(&run, "aesenc-128", 1, 0.5);
    build();
    assert_flagged(2, "0.50 cycles; none is below 1", "the chain is not one");
}

static void throughput_beyond_any_core(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_clock(&run);
    synthetic_unit(&run, "aesenc-128", 1, 1);
    synthetic_unit(&run, "aesenc-128", 8, 0.2);
    build();
    assert_flagged(3, "one every 0.200 cycles", "time stamp counter");
}

/* The counter ticks at an eighth of the clock: 0.05 cycles a byte where 0.156 is least.
 */
static void cheaper_than_its_instructions(void **state)
{
    (void)state;
    synthetic_start(&run);
    count_cycles_at(
        synthetic_cipher(&run, "aesni-x8", 128, RP_MODE_TEMPORAL, 256 * RP_KIB, 5e9),
        1.0 / 8);
    build();
    assert_flagged(1, "0.050 cycles per byte", "time stamp counter");
}

static void above_its_unit(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-128", 8, 0.5);
    synthetic_cipher(&run, "aesni-x8", 128, RP_MODE_TEMPORAL, 256 * RP_KIB, 7e9);
    build();
    assert_flagged(2, "above its roof: 1.09 x aesenc-128", "clock or the unit");
    assert_contains(model.flags[0].where, "aes128ctr-aesni-x8, temporal, 256 KiB");
}

static void above_its_bandwidth(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_stream(&run, "load-avx2", "L1", 16 * RP_KIB, 100e9);
    synthetic_stream(&run, "load-avx2", "", 30 * RP_KIB, 110e9);
    build();
    assert_flagged(2, "above its roof: 1.10 x load L1", "slower moment");
}

static void add_row(const double *gb_per_s, size_t count)
{
    synthetic_start(&run);
    for (size_t i = 0; i < count; i++) {
        synthetic_cipher(&run, "ttable", 0, RP_MODE_TEMPORAL, (64 * RP_KIB) << i,
                         gb_per_s[i] * 1e9);
    }
}

static void dips_and_peaks(void **state)
{
    static const double dip[] = {1, 1, 0.8, 1};
    static const double peak[] = {1, 1, 1.2, 1};

    (void)state;
    add_row(dip, COUNT_OF(dip));
    build();
    assert_flagged(3, "0.80 x", "a disturbance");
    end(NULL);
    add_row(peak, COUNT_OF(peak));
    build();
    assert_flagged(3, "1.20 x", "a disturbance");
}

static void ordinary_curves_are_in_line(void **state)
{
    static const double small[] = {1, 1, 0.92, 1};
    static const double fall[] = {1, 0.8, 0.5, 0.4};
    static const double border[] = {1, 1, 1, 1, 0.5, 1}; /* 1 MiB ends the L2 */

    (void)state;
    add_row(small, COUNT_OF(small));
    build();
    assert_int_equal(model.flag_count, 0);
    end(NULL);
    add_row(fall, COUNT_OF(fall));
    build();
    assert_int_equal(model.flag_count, 0);
    end(NULL);
    add_row(border, COUNT_OF(border));
    build();
    assert_int_equal(model.flag_count, 0);
}

/* A dip whose interval reaches the others', and one that is disturbed and known to be. */
static void wide_and_disturbed_dips_are_no_news(void **state)
{
    static const double dip[] = {1, 1, 0.8, 1};

    (void)state;
    add_row(dip, COUNT_OF(dip));
    run.records[2].samples[0].ns *= 0.7; /* the fastest of eight ends the interval */
    run.records[2].samples[0].cycles *= 0.7;
    build();
    assert_int_equal(model.flag_count, 0);
    end(NULL);
    add_row(dip, COUNT_OF(dip));
    synthetic_clock(&run);
    run.records[2].verdict = RP_VERDICT_DISTURBED;
    build();
    assert_int_equal(model.flag_count, 0);
}

static void levels_that_are_not_told_apart(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_stream(&run, "load-avx2", "L1", 16 * RP_KIB, 50e9);
    synthetic_stream(&run, "load-avx2", "L2", 256 * RP_KIB, 49.5e9);
    build();
    assert_flagged(2, "not told apart: 50.0 and 49.5 GB/s", "something else than");
    assert_string_equal(model.flags[0].where, "load, L1 and L2");
}

static void farther_level_that_is_faster(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_stream(&run, "copy-avx2", "L1", 16 * RP_KIB, 40e9);
    synthetic_stream(&run, "copy-avx2", "L2", 256 * RP_KIB, 60e9);
    synthetic_stream(&run, "copy-nt-avx2", "L1", 16 * RP_KIB, 10e9);
    synthetic_stream(&run, "copy-nt-avx2", "L2", 256 * RP_KIB, 12e9);
    build();
    assert_flagged(2, "farther level is faster: 40.0 and 60.0 GB/s", "disturbance");
}

static void curve_without_a_bend(void **state)
{
    (void)state;
    synthetic_start(&run);
    for (size_t bytes = 16 * RP_KIB; bytes <= 64 * RP_MIB; bytes *= 2) {
        synthetic_stream(&run, "copy-avx2", "", bytes, 8e9);
    }
    build();
    assert_flagged(0, "between 8.0 and 8.0 GB/s over all levels", "timer");
}

static void clock_that_drifts(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_clock(&run);
    count_cycles_at(synthetic_clock(&run), 0.97);
    build();
    assert_int_equal(model.flag_count, 0);
    end(NULL);
    synthetic_start(&run);
    synthetic_clock(&run);
    synthetic_clock(&run);
    count_cycles_at(synthetic_clock(&run), 0.9);
    build();
    assert_flagged(0, "between 1.800 (record 3) and 2.000 GHz", "turbo");
}

static void clock_of_no_core(void **state)
{
    static const double ratios[] = {0.05, 5};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(ratios); i++) {
        synthetic_start(&run);
        count_cycles_at(synthetic_clock(&run), ratios[i]);
        build();
        assert_flagged(0, "GHz", "not core cycles");
        end(NULL);
    }
}

static void run_that_is_mostly_disturbed(void **state)
{
    (void)state;
    synthetic_start(&run);
    for (size_t i = 0; i < 5; i++) {
        synthetic_clock(&run)->verdict = i < 2 ? RP_VERDICT_DISTURBED : RP_VERDICT_STEADY;
    }
    build();
    assert_flagged(0, "2 of 5 records disturbed", "other work");
    end(NULL);
    synthetic_start(&run);
    for (size_t i = 0; i < 3; i++) {
        synthetic_clock(&run)->verdict = i < 1 ? RP_VERDICT_DISTURBED : RP_VERDICT_STEADY;
    }
    build();
    assert_int_equal(model.flag_count, 0);
}

static void large_sets_on_small_pages(void **state)
{
    (void)state;
    synthetic_full(&run);
    for (size_t i = 0; i < run.record_count; i++) {
        const bool large = run.records[i].working_set_bytes >= (4 << 20);

        run.records[i].page_bytes = large ? 2 << 20 : 4 << 10;
    }
    build();
    assert_int_equal(model.flag_count, 0);

    rp_model_free(&model);
    struct rp_record *const last = &run.records[run.record_count - 1];
    last->working_set_bytes = 256 << 20;
    last->page_bytes = 4 << 10;
    build();
    assert_flagged(last->id, "1 records of 4 MiB and more on small pages", "huge pages");
}

static void json_tells_flags(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-128", 1, 0.5);
    build();
    json_t *const root = rp_model_to_json(&model);
    const json_t *const flag = json_array_get(json_object_get(root, "flags"), 0);
    assert_int_equal(json_integer_value(json_object_get(flag, "record")), 1);
    assert_string_equal(json_string_value(json_object_get(flag, "where")), "aesenc-128");
    assert_non_null(json_string_value(json_object_get(flag, "cause")));
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(clean_run_has_no_flag),
        TEST(more_than_the_ports_move),
        TEST(latency_under_one_cycle),
        TEST(throughput_beyond_any_core),
        TEST(cheaper_than_its_instructions),
        TEST(above_its_unit),
        TEST(above_its_bandwidth),
        TEST(dips_and_peaks),
        TEST(ordinary_curves_are_in_line),
        TEST(wide_and_disturbed_dips_are_no_news),
        TEST(levels_that_are_not_told_apart),
        TEST(farther_level_that_is_faster),
        TEST(curve_without_a_bend),
        TEST(clock_that_drifts),
        TEST(clock_of_no_core),
        TEST(run_that_is_mostly_disturbed),
        TEST(large_sets_on_small_pages),
        TEST(json_tells_flags),
    };
    return cmocka_run_group_tests_name("flags", tests, NULL, NULL);
}
