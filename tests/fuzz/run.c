/* SPDX-License-Identifier: MIT */
/*
 * A run file from anywhere: what is read is written and read again as the same, and its
 * model and reports hold numbers.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hostile.h"
#include "roofline/report.h"

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

/* True when the word stands in the text by itself: printf writes "inf" and "nan" for what
 * is no number. */
static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    const char *found = text;

    while ((found = strstr(found, word)) != NULL) {
        const bool starts = found == text || !isalnum((unsigned char)found[-1]);

        if (starts && !isalnum((unsigned char)found[length])) {
            return true;
        }
        found += length;
    }
    return false;
}

/* A text of the run may hold these words, and spell them by code points. */
static void check_numbers(const char *report, const char *input)
{
    static const char *const words[] = {"inf", "nan"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        must(strstr(input, words[i]) != NULL || strstr(input, "\\u") != NULL ||
                 !has_word(report, words[i]),
             "a report holds numbers");
    }
}

static void check_reports(const struct rp_model *model, const char *input)
{
    struct rp_error error = {0};
    struct rp_text markdown = {0};
    struct rp_text html = {0};

    must(rp_report_markdown(model, &markdown, &error), "every model has a report");
    must(rp_report_html(model, NULL, 0, &html, &error), "every model has a page");
    check_numbers(markdown.data, input);
    check_numbers(html.data, input);
    for (const char *c = html.data; *c != '\0'; c++) {
        must(*c == '\n' || !is_control(*c), "a page is free of control characters");
    }
    must(strcasestr(html.data, "<script") == NULL, "a page runs nothing");
    rp_text_free(&markdown);
    rp_text_free(&html);
}

/* Every number of a model is finite and not negative. */
static void check_model(json_t *json)
{
    const char *key = NULL;
    json_t *value = NULL;
    size_t index = 0;

    must(!json_is_number(json) ||
             (isfinite(json_number_value(json)) && json_number_value(json) >= 0),
         "a model holds finite numbers that are not negative");
    json_object_foreach(json, key, value)
    {
        check_model(value);
    }
    json_array_foreach(json, index, value)
    {
        check_model(value);
    }
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
        must(json != NULL, "every model can be written");
        check_model(json);
        check_reports(&hostile.model, input);
        json_decref(json);
        free(input);
    }
    hostile_free(&hostile);
    return 0;
}
