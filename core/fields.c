/* SPDX-License-Identifier: MIT */
#include "core/fields.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "RP_FIELD_NUMBER stands for both");

#define WHOLE_LIMIT 9007199254740992.0 /* 2^53: whole numbers below it are exact */

/* Wide enough for every quantity of a file, and so narrow that what is derived from
 * several is a number, too: neither infinite nor divided by what vanished. */
#define LEAST_REAL   1e-18
#define LARGEST_REAL 1e18

json_t *rp_number_to_json(double value)
{
    return value == floor(value) && fabs(value) < WHOLE_LIMIT
               ? json_integer((json_int_t)value)
               : json_real(value);
}

bool rp_number_from_json(const json_t *json, double *value)
{
    if (!json_is_number(json)) {
        return false;
    }
    *value = json_number_value(json);
    return *value == 0 || (*value >= LEAST_REAL && *value <= LARGEST_REAL);
}

/* The member as JSON, and whether it is empty. */
static json_t *field_to_json(const struct rp_field *field, const void *place, bool *empty)
{
    switch (field->kind) {
    case RP_FIELD_TEXT:
        *empty = *(const char *)place == '\0';
        return json_string(place);
    case RP_FIELD_COUNT:
        *empty = *(const unsigned *)place == 0;
        return json_integer(*(const unsigned *)place);
    case RP_FIELD_NUMBER:
        *empty = *(const uint64_t *)place == 0;
        return json_integer((json_int_t) * (const uint64_t *)place);
    case RP_FIELD_REAL:
        *empty = *(const double *)place == 0;
        return rp_number_to_json(*(const double *)place);
    case RP_FIELD_FLAG:
        *empty = !*(const bool *)place;
        return json_boolean(*(const bool *)place);
    }
    return NULL;
}

bool rp_fields_write(json_t *object, const struct rp_field *fields, size_t count,
                     const void *base)
{
    for (size_t i = 0; i < count; i++) {
        bool empty = false;
        json_t *const value =
            field_to_json(&fields[i], (const char *)base + fields[i].offset, &empty);

        if (value == NULL) {
            return false;
        }
        if (empty && !fields[i].required) {
            json_decref(value);
        } else if (json_object_set_new(object, fields[i].name, value) != 0) {
            return false;
        }
    }
    return true;
}

static bool read_whole(const json_t *value, json_int_t maximum, json_int_t *whole)
{
    *whole = json_integer_value(value);
    return json_is_integer(value) && *whole >= 0 && *whole <= maximum;
}

/* Stores one member; returns what it should have been when it is not, else NULL. */
static const char *field_from_json(const struct rp_field *field, const json_t *value,
                                   void *place)
{
    json_int_t whole = 0;

    switch (field->kind) {
    case RP_FIELD_TEXT:
        if (!json_is_string(value) || json_string_length(value) >= field->capacity ||
            !rp_is_plain(json_string_value(value))) {
            return "a text without control characters that is not too long";
        }
        memcpy(place, json_string_value(value), json_string_length(value) + 1);
        return NULL;
    case RP_FIELD_COUNT:
        if (!read_whole(value, UINT_MAX, &whole)) {
            return "a whole number from 0 to 4294967295";
        }
        *(unsigned *)place = (unsigned)whole;
        return NULL;
    case RP_FIELD_NUMBER:
        if (!read_whole(value, INT64_MAX, &whole)) {
            return "a whole number from 0 to 9223372036854775807";
        }
        *(uint64_t *)place = (uint64_t)whole;
        return NULL;
    case RP_FIELD_REAL:
        return rp_number_from_json(value, place) ? NULL
                                                 : "0 or a number from 1e-18 to 1e18";
    case RP_FIELD_FLAG:
        *(bool *)place = json_is_true(value);
        return json_is_boolean(value) ? NULL : "true or false";
    }
    return "known";
}

bool rp_fields_read(const json_t *object, const char *where,
                    const struct rp_field *fields, size_t count, void *base,
                    struct rp_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const json_t *const value = json_object_get(object, fields[i].name);

        if (value == NULL && fields[i].required) {
            return rp_fail(error, RP_USAGE, "\"%s%s\" is missing", where, fields[i].name);
        }
        if (value == NULL) {
            continue;
        }
        const char *const expected =
            field_from_json(&fields[i], value, (char *)base + fields[i].offset);
        if (expected != NULL) {
            return rp_fail(error, RP_USAGE, "\"%s%s\" must be %s", where, fields[i].name,
                           expected);
        }
    }
    return true;
}
