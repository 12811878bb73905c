/* SPDX-License-Identifier: MIT */
/* What binds a point, and when it lies above its roof. */
#include "tests/roofline/model_fixture.h"

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

/* A kernel that touches no memory has no payload, whatever roofs the run holds. */
static void without_traffic_only_the_unit_binds(void **state)
{
    (void)state;
    synthetic_full(&run);
    synthetic_cipher(&run, "nomem", 512, RP_MODE_NONE, 256 << 20, 12.16e9);
    build();
    const struct rp_point *const point =
        point_of("aes128ctr-nomem", RP_MODE_NONE, 256 << 20);
    assert_int_equal(point->bound_kind, RP_BOUND_UNIT);
    assert_string_equal(point->bound, "aesenc-512");
    assert_near(point->attained, 12.16e9 / 12.8e9);
    assert_true(point->payload_bytes_per_item == 0);
    assert_true(point->bus_bytes_per_item == 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(bound_by_the_unit_in_cache),
        TEST(without_traffic_only_the_unit_binds),
        TEST(bound_by_memory_of_the_own_mix),
        TEST(bound_between_two_sizes_is_interpolated),
        TEST(stream_is_bound_by_its_levels_roof),
        TEST(above_roof_needs_more_than_two_per_cent),
        TEST(above_roof_needs_separate_intervals),
        TEST(nearer_cache_explains_a_point_above_its_level),
        TEST(nt_stores_leave_the_nearer_cache_to_the_source),
        TEST(curve_is_allowed_nothing_from_the_nearer_cache),
        TEST(faster_than_its_unit_is_above_roof),
        TEST(points_alone_have_no_bound),
    };
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
