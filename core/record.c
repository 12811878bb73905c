/* SPDX-License-Identifier: MIT */
#include "core/record.h"

#include <stdlib.h>
#include <string.h>

#include "core/fields.h"
#include "core/text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* More than any measurement takes; a file that holds more was not written by one. */
#define MAX_SAMPLES 1000000

#define RECORD(member, kind, required) RP_FIELD(struct rp_record, member, kind, required)
static const struct rp_field leading_fields[] = {
    RECORD(id, RP_FIELD_NUMBER, true),
    RECORD(job, RP_FIELD_TEXT, true),
    RECORD(probe, RP_FIELD_TEXT, true),
    RECORD(kernel, RP_FIELD_TEXT, false),
    RECORD(family, RP_FIELD_TEXT, false),
    RECORD(variant, RP_FIELD_TEXT, false),
    RECORD(library, RP_FIELD_TEXT, false),
    RECORD(level, RP_FIELD_TEXT, false),
    RECORD(working_set_bytes, RP_FIELD_NUMBER, false),
    RECORD(page_bytes, RP_FIELD_NUMBER, false),
    RECORD(places, RP_FIELD_COUNT, false),
    RECORD(core_kind, RP_FIELD_TEXT, false),
    RECORD(data, RP_FIELD_TEXT, false),
    RECORD(threads, RP_FIELD_COUNT, false),
    RECORD(chains, RP_FIELD_COUNT, false),
    RECORD(item, RP_FIELD_TEXT, false),
    RECORD(items_per_sample, RP_FIELD_REAL, false),
    RECORD(cycle_source, RP_FIELD_TEXT, false),
    RECORD(why, RP_FIELD_TEXT, false),
};

#define TRAFFIC(member) RP_FIELD(struct rp_traffic, member, RP_FIELD_REAL, false)
static const struct rp_field traffic_fields[] = {TRAFFIC(load), TRAFFIC(store),
                                                 TRAFFIC(store_nt), TRAFFIC(rmw)};

#define DROPPED(member) RP_FIELD(struct rp_dropped, member, RP_FIELD_COUNT, false)
static const struct rp_field dropped_fields[] = {DROPPED(clock),     DROPPED(preempted),
                                                 DROPPED(stolen),    DROPPED(shared),
                                                 DROPPED(throttled), DROPPED(moved)};

static const char *const verdict_names[] = {
    [RP_VERDICT_STEADY] = "steady",       [RP_VERDICT_BUDGET] = "budget",
    [RP_VERDICT_DISTURBED] = "disturbed", [RP_VERDICT_UNAVAILABLE] = "unavailable",
    [RP_VERDICT_COUNTED] = "counted",
};

/* Samples are stored as one array for each of these. */
static const struct sample_column {
    const char *name;
    size_t offset;
} columns[] = {
    {"ns", offsetof(struct rp_sample, ns)},
    {"cycles", offsetof(struct rp_sample, cycles)},
    {"baseline_ns", offsetof(struct rp_sample, baseline_ns)},
    {"baseline_cycles", offsetof(struct rp_sample, baseline_cycles)},
    {"pingpong_ns", offsetof(struct rp_sample, pingpong_ns)},
};

const char *rp_verdict_name(enum rp_verdict verdict)
{
    return verdict_names[verdict];
}

double rp_record_samples_taken(const struct rp_record *record)
{
    const struct rp_dropped *const dropped = &record->dropped;

    return (double)record->sample_count + dropped->clock + dropped->preempted +
           dropped->stolen + dropped->shared + dropped->throttled + dropped->moved;
}

void rp_record_free(struct rp_record *record)
{
    free(record->samples);
    if (record->counted != NULL) {
        rp_counted_free(record->counted);
        free(record->counted);
    }
    *record = (struct rp_record){0};
}

static double *cell(const struct rp_record *record, size_t row, size_t column)
{
    return (double *)(void *)((char *)&record->samples[row] + columns[column].offset);
}

/* Sets a member that is an object of its own, unless it would be empty. */
static bool set_object(json_t *json, const char *key, const struct rp_field *fields,
                       size_t count, const void *base)
{
    json_t *const object = json_object();
    bool done = object != NULL && rp_fields_write(object, fields, count, base);

    if (done && json_object_size(object) > 0) {
        done = json_object_set(json, key, object) == 0;
    }
    json_decref(object);
    return done;
}

static bool set_operations(json_t *json, const struct rp_record *record)
{
    json_t *const object = json_object();
    bool done = object != NULL;

    for (size_t i = 0; done && i < RP_MAX_OPERATIONS; i++) {
        if (record->operations[i].class_name[0] != '\0') {
            done = json_object_set_new(
                       object, record->operations[i].class_name,
                       rp_number_to_json(record->operations[i].per_item)) == 0;
        }
    }
    if (done && json_object_size(object) > 0) {
        done = json_object_set(json, "operations", object) == 0;
    }
    json_decref(object);
    return done;
}

/* Sets the column's array, unless it is zero throughout. */
static bool set_column(json_t *json, const struct rp_record *record, size_t column)
{
    json_t *const array = json_array();
    bool done = array != NULL;
    bool empty = true;

    for (size_t row = 0; done && row < record->sample_count; row++) {
        const double value = *cell(record, row, column);

        empty = empty && value == 0;
        done = json_array_append_new(array, rp_number_to_json(value)) == 0;
    }
    if (done && !empty) {
        done = json_object_set(json, columns[column].name, array) == 0;
    }
    json_decref(array);
    return done;
}

json_t *rp_record_to_json(const struct rp_record *record)
{
    json_t *const json = json_object();
    bool done = json != NULL &&
                rp_fields_write(json, leading_fields, COUNT_OF(leading_fields), record) &&
                (record->mode == RP_MODE_NONE ||
                 json_object_set_new(json, "mode",
                                     json_string(rp_mode_name(record->mode))) == 0) &&
                set_object(json, "traffic", traffic_fields, COUNT_OF(traffic_fields),
                           &record->traffic) &&
                set_operations(json, record) &&
                json_object_set_new(json, "verdict",
                                    json_string(rp_verdict_name(record->verdict))) == 0 &&
                set_object(json, "dropped", dropped_fields, COUNT_OF(dropped_fields),
                           &record->dropped);

    for (size_t column = 0; done && column < COUNT_OF(columns); column++) {
        done = set_column(json, record, column);
    }
    if (done && record->counted != NULL) {
        done = json_object_set_new(json, "counted",
                                   rp_counted_to_json(record->counted)) == 0;
    }
    if (!done) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static bool read_mode(struct rp_record *record, const json_t *json,
                      struct rp_error *error)
{
    const json_t *const mode = json_object_get(json, "mode");

    return mode == NULL ||
           (json_is_string(mode) &&
            rp_mode_parse(json_string_value(mode), &record->mode)) ||
           rp_fail(error, RP_USAGE,
                   "\"mode\" must be \"none\", \"temporal\", \"nt\" or \"inplace\"");
}

static bool read_verdict(struct rp_record *record, const json_t *json,
                         struct rp_error *error)
{
    const char *const name = json_string_value(json_object_get(json, "verdict"));

    for (size_t i = 0; name != NULL && i < COUNT_OF(verdict_names); i++) {
        if (strcmp(name, verdict_names[i]) == 0) {
            record->verdict = (enum rp_verdict)i;
            return true;
        }
    }
    return rp_fail(error, RP_USAGE,
                   "\"verdict\" must be \"steady\", \"budget\", \"disturbed\", "
                   "\"unavailable\" or \"counted\"");
}

static bool read_object(const json_t *json, const char *key, const char *where,
                        const struct rp_field *fields, size_t count, void *base,
                        struct rp_error *error)
{
    const json_t *const object = json_object_get(json, key);

    if (object == NULL) {
        return true;
    }
    if (!json_is_object(object)) {
        return rp_fail(error, RP_USAGE, "\"%s\" must be an object", key);
    }
    return rp_fields_read(object, where, fields, count, base, error);
}

static bool read_operations(struct rp_record *record, const json_t *json,
                            struct rp_error *error)
{
    json_t *const object = json_object_get(json, "operations");
    const char *name = NULL;
    const json_t *value = NULL;
    size_t count = 0;

    if (object != NULL &&
        (!json_is_object(object) || json_object_size(object) > RP_MAX_OPERATIONS)) {
        return rp_fail(error, RP_USAGE, "\"operations\" must be an object of at most %d",
                       RP_MAX_OPERATIONS);
    }
    json_object_foreach(object, name, value)
    {
        const size_t length = strlen(name);

        if (length == 0 || length >= sizeof record->operations[count].class_name ||
            !rp_is_plain(name) ||
            !rp_number_from_json(value, &record->operations[count].per_item)) {
            return rp_fail(error, RP_USAGE,
                           "\"operations\" must give each class 0 or a number from "
                           "1e-18 to 1e18");
        }
        memcpy(record->operations[count].class_name, name, length + 1);
        count++;
    }
    return true;
}

static bool read_column(struct rp_record *record, const json_t *json, size_t column,
                        struct rp_error *error)
{
    const json_t *const array = json_object_get(json, columns[column].name);

    if (array == NULL) {
        return true;
    }
    if (!json_is_array(array) || json_array_size(array) != record->sample_count) {
        return rp_fail(error, RP_USAGE, "\"%s\" must be a list as long as \"ns\"",
                       columns[column].name);
    }
    for (size_t row = 0; row < record->sample_count; row++) {
        if (!rp_number_from_json(json_array_get(array, row), cell(record, row, column))) {
            return rp_fail(error, RP_USAGE,
                           "\"%s\" must hold zeros and numbers from 1e-18 to 1e18",
                           columns[column].name);
        }
    }
    return true;
}

static bool read_samples(struct rp_record *record, const json_t *json,
                         struct rp_error *error)
{
    const json_t *const times = json_object_get(json, "ns");
    const size_t count = json_array_size(times);

    if (count > MAX_SAMPLES) {
        return rp_fail(error, RP_USAGE, "\"ns\" must hold at most %d samples",
                       MAX_SAMPLES);
    }
    if (count > 0) {
        record->samples = calloc(count, sizeof *record->samples);
        if (record->samples == NULL) {
            return rp_fail(error, RP_UNABLE, "not enough memory for %zu samples", count);
        }
        record->sample_count = count;
    }
    for (size_t column = 0; column < COUNT_OF(columns); column++) {
        if (!read_column(record, json, column, error)) {
            return false;
        }
    }
    for (size_t row = 0; row < count; row++) {
        if (!(record->samples[row].ns > 0)) {
            return rp_fail(error, RP_USAGE, "\"ns\" must hold numbers above zero");
        }
    }
    return true;
}

/* A record is counted and says what, or neither. */
static bool read_counted(struct rp_record *record, const json_t *json,
                         struct rp_error *error)
{
    const json_t *const counted = json_object_get(json, "counted");

    if ((counted != NULL) != (record->verdict == RP_VERDICT_COUNTED)) {
        return rp_fail(
            error, RP_USAGE,
            "\"counted\" must be there where it is the verdict, and only there");
    }
    if (counted == NULL) {
        return true;
    }
    record->counted = calloc(1, sizeof *record->counted);
    return record->counted != NULL
               ? rp_counted_from_json(record->counted, counted, error)
               : rp_fail(error, RP_UNABLE, "not enough memory for what was counted");
}

/* What figures are divided by and subtracted. */
static bool check_figures(const struct rp_record *record, struct rp_error *error)
{
    const bool measured =
        record->verdict == RP_VERDICT_STEADY || record->verdict == RP_VERDICT_BUDGET;
    const struct rp_traffic *const traffic = &record->traffic;

    if (measured && record->sample_count == 0) {
        return rp_fail(error, RP_USAGE, "\"ns\" is missing in a record that is %s",
                       rp_verdict_name(record->verdict));
    }
    if (record->sample_count > 0 && !(record->items_per_sample > 0)) {
        return rp_fail(error, RP_USAGE,
                       "\"items_per_sample\" must be above zero where there are samples");
    }
    if (traffic->rmw > traffic->load || traffic->rmw > traffic->store) {
        return rp_fail(error, RP_USAGE,
                       "\"traffic.rmw\" must be a part of both \"load\" and \"store\"");
    }
    return true;
}

bool rp_record_from_json(struct rp_record *record, const json_t *json,
                         struct rp_error *error)
{
    *record = (struct rp_record){0};
    if (!json_is_object(json)) {
        return rp_fail(error, RP_USAGE, "a record must be an object");
    }
    if (rp_fields_read(json, "", leading_fields, COUNT_OF(leading_fields), record,
                       error) &&
        read_mode(record, json, error) && read_verdict(record, json, error) &&
        read_object(json, "traffic", "traffic.", traffic_fields, COUNT_OF(traffic_fields),
                    &record->traffic, error) &&
        read_object(json, "dropped", "dropped.", dropped_fields, COUNT_OF(dropped_fields),
                    &record->dropped, error) &&
        read_operations(record, json, error) && read_samples(record, json, error) &&
        read_counted(record, json, error) && check_figures(record, error)) {
        return true;
    }
    rp_record_free(record);
    return false;
}
