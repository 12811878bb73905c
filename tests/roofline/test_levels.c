/* SPDX-License-Identifier: MIT */
/* Stated cache sizes held against curves made up to confirm or contradict them. */
#include "tests/roofline/model_fixture.h"

#include <math.h>
#include <string.h>

/* Where a made-up curve bends, and the GB/s of each plateau. */
struct shape {
    size_t capacities[4]; /* ascending; ends at the first 0 */
    double gb_per_s[5];
    bool random;         /* caches throw lines out at random instead of the oldest */
    double noise;        /* largest relative deviation */
    unsigned per_octave; /* 0: two */
    size_t to;           /* 0: 1 GiB */
};

/* The machine of the synthetic runs: 32 KiB, 1 MiB, 16 MiB. */
static const struct shape as_stated = {
    .capacities = {32 * RP_KIB, 1 * RP_MIB, 16 * RP_MIB},
    .gb_per_s = {200, 100, 40, 20},
};

/* The share of a pass that a cache no longer holds, at `fill` times its capacity. Thrown
 * out at random, a line survives the misses of one round with exp(-misses). */
static double missing(double fill, bool random)
{
    double share = fill > 1.001;

    for (int i = 0; random && fill > 1 && i < 1000; i++) {
        share = 1 - exp(-share * fill);
    }
    return share;
}

static double rate_at(const struct shape *shape, double bytes)
{
    double rate = shape->gb_per_s[0] * 1e9;

    for (size_t i = 0; i < 4 && shape->capacities[i] > 0; i++) {
        const double share = missing(bytes / (double)shape->capacities[i], shape->random);
        rate /= 1 - share + share * shape->gb_per_s[i] / shape->gb_per_s[i + 1];
    }
    return rate;
}

/* Adds the sweep of one kernel; the noise is the same in every run of the test. */
static void add_curve(const char *kernel, const struct shape *shape)
{
    const unsigned per_octave = shape->per_octave > 0 ? shape->per_octave : 2;
    const size_t to = shape->to > 0 ? shape->to : RP_GIB;
    uint32_t seed = 1;

    for (unsigned i = 0;; i++) {
        const double bytes = 16384 * exp2((double)i / per_octave);
        if (bytes > (double)to * 1.001) {
            break;
        }
        seed = seed * 1664525 + 1013904223;
        const double deviation = shape->noise * ((double)(seed >> 8) / (1 << 23) - 1);
        synthetic_stream(&run, kernel, "", (size_t)bytes / 64 * 64,
                         rate_at(shape, bytes) * (1 + deviation));
    }
}

static void assert_verdicts(const enum rp_level_verdict *verdicts, unsigned count)
{
    assert_int_equal(model.level_count, count);
    for (unsigned i = 0; i < count; i++) {
        if (model.levels[i].verdict != verdicts[i]) {
            fail_msg("%s: %s, not %s", model.levels[i].name,
                     rp_level_verdict_name(model.levels[i].verdict),
                     rp_level_verdict_name(verdicts[i]));
        }
    }
}

static size_t used(unsigned level)
{
    return model.run->machine.levels[level].size_bytes;
}

static void right_sizes_are_confirmed(void **state)
{
    static const enum rp_level_verdict verdicts[] = {
        RP_LEVEL_CONFIRMED, RP_LEVEL_CONFIRMED, RP_LEVEL_CONFIRMED};

    (void)state;
    synthetic_start(&run);
    add_curve("load-avx2", &as_stated);
    build();
    assert_verdicts(verdicts, 3);
    assert_int_equal(used(2), 16 * RP_MIB);
    assert_int_equal(model.levels[2].least_bytes, 16 * RP_MIB);
    assert_true(model.levels[2].most_bytes > 16 * RP_MIB &&
                model.levels[2].most_bytes < 32 * RP_MIB);
    assert_string_equal(model.levels[2].mix, "load");
    assert_int_equal(
        rp_model_record(&model, model.levels[2].record_ids[0])->working_set_bytes,
        16 * RP_MIB);
}

/* Noise, single odd points and one size an octave change no verdict. */
static void noise_changes_nothing(void **state)
{
    static const enum rp_level_verdict verdicts[] = {
        RP_LEVEL_CONFIRMED, RP_LEVEL_CONFIRMED, RP_LEVEL_CONFIRMED};
    struct shape shape = as_stated;

    (void)state;
    for (shape.per_octave = 1; shape.per_octave <= 4; shape.per_octave++) {
        synthetic_start(&run);
        shape.noise = 0.02;
        add_curve("load-avx2", &shape);
        if (shape.per_octave > 1) {
            synthetic_stretch(&run.records[6 * shape.per_octave], 2);
        }
        run.records[run.record_count - 2].verdict = RP_VERDICT_DISTURBED;
        synthetic_stretch(&run.records[run.record_count - 2], 5);
        build();
        assert_verdicts(verdicts, 3);
        end(NULL);
    }
}

/* A cache that throws out at random falls over two octaves. */
static void slow_falls_are_no_larger_caches(void **state)
{
    static const enum rp_level_verdict verdicts[] = {
        RP_LEVEL_CONFIRMED, RP_LEVEL_CONFIRMED, RP_LEVEL_CONFIRMED};
    struct shape shape = as_stated;

    (void)state;
    shape.random = true;
    for (shape.per_octave = 1; shape.per_octave <= 16; shape.per_octave *= 2) {
        synthetic_start(&run);
        add_curve("load-avx2", &shape);
        build();
        assert_verdicts(verdicts, 3);
        end(NULL);
    }
}

/* The L3 is stated ten times too large: what was measured counts for roofs and points,
 * and a probe that aimed at the L3 by the stated size hit memory. */
static void overstated_l3_is_corrected(void **state)
{
    struct shape shape = as_stated;

    (void)state;
    synthetic_start(&run);
    run.machine.levels[2].size_bytes = 320 * RP_MIB;
    run.machine.kind_count = 1;
    memcpy(run.machine.kinds[0].levels, run.machine.levels, sizeof run.machine.levels);
    run.machine.kinds[0].level_count = 4;
    shape.capacities[2] = 32 * RP_MIB;
    add_curve("load-avx2", &shape);
    synthetic_stream(&run, "load-avx2", "L3", 64 * RP_MIB, 21e9);
    synthetic_stream(&run, "load-avx2", "L3", 200 * RP_MIB, 20.5e9);
    synthetic_stream(&run, "copy-avx2", "L3", 200 * RP_MIB, 10e9);
    synthetic_stream(&run, "store-avx2", "L3", 64 * RP_MIB, 8e9);
    build();
    assert_int_equal(model.levels[2].verdict, RP_LEVEL_DIFFERS);
    assert_int_equal(model.levels[2].stated_bytes, 320 * RP_MIB);
    assert_int_equal(used(2), 32 * RP_MIB);
    assert_int_equal(model.run->machine.kinds[0].levels[2].size_bytes, 320 * RP_MIB);
    assert_float_equal(rp_model_roof(&model, "load", 2)->bytes_per_s.value, 40e9, 1e6);
    assert_float_equal(rp_model_roof(&model, "load", 3)->bytes_per_s.value, 20.5e9, 1e6);
    assert_null(rp_model_roof(&model, "copy", 2));
    assert_non_null(rp_model_roof(&model, "copy", 3));
    assert_null(rp_model_roof(&model, "store", 2)); /* twice the L3: neither level */
    assert_null(rp_model_roof(&model, "store", 3));
    for (size_t i = 0; i < model.point_count; i++) {
        assert_int_equal(
            model.points[i].level,
            rp_machine_level_of(&model.run->machine, model.points[i].working_set_bytes));
    }
}

static void understated_l2_is_corrected(void **state)
{
    struct shape shape = as_stated;

    (void)state;
    synthetic_start(&run);
    run.machine.levels[1].size_bytes = 256 * RP_KIB;
    add_curve("load-avx2", &shape);
    build();
    assert_int_equal(model.levels[1].verdict, RP_LEVEL_DIFFERS);
    assert_int_equal(used(1), 1 * RP_MIB);
}

/* Between two sizes an octave apart 20 % cannot be told: no claim. */
static void no_claim_finer_than_the_sizes(void **state)
{
    struct shape shape = as_stated;

    (void)state;
    synthetic_start(&run);
    run.machine.levels[2].size_bytes = 20 * RP_MIB;
    shape.per_octave = 1;
    add_curve("load-avx2", &shape);
    build();
    assert_int_equal(model.levels[2].verdict, RP_LEVEL_CONFIRMED);
    assert_int_equal(used(2), 20 * RP_MIB);
}

/* The update curve keeps to the stated size where the load curve does not. */
static void mixes_that_disagree_make_no_claim(void **state)
{
    struct shape shape = as_stated;

    (void)state;
    synthetic_start(&run);
    add_curve("update-avx2", &shape);
    shape.capacities[2] = 6 * RP_MIB;
    add_curve("load-avx2", &shape);
    build();
    assert_int_equal(model.levels[2].verdict, RP_LEVEL_UNCLEAR);
    assert_int_equal(used(2), 16 * RP_MIB);
}

/* L2 and L3 of one bandwidth: the step at 16 MiB is the L3's, however it is counted. */
static void equal_levels_show_no_step(void **state)
{
    static const enum rp_level_verdict verdicts[] = {RP_LEVEL_CONFIRMED, RP_LEVEL_NO_STEP,
                                                     RP_LEVEL_CONFIRMED};
    struct shape shape = as_stated;

    (void)state;
    synthetic_start(&run);
    shape.gb_per_s[2] = 95;
    add_curve("load-avx2", &shape);
    build();
    assert_verdicts(verdicts, 3);
}

/* 118, 100 and 34 GB/s, as a Zen 4 delivers them: a step of 18 % is one. */
static void small_steps_are_seen(void **state)
{
    static const enum rp_level_verdict verdicts[] = {
        RP_LEVEL_CONFIRMED, RP_LEVEL_CONFIRMED, RP_LEVEL_CONFIRMED};
    static const struct shape shape = {
        .capacities = {32 * RP_KIB, 1 * RP_MIB, 32 * RP_MIB},
        .gb_per_s = {232, 118, 100, 34},
        .noise = 0.005,
    };

    (void)state;
    synthetic_start(&run);
    run.machine.levels[2].size_bytes = 32 * RP_MIB;
    add_curve("load-avx2", &shape);
    build();
    assert_verdicts(verdicts, 3);
}

static void what_the_curve_does_not_reach_is_unseen(void **state)
{
    static const enum rp_level_verdict verdicts[] = {RP_LEVEL_CONFIRMED,
                                                     RP_LEVEL_CONFIRMED, RP_LEVEL_UNSEEN};
    struct shape shape = as_stated;

    (void)state;
    synthetic_start(&run);
    shape.to = 8 * RP_MIB;
    add_curve("load-avx2", &shape);
    build();
    assert_verdicts(verdicts, 3);
}

static void probes_alone_confirm_nothing(void **state)
{
    static const enum rp_level_verdict verdicts[] = {RP_LEVEL_UNSEEN, RP_LEVEL_UNSEEN,
                                                     RP_LEVEL_UNSEEN};

    (void)state;
    synthetic_start(&run);
    synthetic_stream(&run, "load-avx2", "L2", 256 * RP_KIB, 100e9);
    build();
    assert_verdicts(verdicts, 3);
    assert_int_equal(used(1), 1 * RP_MIB);
}

static void caches_that_are_not_stated_are_named_by_the_curve(void **state)
{
    static const enum rp_level_verdict verdicts[] = {RP_LEVEL_UNSTATED, RP_LEVEL_UNSTATED,
                                                     RP_LEVEL_UNSTATED};

    (void)state;
    synthetic_start(&run);
    run.machine.levels[0] = run.machine.levels[3];
    run.machine.level_count = 1;
    add_curve("load-avx2", &as_stated);
    build();
    assert_verdicts(verdicts, 3);
    assert_int_equal(model.run->machine.level_count, 4);
    assert_string_equal(model.levels[1].name, "L2?");
    assert_string_equal(model.run->machine.levels[1].name, "L2?");
    assert_string_equal(model.run->machine.levels[3].name, "DRAM");
    assert_int_equal(used(1), 1 * RP_MIB);
    assert_float_equal(rp_model_roof(&model, "load", 3)->bytes_per_s.value, 20e9, 1e6);
    assert_int_equal(run.machine.level_count, 1); /* the run keeps what was stated */
}

/* The hypervisor hides the L3: without it memory would be as fast as a cache. */
static void hidden_l3_is_found(void **state)
{
    static const enum rp_level_verdict verdicts[] = {
        RP_LEVEL_CONFIRMED, RP_LEVEL_CONFIRMED, RP_LEVEL_UNSTATED};

    (void)state;
    synthetic_start(&run);
    synthetic_drop_l3(&run);
    add_curve("load-avx2", &as_stated);
    build();
    assert_verdicts(verdicts, 3);
    assert_string_equal(model.levels[2].name, "L3?");
    assert_float_equal(rp_model_roof(&model, "load", 3)->bytes_per_s.value, 20e9, 1e6);
}

/* Page walks cost a little bandwidth at some size; that is no cache. */
static void small_unstated_steps_are_no_cache(void **state)
{
    struct shape shape = as_stated;

    (void)state;
    synthetic_start(&run);
    shape.capacities[3] = 96 * RP_MIB;
    shape.gb_per_s[4] = 17;
    add_curve("load-avx2", &shape);
    build();
    assert_int_equal(model.level_count, 3);
}

/* Whatever the curve does, there is a model. */
static void odd_curves_do_no_harm(void **state)
{
    static const struct shape shapes[] = {
        {.gb_per_s = {50}},
        {.gb_per_s = {50}, .to = 16 * RP_KIB},
        {.gb_per_s = {50}, .to = 32 * RP_KIB, .per_octave = 1},
        {.capacities = {64 * RP_KIB}, .gb_per_s = {50, 100}},
        {.capacities = {64 * RP_KIB, 2 * RP_MIB}, .gb_per_s = {100, 30, 90}},
        {.gb_per_s = {50}, .noise = 0.9, .per_octave = 8},
        {.capacities = {32 * RP_KIB, 128 * RP_KIB, RP_MIB, 8 * RP_MIB},
         .gb_per_s = {400, 200, 100, 50, 25}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        synthetic_start(&run);
        run.machine.levels[2].size_bytes = run.machine.levels[1].size_bytes;
        add_curve("load-avx2", &shapes[i]);
        build();
        for (unsigned level = 0; level < model.level_count; level++) {
            assert_true(used(level) > 0);
        }
        end(NULL);
    }
}

static void json_tells_both_sizes(void **state)
{
    struct shape shape = as_stated;

    (void)state;
    synthetic_start(&run);
    run.machine.levels[2].size_bytes = 320 * RP_MIB;
    add_curve("load-avx2", &shape);
    build();
    json_t *const root = rp_model_to_json(&model);
    const json_t *const level = json_array_get(json_object_get(root, "levels"), 2);
    assert_string_equal(json_string_value(json_object_get(level, "verdict")), "differs");
    assert_int_equal(json_integer_value(json_object_get(level, "stated_bytes")),
                     320 * RP_MIB);
    assert_int_equal(json_integer_value(json_object_get(level, "used_bytes")),
                     16 * RP_MIB);
    assert_int_equal(json_integer_value(json_object_get(level, "measured_least_bytes")),
                     16 * RP_MIB);
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(right_sizes_are_confirmed),
        TEST(noise_changes_nothing),
        TEST(slow_falls_are_no_larger_caches),
        TEST(overstated_l3_is_corrected),
        TEST(understated_l2_is_corrected),
        TEST(no_claim_finer_than_the_sizes),
        TEST(mixes_that_disagree_make_no_claim),
        TEST(equal_levels_show_no_step),
        TEST(small_steps_are_seen),
        TEST(what_the_curve_does_not_reach_is_unseen),
        TEST(probes_alone_confirm_nothing),
        TEST(caches_that_are_not_stated_are_named_by_the_curve),
        TEST(hidden_l3_is_found),
        TEST(small_unstated_steps_are_no_cache),
        TEST(odd_curves_do_no_harm),
        TEST(json_tells_both_sizes),
    };
    return cmocka_run_group_tests_name("levels", tests, NULL, NULL);
}
