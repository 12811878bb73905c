/* SPDX-License-Identifier: MIT */
/* What holds for everything that was read from a file of counters. */
#ifndef RP_TESTS_FUZZ_COUNTS_H
#define RP_TESTS_FUZZ_COUNTS_H

#include <stdio.h>

#include "property.h"
#include "roofline/counted_list.h"

typedef bool counts_reader(struct rp_counted_list *list, FILE *file, const char *name,
                           struct rp_error *error);

/* Reads text as a file, and explains what went wrong if that fails. Free the list in
 * either case. */
bool counts_read(struct rp_counted_list *list, counts_reader *read, const char *text,
                 size_t length);

/* Sums are numbers or missing, and what is told can be printed, written and read again as
 * the same. */
void must_be_counts(const struct rp_counted_list *list);

/* Two lists tell the same, but for `factor`. */
void must_be_same_counts(const struct rp_counted_list *a, const struct rp_counted_list *b,
                         double factor);

#endif
