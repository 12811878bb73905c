/* SPDX-License-Identifier: MIT */
#include "core/machine.h"

#include <errno.h>
#include <hwloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "core/file.h"
#include "core/system.h"
#include "core/text.h"
#include "core/topology.h"

/* Cuts the topology down to the CPUs of the process's mask. hwloc does it by itself only
 * when told that the topology is this system's, which a synthetic one is not. */
static bool restrict_to_mask(hwloc_topology_t handle)
{
    if (!hwloc_topology_is_thissystem(handle)) {
        return true;
    }
    hwloc_bitmap_t mask = hwloc_bitmap_alloc();
    const bool done = mask != NULL &&
                      hwloc_get_cpubind(handle, mask, HWLOC_CPUBIND_PROCESS) == 0 &&
                      hwloc_topology_restrict(handle, mask, 0) == 0;
    hwloc_bitmap_free(mask);
    return done;
}

struct rp_topology *rp_topology_load(struct rp_error *error)
{
    struct rp_topology *const topology = calloc(1, sizeof *topology);

    if (topology == NULL || hwloc_topology_init(&topology->handle) != 0) {
        free(topology);
        rp_fail(error, RP_UNABLE, "not enough memory to read the machine's topology");
        return NULL;
    }
    if (hwloc_topology_load(topology->handle) != 0 ||
        !restrict_to_mask(topology->handle)) {
        rp_fail(
            error, RP_UNABLE,
            "hwloc cannot read this machine's topology: %s; check that /sys and "
            "/proc are mounted and that HWLOC_* environment variables are unset or right",
            strerror(errno));
        rp_topology_free(topology);
        return NULL;
    }
    return topology;
}

void rp_topology_free(struct rp_topology *topology)
{
    if (topology != NULL) {
        hwloc_topology_destroy(topology->handle);
        free(topology);
    }
}

/* Parts of the names of infos that tell whose machine it is. */
static const char *const private_infos[] = {
    "HostName", "Serial", "UUID", "AssetTag", "Address", "LinuxCgroup",
};

static bool is_private(const char *element, size_t length)
{
    for (size_t i = 0; i < sizeof private_infos / sizeof *private_infos; i++) {
        if (memmem(element, length, private_infos[i], strlen(private_infos[i])) != NULL) {
            return true;
        }
    }
    return false;
}

/* Removes private <info name="..." value="..."/> elements. hwloc escapes what stands in
 * values, so that the next "/>" ends the element; the search covers value as well as
 * name. */
static void strip_private_infos(const char *xml, struct rp_text *stripped)
{
    static const char end_mark[] = "/>";
    const char *info = NULL;

    while ((info = strstr(xml, "<info ")) != NULL) {
        const char *const mark = strstr(info, end_mark);
        const char *const end =
            mark != NULL ? mark + strlen(end_mark) : info + strlen(info);

        rp_text_append(stripped, xml, (size_t)(info - xml));
        if (!is_private(info, (size_t)(end - info))) {
            rp_text_append(stripped, info, (size_t)(end - info));
        }
        xml = end;
    }
    rp_text_append(stripped, xml, strlen(xml));
}

bool rp_topology_save(const struct rp_topology *topology, const char *path,
                      struct rp_error *error)
{
    struct rp_text stripped = {0};
    char *xml = NULL;
    int length = 0;

    if (hwloc_topology_export_xmlbuffer(topology->handle, &xml, &length, 0) != 0) {
        return rp_fail(error, RP_UNABLE, "hwloc cannot export the topology: %s",
                       strerror(errno));
    }
    strip_private_infos(xml, &stripped);
    hwloc_free_xmlbuffer(topology->handle, xml);

    const bool written = rp_file_write(path, &stripped, error);
    rp_text_free(&stripped);
    return written;
}

/* Some virtual machines show hardware threads only: each is a core then. */
static hwloc_obj_type_t core_type(hwloc_topology_t handle)
{
    return hwloc_get_nbobjs_by_type(handle, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE
                                                                : HWLOC_OBJ_PU;
}

/* The last core, as the first one usually serves the interrupts; of the fastest kind,
 * where there are several. */
static hwloc_obj_t measured_core(hwloc_topology_t handle)
{
    const hwloc_obj_type_t type = core_type(handle);
    const int kinds = hwloc_cpukinds_get_nr(handle, 0);
    const hwloc_obj_t last = hwloc_get_obj_by_type(
        handle, type, (unsigned)hwloc_get_nbobjs_by_type(handle, type) - 1);
    hwloc_obj_t core = last;
    hwloc_bitmap_t fastest = hwloc_bitmap_alloc();

    if (kinds > 1 && fastest != NULL &&
        hwloc_cpukinds_get_info(handle, (unsigned)kinds - 1, fastest, NULL, NULL, NULL,
                                0) == 0) {
        while (core != NULL && !hwloc_bitmap_isincluded(core->cpuset, fastest)) {
            core = core->prev_cousin;
        }
    }
    hwloc_bitmap_free(fastest);
    return core != NULL ? core : last;
}

static void describe_levels(struct rp_core_kind *kind, hwloc_topology_t handle,
                            hwloc_obj_t core)
{
    const hwloc_obj_type_t type = core_type(handle);

    for (hwloc_obj_t object = core;
         object != NULL && kind->level_count < RP_MAX_LEVELS - 1;
         object = object->parent) {
        if (!hwloc_obj_type_is_dcache(object->type) || object->attr->cache.size == 0) {
            continue;
        }
        const int ways = object->attr->cache.associativity;
        struct rp_level *const level = &kind->levels[kind->level_count++];
        *level = (struct rp_level){
            .size_bytes = object->attr->cache.size,
            .line_bytes = object->attr->cache.linesize,
            .ways = ways > 0 ? (unsigned)ways : 0, /* -1 for fully associative */
            .shared_by = (unsigned)hwloc_get_nbobjs_inside_cpuset_by_type(
                handle, object->cpuset, type),
        };
        snprintf(level->name, sizeof level->name, "L%u", object->attr->cache.depth);
    }
    kind->levels[kind->level_count++] =
        (struct rp_level){.name = "DRAM", .shared_by = kind->core_count};
}

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

    struct utsname system;
    if (uname(&system) == 0) {
        snprintf(machine->kernel, sizeof machine->kernel, "%.63s", system.release);
    }
}

bool rp_machine_describe(struct rp_machine *machine, const struct rp_topology *topology,
                         const struct rp_cpu *cpu, struct rp_error *error)
{
    hwloc_topology_t const handle = topology->handle;
    const hwloc_obj_t core = measured_core(handle);
    bool limited = false;

    *machine = (struct rp_machine){.cpu = *cpu};
    const hwloc_obj_t pu =
        core != NULL
            ? hwloc_get_obj_inside_cpuset_by_type(handle, core->cpuset, HWLOC_OBJ_PU, 0)
            : NULL;
    if (pu == NULL) {
        return rp_fail(
            error, RP_UNABLE,
            "the topology shows no CPU this process may use; widen its CPU mask");
    }
    machine->core_count = (unsigned)hwloc_get_nbobjs_by_type(handle, core_type(handle));
    machine->kind_count = 1;
    machine->kinds[0].core_count = machine->core_count;
    machine->kinds[0].measured_pu = pu->os_index;
    machine->pu_count = (unsigned)hwloc_get_nbobjs_by_type(handle, HWLOC_OBJ_PU);
    machine->numa_count = (unsigned)hwloc_get_nbobjs_by_type(handle, HWLOC_OBJ_NUMANODE);
    machine->memory_bytes = rp_system_memory("", &limited);
    describe_names(machine);
    describe_levels(&machine->kinds[0], handle, core);
    rp_machine_look_from(machine, 0);
    if (machine->level_count == 1) {
        rp_machine_condition(
            machine, RP_SEVERITY_WARN, "the system shows no cache sizes",
            "expect no level roofs; let the hypervisor pass cache details on");
    }
    if (machine->memory_bytes == 0) {
        return rp_fail(
            error, RP_UNABLE,
            "cannot tell how much memory is available; mount /proc and check the "
            "memory limit of the control group");
    }
    rp_machine_find_conditions(machine);
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
