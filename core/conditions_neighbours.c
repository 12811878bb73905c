/* SPDX-License-Identifier: MIT */
#include "core/conditions_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

void rp_check_load(struct rp_machine *machine, const struct rp_system *system)
{
    char line[64];

    if (!rp_system_line(system, "/proc/loadavg", line, sizeof line)) {
        return;
    }
    const double load = strtod(line, NULL);
    if (load > 0.5 * machine->core_count) {
        rp_condition_found(
            machine, RP_SEVERITY_WARN, "stop other programs and measure again",
            "the load average is %.2f on %u usable cores", load, machine->core_count);
    }
}

void rp_check_quota(struct rp_machine *machine, const struct rp_system *system)
{
    struct rp_cgroup group;
    double least = 0;
    bool limited = false;

    rp_cgroup_start(&group, system, "cpu");
    while (rp_cgroup_next(&group)) {
        double cpus = 0;

        if (rp_cgroup_quota(system, &group, &cpus) && (!limited || cpus < least)) {
            least = cpus;
            limited = true;
        }
    }
    if (limited) {
        rp_condition_found(
            machine, RP_SEVERITY_WARN, "lift the CPU limit of the container or service",
            "a quota of %.2f CPUs stops the program for part of the time", least);
    }
}

/* Runs on a battery: one of its own, not a mouse's, is being emptied, and nothing feeds
 * it. */
static bool on_battery(const struct rp_system *system)
{
    static const char supplies[] = "/sys/class/power_supply";
    bool discharging = false;
    bool fed = false;
    char name[64];
    char path[128];
    char line[32];

    for (unsigned i = 0; rp_system_name(system, supplies, i, name, sizeof name); i++) {
        uint64_t online = 0;

        snprintf(path, sizeof path, "%s/%s/scope", supplies, name);
        if (rp_system_line(system, path, line, sizeof line) &&
            strcmp(line, "Device") == 0) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s/type", supplies, name);
        rp_system_line(system, path, line, sizeof line);
        if (strcmp(line, "Battery") == 0) {
            snprintf(path, sizeof path, "%s/%s/status", supplies, name);
            rp_system_line(system, path, line, sizeof line);
            discharging = discharging || strcmp(line, "Discharging") == 0;
        } else {
            snprintf(path, sizeof path, "%s/%s/online", supplies, name);
            fed = fed || (rp_system_count(system, path, &online) && online > 0);
        }
    }
    return discharging && !fed;
}

void rp_check_power(struct rp_machine *machine, const struct rp_system *system)
{
    if (on_battery(system)) {
        rp_condition_found(machine, RP_SEVERITY_WARN, "connect it to mains power",
                           "the machine runs on its battery, which slows many CPUs down");
    }
}

/* How hypervisors sign CPUID leaf 0x40000000: Linux arch/x86/include/asm, the
 * hypervisors' own manuals. */
static const struct {
    const char *signature;
    const char *name;
} hypervisors[] = {
    {"KVMKVMKVM", "KVM"},           {"Microsoft Hv", "Hyper-V"},
    {"VMwareVMware", "VMware"},     {"XenVMMXenVMM", "Xen"},
    {"TCGTCGTCGTCG", "QEMU"},       {"bhyve bhyve ", "bhyve"},
    {"VBoxVBoxVBox", "VirtualBox"},
};

static const char *hypervisor_name(const struct rp_cpu *cpu)
{
    for (size_t i = 0; i < sizeof hypervisors / sizeof *hypervisors; i++) {
        if (strcmp(cpu->hypervisor_signature, hypervisors[i].signature) == 0) {
            return hypervisors[i].name;
        }
    }
    return NULL;
}

void rp_check_hypervisor(struct rp_machine *machine, const struct rp_system *system)
{
    static const char advice[] =
        "expect other guests in shared caches and memory; repeat at another time";
    const char *name = hypervisor_name(&machine->cpu);
    char type[32];
    char vendor[64];
    char platform[72] = "";

    if (!machine->cpu.hypervisor) {
        return;
    }
    if (name == NULL &&
        rp_system_line(system, "/sys/hypervisor/type", type, sizeof type)) {
        name = type;
    }
    if (rp_system_line(system, "/sys/class/dmi/id/sys_vendor", vendor, sizeof vendor)) {
        snprintf(platform, sizeof platform, " (%s)", vendor);
    }
    rp_condition_found(machine, RP_SEVERITY_NOTE, advice,
                       "this is a virtual machine%s%s%s", name != NULL ? " on " : "",
                       name != NULL ? name : "", platform);
}

/* What a container leaves in the paths of control groups. */
const char *rp_container_word(const char *group)
{
    static const char *const words[] = {"docker", "kubepods", "libpod", "containerd",
                                        "crio",   "lxc",      "garden"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strstr(group, words[i]) != NULL) {
            return words[i];
        }
    }
    return NULL;
}

/* Whose container this is, "" when that does not show; false when this is none. */
static bool find_container(const struct rp_system *system, char *name, size_t capacity)
{
    static const struct {
        const char *file;
        const char *name;
    } marks[] = {{"/.dockerenv", "docker"}, {"/run/.containerenv", "podman"}};
    struct rp_cgroup group;

    if (rp_system_line(system, "/run/systemd/container", name, capacity)) {
        return true;
    }
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (rp_system_exists(system, marks[i].file)) {
            snprintf(name, capacity, "%s", marks[i].name);
            return true;
        }
    }
    rp_cgroup_start(&group, system, "memory");
    const char *const word = rp_container_word(group.directory);
    snprintf(name, capacity, "%s", word != NULL ? word : "");
    return word != NULL;
}

void rp_check_container(struct rp_machine *machine, const struct rp_system *system)
{
    char name[32];

    if (find_container(system, name, sizeof name)) {
        rp_condition_found(machine, RP_SEVERITY_NOTE,
                           "expect neighbours and limits that do not show from inside",
                           "this runs in a container%s%s%s", *name != '\0' ? " (" : "",
                           name, *name != '\0' ? ")" : "");
    }
}
