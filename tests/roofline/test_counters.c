/* SPDX-License-Identifier: MIT */
/* Counts joined to the record of their job. */
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roofline/counted_list.h"
#include "roofline/counters.h"

#include "tests/roofline/synthetic_run.h"

static struct rp_error error;

static void name_job(struct rp_record *record, const char *job)
{
    snprintf(record->job, sizeof record->job, "%s", job);
}

/* A run of a copy in memory, of 8 samples and 4 dropped ones, and of an instruction. */
static void start(struct rp_run *run)
{
    synthetic_start(run);
    struct rp_record *const copy =
        synthetic_stream(run, "copy-nt-avx512", "", 1 << 20, 1e9);
    name_job(copy, "sweep/copy-avx512/nt/1048576");
    copy->page_bytes = 4096;
    copy->places = 3;
    copy->dropped = (struct rp_dropped){.clock = 1, .preempted = 2, .moved = 1};
    name_job(synthetic_unit(run, "aesenc-512", 8, 1), "units/aesenc-512/8");
    name_job(synthetic_unavailable(run, "sweep", "load-avx512", "no AVX-512"),
             "sweep/load-avx512/1048576");
}

/* One event of a region. */
static struct rp_counted count_of(const char *region, const char *group, double calls)
{
    struct rp_counted counted = {.calls = calls, .seconds = 0.5, .source = "perf stat"};
    const struct rp_count count = {
        .event = "CAS_COUNT_RD", .counter = "MBOX0C0", .value = 7};

    snprintf(counted.region, sizeof counted.region, "%s", region);
    snprintf(counted.group, sizeof counted.group, "%s", group);
    assert_true(rp_counted_add(&counted, &count, &error));
    return counted;
}

static void finds_what_was_measured(void **state)
{
    struct rp_run run;

    (void)state;
    start(&run);
    assert_ptr_equal(rp_counters_find(&run, "copy-avx512/nt/1048576"), &run.records[0]);
    assert_ptr_equal(rp_counters_find(&run, "units/aesenc-512/8"), &run.records[1]);
    assert_null(rp_counters_find(&run, "sweep/copy-avx512/nt/1048576"));
    assert_null(rp_counters_find(&run, "load-avx512/1048576"));
    assert_null(rp_counters_find(&run, ""));
    assert_true(rp_record_samples_taken(&run.records[0]) == 12);
    synthetic_end(&run);
}

static void joins_a_region_to_its_job(void **state)
{
    struct rp_run run;
    struct rp_record record;

    (void)state;
    start(&run);
    struct rp_counted counted = count_of("copy-avx512/nt/1048576", "RP_MEM", 12);
    assert_true(rp_counters_join(&record, &counted, &run, &run, &error));
    assert_null(counted.counts);
    assert_string_equal(record.job, "counters/RP_MEM/copy-avx512/nt/1048576");
    assert_string_equal(record.probe, "counters");
    assert_string_equal(record.kernel, "copy-nt-avx512");
    assert_string_equal(record.family, "stream");
    assert_int_equal(record.mode, RP_MODE_NT);
    assert_int_equal(record.verdict, RP_VERDICT_COUNTED);
    assert_int_equal(record.working_set_bytes, 1 << 20);
    assert_int_equal(record.threads, 1);
    assert_true(record.traffic.load == 1 && record.traffic.store_nt == 1);
    assert_true(record.counted->calls == 12 && record.counted->items == 12e6);
    assert_true(record.counted->seconds == 0.5);
    assert_true(record.counted->counts[0].value == 7);
    /* Nothing of how the job was timed. */
    assert_true(record.id == 0 && record.sample_count == 0 && record.samples == NULL);
    assert_true(record.page_bytes == 0 && record.places == 0);
    assert_true(record.items_per_sample == 0 && record.dropped.clock == 0);
    assert_string_equal(record.cycle_source, "");
    rp_record_free(&record);
    synthetic_end(&run);
}

/* The timed loop does twice what its baseline does. */
static void counts_the_items_below_a_baseline(void **state)
{
    struct rp_run run;
    struct rp_record record;

    (void)state;
    start(&run);
    struct rp_counted counted = count_of("units/aesenc-512/8", "RP_CRYPTO", 8);
    assert_true(rp_counters_join(&record, &counted, &run, &run, &error));
    assert_int_equal(record.chains, 8);
    assert_string_equal(record.item, "instruction");
    assert_true(record.counted->items == 8 * 2 * 1000.0);
    rp_record_free(&record);
    synthetic_end(&run);
}

static void takes_calls_from_the_samples(void **state)
{
    struct rp_run run;
    struct rp_record record;

    (void)state;
    start(&run);
    struct rp_counted counted = count_of("copy-avx512/nt/1048576", "cycles", 0);
    assert_true(rp_counters_join(&record, &counted, &run, &run, &error));
    assert_true(record.counted->calls == 12 && record.counted->items == 12e6);
    rp_record_free(&record);
    synthetic_end(&run);
}

/* The counted program chose other repetitions; what it is joined to stays what it is. */
static void takes_items_from_the_run_that_counted(void **state)
{
    struct rp_run run;
    struct rp_run counting;
    struct rp_record record;

    (void)state;
    start(&run);
    start(&counting);
    counting.records[0].items_per_sample = 3e6;
    counting.records[0].dropped = (struct rp_dropped){0};
    counting.records[0].working_set_bytes = 5;
    struct rp_counted counted = count_of("copy-avx512/nt/1048576", "cycles", 0);
    assert_true(rp_counters_join(&record, &counted, &counting, &run, &error));
    assert_true(record.counted->calls == 8 && record.counted->items == 24e6);
    assert_int_equal(record.working_set_bytes, 1 << 20);
    rp_record_free(&record);
    synthetic_end(&counting);
    synthetic_end(&run);
}

static void a_record_lives_in_a_run_file(void **state)
{
    struct rp_run run;
    struct rp_record record;
    struct rp_record again;

    (void)state;
    start(&run);
    struct rp_counted counted = count_of("units/aesenc-512/8", "RP_CRYPTO", 8);
    counted.counts[0].value = NAN;
    assert_true(rp_counters_join(&record, &counted, &run, &run, &error));
    json_t *const json = rp_record_to_json(&record);
    assert_true(rp_record_from_json(&again, json, &error));
    assert_string_equal(again.job, "counters/RP_CRYPTO/units/aesenc-512/8");
    assert_true(again.counted->items == 16000);
    assert_true(isnan(again.counted->counts[0].value));
    json_decref(json);
    rp_record_free(&again);
    rp_record_free(&record);
    synthetic_end(&run);
}

static void refuse(struct rp_run *run, const char *group, double calls,
                   const char *message)
{
    struct rp_counted counted = count_of("copy-avx512/nt/1048576", group, calls);
    struct rp_record record;

    assert_false(rp_counters_join(&record, &counted, run, run, &error));
    assert_int_equal(error.status, RP_USAGE);
    assert_contains(error.message, message);
    assert_null(record.counted);
    assert_true(counted.calls == calls && counted.items == 0 && counted.count == 1);
    rp_counted_free(&counted);
}

static void refuses_what_cannot_be_joined(void **state)
{
    struct rp_run run;
    struct rp_record record;

    (void)state;
    start(&run);
    refuse(&run, "RP_MEM", 1e13, "worked on more than 1e+18 items");
    struct rp_counted counted = count_of("copy-avx512/nt/1048576", "RP_MEM", 12);
    assert_true(rp_counters_join(&record, &counted, &run, &run, &error));
    assert_true(rp_run_add(&run, &record, &error));
    refuse(
        &run, "RP_MEM", 12,
        "the run has counts of RP_MEM in copy-avx512/nt/1048576 already; delete the line "
        "of the job \"counters/RP_MEM/copy-avx512/nt/1048576\"");

    char region[RP_REGION_BYTES];
    memset(region, 'r', sizeof region - 1);
    region[sizeof region - 1] = '\0';
    memcpy(run.records[1].job, region, sizeof region);
    counted = count_of(region, "G", 1);
    assert_false(rp_counters_join(&record, &counted, &run, &run, &error));
    assert_contains(error.message, "too long together");
    rp_counted_free(&counted);
    synthetic_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_measured),
        cmocka_unit_test(joins_a_region_to_its_job),
        cmocka_unit_test(counts_the_items_below_a_baseline),
        cmocka_unit_test(takes_calls_from_the_samples),
        cmocka_unit_test(takes_items_from_the_run_that_counted),
        cmocka_unit_test(a_record_lives_in_a_run_file),
        cmocka_unit_test(refuses_what_cannot_be_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
