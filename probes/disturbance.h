/* SPDX-License-Identifier: MIT */
/*
 * Signs that something else had the CPU: what the kernel counts against this thread and
 * CPU.
 */
#ifndef RP_PROBES_DISTURBANCE_H
#define RP_PROBES_DISTURBANCE_H

#include <stdint.h>

#include "core/system.h"

struct rp_disturbance {
    uint64_t
        switches; /* context switches of this thread, voluntary and not (getrusage) */
    uint64_t stolen_ticks; /* of this CPU by the hypervisor (proc(5), /proc/stat) */
    uint64_t throttled;    /* times that a quota stopped this control group (cpu.stat) */
};

#define RP_MOST_QUOTAS 4 /* nested control groups that have one */

/* Where to look, found out once. */
struct rp_disturbance_watch {
    struct rp_system system;
    unsigned cpu;
    char quotas[RP_MOST_QUOTAS][560]; /* cpu.stat of the groups with a quota */
    unsigned quota_count;
};

/* Prepares to watch the calling thread, bound to `cpu`. `root` is that of a
 * struct rp_system, "" for the running one, and must outlive the watch. */
void rp_disturbance_watch(struct rp_disturbance_watch *watch, const char *root,
                          unsigned cpu);

/* Context switches of the calling thread so far. */
uint64_t rp_disturbance_switches(void);

/* The counters now. What the system does not tell reads as 0. */
struct rp_disturbance rp_disturbance_read(const struct rp_disturbance_watch *watch);

#endif
