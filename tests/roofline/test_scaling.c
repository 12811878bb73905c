/* SPDX-License-Identifier: MIT */
/* Several cores in the model and in what is made of it. The L3 of the made-up machine is
 * shared by its four cores, as it says. */
#include "tests/roofline/model_fixture.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "roofline/report.h"

static struct rp_error error;

static int begin(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_clock(&run);
    return 0;
}

/* Two cores get 28 GB/s while they are near and 56 while they are far: six samples and
 * two of the eight. */
static void moving_cores(void)
{
    synthetic_scaling(&run, "load-avx2", "DRAM", 1, 20e9, 0);
    struct rp_record *const record =
        synthetic_scaling(&run, "load-avx2", "DRAM", 2, 28e9, 26);

    for (size_t i = 0; i < 2; i++) {
        record->samples[3 * i].pingpong_ns = 155;
        record->samples[3 * i].ns /= 2;
    }
}

static void clusters_keep_their_own_figures(void **state)
{
    (void)state;
    moving_cores();
    build();
    assert_int_equal(model.scaling_count, 2);
    const struct rp_scaling *const one = &model.scaling[0];
    const struct rp_scaling *const two = &model.scaling[1];
    assert_int_equal(one->threads, 1);
    assert_int_equal(one->cluster_count, 1);
    assert_true(one->clusters[0].pingpong_ns == 0 && one->clusters[0].share == 1);
    assert_int_equal(two->cluster_count, 2);
    assert_int_equal(two->lone_samples, 0);
    assert_true(two->clusters[0].pingpong_ns == 26 &&
                two->clusters[1].pingpong_ns == 155);
    assert_true(fabs(two->clusters[0].bytes_per_s.value - 28e9) < 1);
    assert_true(fabs(two->clusters[1].bytes_per_s.value - 56e9) < 1);
    assert_true(two->clusters[0].share == 0.75 && two->clusters[1].share == 0.25);
    assert_ptr_equal(rp_model_one_core(&model, two), one);
    assert_int_equal(two->record_id, 3);
}

static void a_sample_alone_is_counted(void **state)
{
    (void)state;
    synthetic_scaling(&run, "load-avx2", "DRAM", 2, 28e9, 26)->samples[5].pingpong_ns =
        900;
    build();
    assert_int_equal(model.scaling[0].cluster_count, 1);
    assert_int_equal(model.scaling[0].lone_samples, 1);
    assert_true(model.scaling[0].clusters[0].share == 7.0 / 8);
    assert_null(rp_model_one_core(&model, &model.scaling[0]));
    assert_int_equal(model.doubt_count, 0);
    assert_true(rp_report_markdown(&model, &text, &error));
    assert_contains(text.data, "Left out: samples alone at their distance, 1.");
}

static void no_roof_comes_from_several_cores(void **state)
{
    (void)state;
    moving_cores();
    build();
    assert_int_equal(model.roof_count + model.point_count + model.curve_count, 0);
}

static void only_what_contradicts_the_topology_is_doubted(void **state)
{
    static const struct {
        unsigned threads;
        double first_ns;
        double second_ns;
        const char *doubt; /* NULL: none */
    } cases[] = {
        {2, 26, 26, NULL},
        {2, 60, 75, NULL},
        {2, 155, 155, "share the L3, but a cache line takes 155 ns between them"},
        {2, 26, 155,
         "2 cores share the L3, but they are 26 ns apart at times and 155 ns"},
        {4, 26, 60, "4 cores share the L3, but they are 26 ns apart at times and 60 ns"},
        {8, 26, 155, NULL}, /* eight cores are more than share one, as it says */
        {1, 0, 0, NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        begin(NULL);
        synthetic_scaling(&run, "load-avx2", "DRAM", cases[i].threads, 2e10,
                          cases[i].first_ns);
        synthetic_scaling(&run, "copy-avx2", "DRAM", cases[i].threads, 2e10,
                          cases[i].second_ns);
        build();
        assert_int_equal(model.doubt_count, cases[i].doubt != NULL);
        assert_int_equal(model.run->machine.condition_count, cases[i].doubt != NULL);
        assert_int_equal(run.machine.condition_count, 0);
        if (cases[i].doubt != NULL) {
            const struct rp_condition *const doubt =
                &model.run->machine.conditions[model.first_doubt];

            assert_contains(doubt->text, cases[i].doubt);
            assert_int_equal(doubt->severity, RP_SEVERITY_WARN);
            assert_true(doubt->what_to_do[0] != '\0');
        }
        end(NULL);
    }
}

/* Two samples of a hundred and more say nothing about where the cores are. */
static void what_is_rare_is_no_doubt(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 12; i++) {
        synthetic_scaling(&run, "load-avx2", "DRAM", 2, 2e10, 26);
    }
    run.records[4].samples[0].pingpong_ns = run.records[5].samples[0].pingpong_ns = 155;
    build();
    assert_int_equal(model.doubt_count, 0);
}

static void a_machine_without_caches_shares_none(void **state)
{
    (void)state;
    run.machine.levels[0] = run.machine.levels[3];
    run.machine.level_count = 1;
    synthetic_scaling(&run, "load-avx2", "DRAM", 2, 2e10, 155);
    build();
    assert_int_equal(model.scaling_count, 1);
    assert_int_equal(model.doubt_count, 0);
}

static void the_report_shows_each_cluster(void **state)
{
    (void)state;
    moving_cores();
    build();
    assert_true(rp_report_markdown(&model, &text, &error));
    assert_contains(text.data, "## More than one core");
    assert_contains(text.data, "| DRAM | load | 1 | – | 100 % | 20.0 | ±0.0 % | 1.00 |");
    assert_contains(text.data, "| DRAM | load | 2 | 26 | 75 % | 28.0 | ±0.0 % | 1.40 |");
    assert_contains(text.data, "| DRAM | load | 2 | 155 | 25 % | 56.0 | ±0.0 % | 2.80 |");
    assert_contains(text.data, "But the topology says that 2 cores share the L3");
    assert_contains(text.data, "| warning | the topology says that 2 cores share the L3");
}

static void the_report_is_silent_about_what_was_not_measured(void **state)
{
    (void)state;
    build();
    assert_true(rp_report_markdown(&model, &text, &error));
    assert_null(strstr(text.data, "More than one core"));
}

static void the_table_of_facts_has_each_cluster(void **state)
{
    (void)state;
    moving_cores();
    build();
    assert_true(rp_report_csv(&model, &text, &error));
    assert_contains(text.data,
                    "scaling,load,load-avx2,none,DRAM,268435456,2,bandwidth,2.8e+10,"
                    "bytes/s,2.8e+10,2.8e+10,,,steady,2.8e+10,2.8e+10,,8,0,0,0,0,0,0,\n"
                    "scaling,load,load-avx2,none,DRAM,268435456,2,pingpong,26,ns,,,,,"
                    "steady,,,,,,,,,,,\n"
                    "scaling,load,load-avx2,none,DRAM,268435456,2,share,0.75,,,,,,"
                    "steady,,,,,,,,,,,\n");
}

static void the_model_file_has_each_cluster(void **state)
{
    (void)state;
    moving_cores();
    build();
    json_t *const root = rp_model_to_json(&model);
    const json_t *const two = json_array_get(json_object_get(root, "scaling"), 1);
    const json_t *const far = json_array_get(json_object_get(two, "clusters"), 1);

    assert_int_equal(json_integer_value(json_object_get(two, "threads")), 2);
    assert_true(json_number_value(json_object_get(far, "pingpong_ns")) == 155);
    assert_int_equal(json_integer_value(json_object_get(far, "samples")), 2);
    assert_int_equal(json_integer_value(json_object_get(two, "record")), 3);
    json_decref(root);
}

static void the_model_file_counts_threads_beyond_int(void **state)
{
    (void)state;
    synthetic_scaling(&run, "load-avx2", "DRAM", UINT_MAX, 2e10, 26);
    build();
    json_t *const root = rp_model_to_json(&model);
    const json_t *const many = json_array_get(json_object_get(root, "scaling"), 0);

    assert_int_equal(json_integer_value(json_object_get(many, "threads")), UINT_MAX);
    json_decref(root);
}

#define SCALING_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCALING_TEST(clusters_keep_their_own_figures),
        SCALING_TEST(a_sample_alone_is_counted),
        SCALING_TEST(no_roof_comes_from_several_cores),
        cmocka_unit_test(only_what_contradicts_the_topology_is_doubted),
        SCALING_TEST(what_is_rare_is_no_doubt),
        SCALING_TEST(a_machine_without_caches_shares_none),
        SCALING_TEST(the_report_shows_each_cluster),
        SCALING_TEST(the_report_is_silent_about_what_was_not_measured),
        SCALING_TEST(the_table_of_facts_has_each_cluster),
        SCALING_TEST(the_model_file_has_each_cluster),
        SCALING_TEST(the_model_file_counts_threads_beyond_int),
    };

    return cmocka_run_group_tests_name("scaling", tests, NULL, NULL);
}
