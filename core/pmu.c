/* SPDX-License-Identifier: MIT */
#include "core/pmu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENT_SOURCES "/sys/bus/event_source/devices"

bool rp_pmu_present(const struct rp_system *system)
{
    static const char *const devices[] = {"cpu", "cpu_core", "cpu_atom"};
    char path[64];

    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        snprintf(path, sizeof path, EVENT_SOURCES "/%s/type", devices[i]);
        if (rp_system_exists(system, path)) {
            return true;
        }
    }
    return false;
}

/* True when this process may count whatever perf_event_paranoid says (capabilities(7):
 * CAP_SYS_ADMIN and CAP_PERFMON). */
static bool may_always_count(const struct rp_system *system)
{
    static const uint64_t capabilities = UINT64_C(1) << 21 | UINT64_C(1) << 38;
    char mask[32];

    return rp_system_field(system, "/proc/self/status", "CapEff:", mask, sizeof mask) &&
           (strtoull(mask, NULL, 16) & capabilities) != 0;
}

bool rp_pmu_kept_from_users(const struct rp_system *system, uint64_t *paranoid)
{
    enum { USER_COUNTS = 2 }; /* the highest setting that lets users count themselves */

    *paranoid = 0;
    return rp_system_count(system, "/proc/sys/kernel/perf_event_paranoid", paranoid) &&
           *paranoid > USER_COUNTS && !may_always_count(system);
}

/* Event sources of memory controllers and of what lies before them, as the kernel's
 * drivers for Intel (uncore_imc_0, ...) and AMD (amd_df, amd_umc_0, ...) name them. */
static bool counts_memory(const struct rp_system *system)
{
    static const char *const names[] = {"uncore_imc", "amd_df", "amd_umc"};
    char name[64];

    for (unsigned i = 0; rp_system_name(system, EVENT_SOURCES, i, name, sizeof name);
         i++) {
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            if (strncmp(name, names[k], strlen(names[k])) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Two ways to forbid it: a parameter of the msr module (since Linux 5.9), and
 * kernel_lockdown(7), which a secure boot may turn on. */
static bool registers_are_locked(const struct rp_system *system)
{
    char line[64];

    return (rp_system_line(system, "/sys/module/msr/parameters/allow_writes", line,
                           sizeof line) &&
            strcmp(line, "off") == 0) ||
           (rp_system_line(system, "/sys/kernel/security/lockdown", line, sizeof line) &&
            strstr(line, "[none]") == NULL);
}

void rp_pmu_read(struct rp_pmu *pmu, const struct rp_system *system)
{
    *pmu = (struct rp_pmu){
        .present = rp_pmu_present(system),
        .memory = counts_memory(system),
        .registers = rp_system_exists(system, "/dev/cpu/0/msr"),
        .registers_locked = registers_are_locked(system),
    };
    pmu->kept_from_users = rp_pmu_kept_from_users(system, &pmu->paranoid);
}

enum rp_pmu_way rp_pmu_way(const struct rp_pmu *pmu)
{
    if (!pmu->present) {
        return RP_PMU_NONE;
    }
    if (pmu->registers && !pmu->registers_locked) {
        return RP_PMU_REGISTERS;
    }
    return pmu->kept_from_users ? RP_PMU_NONE : RP_PMU_PERF_EVENT;
}

bool rp_pmu_usable(const struct rp_pmu *pmu, const struct rp_cpu *cpu,
                   struct rp_error *error)
{
    if (rp_pmu_way(pmu) != RP_PMU_NONE) {
        return true;
    }
    if (pmu->present) {
        return rp_fail(error, RP_UNABLE,
                       "the performance counters are kept from users: write 2 to "
                       "/proc/sys/kernel/perf_event_paranoid, which is %u, or load the "
                       "module msr for likwid (both as root)",
                       (unsigned)pmu->paranoid);
    }
    return rp_fail(error, RP_UNABLE,
                   cpu->hypervisor
                       ? "this virtual machine has no performance counters: counting "
                         "needs a metal instance, or a host that gives its machines a "
                         "virtual PMU; nothing else of Ridgepoint needs counters"
                       : "the kernel offers no performance counters of this processor: "
                         "counting needs one that has them built in and was not told to "
                         "leave them alone; nothing else of Ridgepoint needs counters");
}
