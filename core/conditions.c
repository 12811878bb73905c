/* SPDX-License-Identifier: MIT */
#include "core/conditions.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/conditions_parts.h"

/* In the order in which they are told. */
static rp_condition_check *const checks[] = {
    rp_check_caches,         rp_check_level_cap,    rp_check_load,
    rp_check_quota,          rp_check_power,        rp_check_governor,
    rp_check_turbo,          rp_check_siblings,     rp_check_steal,
    rp_check_huge_pages,     rp_check_memory_room,  rp_check_memory_limit,
    rp_check_numa_balancing, rp_check_page_merging, rp_check_access_sampling,
    rp_check_hypervisor,     rp_check_container,    rp_check_counters,
    rp_check_mask,           rp_check_offline,
};

void rp_conditions_find(struct rp_machine *machine, const struct rp_system *system)
{
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        checks[i](machine, system);
    }
}

void rp_condition_found(struct rp_machine *machine, enum rp_severity severity,
                        const char *what_to_do, const char *format, ...)
{
    char text[sizeof machine->conditions[0].text];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rp_machine_condition(machine, severity, text, what_to_do);
}

bool rp_condition_cpu_line(const struct rp_machine *machine,
                           const struct rp_system *system, const char *file, char *line,
                           size_t capacity)
{
    char path[128];

    snprintf(path, sizeof path, RP_CPU_FOLDER "/cpu%u/%s", machine->measured_pu, file);
    return rp_system_line(system, path, line, capacity);
}
