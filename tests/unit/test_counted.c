/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/record.h"

static const char counted_record[] =
    "{\"id\":4,\"job\":\"counters/RP_MEM/copy-avx512/nt/65536\",\"probe\":\"counters\","
    "\"kernel\":\"copy-avx512\",\"verdict\":\"counted\",\"counted\":{"
    "\"region\":\"copy-avx512/nt/65536\",\"group\":\"RP_MEM\",\"source\":\"perf stat\","
    "\"calls\":10,\"items\":655360,\"seconds\":0.5,\"counts\":["
    "{\"event\":\"CAS_COUNT_RD\",\"counter\":\"MBOX0C0\",\"value\":20480},"
    "{\"event\":\"CAS_COUNT_WR\",\"counter\":\"MBOX0C1\"}]}}";

static json_t *parse(const char *text)
{
    json_t *const json = json_loads(text, JSON_DECODE_ANY, NULL);

    assert_non_null(json);
    return json;
}

static void test_round_trip(void **state)
{
    json_t *const json = parse(counted_record);
    struct rp_error error = {0};
    struct rp_record record;

    (void)state;
    assert_true(rp_record_from_json(&record, json, &error));
    assert_int_equal(record.verdict, RP_VERDICT_COUNTED);
    assert_string_equal(record.counted->region, "copy-avx512/nt/65536");
    assert_string_equal(record.counted->group, "RP_MEM");
    assert_string_equal(record.counted->source, "perf stat");
    assert_true(record.counted->calls == 10 && record.counted->items == 655360);
    assert_true(record.counted->seconds == 0.5);
    assert_int_equal(record.counted->count, 2);
    assert_string_equal(record.counted->counts[0].event, "CAS_COUNT_RD");
    assert_string_equal(record.counted->counts[0].counter, "MBOX0C0");
    assert_true(record.counted->counts[0].value == 20480);
    assert_true(isnan(record.counted->counts[1].value));

    json_t *const again = rp_record_to_json(&record);
    char *const text = json_dumps(again, JSON_COMPACT | JSON_REAL_PRECISION(9));
    assert_string_equal(text, counted_record);
    free(text);
    json_decref(again);
    json_decref(json);
    rp_record_free(&record);
    assert_null(record.counted);
}

static json_t *first_count(json_t *counted)
{
    return json_array_get(json_object_get(counted, "counts"), 0);
}

/* Each row replaces one member; NULL removes it. */
static void test_refusals(void **state)
{
    static const struct {
        bool of_count; /* of the first count, else of the whole */
        const char *key;
        const char *value;
        const char *message;
    } rows[] = {
        {false, "region", NULL, "\"counted.region\" is missing"},
        {false, "region", "7", "\"counted.region\" must be"},
        {false, "region", "\"\\u0007\"", "\"counted.region\" must be"},
        {false, "group", "\"0123456789012345678901234567890123456789\"",
         "\"counted.group\" must be"},
        {false, "source", NULL, "\"counted.source\" is missing"},
        {false, "calls", NULL, "must be above zero"},
        {false, "calls", "-1", "\"counted.calls\" must be"},
        {false, "items", "0", "must be above zero"},
        {false, "seconds", "1e19", "\"counted.seconds\" must be"},
        {false, "counts", NULL, "1 to 4096 \"counts\""},
        {false, "counts", "[]", "1 to 4096 \"counts\""},
        {false, "counts", "[7]", "must hold objects"},
        {true, "event", NULL, "\"counted.counts.event\" is missing"},
        {true, "counter", "{}", "\"counted.counts.counter\" must be"},
        {true, "value", "\"-\"", "\"counted.counts.value\" must be"},
        {true, "value", "-1", "\"counted.counts.value\" must be"},
        {true, "value", "1e19", "\"counted.counts.value\" must be"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        json_t *const json = parse(counted_record);
        json_t *const counted = json_object_get(json, "counted");
        json_t *const place = rows[i].of_count ? first_count(counted) : counted;
        struct rp_error error = {0};
        struct rp_record record;

        if (rows[i].value == NULL) {
            json_object_del(place, rows[i].key);
        } else {
            json_object_set_new(place, rows[i].key, parse(rows[i].value));
        }
        if (rp_record_from_json(&record, json, &error)) {
            fail_msg("\"%s\": %s was accepted", rows[i].key, rows[i].value);
        }
        assert_int_equal(error.status, RP_USAGE);
        assert_contains(error.message, rows[i].message);
        assert_null(record.counted);
        json_decref(json);
    }
}

/* The verdict and the member belong together. */
static void test_verdict_and_member(void **state)
{
    struct rp_error error = {0};
    struct rp_record record;
    json_t *const json = parse(counted_record);

    (void)state;
    json_object_set_new(json, "verdict", json_string("unavailable"));
    assert_false(rp_record_from_json(&record, json, &error));
    assert_contains(error.message, "\"counted\" must be there where it is the verdict");
    json_object_set_new(json, "verdict", json_string("counted"));
    json_object_del(json, "counted");
    assert_false(rp_record_from_json(&record, json, &error));
    assert_contains(error.message, "\"counted\" must be there where it is the verdict");
    json_decref(json);
}

static void test_region_names(void **state)
{
    (void)state;
    assert_string_equal(rp_counted_region("sweep/copy-avx512/nt/65536"),
                        "copy-avx512/nt/65536");
    assert_string_equal(rp_counted_region("units/aesenc-512/8"), "units/aesenc-512/8");
    assert_string_equal(rp_counted_region("sweep"), "sweep");
    assert_string_equal(rp_counted_region(""), "");
}

/* What was counted is none of the sweep's jobs. */
static void test_done_count(void **state)
{
    struct rp_counted counted = {.calls = 1};
    struct rp_record records[] = {
        {.job = "a"}, {.job = "b", .counted = &counted}, {.job = "c"}};
    const struct rp_run run = {.records = records, .record_count = COUNT_OF(records)};

    (void)state;
    assert_int_equal(rp_run_done_count(&run), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),         cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_verdict_and_member), cmocka_unit_test(test_region_names),
        cmocka_unit_test(test_done_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
