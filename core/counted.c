/* SPDX-License-Identifier: MIT */
#include "core/counted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fields.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define COUNTED(member, kind, required)                                                  \
    RP_FIELD(struct rp_counted, member, kind, required)
static const struct rp_field counted_fields[] = {
    COUNTED(region, RP_FIELD_TEXT, true), COUNTED(group, RP_FIELD_TEXT, true),
    COUNTED(source, RP_FIELD_TEXT, true), COUNTED(calls, RP_FIELD_REAL, false),
    COUNTED(items, RP_FIELD_REAL, false), COUNTED(seconds, RP_FIELD_REAL, false),
};

static const struct rp_field count_fields[] = {
    RP_FIELD(struct rp_count, event, RP_FIELD_TEXT, true),
    RP_FIELD(struct rp_count, counter, RP_FIELD_TEXT, false),
};

void rp_counted_free(struct rp_counted *counted)
{
    free(counted->counts);
    *counted = (struct rp_counted){0};
}

const char *rp_counted_region(const char *job)
{
    static const char usual[] = "sweep/";
    const size_t length = sizeof usual - 1;

    return strncmp(job, usual, length) == 0 ? job + length : job;
}

static json_t *count_to_json(const struct rp_count *count)
{
    json_t *const json = json_object();

    if (json == NULL ||
        !rp_fields_write(json, count_fields, COUNT_OF(count_fields), count) ||
        (!isnan(count->value) &&
         json_object_set_new(json, "value", rp_number_to_json(count->value)) != 0)) {
        json_decref(json);
        return NULL;
    }
    return json;
}

json_t *rp_counted_to_json(const struct rp_counted *counted)
{
    json_t *const json = json_object();
    json_t *const counts = json_array();
    bool done = json != NULL && counts != NULL &&
                rp_fields_write(json, counted_fields, COUNT_OF(counted_fields), counted);

    for (size_t i = 0; done && i < counted->count; i++) {
        done = json_array_append_new(counts, count_to_json(&counted->counts[i])) == 0;
    }
    done = done && json_object_set(json, "counts", counts) == 0;
    json_decref(counts);
    if (!done) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static bool read_count(struct rp_count *count, const json_t *json, struct rp_error *error)
{
    const json_t *const value = json_object_get(json, "value");

    if (!json_is_object(json)) {
        return rp_fail(error, RP_USAGE, "\"counted.counts\" must hold objects");
    }
    count->value = NAN;
    return rp_fields_read(json, "counted.counts.", count_fields, COUNT_OF(count_fields),
                          count, error) &&
           (value == NULL || rp_number_from_json(value, &count->value) ||
            rp_fail(error, RP_USAGE,
                    "\"counted.counts.value\" must be 0 or a number from 1e-18 to 1e18"));
}

bool rp_counted_from_json(struct rp_counted *counted, const json_t *json,
                          struct rp_error *error)
{
    const json_t *const counts = json_object_get(json, "counts");
    bool done = false;

    *counted = (struct rp_counted){0};
    if (!json_is_object(json) || !json_is_array(counts) || json_array_size(counts) == 0 ||
        json_array_size(counts) > RP_MOST_COUNTS) {
        return rp_fail(error, RP_USAGE,
                       "\"counted\" must be an object with 1 to %d \"counts\"",
                       RP_MOST_COUNTS);
    }
    counted->count = json_array_size(counts);
    counted->counts = calloc(counted->count, sizeof *counted->counts);
    if (counted->counts == NULL) {
        return rp_fail(error, RP_UNABLE, "not enough memory for %zu counts",
                       counted->count);
    }
    done = rp_fields_read(json, "counted.", counted_fields, COUNT_OF(counted_fields),
                          counted, error);
    for (size_t i = 0; done && i < counted->count; i++) {
        done = read_count(&counted->counts[i], json_array_get(counts, i), error);
    }
    if (done && !(counted->calls > 0 && counted->items > 0)) {
        done = rp_fail(error, RP_USAGE,
                       "\"counted.calls\" and \"counted.items\" must be above zero");
    }
    if (!done) {
        rp_counted_free(counted);
    }
    return done;
}
