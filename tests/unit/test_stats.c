/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <math.h>

#include "core/stats.h"

/* The ranks as tabulated for the sign test's interval (Conover, Practical Nonparametric
 * Statistics), recomputed with exact integer arithmetic. */
static void test_ranks(void **state)
{
    static const struct {
        size_t count;
        size_t rank;
    } rows[] = {
        {0, 0},  {1, 0},  {5, 0},  {6, 1},  {7, 1},  {8, 1},   {9, 2},   {10, 2},
        {11, 2}, {12, 3}, {15, 4}, {20, 6}, {25, 8}, {30, 10}, {50, 18}, {100, 40},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_int_equal(rp_median_interval_rank(rows[i].count), rows[i].rank);
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
        cmocka_unit_test(test_ranks),       cmocka_unit_test(test_ranks_by_definition),
        cmocka_unit_test(test_large_ranks), cmocka_unit_test(test_summary),
        cmocka_unit_test(test_few_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
