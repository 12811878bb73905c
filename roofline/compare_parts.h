/* SPDX-License-Identifier: MIT */
/*
 * What the files of the comparison share with each other and with nobody else.
 */
#ifndef RP_ROOFLINE_COMPARE_PARTS_H
#define RP_ROOFLINE_COMPARE_PARTS_H

#include "roofline/compare.h"

/* Gathers the sorted points into series, judges them, and marks the points of those that
 * are changed. */
bool rp_compare_judge_series(struct rp_comparison *comparison, struct rp_error *error);

#endif
