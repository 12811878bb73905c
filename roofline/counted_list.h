/* SPDX-License-Identifier: MIT */
/*
 * What a file of counters held, and what it lacked: what its parsers have in common.
 */
#ifndef RP_ROOFLINE_COUNTED_LIST_H
#define RP_ROOFLINE_COUNTED_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/counted.h"
#include "core/error.h"
#include "core/text.h"

/* Start from {0}; free with rp_counted_list_free. */
struct rp_counted_list {
    struct rp_counted *counted; /* owned, with all that they own */
    size_t count;
    struct rp_text notes; /* what is missing and why: a sentence a line */
};

void rp_counted_list_free(struct rp_counted_list *list);

/* Adds by move, which leaves `counted` empty; also when memory runs out. */
bool rp_counted_list_add(struct rp_counted_list *list, struct rp_counted *counted,
                         struct rp_error *error);

/* Adds a copy of `count`. Fails with RP_USAGE when there are more than a record holds. */
bool rp_counted_add(struct rp_counted *counted, const struct rp_count *count,
                    struct rp_error *error);

/* True when one of the counts has a value. */
bool rp_counted_any(const struct rp_counted *counted);

/* Names the group after its events: "cycles+instructions"; where they do not all fit, the
 * first ones and how many more: "cycles+instructions+5". */
void rp_counted_name_group(struct rp_counted *counted);

/* A count as programs print it. NaN for all that is no number a record can hold: "-",
 * "nan", "inf", "<not counted>", below zero, above 1e18. */
double rp_count_value(const char *text);

/* The sum as a count: NaN when a record cannot hold it. */
double rp_count_sum(double a, double b);

/* Copies a name in printable ASCII; false when it does not fit. */
bool rp_count_name(char *name, size_t capacity, const char *text);

#endif
