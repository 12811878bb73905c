/* SPDX-License-Identifier: MIT */
/*
 * The circumstances of a run: what stands above a comparison of two.
 */
#ifndef RP_ROOFLINE_ENVIRONMENT_H
#define RP_ROOFLINE_ENVIRONMENT_H

#include "core/record.h"

/* A fact that differs; a condition is `a` or `b` alone, and the other is "". */
struct rp_environment_row {
    char what[24];
    char a[192];
    char b[192];
};

#define RP_MOST_ENVIRONMENT_ROWS (24 + 2 * RP_MAX_CONDITIONS)

/* Fills the facts in which two runs differ: machine, processor, caches, clock, compiler,
 * seed and so on, then the conditions that only one of them had. Returns how many. */
size_t rp_environment_compare(const struct rp_run *a, const struct rp_run *b,
                              struct rp_environment_row rows[RP_MOST_ENVIRONMENT_ROWS]);

#endif
