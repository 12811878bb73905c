/* SPDX-License-Identifier: MIT */
#include "core/conditions_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/pmu.h"
#include "core/text.h"

void rp_check_level_cap(struct rp_machine *machine, const struct rp_system *system)
{
    const uint32_t capped = machine->cpu.present & ~machine->cpu.features;
    char names[128];

    (void)system;
    if (capped != 0) {
        rp_condition_found(machine, RP_SEVERITY_WARN,
                           "unset RIDGEPOINT_CPU to measure what the CPU can do",
                           "RIDGEPOINT_CPU=%s leaves out %s", machine->cpu.level,
                           rp_cpu_feature_names(capped, names, sizeof names));
    }
}

void rp_check_governor(struct rp_machine *machine, const struct rp_system *system)
{
    char governor[32];

    if (!rp_condition_cpu_line(machine, system, "cpufreq/scaling_governor", governor,
                               sizeof governor) ||
        *governor == '\0') {
        rp_condition_found(machine, RP_SEVERITY_NOTE,
                           "trust the core clock measured next to every sample",
                           "frequency control is not visible");
    } else if (strcmp(governor, "performance") != 0) {
        rp_condition_found(machine, RP_SEVERITY_WARN,
                           "run: cpupower frequency-set -g performance (as root)",
                           "the frequency governor is \"%s\"", governor);
    }
}

void rp_check_turbo(struct rp_machine *machine, const struct rp_system *system)
{
    uint64_t no_turbo = 1;
    uint64_t boost = 0;

    rp_system_count(system, RP_CPU_FOLDER "/intel_pstate/no_turbo", &no_turbo);
    rp_system_count(system, RP_CPU_FOLDER "/cpufreq/boost", &boost);
    if (no_turbo == 0 || boost == 1) {
        rp_condition_found(
            machine, RP_SEVERITY_NOTE,
            "read cycles rather than seconds, or turn it off for numbers that repeat",
            "turbo is on: the core clock depends on load and temperature");
    }
}

/* What a CPU's line in /proc/stat counts, in ticks. Guest time is part of user time. */
struct cpu_time {
    double all;
    double idle; /* with waiting for input and output */
    double steal;
};

static bool read_cpu_time(const struct rp_system *system, unsigned cpu,
                          struct cpu_time *time)
{
    enum { IDLE = 3, IOWAIT = 4, STEAL = 7 };
    char key[16];
    char line[256];
    char *rest = line;

    *time = (struct cpu_time){0};
    snprintf(key, sizeof key, "cpu%u ", cpu);
    if (!rp_system_field(system, "/proc/stat", key, line, sizeof line)) {
        return false;
    }
    for (int i = 0; i <= STEAL; i++) {
        const double ticks = strtod(rest, &rest);

        time->all += ticks;
        time->idle += i == IDLE || i == IOWAIT ? ticks : 0;
        time->steal = ticks; /* the last one read */
    }
    return true;
}

/* The share of its time that a CPU worked; 0 when that is not known. */
static double busy_share(const struct cpu_time *before, const struct cpu_time *after)
{
    const double all = after->all - before->all;

    return all > 0 ? 1 - (after->idle - before->idle) / all : 0;
}

#define MOST_SIBLINGS 8

/* Work on the other hardware threads of the measured core, seen for a moment. This thread
 * sleeps meanwhile, so that it does not see itself. */
static void check_busy_siblings(struct rp_machine *machine,
                                const struct rp_system *system, const char *siblings)
{
    static const double busy = 0.25;
    struct cpu_time before[MOST_SIBLINGS] = {0};
    struct cpu_time after = {0};
    struct rp_system later;
    unsigned count = 0;
    unsigned cpu = 0;

    for (; count < MOST_SIBLINGS && rp_system_list_next(siblings, &cpu); cpu++) {
        read_cpu_time(system, cpu, &before[count++]);
    }
    if (!rp_system_wait(system, &later)) {
        return;
    }
    cpu = 0;
    for (unsigned i = 0; i < count && rp_system_list_next(siblings, &cpu); i++, cpu++) {
        if (cpu == machine->measured_pu || !read_cpu_time(&later, cpu, &after)) {
            continue;
        }
        const double share = busy_share(&before[i], &after);
        if (share >= busy) {
            rp_condition_found(machine, RP_SEVERITY_WARN,
                               "stop what runs there and measure again",
                               "hardware thread %u of the measured core is %.0f %% busy",
                               cpu, 100 * share);
        }
    }
}

void rp_check_siblings(struct rp_machine *machine, const struct rp_system *system)
{
    char siblings[RP_CPU_LIST];

    if (rp_condition_cpu_line(machine, system, "topology/thread_siblings_list", siblings,
                              sizeof siblings) &&
        rp_system_list_count(siblings) > 1) {
        rp_condition_found(
            machine, RP_SEVERITY_NOTE, "keep other work off these hardware threads",
            "the measured core is shared by hardware threads %s", siblings);
        check_busy_siblings(machine, system, siblings);
    }
}

void rp_check_steal(struct rp_machine *machine, const struct rp_system *system)
{
    static const double tolerable = 0.01;
    struct cpu_time time;

    if (read_cpu_time(system, machine->measured_pu, &time) &&
        time.steal > tolerable * time.all) {
        rp_condition_found(
            machine, RP_SEVERITY_WARN,
            "measure at another time, or on a machine of your own",
            "the hypervisor has kept CPU %u from running for %.1f %% of the time so far",
            machine->measured_pu, 100 * time.steal / time.all);
    }
}

void rp_check_counters(struct rp_machine *machine, const struct rp_system *system)
{
    uint64_t paranoid = 0;

    if (!rp_pmu_present(system)) {
        rp_condition_found(
            machine, RP_SEVERITY_NOTE,
            "nothing: cycles come from the calibrated chain and need no counters",
            "there are no hardware performance counters");
    } else if (rp_pmu_kept_from_users(system, &paranoid)) {
        rp_condition_found(
            machine, RP_SEVERITY_NOTE,
            "write 2 to /proc/sys/kernel/perf_event_paranoid (as root), or trust the "
            "calibrated chain",
            "perf_event_paranoid is %u: the performance counters are kept from users",
            (unsigned)paranoid);
    }
}

void rp_check_mask(struct rp_machine *machine, const struct rp_system *system)
{
    char online[RP_CPU_LIST];
    char allowed[RP_CPU_LIST];

    if (!rp_system_line(system, RP_CPU_FOLDER "/online", online, sizeof online) ||
        !rp_system_field(system, "/proc/self/status", "Cpus_allowed_list:", allowed,
                         sizeof allowed)) {
        return;
    }
    const unsigned online_count = rp_system_list_count(online);
    const unsigned allowed_count = rp_system_list_count(allowed);
    if (allowed_count < online_count) {
        rp_condition_found(
            machine, RP_SEVERITY_NOTE, "widen the CPU mask to measure the other cores",
            "the process may use %u of %u CPUs", allowed_count, online_count);
    }
}

void rp_check_offline(struct rp_machine *machine, const struct rp_system *system)
{
    char online[RP_CPU_LIST];
    char present[RP_CPU_LIST];

    if (!rp_system_line(system, RP_CPU_FOLDER "/online", online, sizeof online) ||
        !rp_system_line(system, RP_CPU_FOLDER "/present", present, sizeof present)) {
        return;
    }
    const unsigned online_count = rp_system_list_count(online);
    const unsigned present_count = rp_system_list_count(present);
    if (online_count < present_count) {
        rp_condition_found(
            machine, RP_SEVERITY_NOTE, "bring them online to measure the whole machine",
            "%u of %u CPUs are offline", present_count - online_count, present_count);
    }
}
