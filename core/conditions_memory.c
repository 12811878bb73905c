/* SPDX-License-Identifier: MIT */
#include "core/conditions_parts.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"

static bool has_level(const struct rp_machine *machine, const char *name)
{
    for (unsigned k = 0; k < machine->kind_count; k++) {
        for (unsigned i = 0; i < machine->kinds[k].level_count; i++) {
            if (strcmp(machine->kinds[k].levels[i].name, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

void rp_check_caches(struct rp_machine *machine, const struct rp_system *system)
{
    (void)system;
    if (machine->level_count == 1) {
        rp_condition_found(machine, RP_SEVERITY_WARN,
                           "trust the levels that the curves show, or let the hypervisor "
                           "pass cache details on",
                           "the system shows no cache sizes");
    } else if (!has_level(machine, "L3")) {
        rp_condition_found(
            machine, RP_SEVERITY_NOTE,
            "nothing if the CPU has none; else let the hypervisor pass cache details on",
            "the system shows no L3 cache: memory comes after %s",
            machine->levels[machine->level_count - 2].name);
    }
}

/* The least that shows memory rather than the last cache, for the kind of core that needs
 * most. */
static size_t least_memory_set(const struct rp_machine *machine)
{
    struct rp_machine seen = *machine;
    size_t most_needed = 0;

    for (unsigned k = 0; k < machine->kind_count; k++) {
        size_t least = 0;
        size_t most = 0;

        rp_machine_look_from(&seen, k);
        rp_machine_level_range(&seen, seen.level_count - 1, &least, &most);
        most_needed = least > most_needed ? least : most_needed;
    }
    return most_needed;
}

void rp_check_memory_room(struct rp_machine *machine, const struct rp_system *system)
{
    const size_t spendable = rp_machine_spendable_bytes(machine);
    const size_t needed = least_memory_set(machine);
    char there[RP_SIZE_TEXT];
    char wanted[RP_SIZE_TEXT];

    (void)system;
    if (needed > spendable) {
        rp_condition_found(machine, RP_SEVERITY_WARN,
                           "free memory or lift its limit; else expect no DRAM roofs",
                           "a measurement may use %s, and needs %s to show memory rather "
                           "than the last cache",
                           rp_size_text(spendable, there), rp_size_text(needed, wanted));
    }
}

void rp_check_huge_pages(struct rp_machine *machine, const struct rp_system *system)
{
    char setting[64];

    if (!rp_system_line(system, "/sys/kernel/mm/transparent_hugepage/enabled", setting,
                        sizeof setting) ||
        strstr(setting, "[never]") != NULL) {
        rp_condition_found(
            machine, RP_SEVERITY_WARN,
            "write madvise to /sys/kernel/mm/transparent_hugepage/enabled (as root)",
            "there are no transparent huge pages: address translation costs time");
    }
}

void rp_check_memory_limit(struct rp_machine *machine, const struct rp_system *system)
{
    char text[RP_SIZE_TEXT];
    bool limited = false;
    const size_t bytes = rp_system_memory(system, &limited);

    if (limited) {
        rp_condition_found(machine, RP_SEVERITY_NOTE,
                           "lift the memory limit for larger working sets",
                           "a memory limit leaves %s", rp_size_text(bytes, text));
    }
}

void rp_check_numa_balancing(struct rp_machine *machine, const struct rp_system *system)
{
    uint64_t balancing = 0;

    if (machine->numa_count > 1 &&
        rp_system_count(system, "/proc/sys/kernel/numa_balancing", &balancing) &&
        balancing != 0) {
        rp_condition_found(machine, RP_SEVERITY_WARN,
                           "write 0 to /proc/sys/kernel/numa_balancing (as root)",
                           "the kernel moves pages between %u NUMA nodes while they are "
                           "in use",
                           machine->numa_count);
    }
}

void rp_check_page_merging(struct rp_machine *machine, const struct rp_system *system)
{
    uint64_t run = 0;

    if (rp_system_count(system, "/sys/kernel/mm/ksm/run", &run) && run == 1) {
        rp_condition_found(machine, RP_SEVERITY_NOTE,
                           "write 0 to /sys/kernel/mm/ksm/run (as root) when numbers do "
                           "not repeat",
                           "the kernel looks for equal pages to merge (KSM)");
    }
}

/* DAMON runs as a thread of its own, or inside one of two modules. */
static bool samples_accesses(const struct rp_system *system)
{
    static const char kdamonds[] = "/sys/kernel/mm/damon/admin/kdamonds";
    static const char *const modules[] = {
        "/sys/module/damon_reclaim/parameters/enabled",
        "/sys/module/damon_lru_sort/parameters/enabled",
    };
    char name[32];
    char path[128];
    char line[8];

    for (unsigned i = 0; rp_system_name(system, kdamonds, i, name, sizeof name); i++) {
        snprintf(path, sizeof path, "%s/%s/state", kdamonds, name);
        if (rp_system_line(system, path, line, sizeof line) && strcmp(line, "on") == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        if (rp_system_line(system, modules[i], line, sizeof line) && *line == 'Y') {
            return true;
        }
    }
    return false;
}

void rp_check_access_sampling(struct rp_machine *machine, const struct rp_system *system)
{
    if (samples_accesses(system)) {
        rp_condition_found(machine, RP_SEVERITY_NOTE,
                           "turn DAMON off (as root) when memory figures do not repeat",
                           "the kernel samples accesses to memory (DAMON) and may move "
                           "or drop idle pages");
    }
}
