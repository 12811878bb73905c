/* SPDX-License-Identifier: MIT */
/* Measured intensity: from counts in a run to the model, the report and the tables. */
#include "tests/roofline/model_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "roofline/report.h"

#define END                                                                              \
    {                                                                                    \
        NULL, "", 0                                                                      \
    }
#define FAR  ((size_t)256 << 20)
#define MID  ((size_t)4 << 20)
#define NEAR ((size_t)256 << 10)

static struct rp_error error;

/* A copy of one mode, and what RP_MEM or others say of it. */
static void copy_counted(enum rp_mode mode, size_t bytes, const char *group,
                         const struct synthetic_count *counts)
{
    synthetic_start(&run);
    synthetic_cipher(&run, "x8", 0, mode, bytes, 1e9);
    synthetic_counted(&run, 0, group, counts);
    build();
}

static const struct rp_counted_point *only_point(void)
{
    assert_int_equal(model.counted_count, 1);
    assert_ptr_equal(rp_model_counted(&model, &model.points[0]), &model.counted[0]);
    return &model.counted[0];
}

/* Counted bytes at the memory, for each byte encrypted. */
static const struct rp_counted_point *memory_counted(enum rp_mode mode, double read,
                                                     double written)
{
    const struct synthetic_count counts[] = {
        {"CAS_COUNT_RD", "MBOX0C0", read / 64},
        {"CAS_COUNT_WR", "MBOX0C1", written / 64},
        END,
    };
    copy_counted(mode, FAR, "RP_MEM", counts);
    return only_point();
}

#define assert_says(part) assert_contains(text.data, part)

static void markdown(void)
{
    assert_true(rp_report_markdown(&model, &text, &error));
}

static void findings_follow_from_the_counts(void **state)
{
    static const struct {
        enum rp_mode mode;
        double read;
        double written;
        enum rp_traffic_finding finding;
    } rows[] = {
        {RP_MODE_TEMPORAL, 2, 1, RP_TRAFFIC_WRITE_ALLOCATE},
        {RP_MODE_TEMPORAL, 2.2, 1, RP_TRAFFIC_WRITE_ALLOCATE}, /* 3.2: within 8 % */
        {RP_MODE_TEMPORAL, 2.3, 1, RP_TRAFFIC_MORE},
        {RP_MODE_TEMPORAL, 1.5, 1, RP_TRAFFIC_PARTLY_AVOIDED},
        {RP_MODE_TEMPORAL, 1, 1, RP_TRAFFIC_AVOIDED},
        {RP_MODE_TEMPORAL, 0.5, 1, RP_TRAFFIC_LESS},
        {RP_MODE_NT, 1, 1, RP_TRAFFIC_AS_ASKED},
        {RP_MODE_NT, 2, 1, RP_TRAFFIC_MORE},
        {RP_MODE_NT, 0.5, 1, RP_TRAFFIC_LESS},
        {RP_MODE_INPLACE, 1, 1, RP_TRAFFIC_AS_ASKED},
        {RP_MODE_INPLACE, 0, 0, RP_TRAFFIC_LESS},
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct rp_counted_point *const counted =
            memory_counted(rows[i].mode, rows[i].read, rows[i].written);

        assert_int_equal(counted->boundary, RP_BOUNDARY_MEMORY);
        if (counted->finding != rows[i].finding) {
            fail_msg("row %zu: %s", i, rp_traffic_finding_name(counted->finding));
        }
        assert_string_equal(counted->why, "");
        end(state);
    }
}

static void intensity_is_measured(void **state)
{
    const struct rp_counted_point *counted = memory_counted(RP_MODE_TEMPORAL, 2, 1);

    assert_near(counted->bytes_per_item, 3);
    assert_near(counted->items_per_byte, 1.0 / 3);
    assert_near(counted->times_payload, 1.5);
    assert_near(counted->times_expected, 1);
    assert_near(counted->reads_times_expected, 1);
    end(state);

    counted = memory_counted(RP_MODE_TEMPORAL, 0, 0);
    assert_true(counted->bytes_per_item == 0 && isnan(counted->items_per_byte));
    assert_true(counted->times_payload == 0);
}

static void reads_alone_are_compared_with_reads(void **state)
{
    static const struct synthetic_count counts[] = {
        {"ANY_DATA_CACHE_FILLS_ALL", "PMC2", 2.0 / 64}, END};

    (void)state;
    copy_counted(RP_MODE_TEMPORAL, NEAR, "RP_L1FILL", counts);
    const struct rp_counted_point *const counted = only_point();
    assert_int_equal(counted->boundary, RP_BOUNDARY_L2);
    assert_near(counted->reads_times_expected, 1);
    assert_true(isnan(counted->bytes_per_item) && isnan(counted->times_payload));
    assert_true(isnan(counted->items_per_byte));
    assert_int_equal(counted->finding, RP_TRAFFIC_WRITE_ALLOCATE);
    markdown();
    assert_says("| L2 | 2.00 | 2.00 | – | – | – | counted in reads alone, 1.00 x those "
                "expected: write-allocate");
}

/* Both ways are counted, but what non-temporal stores send goes past the L2. */
static void past_the_caches_only_reads_are_compared(void **state)
{
    static const struct synthetic_count counts[] = {
        {"L1D_REPLACEMENT", "PMC0", 1.0 / 64}, {"L2_TRANS_L1D_WB", "PMC1", 0}, END};

    copy_counted(RP_MODE_NT, NEAR, "RP_L2", counts);
    assert_true(isnan(only_point()->bytes_per_item));
    assert_near(only_point()->reads_times_expected, 1);
    assert_int_equal(only_point()->finding, RP_TRAFFIC_AS_ASKED);
    end(state);
    copy_counted(RP_MODE_INPLACE, NEAR, "RP_L2", counts);
    assert_near(only_point()->bytes_per_item, 1);
    assert_int_equal(only_point()->finding, RP_TRAFFIC_LESS);
}

static void each_level_has_its_boundary(void **state)
{
    static const struct synthetic_count counts[] = {
        {"L2_LINES_IN_ALL", "PMC0", 2.0 / 64},
        {"L2_LINES_OUT_NON_SILENT", "PMC1", 2.0 / 64},
        END,
    };
    static const struct {
        size_t bytes;
        enum rp_boundary boundary;
        enum rp_traffic_finding finding;
    } rows[] = {
        {16 << 10, RP_BOUNDARY_NONE, RP_TRAFFIC_UNKNOWN},
        {NEAR, RP_BOUNDARY_L2, RP_TRAFFIC_UNKNOWN},
        {MID, RP_BOUNDARY_L3, RP_TRAFFIC_MORE}, /* clean lines that the L3 keeps */
        {FAR, RP_BOUNDARY_MEMORY, RP_TRAFFIC_UNKNOWN},
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        copy_counted(RP_MODE_TEMPORAL, rows[i].bytes, "RP_L3", counts);
        assert_int_equal(only_point()->boundary, rows[i].boundary);
        assert_int_equal(only_point()->finding, rows[i].finding);
        assert_near(only_point()->traffic[RP_BOUNDARY_L3].total_bytes, 4);
        end(state);
    }
    synthetic_start(&run);
    synthetic_drop_l3(&run);
    synthetic_cipher(&run, "x8", 0, RP_MODE_TEMPORAL, MID, 1e9);
    synthetic_counted(&run, 0, "RP_L3", counts);
    build();
    assert_int_equal(only_point()->boundary, RP_BOUNDARY_MEMORY);
    assert_string_equal(rp_model_boundary_name(&model, RP_BOUNDARY_MEMORY), "DRAM");
}

static void a_run_without_counters_says_nothing(void **state)
{
    (void)state;
    synthetic_full(&run);
    build();
    assert_int_equal(model.counted_count, 0);
    assert_null(rp_model_counted(&model, &model.points[0]));
    markdown();
    assert_null(strstr(text.data, "ounted"));
}

static void gaps_are_told(void **state)
{
    static const struct synthetic_count gap[] = {
        {"CAS_COUNT_RD", "MBOX3C0", NAN}, {"CAS_COUNT_WR", "MBOX3C1", 1.0 / 64}, END};
    static const struct synthetic_count no_writes[] = {
        {"L1D_REPLACEMENT", "PMC0", 2.0 / 64}, {"L2_TRANS_L1D_WB", "PMC1", NAN}, END};
    static const struct synthetic_count writes[] = {{"CAS_COUNT_WR", "MBOX3C1", 1.0 / 64},
                                                    END};

    copy_counted(RP_MODE_TEMPORAL, FAR, "RP_MEM", gap);
    assert_int_equal(only_point()->finding, RP_TRAFFIC_UNKNOWN);
    markdown();
    assert_says("no figure: aes128ctr-x8, temporal, 256 MiB: CAS\\_COUNT\\_RD has no "
                "value on MBOX3C0 (record 2)");
    end(state);

    copy_counted(RP_MODE_TEMPORAL, FAR, "RP_MEM", writes);
    assert_string_equal(only_point()->why, "reads were not counted");
    end(state);

    copy_counted(RP_MODE_TEMPORAL, NEAR, "RP_L2", no_writes);
    assert_int_equal(only_point()->finding, RP_TRAFFIC_WRITE_ALLOCATE);
    markdown();
    assert_says(
        "reads only: aes128ctr-x8, temporal, 256 KiB: L2\\_TRANS\\_L1D\\_WB has no "
        "value on PMC1 (record 2)");
    end(state);

    copy_counted(RP_MODE_TEMPORAL, NEAR, "RP_MEM", writes);
    assert_string_equal(only_point()->why, "");
    markdown();
    assert_says("no figure: 1 points, of which was not counted what feeds their level");
}

/* Some kernels load and store nothing; whatever was counted then is not theirs. */
static void what_asks_for_no_traffic_has_no_ratio(void **state)
{
    static const struct synthetic_count counts[] = {
        {"L1D_REPLACEMENT", "PMC0", 0.01}, {"L2_TRANS_L1D_WB", "PMC1", 0.01}, END};

    (void)state;
    synthetic_start(&run);
    synthetic_cipher(&run, "x8", 0, RP_MODE_NONE, NEAR, 1e9);
    synthetic_counted(&run, 0, "RP_L2", counts);
    build();
    assert_int_equal(only_point()->finding, RP_TRAFFIC_UNKNOWN);
    assert_true(isnan(only_point()->times_payload));
    assert_near(only_point()->traffic[RP_BOUNDARY_L2].total_bytes, 1.28);
    markdown();
    assert_says("none, 256 KiB: the program asks for no traffic");
    assert_null(strstr(text.data, " nan "));
}

static void what_belongs_to_no_job_is_left_out(void **state)
{
    static const struct synthetic_count counts[] = {{"CAS_COUNT_RD", "MBOX0C0", 1}, END};

    (void)state;
    synthetic_start(&run);
    synthetic_cipher(&run, "x8", 0, RP_MODE_TEMPORAL, FAR, 1e9);
    struct rp_record *const record = synthetic_counted(&run, 0, "RP_MEM", counts);
    snprintf(record->counted->region, sizeof record->counted->region, "other/nt/64");
    build();
    assert_int_equal(model.counted_count, 0);
    markdown();
    assert_says("left out: other/nt/64 was counted (record 2), but the run holds no "
                "such job");
}

static void counters_that_could_not_count_are_told(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_cipher(&run, "x8", 0, RP_MODE_TEMPORAL, FAR, 1e9);
    for (int i = 0; i < 2; i++) {
        struct rp_record *const record = synthetic_unavailable(
            &run, "counters", "aes128ctr-x8", "no counters in this guest");
        snprintf(record->job, sizeof record->job, "counters/RP_MEM/x8/%d", i);
    }
    build();
    assert_int_equal(model.absence_count, 1);
    assert_string_equal(model.absences[0].name, "counters/RP_MEM");
    markdown();
    assert_says("## Counted traffic");
    assert_says("- not counted: RP\\_MEM: no counters in this guest");
    rp_text_free(&text);
    text = (struct rp_text){0};
    assert_true(rp_report_csv(&model, &text, &error));
    assert_says("\ncounted,counters/RP_MEM,");
}

/* In memory the largest working set has the row, in a cache the middle one. */
static void one_working_set_of_each_level_has_a_row(void **state)
{
    static const struct synthetic_count memory[] = {{"CAS_COUNT_RD", "MBOX0C0", 2.0 / 64},
                                                    {"CAS_COUNT_WR", "MBOX0C1", 1.0 / 64},
                                                    END};
    static const struct synthetic_count cache[] = {{"L1D_REPLACEMENT", "PMC0", 2.0 / 64},
                                                   {"L2_TRANS_L1D_WB", "PMC1", 1.0 / 64},
                                                   END};
    static const size_t kib[] = {64, 128, 256, 64 << 10, 128 << 10};

    (void)state;
    synthetic_start(&run);
    for (size_t i = 0; i < COUNT_OF(kib); i++) {
        synthetic_cipher(&run, "x8", 0, RP_MODE_TEMPORAL, kib[i] << 10, 1e9);
    }
    for (size_t i = 0; i < COUNT_OF(kib); i++) {
        synthetic_counted(&run, i, "RP_X", kib[i] > 1024 ? memory : cache);
    }
    build();
    assert_int_equal(model.counted_count, 5);
    markdown();
    assert_says("| aes128ctr-x8 | temporal | 128 KiB | L2 | 2.00 | 2.00 | 1.00 | 3.00 | "
                "1.50 | counted 1.50 x the payload: write-allocate, a plain store reads "
                "its line first | 7 |");
    assert_says("| aes128ctr-x8 | temporal | 128 MiB | DRAM | 2.00 |");
    assert_null(strstr(text.data, "| temporal | 64 KiB | L2 |"));
    assert_null(strstr(text.data, "| temporal | 64 MiB | DRAM |"));
}

/* The answer itself names the witness. */
static void the_answer_rests_on_the_counts(void **state)
{
    static const struct {
        double read;
        double nt_bytes_per_s;
        const char *says;
    } rows[] = {
        {2, 6e9,
         "what helps there. With plain stores counters saw 1.50 x the payload: "
         "write-allocate, a plain store reads its line first."},
        {1, 6e9,
         "what helps there. But with plain stores counters saw 1.00 x the payload: no "
         "write-allocate although the stores are temporal;"},
        {1, 4e9, "do not help on this machine. With plain stores counters saw 1.00 x"},
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct synthetic_count counts[] = {
            {"CAS_COUNT_RD", "MBOX0C0", rows[i].read / 64},
            {"CAS_COUNT_WR", "MBOX0C1", 1.0 / 64},
            END,
        };

        synthetic_start(&run);
        synthetic_cipher(&run, "x8", 0, RP_MODE_TEMPORAL, NEAR, 9e9);
        synthetic_cipher(&run, "x8", 0, RP_MODE_TEMPORAL, FAR, 4e9);
        synthetic_cipher(&run, "x8", 0, RP_MODE_NT, FAR, rows[i].nt_bytes_per_s);
        synthetic_counted(&run, 1, "RP_MEM", counts);
        build();
        markdown();
        assert_says(rows[i].says);
        end(state);
    }
}

static void the_table_of_facts_has_every_number(void **state)
{
    (void)state;
    memory_counted(RP_MODE_TEMPORAL, 2, 0);
    assert_true(rp_report_csv(&model, &text, &error));
    assert_says("counted,aes128ctr-x8,x8,temporal,DRAM,268435456,,read_bytes_per_item,2,"
                "bytes,,,,,counted,");
    assert_says(",written_bytes_per_item,0,bytes,");
    assert_says(",bytes_per_item,2,bytes,");
    assert_says(",times_payload,1,,");
    assert_says(",times_expected,0.666667,,");
    assert_says(",reads_times_expected,1,,");
    assert_null(strstr(text.data, "L3,268435456"));
}

static void the_model_file_has_every_number(void **state)
{
    (void)state;
    memory_counted(RP_MODE_TEMPORAL, 2, 1);
    json_t *const json = rp_model_to_json(&model);
    const json_t *const counted =
        json_object_get(json_array_get(json_object_get(json, "points"), 0), "counted");
    const json_t *const boundaries = json_object_get(counted, "boundaries");

    assert_string_equal(json_string_value(json_object_get(counted, "level")), "DRAM");
    assert_string_equal(json_string_value(json_object_get(counted, "finding")),
                        "write-allocate");
    assert_near(json_real_value(json_object_get(counted, "bytes_per_item")), 3);
    assert_near(json_real_value(json_object_get(counted, "items_per_byte")), 1.0 / 3);
    assert_near(json_real_value(json_object_get(counted, "times_payload")), 1.5);
    assert_int_equal(json_array_size(boundaries), 1);
    assert_int_equal(json_integer_value(json_array_get(
                         json_object_get(json_array_get(boundaries, 0), "records"), 0)),
                     2);
    json_decref(json);
}

/* What a file may hold at most leaves every number finite. */
static void extreme_counts_are_survived(void **state)
{
    static const double values[] = {1e18, 1e-18, 0};

    for (size_t i = 0; i < COUNT_OF(values); i++) {
        synthetic_start(&run);
        synthetic_cipher(&run, "x8", 0, RP_MODE_TEMPORAL, FAR, 1e9);
        const struct synthetic_count counts[] = {
            {"CAS_COUNT_RD", "", 1}, {"CAS_COUNT_WR", "", 1}, END};
        struct rp_counted *const counted =
            synthetic_counted(&run, 0, "RP_MEM", counts)->counted;

        counted->counts[0].value = counted->counts[1].value = values[i];
        counted->items = values[i] > 1 ? 1e-18 : 1e18;
        build();
        json_t *const json = rp_model_to_json(&model);
        assert_non_null(json);
        json_decref(json);
        markdown();
        assert_true(rp_report_csv(&model, &text, &error));
        end(state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(findings_follow_from_the_counts),
        TEST(intensity_is_measured),
        TEST(reads_alone_are_compared_with_reads),
        TEST(past_the_caches_only_reads_are_compared),
        TEST(each_level_has_its_boundary),
        TEST(a_run_without_counters_says_nothing),
        TEST(gaps_are_told),
        TEST(what_asks_for_no_traffic_has_no_ratio),
        TEST(what_belongs_to_no_job_is_left_out),
        TEST(counters_that_could_not_count_are_told),
        TEST(one_working_set_of_each_level_has_a_row),
        TEST(the_answer_rests_on_the_counts),
        TEST(the_table_of_facts_has_every_number),
        TEST(the_model_file_has_every_number),
        TEST(extreme_counts_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
