/* SPDX-License-Identifier: MIT */
/*
 * What `perf stat -j` writes, Linux 6.0 and later: one JSON object a line, among lines of
 * other kinds.
 *
 * perf knows no regions: it counts a whole program, or a machine for as long as the
 * program runs.
 */
#ifndef RP_ROOFLINE_PERF_JSON_H
#define RP_ROOFLINE_PERF_JSON_H

#include <stdio.h>

#include "roofline/counted_list.h"

/*
 * Reads the file to its end into one rp_counted without region, calls, items and seconds,
 * its group named after the events, which are called as perf calls them, PMU and
 * modifiers included ("uncore_imc_0/cas_count_read/", "cycles:u"). Lines of the same
 * event (by CPU, core, socket, thread or interval) are added up.
 *
 * A value is always a count. perf scales some, which is undone: "msec" becomes ns, as the
 * kernel counts them; "MiB" become lines of 64 bytes, which is what memory controllers
 * count. An event without a value on some line, counted a part of the time only (perf
 * then extrapolates), or in another unit is noted and has no value; the list is empty
 * when none has.
 *
 * Fails with RP_USAGE, naming file and line, when there is no event, a line that is cut
 * off, or the mean of several runs (-r), whose samples are in no one run file. `name` is
 * what messages call the file. Free the list also after a failure.
 */
bool rp_perf_json_read(struct rp_counted_list *list, FILE *file, const char *name,
                       struct rp_error *error);

#endif
