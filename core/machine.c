/* SPDX-License-Identifier: MIT */
#include "core/machine.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/conditions.h"
#include "core/system.h"
#include "core/text.h"
#include "core/topology.h"

/* The brand without what every brand says: "Intel Core i7-8700K". */
static void clean_brand(const char *brand, char *clean, size_t capacity)
{
    static const char *const decorations[] = {"(R)", "(TM)", "CPU", "Processor"};
    size_t length = 0;

    while (*brand != '\0' && *brand != '@' && length + 1 < capacity) {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof decorations / sizeof *decorations; i++) {
            const size_t size = strlen(decorations[i]);
            skip = strncmp(brand, decorations[i], size) == 0 ? size : skip;
        }
        if (skip == 0 && (*brand != ' ' || (length > 0 && clean[length - 1] != ' '))) {
            clean[length++] = *brand;
        }
        brand += skip > 0 ? skip : 1;
    }
    while (length > 0 && clean[length - 1] == ' ') {
        length--;
    }
    clean[length] = '\0';
}

static void describe_names(struct rp_machine *machine)
{
    const struct rp_cpu *const cpu = &machine->cpu;
    char clean[sizeof cpu->brand];
    char long_name[sizeof clean + 32];

    clean_brand(cpu->brand, clean, sizeof clean);
    if (*clean == '\0') {
        snprintf(clean, sizeof clean, "unknown CPU");
    }
    snprintf(long_name, sizeof long_name, "%s-%u-%u", clean, cpu->family, cpu->model);
    rp_slug(long_name, machine->name, sizeof machine->name);
    if (strpbrk(clean, "0123456789") != NULL) {
        snprintf(machine->processor, sizeof machine->processor, "%s", clean);
    } else {
        snprintf(machine->processor, sizeof machine->processor,
                 "%.35s, family %u model %u", clean, cpu->family, cpu->model);
    }
}

bool rp_machine_describe(struct rp_machine *machine, const struct rp_topology *topology,
                         const struct rp_cpu *cpu, const struct rp_system *system,
                         struct rp_error *error)
{
    bool limited = false;

    *machine = (struct rp_machine){.cpu = *cpu};
    if (!rp_topology_describe(topology, machine, error)) {
        return false;
    }
    machine->memory_bytes = rp_system_memory(system, &limited);
    if (machine->memory_bytes == 0) {
        return rp_fail(
            error, RP_UNABLE,
            "cannot tell how much memory is available; mount /proc and check the "
            "memory limit of the control group");
    }
    describe_names(machine);
    rp_system_line(system, "/proc/sys/kernel/osrelease", machine->kernel,
                   sizeof machine->kernel);
    rp_conditions_find(machine, system);
    return true;
}

const struct rp_machine_source rp_machine_here = {
    .cpu = &rp_cpu_native,
    .system = &rp_system_running,
};

bool rp_machine_read(struct rp_machine *machine, struct rp_topology **topology,
                     const struct rp_machine_source *source, const char *level,
                     struct rp_error *error)
{
    struct rp_cpu cpu;

    *topology = NULL;
    if (!rp_cpu_detect(&cpu, source->cpu, level, error)) {
        return false;
    }
    *topology = source->topology_xml != NULL
                    ? rp_topology_load_xml(source->topology_xml, error)
                    : rp_topology_load(error);
    if (*topology == NULL) {
        return false;
    }
    if (!rp_machine_describe(machine, *topology, &cpu, source->system, error)) {
        rp_topology_free(*topology);
        *topology = NULL;
        return false;
    }
    return true;
}

void rp_machine_look_from(struct rp_machine *machine, unsigned kind)
{
    const struct rp_core_kind *const seen = &machine->kinds[kind];

    machine->kind = kind;
    memcpy(machine->levels, seen->levels, sizeof machine->levels);
    machine->level_count = seen->level_count;
    machine->measured_pu = seen->measured_pu;
}

void rp_machine_condition(struct rp_machine *machine, enum rp_severity severity,
                          const char *text, const char *what_to_do)
{
    if (machine->condition_count == RP_MAX_CONDITIONS) {
        return;
    }
    struct rp_condition *const condition =
        &machine->conditions[machine->condition_count++];
    condition->severity = severity;
    snprintf(condition->text, sizeof condition->text, "%s", text);
    snprintf(condition->what_to_do, sizeof condition->what_to_do, "%s", what_to_do);
}

unsigned rp_machine_level_of(const struct rp_machine *machine, size_t working_set_bytes)
{
    unsigned level = 0;

    while (level + 1 < machine->level_count &&
           working_set_bytes > machine->levels[level].size_bytes) {
        level++;
    }
    return level;
}

size_t rp_machine_spendable_bytes(const struct rp_machine *machine)
{
    static const double share = 0.8;

    return (size_t)((double)machine->memory_bytes * share);
}

void rp_machine_level_range(const struct rp_machine *machine, unsigned level,
                            size_t *least_bytes, size_t *most_bytes)
{
    const size_t capacity = machine->levels[level].size_bytes;

    *least_bytes = 0;
    if (level > 0 && __builtin_mul_overflow(machine->levels[level - 1].size_bytes,
                                            (size_t)4, least_bytes)) {
        *least_bytes = SIZE_MAX;
    }
    *most_bytes = level + 1 < machine->level_count ? capacity / 4 * 3 : SIZE_MAX;
}
