/* SPDX-License-Identifier: MIT */
/*
 * Intervals against what they promise, on made-up samples: how often they cover the true
 * median, and how they compare with the bootstrap. All draws are seeded.
 */
#include "unit.h"

#include <math.h>
#include <stdio.h>

#include "core/random.h"
#include "core/stats.h"

#define TRIALS       2000
#define MOST_SAMPLES 101

/* Above 0 and below 1. */
static double uniform(uint64_t *state)
{
    return ((double)(rp_random(state) >> 11) + 0.5) / 9007199254740992.0; /* 2^53 */
}

static double normal(uint64_t *state)
{
    return sqrt(-2 * log(uniform(state))) * cos(2 * acos(-1) * uniform(state));
}

static double bell(uint64_t *state)
{
    return 100 + normal(state);
}

static double lognormal(uint64_t *state)
{
    return exp(normal(state));
}

static double exponential(uint64_t *state)
{
    return -log(uniform(state));
}

/* A machine with a fast state and, for three samples in ten, a slow one. */
static double bimodal(uint64_t *state)
{
    return (uniform(state) < 0.7 ? 100 : 130) + normal(state);
}

/* A coarse timer: 3 is reached or exceeded, and not exceeded, by at least one half. */
static double coarse(uint64_t *state)
{
    return floor(5 * exponential(state));
}

static const struct distribution {
    const char *name;
    double (*draw)(uint64_t *state);
    double median;
    bool continuous;
} distributions[] = {
    {"normal", bell, 100, true},
    {"lognormal", lognormal, 1, true},
    {"exponential", exponential, 0.69314718, true},
    /* Its median is the 5/7 quantile of the fast state. */
    {"bimodal", bimodal, 100 + 0.56594882, true},
    {"coarse", coarse, 3, false},
};

static struct rp_summary draw(const struct distribution *from, size_t count,
                              uint64_t *state)
{
    double values[MOST_SAMPLES];

    for (size_t i = 0; i < count; i++) {
        values[i] = from->draw(state);
    }
    return rp_summarize(values, count);
}

/* The probability that order statistics `rank` and `count` + 1 - `rank` hold the median
 * of a continuous distribution between them. */
static double exact_coverage(size_t count, size_t rank)
{
    double term = pow(0.5, (double)count);
    double outside = 0;

    for (size_t below = 0; below < rank; below++) {
        outside += 2 * term;
        term *= (double)(count - below) / (double)(below + 1);
    }
    return 1 - outside;
}

static void interval_covers_the_median_as_often_as_it_says(void **state)
{
    static const size_t counts[] = {6, 9, 17, 30, 57};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(distributions) * COUNT_OF(counts); i++) {
        const struct distribution *const from = &distributions[i / COUNT_OF(counts)];
        const size_t count = counts[i % COUNT_OF(counts)];
        const double exact = exact_coverage(count, rp_median_interval_rank(count));
        const double noise = 4 * sqrt(exact * (1 - exact) / TRIALS);
        uint64_t random = 1 + i;
        size_t covered = 0;

        for (size_t trial = 0; trial < TRIALS; trial++) {
            const struct rp_summary summary = draw(from, count, &random);
            covered += summary.low <= from->median && from->median <= summary.high;
        }
        const double coverage = (double)covered / TRIALS;
        assert_true(exact >= 0.95);
        if (coverage < exact - noise || (from->continuous && coverage > exact + noise)) {
            fail_msg("%s, %zu samples: covered in %.4f of cases, not in %.4f", from->name,
                     count, coverage, exact);
        }
    }
}

/* The percentile interval of the bootstrap (Efron and Tibshirani, An Introduction to the
 * Bootstrap, chapter 13) resamples what the ranks know; the two differ by a few ranks. */
static void interval_is_that_of_the_bootstrap(void **state)
{
    enum { COUNT = MOST_SAMPLES, NEAR = 3 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(distributions); i++) {
        uint64_t random = 100 + i;
        double values[COUNT];
        double medians[TRIALS];

        for (size_t j = 0; j < COUNT; j++) {
            values[j] = distributions[i].draw(&random);
        }
        const struct rp_summary summary = rp_summarize(values, COUNT); /* sorts */
        for (size_t trial = 0; trial < TRIALS; trial++) {
            double again[COUNT];
            for (size_t j = 0; j < COUNT; j++) {
                again[j] = values[rp_random_below(&random, COUNT)];
            }
            medians[trial] = rp_summarize(again, COUNT).median;
        }
        rp_summarize(medians, TRIALS); /* sorts */
        const double low = medians[TRIALS / 40];
        const double high = medians[TRIALS - 1 - TRIALS / 40];
        const size_t rank = rp_median_interval_rank(COUNT);
        assert_true(summary.low == values[rank - 1]);
        assert_true(low >= values[rank - 1 - NEAR] && low <= values[rank - 1 + NEAR]);
        assert_true(high >= values[COUNT - rank - NEAR] &&
                    high <= values[COUNT - rank + NEAR]);
    }
}

static void ratio_covers_the_true_one(void **state)
{
    static const size_t counts[] = {6, 9, 20, 57};
    size_t least = TRIALS;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(distributions) * COUNT_OF(counts); i++) {
        const struct distribution *const from = &distributions[i / COUNT_OF(counts)];
        const size_t count = counts[i % COUNT_OF(counts)];
        uint64_t random = 200 + i;
        size_t covered = 0;

        if (!from->continuous) {
            continue; /* its intervals may start at 0, which has no ratio */
        }
        for (size_t trial = 0; trial < TRIALS; trial++) {
            struct rp_summary slow = draw(from, count, &random);
            const struct rp_summary fast = draw(from, count + count / 2, &random);
            slow.median /= 2;
            slow.low /= 2;
            slow.high /= 2;
            const struct rp_ratio ratio = rp_ratio_of_medians(&slow, &fast);
            covered += ratio.low <= 0.5 && 0.5 <= ratio.high;
        }
        least = covered < least ? covered : least;
    }
    if (least < TRIALS / 50 * 49) { /* 98 % */
        fail_msg("the ratio is covered in %zu of %d cases only", least, TRIALS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interval_covers_the_median_as_often_as_it_says),
        cmocka_unit_test(interval_is_that_of_the_bootstrap),
        cmocka_unit_test(ratio_covers_the_true_one),
    };
    return cmocka_run_group_tests_name("intervals", tests, NULL, NULL);
}
