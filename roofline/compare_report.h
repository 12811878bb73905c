/* SPDX-License-Identifier: MIT */
/*
 * A comparison of two runs, told to people and to programs.
 */
#ifndef RP_ROOFLINE_COMPARE_REPORT_H
#define RP_ROOFLINE_COMPARE_REPORT_H

#include <jansson.h>

#include "core/text.h"
#include "roofline/compare.h"

/* Appends the comparison as text: what differs in the environments, how well the runs
 * agree, and the changes; with `all_points`, every point too. */
void rp_comparison_text(const struct rp_comparison *comparison, bool all_points,
                        struct rp_text *out);

/* Appends one row for each point (docs/reference/comparison.md describes the columns). */
void rp_comparison_csv(const struct rp_comparison *comparison, struct rp_text *out);

/* All of it as a new JSON value (the same page); NULL when out of memory. */
json_t *rp_comparison_to_json(const struct rp_comparison *comparison);

#endif
