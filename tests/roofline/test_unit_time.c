/* SPDX-License-Identifier: MIT */
/* What the execution units allow a kernel that uses two of them. */
#include "tests/roofline/model_fixture.h"

#include <math.h>
#include <string.h>

/* A core by its cycles: of AES, of a carry-less product, and of four and one together. */
struct core {
    double aes;
    double product;
    double four_and_one;
};

/* Zen 4 with 512 bits: both AES pipes take two turns of a round, and one of them two of a
 * product. */
static const struct core zen4 = {1, 2, 5};
/* Golden Cove with 512 bits: a pipe for each. */
static const struct core golden_cove = {1, 1, 4};
/* One pipe for both. */
static const struct core one_pipe = {1, 1, 5};

/* The one point of a kernel of so many rounds and products on such a core. */
static const struct rp_point *point_on(const struct core *core, double rounds,
                                       double products)
{
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-512", 8, core->aes);
    synthetic_unit(&run, "clmul-512", 8, core->product);
    if (core->four_and_one > 0) {
        synthetic_mix(&run, 512, core->four_and_one / 5);
    }
    synthetic_gcm(&run, 512, rounds, products, 1e9);
    build();
    return &model.points[0];
}

#define TOGETHER "aesenc-512 and clmul-512 together"

static void pipes_and_kernels(void **state)
{
    static const struct {
        const struct core *core;
        double rounds;
        double products;
        double cycles;
        const char *unit;
    } rows[] = {
        /* Separate: the slower of the two. */
        {&golden_cove, 10, 4.25, 10, "aesenc-512"},
        {&golden_cove, 2, 4, 4, "clmul-512"},
        {&golden_cove, 8, 2, 8, "aesenc-512"},
        /* One pipe: the sum, whatever the shares. */
        {&one_pipe, 10, 4.25, 14.25, TOGETHER},
        {&one_pipe, 2, 4, 6, TOGETHER},
        {&one_pipe, 40, 1, 41, TOGETHER},
        {&one_pipe, 10, 0, 10, "aesenc-512"},
        {&one_pipe, 0, 4, 4, "clmul-512"},
        /* Eight rounds in eight cycles, four products more in twelve. */
        {&zen4, 8, 4, 12, TOGETHER},
        {&zen4, 10, 4.25, 14.25, TOGETHER},
        {&zen4, 4, 1, 5, TOGETHER},
        {&zen4, 1, 4, 8, "clmul-512"},
        /* Rounds far beyond the measured mix: no more than is proven. */
        {&zen4, 40, 1, 40, "aesenc-512"},
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct rp_point *const point =
            point_on(rows[i].core, rows[i].rounds, rows[i].products);

        assert_near(point->unit_cycles_per_item, rows[i].cycles / 64);
        assert_string_equal(point->unit, rows[i].unit);
        assert_string_equal(point->bound, rows[i].unit);
        assert_near(point->bound_items_per_s, SYNTHETIC_HZ * 64 / rows[i].cycles);
        assert_int_equal(model.flag_count, 0);
        end(state);
    }
}

/* As on an older run, or one whose mix was not measured here. */
static void without_the_mix_the_slower_one_binds(void **state)
{
    static const struct core unknown = {1, 2, 0};
    const struct rp_point *point = point_on(&unknown, 10, 4.25);

    assert_near(point->unit_cycles_per_item, 10.0 / 64);
    assert_string_equal(point->bound, "aesenc-512");
    end(state);

    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-512", 8, 1);
    synthetic_unit(&run, "clmul-512", 8, 1);
    synthetic_unavailable(&run, "units", "aesenc+clmul-512", "this CPU has no VAES");
    synthetic_mix(&run, 128, 2); /* of another width */
    synthetic_gcm(&run, 512, 10, 4.25, 1e9);
    build();
    point = &model.points[0];
    assert_near(point->unit_cycles_per_item, 10.0 / 64);
    assert_string_equal(point->unit, "aesenc-512");
}

/* Without the figure of a class alone nothing can be taken off the mix. */
static void a_mix_of_an_unknown_class_says_nothing(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-512", 8, 1);
    synthetic_mix(&run, 512, 1);
    synthetic_gcm(&run, 512, 10, 4.25, 1e9);
    build();
    assert_near(model.points[0].unit_cycles_per_item, 10.0 / 64);
    assert_string_equal(model.points[0].unit, "aesenc-512");
    assert_near(rp_model_added_cycles(&model, rp_model_unit(&model, "aesenc+clmul-512")),
                1);
    end(state);
    synthetic_start(&run);
    synthetic_unit(&run, "clmul-512", 8, 1);
    synthetic_mix(&run, 512, 1);
    build();
    assert_true(
        isnan(rp_model_added_cycles(&model, rp_model_unit(&model, "aesenc+clmul-512"))));
}

/* 1 % more of the mix would be 5 % more for each product. */
static void noise_shares_no_pipe(void **state)
{
    static const struct core noisy = {1, 1, 4.03};
    const struct rp_point *const point = point_on(&noisy, 10, 4.25);

    assert_string_equal(point->unit, "aesenc-512");
    assert_near(point->unit_cycles_per_item, 10.0 / 64);
    end(state);

    /* What was not steady may have had company. */
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-512", 8, 1);
    synthetic_unit(&run, "clmul-512", 8, 1);
    synthetic_mix(&run, 512, 1)->verdict = RP_VERDICT_BUDGET;
    synthetic_gcm(&run, 512, 10, 4.25, 1e9);
    build();
    assert_string_equal(model.points[0].unit, "aesenc-512");
    assert_true(
        isnan(rp_model_added_cycles(&model, rp_model_unit(&model, "aesenc+clmul-512"))));
    end(state);

    /* One number of chains that shows none of it is enough, however disturbed. */
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-512", 8, 1);
    synthetic_unit(&run, "clmul-512", 8, 1);
    synthetic_mix(&run, 512, 0.84);
    struct rp_record *const quicker = synthetic_mix(&run, 512, 0.805);
    quicker->chains = 10;
    quicker->verdict = RP_VERDICT_DISTURBED;
    synthetic_gcm(&run, 512, 10, 4.25, 1e9);
    build();
    assert_near(rp_model_unit(&model, "aesenc+clmul-512")->throughput_cycles.value, 0.84);
    assert_string_equal(model.points[0].unit, "aesenc-512");
    end(state);

    /* A wide interval leaves doubt. */
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-512", 8, 1);
    synthetic_unit(&run, "clmul-512", 8, 1);
    struct rp_record *const mix = synthetic_mix(&run, 512, 1);
    for (size_t i = 0; i < 3; i++) {
        mix->samples[i].ns -= (mix->samples[i].ns - mix->samples[i].baseline_ns) / 5;
        mix->samples[i].cycles = mix->samples[i].ns * SYNTHETIC_HZ / 1e9;
    }
    synthetic_gcm(&run, 512, 10, 4.25, 1e9);
    build();
    assert_near(rp_model_unit(&model, "aesenc+clmul-512")->throughput_cycles.value, 1);
    assert_string_equal(model.points[0].unit, "aesenc-512");
}

/* A kernel faster than the slower unit alone allows is above its roof, one that is faster
 * than both together allow too, and says so. */
static void faster_than_both_together_is_above_the_roof(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-512", 8, 1);
    synthetic_unit(&run, "clmul-512", 8, 2);
    synthetic_mix(&run, 512, 1);
    synthetic_gcm(&run, 512, 10, 4.25, SYNTHETIC_HZ * 64 / 13);
    build();
    assert_true(model.points[0].above_roof);
    assert_int_equal(model.flag_count, 1);
    assert_contains(model.flags[0].what, "1.10 x " TOGETHER);
}

static void a_mix_is_described(void **state)
{
    (void)state;
    point_on(&zen4, 10, 4.25);
    const struct rp_unit *const mix = rp_model_unit(&model, "aesenc+clmul-512");

    assert_true(rp_unit_is_mix(mix));
    assert_false(rp_unit_is_mix(rp_model_unit(&model, "aesenc-512")));
    assert_int_equal(mix->width_bits, 512);
    assert_float_equal(mix->latency_cycles, 0, 0);
    assert_string_equal(mix->mixed[1].class_name, "clmul-512");
    assert_near(rp_model_added_cycles(&model, mix), 1);

    json_t *const root = rp_model_to_json(&model);
    const json_t *const units = json_object_get(root, "units");
    assert_int_equal(json_object_size(json_object_get(json_array_get(units, 0), "mixed")),
                     0);
    assert_near(json_real_value(json_object_get(
                    json_object_get(json_array_get(units, 2), "mixed"), "aesenc-512")),
                0.8);
    assert_string_equal(json_string_value(json_object_get(
                            json_array_get(json_object_get(root, "points"), 0), "unit")),
                        TOGETHER);
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pipes_and_kernels),
        TEST(without_the_mix_the_slower_one_binds),
        TEST(a_mix_of_an_unknown_class_says_nothing),
        TEST(noise_shares_no_pipe),
        TEST(faster_than_both_together_is_above_the_roof),
        TEST(a_mix_is_described),
    };
    return cmocka_run_group_tests_name("unit time", tests, NULL, NULL);
}
