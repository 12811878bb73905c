/* SPDX-License-Identifier: MIT */
/*
 * Members of a struct as members of a JSON object, by table, in both directions.
 *
 * Empty text, zero and false are left out when written and are what an absent member
 * reads as. Reading trusts nothing: a wrong type, a number out of range, text too long
 * and text with control characters are errors that name the member. Members the table
 * does not know are ignored.
 */
#ifndef RP_CORE_FIELDS_H
#define RP_CORE_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

enum rp_field_kind {
    RP_FIELD_TEXT,   /* char[] */
    RP_FIELD_COUNT,  /* unsigned */
    RP_FIELD_NUMBER, /* uint64_t or size_t; at most INT64_MAX, all that JSON text keeps */
    RP_FIELD_REAL,   /* double, 0 or from 1e-18 to 1e18 */
    RP_FIELD_FLAG,   /* bool */
};

struct rp_field {
    const char *name;
    enum rp_field_kind kind;
    size_t offset;
    size_t capacity; /* RP_FIELD_TEXT: of the array */
    bool required;   /* written even when empty; absent is an error */
};

/* The row of a member that has the same name in C and in JSON. */
#define RP_FIELD(type, member, its_kind, is_required)                                    \
    {                                                                                    \
        .name = #member, .kind = (its_kind), .offset = offsetof(type, member),           \
        .capacity = sizeof(((type *)0)->member), .required = (is_required)               \
    }

/* Sets the members of `object` from the struct at `base`; false when out of memory. */
bool rp_fields_write(json_t *object, const struct rp_field *fields, size_t count,
                     const void *base);

/* Fills the struct at `base`. `where` names the object in messages: "" or "cpu.". */
bool rp_fields_read(const json_t *object, const char *where,
                    const struct rp_field *fields, size_t count, void *base,
                    struct rp_error *error);

/* A number as JSON: whole ones, as most are, without a decimal point. */
json_t *rp_number_to_json(double value);

/* A number from JSON: 0 or from 1e-18 to 1e18. */
bool rp_number_from_json(const json_t *json, double *value);

#endif
