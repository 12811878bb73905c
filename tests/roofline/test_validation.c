/* SPDX-License-Identifier: MIT */
/* Kernels of known intensity against roofs whose right answer is known. */
#include "tests/roofline/model_fixture.h"

#include <string.h>

#include "roofline/report.h"

#define CLOSE 1e-9

/* The core of the synthetic run: 2 GHz. Its unit takes a cycle for an instruction, and
 * its L2 delivers 100 GB/s, so that the roofs cross at 0.02 instructions a byte. */
#define SET_BYTES   ((size_t)256 << 10)
#define BYTES_PER_S 100e9

static struct rp_error error;

static void start_with_roofs(void)
{
    synthetic_start(&run);
    synthetic_unit(&run, "fma64-256", 8, 1);
    synthetic_stream(&run, "load-avx2", "L2", SET_BYTES, BYTES_PER_S);
}

/* A point that runs at a share of its bound. */
static struct rp_record *add_point(unsigned operations_per_line, double attained)
{
    const double per_byte = operations_per_line / 64.0;
    const double by_unit = SYNTHETIC_HZ / per_byte;
    const double bound = by_unit < BYTES_PER_S ? by_unit : BYTES_PER_S;

    return synthetic_intensity(&run, "fma64-256", operations_per_line, SET_BYTES,
                               attained * bound);
}

/* Builds the model; `text` is its line. */
static const struct rp_validation *validate(void)
{
    build();
    rp_report_validation_line(&model, &text);
    return &model.validation;
}

static void assert_line(const char *expected)
{
    assert_string_equal(text.data, expected);
}

static void the_lower_roof_binds(void **state)
{
    (void)state;
    start_with_roofs();
    add_point(1, 0.9);
    add_point(2, 1);
    add_point(32, 0.98);
    const struct rp_validation *const validation = validate();

    assert_int_equal(validation->point_count, 3);
    assert_int_equal(validation->judged_count, 3);
    assert_int_equal(validation->points[0].bound_kind, RP_BOUND_BANDWIDTH);
    assert_string_equal(validation->points[0].bound, "load L2");
    assert_float_equal(validation->points[0].attained, 0.9, CLOSE);
    assert_int_equal(validation->points[1].bound_kind, RP_BOUND_UNIT);
    assert_float_equal(validation->points[1].bound_items_per_s / 64e9, 1, CLOSE);
    assert_string_equal(validation->points[2].bound, "fma64-256");
    assert_float_equal(validation->points[2].bound_items_per_s / 4e9, 1, CLOSE);
    assert_float_equal(validation->median_below, 0.02, CLOSE);
    assert_true(rp_validation_passed(validation));
    assert_line("roofs validated: 3 points, median 2.0 % below, none above");
}

/* They are no points of the sweep: figures and ladder are of kernels that do something.
 */
static void points_stay_apart(void **state)
{
    (void)state;
    start_with_roofs();
    add_point(1, 1.5);
    validate();
    assert_int_equal(model.point_count, 0);
    assert_int_equal(model.above_roof_count, 0);
    assert_int_equal(model.roof_count, 1);
    assert_float_equal(model.roofs[0].bytes_per_s.value / BYTES_PER_S, 1, CLOSE);
}

static void above_is_told(void **state)
{
    (void)state;
    start_with_roofs();
    add_point(1, 1.01); /* within noise */
    add_point(8, 1.1);
    add_point(16, 0.9)->verdict = RP_VERDICT_DISTURBED;
    const struct rp_validation *const validation = validate();

    assert_int_equal(validation->above_count, 1);
    assert_int_equal(validation->disturbed_count, 1);
    assert_false(validation->points[0].above_roof);
    assert_true(validation->points[1].above_roof);
    assert_false(rp_validation_passed(validation));
    assert_line("roofs not validated: 3 points, median 1.0 % above, 1 above, 1 "
                "disturbed; what lies above by more than noise is a defect of a roof or "
                "of a measurement");
}

static void too_far_below_is_told(void **state)
{
    (void)state;
    start_with_roofs();
    add_point(1, 0.74);
    const struct rp_validation *const validation = validate();

    assert_int_equal(validation->above_count, 0);
    assert_false(rp_validation_passed(validation));
    assert_line("roofs not validated: 1 point, median 26.0 % below, none above; so far "
                "below, a roof is too high or something slowed the kernels");
}

static void a_quarter_below_is_near_enough(void **state)
{
    (void)state;
    start_with_roofs();
    add_point(1, 0.751);
    assert_true(rp_validation_passed(validate()));
}

/* With one roof of two a point has no bound: the other could be the lower. */
static void one_roof_is_no_bound(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unit(&run, "fma64-256", 8, 1);
    add_point(32, 0.5);
    const struct rp_validation *const validation = validate();

    assert_int_equal(validation->point_count, 1);
    assert_int_equal(validation->judged_count, 0);
    assert_int_equal(validation->points[0].bound_kind, RP_BOUND_UNKNOWN);
    assert_float_equal(validation->points[0].attained, 0, 0);
    assert_string_equal(validation->points[0].bound, "");
    assert_false(rp_validation_passed(validation));
    assert_line("roofs not validated: the run lacks the roofs of load and of the units "
                "(probes bandwidth and units)");
}

static void unjudged_points_are_counted(void **state)
{
    (void)state;
    start_with_roofs();
    add_point(1, 1);
    synthetic_intensity(&run, "aesenc-128", 4, SET_BYTES, 10e9);
    const struct rp_validation *const validation = validate();

    assert_int_equal(validation->judged_count, 1);
    assert_line("roofs validated: 1 point, median 0.0 % below, none above, 1 more "
                "without their roofs");
}

static void nothing_measured_is_nothing_validated(void **state)
{
    (void)state;
    start_with_roofs();
    synthetic_unavailable(&run, "roofs", "intensity-fma128-x1", "this CPU has no FMA");
    const struct rp_validation *const validation = validate();

    assert_int_equal(validation->point_count, 0);
    assert_false(rp_validation_passed(validation));
    assert_line("roofs not validated: no kernel of known intensity was measured (probe "
                "roofs)");
    assert_int_equal(model.absence_count, 1);
}

static void reports_hold_the_line_and_the_points(void **state)
{
    struct rp_text report = {0};

    (void)state;
    start_with_roofs();
    add_point(1, 0.9);
    add_point(8, 1.1);
    validate();
    assert_true(rp_report_markdown(&model, &report, &error));
    assert_non_null(strstr(report.data, text.data));
    assert_non_null(strstr(report.data,
                           "| intensity-fma64-256-x1 | 0.0156 | 90.0 | 100.0 "
                           "| load L2 | 90.0 % |  | 3 |"));
    assert_non_null(strstr(report.data, "| fma64-256 | 110.0 %, above |  | 4 |"));
    rp_text_free(&report);

    json_t *const json = rp_model_to_json(&model);
    json_t *const validation = json_object_get(json, "validation");
    assert_true(json_is_false(json_object_get(validation, "passed")));
    assert_int_equal(json_integer_value(json_object_get(validation, "judged")), 2);
    assert_int_equal(json_integer_value(json_object_get(validation, "above")), 1);
    assert_int_equal(json_integer_value(json_object_get(validation, "disturbed")), 0);
    assert_float_equal(json_number_value(json_object_get(validation, "median_below")), 0,
                       CLOSE);
    assert_int_equal(json_array_size(json_object_get(validation, "points")), 2);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_lower_roof_binds),
        TEST(points_stay_apart),
        TEST(above_is_told),
        TEST(too_far_below_is_told),
        TEST(a_quarter_below_is_near_enough),
        TEST(one_roof_is_no_bound),
        TEST(unjudged_points_are_counted),
        TEST(nothing_measured_is_nothing_validated),
        TEST(reports_hold_the_line_and_the_points),
    };
    return cmocka_run_group_tests_name("validation", tests, NULL, NULL);
}
