/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "core/cluster.h"
#include "core/random.h"

/* Fills `values` with `count` values within a tenth of `around`. */
static void scatter(double *values, size_t count, double around, uint64_t *random)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = around * (0.95 + (double)rp_random_below(random, 1000) / 10000);
    }
}

static void expect_cluster(const struct rp_cluster *cluster, double around, size_t count)
{
    assert_int_equal(cluster->count, count);
    assert_true(cluster->low >= 0.94 * around && cluster->high <= 1.06 * around);
    assert_true(cluster->low <= cluster->median && cluster->median <= cluster->high);
    assert_true(rp_cluster_holds(cluster, cluster->median));
    assert_false(rp_cluster_holds(cluster, 2 * around));
    assert_false(rp_cluster_holds(cluster, around / 2));
}

static void one_group_is_one_cluster(void **state)
{
    uint64_t random = 1;
    double values[50];

    (void)state;
    scatter(values, 50, 26, &random);
    const struct rp_clusters clusters = rp_clusters_of(values, 50);
    assert_int_equal(clusters.count, 1);
    assert_int_equal(clusters.lone, 0);
    expect_cluster(&clusters.clusters[0], 26, 50);
}

static void groups_are_told_apart_in_any_order(void **state)
{
    uint64_t random = 2;
    double values[60];

    (void)state;
    scatter(values, 20, 155, &random);
    scatter(values + 20, 30, 26, &random);
    scatter(values + 50, 10, 7, &random);
    struct rp_clusters clusters = rp_clusters_of(values, 60);
    assert_int_equal(clusters.count, 3);
    expect_cluster(&clusters.clusters[0], 7, 10);
    expect_cluster(&clusters.clusters[1], 26, 30);
    expect_cluster(&clusters.clusters[2], 155, 20);

    scatter(values, 20, 155, &random);
    scatter(values + 20, 30, 26, &random);
    clusters = rp_clusters_of(values, 50);
    assert_int_equal(clusters.count, 2);
    expect_cluster(&clusters.clusters[0], 26, 30);
    expect_cluster(&clusters.clusters[1], 155, 20);
}

static void a_single_value_is_told_and_is_no_cluster(void **state)
{
    uint64_t random = 3;
    double values[12];

    (void)state;
    scatter(values, 10, 26, &random);
    values[10] = 400;
    values[11] = 90;
    const struct rp_clusters clusters = rp_clusters_of(values, 12);
    assert_int_equal(clusters.count, 1);
    assert_int_equal(clusters.lone, 2);
    expect_cluster(&clusters.clusters[0], 26, 10);
}

/* Noise without a gap stays together, however wide it is. */
static void noise_without_a_gap_stays_together(void **state)
{
    double values[40];

    (void)state;
    for (size_t i = 0; i < 40; i++) {
        values[i] = 20 + 5 * (double)(i * 7 % 40);
    }
    const struct rp_clusters clusters = rp_clusters_of(values, 40);
    assert_int_equal(clusters.count, 1);
    assert_int_equal(clusters.clusters[0].count, 40);
    assert_true(clusters.clusters[0].low == 20 && clusters.clusters[0].high == 215);
}

static void few_and_equal_values(void **state)
{
    double values[] = {0, 0, 0, 0, 5, 5};

    (void)state;
    assert_int_equal(rp_clusters_of(NULL, 0).count, 0);
    assert_int_equal(rp_clusters_of(NULL, 0).lone, 0);
    assert_int_equal(rp_clusters_of(values, 1).count, 0);
    assert_int_equal(rp_clusters_of(values, 1).lone, 1);
    assert_int_equal(rp_clusters_of(values, 4).count, 1); /* one thread: no way to go */
    assert_int_equal(rp_clusters_of(values, 4).clusters[0].count, 4);
    assert_int_equal(rp_clusters_of(values + 4, 2).clusters[0].count, 2);
    assert_int_equal(rp_clusters_of(values, 6).count, 2);
}

static void no_value_is_lost_among_too_many_groups(void **state)
{
    double values[2 * (RP_MAX_CLUSTERS + 3)];
    double around = 1;
    size_t total = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(values); i += 2, around *= 2) {
        values[i] = values[i + 1] = around;
    }
    const struct rp_clusters clusters = rp_clusters_of(values, COUNT_OF(values));
    assert_int_equal(clusters.count, RP_MAX_CLUSTERS);
    for (size_t i = 0; i < clusters.count; i++) {
        total += clusters.clusters[i].count;
    }
    assert_int_equal(total, COUNT_OF(values));
    assert_true(clusters.clusters[RP_MAX_CLUSTERS - 1].high == around / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_group_is_one_cluster),
        cmocka_unit_test(groups_are_told_apart_in_any_order),
        cmocka_unit_test(a_single_value_is_told_and_is_no_cluster),
        cmocka_unit_test(noise_without_a_gap_stays_together),
        cmocka_unit_test(few_and_equal_values),
        cmocka_unit_test(no_value_is_lost_among_too_many_groups),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
