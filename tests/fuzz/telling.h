/* SPDX-License-Identifier: MIT */
/* What holds for all that is told of a run, whoever tells it. */
#ifndef RP_TESTS_FUZZ_TELLING_H
#define RP_TESTS_FUZZ_TELLING_H

#include <jansson.h>

/* A table by the letter of RFC 4180: as many fields in every row as columns, one line a
 * row, and nothing that a spreadsheet runs. */
void must_be_table(const char *table);

/* Neither "inf" nor "nan" stands in a report; that of an input which holds these words,
 * or may spell them by code points, is not looked at. */
void must_hold_numbers(const char *report, const char *input);

/* Every number in it is finite and not negative. */
void must_be_figures(json_t *json);

#endif
