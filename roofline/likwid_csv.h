/* SPDX-License-Identifier: MIT */
/*
 * The CSV of likwid-perfctr, 5.2 to 5.5: -O on standard output, or -o NAME.csv.
 *
 * With -m it has for each region and group a table "Raw": on every hardware thread that
 * was in the region its time and calls, then one row for each event. Lines outside these
 * tables (banner, the program's own output, statistics, metrics) say nothing more: sums
 * and metrics are rounded, and are not read.
 */
#ifndef RP_ROOFLINE_LIKWID_CSV_H
#define RP_ROOFLINE_LIKWID_CSV_H

#include <stdio.h>

#include "roofline/counted_list.h"

/*
 * Reads the file to its end into one rp_counted, without `items`, for each region and
 * group. Values are summed over hardware threads. What belongs to a whole socket or L3 is
 * told on one of its threads and as zero or nothing on the others; a counter of the core
 * (PMC, FIXC) that lacks a value on any thread has none, nor has any of memory and L3
 * when all of them are zero. A region without calls, with
 * threads that do not agree on their number, or without any value is noted and left out.
 *
 * Fails with RP_USAGE, naming file and line, when there is no table, one that is cut off
 * or malformed, or one of a whole program, without regions. `name` is what messages call
 * the file. Free the list also after a failure.
 */
bool rp_likwid_csv_read(struct rp_counted_list *list, FILE *file, const char *name,
                        struct rp_error *error);

#endif
