/* SPDX-License-Identifier: MIT */
/*
 * A run file from anywhere: what is read is written and read again as the same, and its
 * model and reports hold numbers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hostile.h"
#include "roofline/report.h"
#include "telling.h"

/* Numbers are written with nine digits. */
static bool same_number(const json_t *a, const json_t *b)
{
    const double x = json_number_value(a);
    const double y = json_number_value(b);

    return json_is_integer(a) && json_is_integer(b)
               ? json_integer_value(a) == json_integer_value(b)
               : fabs(x - y) <= 1e-8 * fabs(x);
}

static bool same_json(json_t *a, json_t *b)
{
    const char *key = NULL;
    json_t *value = NULL;
    size_t index = 0;

    if (json_is_number(a) && json_is_number(b)) {
        return same_number(a, b);
    }
    if (json_typeof(a) != json_typeof(b) || json_object_size(a) != json_object_size(b) ||
        json_array_size(a) != json_array_size(b)) {
        return false;
    }
    json_object_foreach(a, key, value)
    {
        json_t *const other = json_object_get(b, key);

        if (other == NULL || !same_json(value, other)) {
            return false;
        }
    }
    json_array_foreach(a, index, value)
    {
        if (!same_json(value, json_array_get(b, index))) {
            return false;
        }
    }
    return json_is_object(a) || json_is_array(a) || json_equal(a, b);
}

/* What a reader gets of a value written as a line of a run file. */
static json_t *through_text(const json_t *json)
{
    char *const text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_t *const read =
        text != NULL ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;

    free(text);
    return read;
}

static void check_record(const struct rp_record *record)
{
    struct rp_error error = {0};
    struct rp_record again;
    json_t *const json = rp_record_to_json(record);
    json_t *const read = through_text(json);

    must(read != NULL && rp_record_from_json(&again, read, &error),
         "a record that was read can be written and read again");
    json_t *const json_again = rp_record_to_json(&again);
    must(json_again != NULL && same_json(json, json_again),
         "a record is the same when written and read again");
    rp_record_free(&again);
    json_decref(json);
    json_decref(read);
    json_decref(json_again);
}

static void check_machine(const struct rp_machine *machine)
{
    struct rp_error error = {0};
    struct rp_machine again;
    json_t *const json = rp_machine_to_json(machine);
    json_t *const read = through_text(json);

    must(read != NULL && rp_machine_from_json(&again, read, &error),
         "a machine that was read can be written and read again");
    json_t *const json_again = rp_machine_to_json(&again);
    must(json_again != NULL && same_json(json, json_again),
         "a machine is the same when written and read again");
    json_decref(json);
    json_decref(read);
    json_decref(json_again);
}

static void check_cycle_sources(const struct rp_run *run)
{
    struct rp_error error = {0};
    struct rp_cycle_trial again[RP_CYCLE_SOURCES];
    unsigned count = 0;
    json_t *const json =
        rp_cycle_trials_to_json(run->cycle_trials, run->cycle_trial_count);
    json_t *const read = through_text(json);

    must(rp_cycle_trials_from_json(again, &count, read, &error),
         "cycle sources that were read can be written and read again");
    json_t *const json_again = rp_cycle_trials_to_json(again, count);
    must(json_again != NULL && same_json(json, json_again),
         "cycle sources are the same when written and read again");
    json_decref(json);
    json_decref(read);
    json_decref(json_again);
}

static void check_reports(const struct rp_model *model, const char *input)
{
    struct rp_error error = {0};
    struct rp_text markdown = {0};
    struct rp_text html = {0};

    must(rp_report_markdown(model, &markdown, &error), "every model has a report");
    must(rp_report_html(model, NULL, 0, &html, &error), "every model has a page");
    must_hold_numbers(markdown.data, input);
    must_hold_numbers(html.data, input);
    for (const char *c = html.data; *c != '\0'; c++) {
        must(*c == '\n' || !is_control(*c), "a page is free of control characters");
    }
    must(strcasestr(html.data, "<script") == NULL, "a page runs nothing");
    rp_text_free(&markdown);
    rp_text_free(&html);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hostile hostile;
    const bool has_model = hostile_read(&hostile, data, size);

    for (size_t i = 0; i < hostile.run.record_count; i++) {
        check_record(&hostile.run.records[i]);
    }
    if (has_model) {
        char *const input = text_of(data, size);
        json_t *const json = rp_model_to_json(&hostile.model);

        check_machine(&hostile.run.machine);
        check_cycle_sources(&hostile.run);
        must(json != NULL, "every model can be written");
        must_be_figures(json);
        check_reports(&hostile.model, input);
        json_decref(json);
        free(input);
    }
    hostile_free(&hostile);
    return 0;
}
