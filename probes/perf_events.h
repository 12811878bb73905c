/* SPDX-License-Identifier: MIT */
/*
 * What perf counts in place of likwid where only the kernel can be asked: the events of
 * the core that the counter groups of the same names (probes/groups.h) want most, never
 * more at once than every core has counters for.
 */
#ifndef RP_PROBES_PERF_EVENTS_H
#define RP_PROBES_PERF_EVENTS_H

#include <stdbool.h>

#define RP_PERF_EVENTS 4 /* of a group, at most: counters of a core with two threads */

#define RP_PERF_EVENTS_BYTES (RP_PERF_EVENTS * 96)

/* Whether perf counts such a group on this architecture (probes/architecture.h). */
bool rp_perf_counts(const char *architecture, const char *group);

/* Writes the group's events for `perf stat -e`, counted in user space only and named as
 * likwid names them; "" when there is no such group. Returns `text`. */
const char *rp_perf_events(const char *architecture, const char *group,
                           char text[RP_PERF_EVENTS_BYTES]);

#endif
