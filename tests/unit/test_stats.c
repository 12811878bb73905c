/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <math.h>

#include "core/stats.h"

/* The ranks that tables of the median's interval list (MacKinnon, "Table for both the
 * sign test and distribution-free confidence intervals of the median", JASA 59, 1964;
 * Conover, Practical Nonparametric Statistics, table A3), recomputed with exact integers.
 */
static void test_ranks(void **state)
{
    static const struct {
        size_t count;
        size_t rank;    /* at 95 % */
        size_t rank_99; /* at 99 % */
    } rows[] = {
        {0, 0, 0},    {1, 0, 0},    {5, 0, 0},    {6, 1, 0},     {7, 1, 0},
        {8, 1, 1},    {9, 2, 1},    {10, 2, 1},   {11, 2, 1},    {12, 3, 2},
        {15, 4, 3},   {16, 4, 3},   {20, 6, 4},   {25, 8, 6},    {30, 10, 8},
        {40, 14, 12}, {50, 18, 16}, {60, 22, 20}, {100, 40, 37},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_int_equal(rp_median_interval_rank(rows[i].count), rows[i].rank);
        assert_int_equal(rp_median_rank(rows[i].count, 0.95), rows[i].rank);
        assert_int_equal(rp_median_rank(rows[i].count, 0.99), rows[i].rank_99);
    }
}

/* The definition, with integers that are exact up to 2^62. */
static void test_ranks_by_definition(void **state)
{
    (void)state;
    for (size_t count = 1; count <= 60; count++) {
        const uint64_t all = (uint64_t)1 << count;
        uint64_t term = 1; /* count over rank */
        uint64_t below = 0;
        size_t rank = 0;

        while (below + term <= all / 40) { /* 2.5 % */
            below += term;
            term = term * (count - rank) / (rank + 1);
            rank++;
        }
        assert_int_equal(rp_median_interval_rank(count), rank);
    }
}

/* For large counts the binomial is normal: rank = n/2 - 0.98 sqrt(n), to one rank. */
static void test_large_ranks(void **state)
{
    static const size_t counts[] = {1000, 2000, 10000, 100000};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        const double n = (double)counts[i];
        const double expected = n / 2 - 0.979982 * sqrt(n);
        assert_true(fabs((double)rp_median_interval_rank(counts[i]) - expected) < 1);
    }
}

static void test_summary(void **state)
{
    double values[] = {9, 1, 8, 2, 7, 3, 6, 4, 5, 10};
    const struct rp_summary summary = rp_summarize(values, COUNT_OF(values));

    (void)state;
    assert_int_equal(summary.count, 10);
    assert_true(summary.minimum == 1);
    assert_true(fabs(summary.lower_quartile - 3.25) < 1e-12);
    assert_true(fabs(summary.median - 5.5) < 1e-12);
    assert_true(fabs(summary.upper_quartile - 7.75) < 1e-12);
    assert_true(summary.maximum == 10);
    assert_true(summary.low == 2);
    assert_true(summary.high == 9);
    assert_true(values[0] == 1 && values[9] == 10);
}

/* What R prints for summary(c(1, 12, 14, 3, 96, 111)), and by hand: the quartile of n
 * values lies at (n - 1) / 4 steps from the first. */
static void test_quartiles(void **state)
{
    double six[] = {1, 12, 14, 3, 96, 111};
    double seven[] = {70, 60, 50, 40, 30, 20, 10};
    const struct rp_summary of_six = rp_summarize(six, COUNT_OF(six));
    const struct rp_summary of_seven = rp_summarize(seven, COUNT_OF(seven));

    (void)state;
    assert_true(of_six.lower_quartile == 5.25);
    assert_true(of_six.median == 13);
    assert_true(of_six.upper_quartile == 75.5);
    assert_true(of_seven.lower_quartile == 25);
    assert_true(of_seven.median == 40);
    assert_true(of_seven.upper_quartile == 55);
}

static void test_ratio(void **state)
{
    const struct rp_summary ten = {.median = 10, .low = 9, .high = 12};
    const struct rp_summary four = {.median = 4, .low = 3, .high = 5};
    const struct rp_ratio ratio = rp_ratio_of_medians(&ten, &four);
    const struct rp_ratio inverse = rp_ratio_of_medians(&four, &ten);

    (void)state;
    assert_true(ratio.ratio == 2.5 && ratio.low == 1.8 && ratio.high == 4);
    assert_true(fabs(inverse.ratio * ratio.ratio - 1) < 1e-12);
    assert_true(fabs(inverse.low * ratio.high - 1) < 1e-12);
    assert_true(fabs(inverse.high * ratio.low - 1) < 1e-12);
}

static void test_no_ratio(void **state)
{
    static const struct rp_summary ten = {.median = 10, .low = 9, .high = 12};
    static const struct rp_summary bad[] = {
        {.median = 0, .low = 0, .high = 0},
        {.median = 1, .low = 0, .high = 2},
        {.median = 1, .low = -1, .high = 2},
        {.median = NAN, .low = 1, .high = 2},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        const struct rp_ratio above = rp_ratio_of_medians(&bad[i], &ten);
        const struct rp_ratio below = rp_ratio_of_medians(&ten, &bad[i]);
        assert_true(above.ratio == 0 && above.low == 0 && above.high == 0);
        assert_true(below.ratio == 0 && below.low == 0 && below.high == 0);
    }
}

static void test_geometric_mean(void **state)
{
    static const double values[] = {1, 10, 100};
    static const double huge[] = {1e300, 1e308, 1e-300, 1e-308};
    static const double zero[] = {1, 0};
    static const double negative[] = {2, -2};
    static const double endless[] = {1, INFINITY};
    static const double nothing[] = {1, NAN};

    (void)state;
    assert_true(fabs(rp_geometric_mean(values, 3) - 10) < 1e-12);
    assert_true(fabs(rp_geometric_mean(values, 1) - 1) < 1e-12);
    assert_true(fabs(rp_geometric_mean(huge, 4) - 1) < 1e-9);
    assert_true(rp_geometric_mean(values, 0) == 0);
    assert_true(rp_geometric_mean(zero, 2) == 0);
    assert_true(rp_geometric_mean(negative, 2) == 0);
    assert_true(rp_geometric_mean(endless, 2) == 0);
    assert_true(rp_geometric_mean(nothing, 2) == 0);
}

static void test_few_values(void **state)
{
    double values[] = {3, 1, 2, 5, 4};
    double one = 7;

    (void)state;
    const struct rp_summary none = rp_summarize(values, 0);
    assert_int_equal(none.count, 0);
    assert_true(none.median == 0 && none.low == 0 && none.high == 0);

    const struct rp_summary single = rp_summarize(&one, 1);
    assert_true(single.minimum == 7 && single.lower_quartile == 7 && single.median == 7);
    assert_true(single.upper_quartile == 7 && single.low == 7 && single.high == 7);

    const struct rp_summary five = rp_summarize(values, 5);
    assert_true(five.low == 1 && five.high == 5 && five.median == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks),          cmocka_unit_test(test_ranks_by_definition),
        cmocka_unit_test(test_large_ranks),    cmocka_unit_test(test_summary),
        cmocka_unit_test(test_quartiles),      cmocka_unit_test(test_few_values),
        cmocka_unit_test(test_ratio),          cmocka_unit_test(test_no_ratio),
        cmocka_unit_test(test_geometric_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
