/* SPDX-License-Identifier: MIT */
/*
 * Signs that something else had the CPU: what the kernel counts against this thread and
 * CPU.
 */
#ifndef RP_PROBES_DISTURBANCE_H
#define RP_PROBES_DISTURBANCE_H

#include <stdint.h>

struct rp_disturbance {
    uint64_t
        switches; /* context switches of this thread, voluntary and not (getrusage) */
    uint64_t stolen_ticks; /* of this CPU by the hypervisor (proc(5), /proc/stat) */
};

/* The counters now. What the system does not tell reads as 0. */
struct rp_disturbance rp_disturbance_read(unsigned cpu);

#endif
