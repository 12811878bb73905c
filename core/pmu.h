/* SPDX-License-Identifier: MIT */
/*
 * Whether the performance counters of a machine can be read, and by which way: what
 * procfs, sysfs and /dev say of its performance monitoring unit.
 */
#ifndef RP_CORE_PMU_H
#define RP_CORE_PMU_H

#include "core/cpu.h"
#include "core/error.h"
#include "core/system.h"

struct rp_pmu {
    bool present;   /* the kernel counts events of the cores */
    bool memory;    /* and, outside of them, of memory controllers or data fabric */
    bool registers; /* there are device files of model-specific registers */
    bool registers_locked; /* which the kernel lets nobody write to */
    bool kept_from_users;  /* the kernel counts for others than this process only */
    uint64_t paranoid;     /* perf_event_paranoid; 0 when it does not exist */
};

/* How events of the cores can be counted. */
enum rp_pmu_way {
    RP_PMU_NONE,
    RP_PMU_PERF_EVENT, /* through the kernel only: perf, or a likwid built for it */
    RP_PMU_REGISTERS,  /* also through the registers: likwid as it is usually built */
};

void rp_pmu_read(struct rp_pmu *pmu, const struct rp_system *system);

enum rp_pmu_way rp_pmu_way(const struct rp_pmu *pmu);

/* False when nothing can be counted: RP_UNABLE, with what is missing and what would be
 * needed. */
bool rp_pmu_usable(const struct rp_pmu *pmu, const struct rp_cpu *cpu,
                   struct rp_error *error);

/* The kernel counts events of the cores. */
bool rp_pmu_present(const struct rp_system *system);

/* perf_event_paranoid keeps counters from this process, which has no capability that
 * overrides it. Stores the setting in `paranoid`, 0 when there is none. */
bool rp_pmu_kept_from_users(const struct rp_system *system, uint64_t *paranoid);

#endif
