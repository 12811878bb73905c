/* SPDX-License-Identifier: MIT */
#include <hwloc.h>
#include <stdio.h>
#include <string.h>

#include "core/conditions_parts.h"
#include "core/core_kinds.h"
#include "core/machine.h"
#include "core/topology.h"

static unsigned first_pu(hwloc_topology_t handle, hwloc_obj_t core)
{
    return hwloc_get_obj_inside_cpuset_by_type(handle, core->cpuset, HWLOC_OBJ_PU, 0)
        ->os_index;
}

static void describe_levels(struct rp_core_kind *kind, hwloc_topology_t handle,
                            hwloc_obj_t core)
{
    for (hwloc_obj_t object = core;
         object != NULL && kind->level_count < RP_MAX_LEVELS - 1;
         object = object->parent) {
        if (!hwloc_obj_type_is_dcache(object->type) || object->attr->cache.size == 0 ||
            object->attr->cache.size > INT64_MAX) { /* no run file keeps such a size */
            continue;
        }
        const int ways = object->attr->cache.associativity;
        struct rp_level *const level = &kind->levels[kind->level_count++];
        *level = (struct rp_level){
            .size_bytes = object->attr->cache.size,
            .line_bytes = object->attr->cache.linesize,
            .ways = ways > 0 ? (unsigned)ways : 0, /* -1 for fully associative */
            .shared_by = (unsigned)hwloc_get_nbobjs_inside_cpuset_by_type(
                handle, object->cpuset, core->type),
        };
        snprintf(level->name, sizeof level->name, "L%u", object->attr->cache.depth);
    }
    kind->levels[kind->level_count++] = (struct rp_level){
        .name = "DRAM",
        .shared_by = (unsigned)hwloc_get_nbobjs_by_type(handle, core->type),
    };
}

/* Kinds of core that hwloc knows by type have the names people use, and a number where
 * several are of one type; the others have only a number. */
static void name_kind(struct rp_machine *machine, unsigned index, const char *type)
{
    static const struct {
        const char *type;
        const char *name;
    } names[] = {{"IntelCore", "performance"}, {"IntelAtom", "efficiency"}};
    struct rp_core_kind *const kind = &machine->kinds[index];
    unsigned same = 1;

    snprintf(kind->name, sizeof kind->name, "kind %u", index + 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(type, names[i].type) != 0) {
            continue;
        }
        for (unsigned k = 0; k < index; k++) {
            same += strncmp(machine->kinds[k].name, names[i].name,
                            strlen(names[i].name)) == 0;
        }
        if (same == 1) {
            snprintf(kind->name, sizeof kind->name, "%s", names[i].name);
        } else {
            snprintf(kind->name, sizeof kind->name, "%s %u", names[i].name, same);
        }
    }
}

/* A kind is measured on its last core, as the first one usually serves the interrupts. */
static void describe_kinds(struct rp_machine *machine, hwloc_topology_t handle,
                           const struct rp_core_list *list)
{
    machine->kind_count = list->kind_count;
    for (unsigned k = 0; k < list->kind_count; k++) {
        struct rp_core_kind *const kind = &machine->kinds[k];
        const struct rp_core *last = NULL;

        for (unsigned i = 0; i < list->count; i++) {
            if (list->cores[i].kind == k) {
                kind->core_count++;
                last = &list->cores[i];
            }
        }
        kind->measured_pu = first_pu(handle, last->object);
        describe_levels(kind, handle, last->object);
        if (list->kind_count > 1) {
            name_kind(machine, k, last->type);
        }
    }
}

bool rp_topology_describe(const struct rp_topology *topology, struct rp_machine *machine,
                          struct rp_error *error)
{
    hwloc_topology_t const handle = topology->handle;
    struct rp_core_list list;

    if (!rp_core_list_make(&list, topology)) {
        return rp_fail(error, RP_UNABLE, "not enough memory to list the cores");
    }
    if (list.count == 0) {
        rp_core_list_free(&list);
        return rp_fail(
            error, RP_UNABLE,
            "the topology shows no CPU this process may use; widen its CPU mask");
    }
    machine->core_count = list.count;
    machine->pu_count = (unsigned)hwloc_get_nbobjs_by_type(handle, HWLOC_OBJ_PU);
    machine->numa_count = (unsigned)hwloc_get_nbobjs_by_type(handle, HWLOC_OBJ_NUMANODE);
    describe_kinds(machine, handle, &list);
    rp_condition_kinds(machine, &list);
    rp_machine_look_from(machine, 0);
    rp_core_list_free(&list);
    return true;
}
