/* SPDX-License-Identifier: MIT */
#include "core/conditions.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/system.h"
#include "core/text.h"

#define PATH_BYTES 640
#define LIST_BYTES 1024 /* "0,2,4,...": some systems have hundreds of CPUs */
#define CPU_FOLDER "/sys/devices/system/cpu"

/* A condition whose text is printed, with advice that is the same everywhere. */
__attribute__((format(printf, 4, 5))) static void found(struct rp_machine *machine,
                                                        enum rp_severity severity,
                                                        const char *what_to_do,
                                                        const char *format, ...)
{
    char text[sizeof machine->conditions[0].text];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rp_machine_condition(machine, severity, text, what_to_do);
}

/* Reads a line of the measured CPU's own sysfs folder. */
static bool cpu_line(const struct rp_machine *machine, const char *root, const char *file,
                     char *line, size_t capacity)
{
    char path[PATH_BYTES];

    snprintf(path, sizeof path, CPU_FOLDER "/cpu%u/%s", machine->measured_pu, file);
    return rp_system_line(root, path, line, capacity);
}

static void check_level_cap(struct rp_machine *machine, const char *root)
{
    const uint32_t capped = machine->cpu.present & ~machine->cpu.features;
    char names[64];

    (void)root;
    if (capped != 0) {
        found(machine, RP_SEVERITY_WARN,
              "unset RIDGEPOINT_CPU to measure what the CPU can do",
              "RIDGEPOINT_CPU=%s leaves out %s", machine->cpu.level,
              rp_cpu_feature_names(capped, names, sizeof names));
    }
}

static void check_hypervisor(struct rp_machine *machine, const char *root)
{
    (void)root;
    if (machine->cpu.hypervisor) {
        found(machine, RP_SEVERITY_NOTE,
              "expect other guests in shared caches and memory; repeat at another time",
              "this is a virtual machine");
    }
}

static void check_counters(struct rp_machine *machine, const char *root)
{
    static const char *const devices[] = {"cpu", "cpu_core", "cpu_atom"};
    char path[PATH_BYTES];
    char type[32];

    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        snprintf(path, sizeof path, "/sys/bus/event_source/devices/%s/type", devices[i]);
        if (rp_system_line(root, path, type, sizeof type)) {
            return;
        }
    }
    found(machine, RP_SEVERITY_NOTE,
          "nothing: cycles come from the calibrated chain and need no counters",
          "there are no hardware performance counters");
}

static void check_governor(struct rp_machine *machine, const char *root)
{
    char governor[32];

    if (!cpu_line(machine, root, "cpufreq/scaling_governor", governor, sizeof governor)) {
        found(machine, RP_SEVERITY_NOTE,
              "trust the core clock measured next to every sample",
              "frequency control is not visible");
    } else if (strcmp(governor, "performance") != 0) {
        found(machine, RP_SEVERITY_WARN,
              "run: cpupower frequency-set -g performance (as root)",
              "the frequency governor is \"%s\"", governor);
    }
}

static void check_turbo(struct rp_machine *machine, const char *root)
{
    uint64_t no_turbo = 1;
    uint64_t boost = 0;

    rp_system_count(root, CPU_FOLDER "/intel_pstate/no_turbo", &no_turbo);
    rp_system_count(root, CPU_FOLDER "/cpufreq/boost", &boost);
    if (no_turbo == 0 || boost == 1) {
        found(machine, RP_SEVERITY_NOTE,
              "read cycles rather than seconds, or turn it off for numbers that repeat",
              "turbo is on: the core clock depends on load and temperature");
    }
}

static void check_huge_pages(struct rp_machine *machine, const char *root)
{
    char setting[64];

    if (!rp_system_line(root, "/sys/kernel/mm/transparent_hugepage/enabled", setting,
                        sizeof setting) ||
        strstr(setting, "[never]") != NULL) {
        found(machine, RP_SEVERITY_WARN,
              "write madvise to /sys/kernel/mm/transparent_hugepage/enabled (as root)",
              "there are no transparent huge pages: address translation costs time");
    }
}

static void check_siblings(struct rp_machine *machine, const char *root)
{
    char siblings[LIST_BYTES];

    if (cpu_line(machine, root, "topology/thread_siblings_list", siblings,
                 sizeof siblings) &&
        rp_system_list_count(siblings) > 1) {
        found(machine, RP_SEVERITY_NOTE, "keep other work off these hardware threads",
              "the measured core is shared by hardware threads %s", siblings);
    }
}

static void check_load(struct rp_machine *machine, const char *root)
{
    char line[64];

    if (!rp_system_line(root, "/proc/loadavg", line, sizeof line)) {
        return;
    }
    const double load = strtod(line, NULL);
    if (load > 0.5 * machine->core_count) {
        found(machine, RP_SEVERITY_WARN, "stop other programs and measure again",
              "the load average is %.2f on %u usable cores", load, machine->core_count);
    }
}

static void check_quota(struct rp_machine *machine, const char *root)
{
    struct rp_cgroup group;
    double least = 0;
    bool limited = false;

    rp_cgroup_start(&group, root, "cpu");
    while (rp_cgroup_next(&group)) {
        double cpus = 0;

        if (rp_cgroup_quota(root, &group, &cpus) && (!limited || cpus < least)) {
            least = cpus;
            limited = true;
        }
    }
    if (limited) {
        found(machine, RP_SEVERITY_WARN, "lift the CPU limit of the container or service",
              "a quota of %.2f CPUs stops the program for part of the time", least);
    }
}

static void check_mask(struct rp_machine *machine, const char *root)
{
    char online[LIST_BYTES];
    char allowed[LIST_BYTES];

    if (!rp_system_line(root, CPU_FOLDER "/online", online, sizeof online) ||
        !rp_system_field(root, "/proc/self/status", "Cpus_allowed_list:", allowed,
                         sizeof allowed)) {
        return;
    }
    const unsigned online_count = rp_system_list_count(online);
    const unsigned allowed_count = rp_system_list_count(allowed);
    if (allowed_count < online_count) {
        found(machine, RP_SEVERITY_NOTE, "widen the CPU mask to measure the other cores",
              "the process may use %u of %u CPUs", allowed_count, online_count);
    }
}

static void check_offline(struct rp_machine *machine, const char *root)
{
    char online[LIST_BYTES];
    char present[LIST_BYTES];

    if (!rp_system_line(root, CPU_FOLDER "/online", online, sizeof online) ||
        !rp_system_line(root, CPU_FOLDER "/present", present, sizeof present)) {
        return;
    }
    const unsigned online_count = rp_system_list_count(online);
    const unsigned present_count = rp_system_list_count(present);
    if (online_count < present_count) {
        found(machine, RP_SEVERITY_NOTE, "bring them online to measure the whole machine",
              "%u of %u CPUs are offline", present_count - online_count, present_count);
    }
}

static void check_memory(struct rp_machine *machine, const char *root)
{
    char text[RP_SIZE_TEXT];
    bool limited = false;
    const size_t bytes = rp_system_memory(root, &limited);

    if (limited) {
        found(machine, RP_SEVERITY_NOTE, "lift the memory limit for larger working sets",
              "a memory limit leaves %s", rp_size_text(bytes, text));
    }
}

static void (*const checks[])(struct rp_machine *machine, const char *root) = {
    check_level_cap, check_load,     check_quota,      check_governor,
    check_turbo,     check_siblings, check_huge_pages, check_hypervisor,
    check_counters,  check_mask,     check_offline,    check_memory,
};

void rp_conditions_find(struct rp_machine *machine, const char *root)
{
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        checks[i](machine, root);
    }
}

void rp_machine_find_conditions(struct rp_machine *machine)
{
    rp_conditions_find(machine, "");
}
