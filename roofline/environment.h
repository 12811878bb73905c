/* SPDX-License-Identifier: MIT */
/*
 * The circumstances of a run: what stands in a report, and above a comparison of two.
 */
#ifndef RP_ROOFLINE_ENVIRONMENT_H
#define RP_ROOFLINE_ENVIRONMENT_H

#include "core/record.h"
#include "core/text.h"

/* Appends the processor's name and identity, and whether it is a virtual machine's. */
void rp_print_processor(const struct rp_machine *machine, struct rp_text *out);

/* Appends the page sizes that a run's buffers got, as "4 KiB, 2 MiB"; nothing when no
 * record tells one. `out` is empty before. */
void rp_print_page_sizes(const struct rp_run *run, struct rp_text *out);

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
