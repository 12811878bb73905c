/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/record.h"

static const char whole_record[] =
    "{\"id\":3,\"job\":\"sweep/aes128ctr-vaes512-x8/nt/65536\",\"probe\":\"sweep\","
    "\"kernel\":\"aes128ctr-vaes512-x8\",\"family\":\"aes128ctr\",\"variant\":\"vaes512-"
    "x8\",\"library\":\"Some Library 1.3\","
    "\"level\":\"L2\",\"working_set_bytes\":65536,\"page_bytes\":2097152,\"threads\":1,"
    "\"chains\":8,\"item\":\"byte\",\"items_per_sample\":32768,"
    "\"cycle_source\":\"calibrated-chain\",\"mode\":\"nt\","
    "\"traffic\":{\"load\":1,\"store_nt\":1},\"operations\":{\"aesenc-512\":0.15625},"
    "\"verdict\":\"steady\",\"dropped\":{\"preempted\":2},"
    "\"ns\":[1000,1001,999],\"cycles\":[3000.5,3003,2997.25],"
    "\"baseline_ns\":[500,501,499],\"baseline_cycles\":[1500,1503,1497]}";

static json_t *parse(const char *text)
{
    json_t *const json = json_loads(text, JSON_DECODE_ANY, NULL);

    assert_non_null(json);
    return json;
}

static void test_round_trip(void **state)
{
    json_t *const json = parse(whole_record);
    struct rp_error error = {0};
    struct rp_record record;

    (void)state;
    assert_true(rp_record_from_json(&record, json, &error));
    assert_int_equal(record.id, 3);
    assert_string_equal(record.kernel, "aes128ctr-vaes512-x8");
    assert_string_equal(record.library, "Some Library 1.3");
    assert_int_equal(record.mode, RP_MODE_NT);
    assert_int_equal(record.verdict, RP_VERDICT_STEADY);
    assert_int_equal(record.working_set_bytes, 65536);
    assert_true(record.traffic.store_nt == 1 && record.traffic.store == 0);
    assert_string_equal(record.operations[0].class_name, "aesenc-512");
    assert_true(record.operations[0].per_item == 0.15625);
    assert_string_equal(record.operations[1].class_name, "");
    assert_int_equal(record.dropped.preempted, 2);
    assert_int_equal(record.sample_count, 3);
    assert_true(record.samples[2].ns == 999 && record.samples[2].cycles == 2997.25);
    assert_true(record.samples[1].baseline_ns == 501);
    assert_true(record.samples[0].baseline_cycles == 1500);

    json_t *const again = rp_record_to_json(&record);
    assert_true(json_equal(json, again));
    char *const text = json_dumps(again, JSON_COMPACT | JSON_REAL_PRECISION(9));
    assert_string_equal(text, whole_record);
    free(text);
    json_decref(again);
    json_decref(json);
    rp_record_free(&record);
    assert_null(record.samples);
}

static void test_unavailable_is_short(void **state)
{
    struct rp_record record = {
        .id = 1,
        .job = "units/aesenc-512/1",
        .probe = "units",
        .verdict = RP_VERDICT_UNAVAILABLE,
        .why = "this CPU has no VAES",
    };
    struct rp_record back;
    struct rp_error error = {0};
    json_t *const json = rp_record_to_json(&record);
    char *const text = json_dumps(json, JSON_COMPACT);

    (void)state;
    assert_string_equal(text,
                        "{\"id\":1,\"job\":\"units/aesenc-512/1\",\"probe\":\"units\","
                        "\"why\":\"this CPU has no VAES\",\"verdict\":\"unavailable\"}");
    assert_true(rp_record_from_json(&back, json, &error));
    assert_int_equal(back.verdict, RP_VERDICT_UNAVAILABLE);
    assert_int_equal(back.mode, RP_MODE_NONE);
    assert_int_equal(back.sample_count, 0);
    assert_null(back.samples);
    free(text);
    json_decref(json);
}

/* Numbers a file can hold keep nine digits, whole ones all. */
static void test_precision(void **state)
{
    struct rp_sample samples[] = {{.ns = 123456789012, .cycles = 1.0 / 3}};
    const struct rp_record record = {
        .id = 1,
        .job = "job",
        .probe = "sweep",
        .items_per_sample = 1e15,
        .samples = samples,
        .sample_count = 1,
    };
    struct rp_error error = {0};
    struct rp_record back;

    (void)state;
    json_t *const json = rp_record_to_json(&record);
    char *const text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_t *const parsed = parse(text);
    assert_true(rp_record_from_json(&back, parsed, &error));
    assert_true(back.samples[0].ns == 123456789012);
    assert_true(fabs(back.samples[0].cycles * 3 - 1) < 1e-8);
    assert_true(back.items_per_sample == 1e15);
    rp_record_free(&back);
    json_decref(parsed);
    json_decref(json);
    free(text);
}

/* Each row replaces one member of the whole record; NULL removes it. */
static void test_refusals(void **state)
{
    static const struct {
        const char *key;
        const char *value;
        const char *message;
    } rows[] = {
        {"id", NULL, "\"id\" is missing"},
        {"id", "-1", "\"id\" must be"},
        {"id", "1.0", "\"id\" must be"},
        {"id", "\"1\"", "\"id\" must be"},
        {"job", NULL, "\"job\" is missing"},
        {"job", "null", "\"job\" must be"},
        {"job",
         "\"0123456789012345678901234567890123456789012345678901234567890123456789"
         "01234567890123456789012345\"",
         "\"job\" must be"},
        {"probe", "\"0123456789abcdef\"", "\"probe\" must be"},
        {"kernel", "[]", "\"kernel\" must be"},
        {"working_set_bytes", "-65536", "\"working_set_bytes\" must be"},
        {"page_bytes", "1e300", "\"page_bytes\" must be"},
        {"threads", "4294967296", "\"threads\" must be"},
        {"threads", "true", "\"threads\" must be"},
        {"items_per_sample", "0", "\"items_per_sample\" must be above zero"},
        {"items_per_sample", "-1", "\"items_per_sample\" must be"},
        {"items_per_sample", "1e19", "\"items_per_sample\" must be"},
        {"items_per_sample", "5e-324", "\"items_per_sample\" must be"},
        {"items_per_sample", NULL, "\"items_per_sample\" must be above zero"},
        {"mode", "\"sideways\"", "\"mode\" must be"},
        {"mode", "1", "\"mode\" must be"},
        {"verdict", NULL, "\"verdict\" must be"},
        {"verdict", "\"fine\"", "\"verdict\" must be"},
        {"verdict", "0", "\"verdict\" must be"},
        {"traffic", "[]", "\"traffic\" must be an object"},
        {"traffic", "{\"load\":-1}", "\"traffic.load\" must be"},
        {"traffic", "{\"rmw\":\"1\"}", "\"traffic.rmw\" must be"},
        {"traffic", "{\"load\":1.7e308}", "\"traffic.load\" must be"},
        {"traffic", "{\"load\":1,\"rmw\":1}", "\"traffic.rmw\" must be a part"},
        {"traffic", "{\"store\":1,\"rmw\":1}", "\"traffic.rmw\" must be a part"},
        {"dropped", "7", "\"dropped\" must be an object"},
        {"dropped", "{\"stolen\":0.5}", "\"dropped.stolen\" must be"},
        {"operations", "[1]", "\"operations\" must be an object"},
        {"operations", "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1}", "at most 4"},
        {"operations", "{\"a\":-1}", "\"operations\" must give"},
        {"operations", "{\"a\":1e-19}", "\"operations\" must give"},
        {"operations", "{\"\":1}", "\"operations\" must give"},
        {"operations", "{\"0123456789abcdef01234567\":1}", "\"operations\" must give"},
        {"ns", NULL, "as long as \"ns\""},
        {"ns", "[1000,1001]", "as long as \"ns\""},
        {"ns", "1000", "\"ns\" must be a list"},
        {"ns", "[1000,1001,-1]", "\"ns\" must hold"},
        {"ns", "[1000,1001,0]", "\"ns\" must hold numbers above zero"},
        {"ns", "[1000,1001,2e18]", "\"ns\" must hold"},
        {"ns", "[1000,1001,null]", "\"ns\" must hold"},
        {"cycles", "[1,2,3,4]", "\"cycles\" must be a list"},
        {"cycles", "[1,2,\"3\"]", "\"cycles\" must hold"},
        {"baseline_ns", "[]", "\"baseline_ns\" must be a list"},
        {"baseline_cycles", "[1,[],2]", "\"baseline_cycles\" must hold"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        json_t *const json = parse(whole_record);
        struct rp_error error = {0};
        struct rp_record record;

        if (rows[i].value == NULL) {
            json_object_del(json, rows[i].key);
        } else {
            json_object_set_new(json, rows[i].key, parse(rows[i].value));
        }
        if (rp_record_from_json(&record, json, &error)) {
            fail_msg("\"%s\": %s was accepted", rows[i].key, rows[i].value);
        }
        assert_int_equal(error.status, RP_USAGE);
        assert_contains(error.message, rows[i].message);
        assert_null(record.samples);
        json_decref(json);
    }
}

static void test_steady_needs_samples(void **state)
{
    struct rp_error error = {0};
    struct rp_record record;
    json_t *const json =
        parse("{\"id\":1,\"job\":\"a\",\"probe\":\"sweep\",\"verdict\":\"steady\"}");

    (void)state;
    assert_false(rp_record_from_json(&record, json, &error));
    assert_contains(error.message, "\"ns\" is missing");
    /* All samples of a disturbed one may have been dropped. */
    json_object_set_new(json, "verdict", json_string("disturbed"));
    assert_true(rp_record_from_json(&record, json, &error));
    json_decref(json);
}

static void test_not_an_object(void **state)
{
    static const char *const values[] = {"[]", "1", "null", "\"text\"", "true"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        json_t *const json = parse(values[i]);
        struct rp_error error = {0};
        struct rp_record record;

        assert_false(rp_record_from_json(&record, json, &error));
        assert_contains(error.message, "must be an object");
        json_decref(json);
    }
}

static void test_too_many_samples(void **state)
{
    json_t *const json = parse(whole_record);
    json_t *const array = json_array();
    struct rp_error error = {0};
    struct rp_record record;

    (void)state;
    json_t *const one = json_integer(1);
    for (int i = 0; i <= 1000000; i++) {
        json_array_append(array, one);
    }
    json_object_set_new(json, "ns", array);
    assert_false(rp_record_from_json(&record, json, &error));
    assert_contains(error.message, "at most 1000000");
    json_decref(one);
    json_decref(json);
}

static void test_verdict_names(void **state)
{
    (void)state;
    assert_string_equal(rp_verdict_name(RP_VERDICT_STEADY), "steady");
    assert_string_equal(rp_verdict_name(RP_VERDICT_BUDGET), "budget");
    assert_string_equal(rp_verdict_name(RP_VERDICT_DISTURBED), "disturbed");
    assert_string_equal(rp_verdict_name(RP_VERDICT_UNAVAILABLE), "unavailable");
    assert_string_equal(rp_verdict_name(RP_VERDICT_COUNTED), "counted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_unavailable_is_short),
        cmocka_unit_test(test_precision),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_steady_needs_samples),
        cmocka_unit_test(test_not_an_object),
        cmocka_unit_test(test_too_many_samples),
        cmocka_unit_test(test_verdict_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
