/* SPDX-License-Identifier: MIT */
#include "core/core_kinds.h"

#include <hwloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "core/topology.h"

/* Frequencies this close do not make two kinds. */
static const double same_frequency = 0.1;

static const char *info_of(const struct hwloc_info_s *infos, unsigned count,
                           const char *name)
{
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(infos[i].name, name) == 0) {
            return infos[i].value;
        }
    }
    return "";
}

static void read_kind(struct rp_core *core, hwloc_topology_t handle)
{
    const int index = hwloc_cpukinds_get_by_cpuset(handle, core->object->cpuset, 0);
    struct hwloc_info_s *infos = NULL;
    unsigned count = 0;

    core->type = "";
    core->rank = -1;
    if (index < 0 || hwloc_cpukinds_get_info(handle, (unsigned)index, NULL, &core->rank,
                                             &count, &infos, 0) != 0) {
        return;
    }
    core->type = info_of(infos, count, "CoreType");
    core->mhz = strtod(info_of(infos, count, "FrequencyMaxMHz"), NULL);
    if (!(core->mhz > 0)) {
        core->mhz = strtod(info_of(infos, count, "FrequencyBaseMHz"), NULL);
    }
}

/* The nearest data cache at or above an object; NULL when there is none. */
static hwloc_obj_t cache_from(hwloc_obj_t object)
{
    while (object != NULL &&
           (!hwloc_obj_type_is_dcache(object->type) || object->attr->cache.size == 0)) {
        object = object->parent;
    }
    return object;
}

static double share_of_caches(hwloc_topology_t handle, hwloc_obj_t core)
{
    double bytes = 0;

    for (hwloc_obj_t cache = cache_from(core); cache != NULL;
         cache = cache_from(cache->parent)) {
        const int sharing =
            hwloc_get_nbobjs_inside_cpuset_by_type(handle, cache->cpuset, core->type);
        bytes += (double)cache->attr->cache.size / sharing;
    }
    return bytes;
}

static bool same_caches(hwloc_obj_t one, hwloc_obj_t other)
{
    one = cache_from(one);
    other = cache_from(other);
    while (one != NULL && other != NULL) {
        if (one->attr->cache.depth != other->attr->cache.depth ||
            one->attr->cache.size != other->attr->cache.size) {
            return false;
        }
        one = cache_from(one->parent);
        other = cache_from(other->parent);
    }
    return one == NULL && other == NULL;
}

static bool alike(const struct rp_core *one, const struct rp_core *other)
{
    const double most = fmax(one->mhz, other->mhz);
    const bool known = one->mhz > 0 && other->mhz > 0;

    return strcmp(one->type, other->type) == 0 &&
           (!known || fabs(one->mhz - other->mhz) <= same_frequency * most) &&
           same_caches(one->object, other->object);
}

/* The faster first, as far as is known; where nothing is, the one with more cache, then
 * the last. */
static int compare_speed(const void *left, const void *right)
{
    const struct rp_core *const one = *(const struct rp_core *const *)left;
    const struct rp_core *const other = *(const struct rp_core *const *)right;

    if (one->rank != other->rank) {
        return one->rank > other->rank ? -1 : 1;
    }
    if (one->mhz != other->mhz) {
        return one->mhz > other->mhz ? -1 : 1;
    }
    if (one->cache_bytes != other->cache_bytes) {
        return one->cache_bytes > other->cache_bytes ? -1 : 1;
    }
    return one > other ? -1 : 1;
}

/* Each core joins the first kind whose fastest core it is like, or starts one. Cores of
 * a kind past the last that can be told apart join the last: `found` counts their
 * kinds. */
static void assign_kinds(struct rp_core_list *list, struct rp_core **by_speed,
                         const struct rp_core **fastest)
{
    for (unsigned i = 0; i < list->count; i++) {
        unsigned kind = 0;

        while (kind < list->found && !alike(by_speed[i], fastest[kind])) {
            kind++;
        }
        if (kind == list->found) {
            fastest[list->found++] = by_speed[i];
        }
        by_speed[i]->kind = kind < RP_MAX_CORE_KINDS ? kind : RP_MAX_CORE_KINDS - 1;
    }
    list->kind_count = list->found < RP_MAX_CORE_KINDS ? list->found : RP_MAX_CORE_KINDS;
}

bool rp_core_list_make(struct rp_core_list *list, const struct rp_topology *topology)
{
    hwloc_topology_t const handle = topology->handle;
    const hwloc_obj_type_t type = hwloc_get_nbobjs_by_type(handle, HWLOC_OBJ_CORE) > 0
                                      ? HWLOC_OBJ_CORE
                                      : HWLOC_OBJ_PU;
    const unsigned count = (unsigned)hwloc_get_nbobjs_by_type(handle, type);
    const size_t capacity = (size_t)count + 1; /* there may be none */
    struct rp_core **const by_speed = calloc(capacity, sizeof(struct rp_core *));
    const struct rp_core **const fastest = calloc(capacity, sizeof(struct rp_core *));

    *list = (struct rp_core_list){.cores = calloc(capacity, sizeof *list->cores)};
    const bool room = by_speed != NULL && fastest != NULL && list->cores != NULL;
    if (room) {
        for (unsigned i = 0; i < count; i++) {
            struct rp_core *const core = &list->cores[list->count];

            core->object = hwloc_get_obj_by_type(handle, type, i);
            if (hwloc_get_nbobjs_inside_cpuset_by_type(handle, core->object->cpuset,
                                                       HWLOC_OBJ_PU) < 1) {
                continue; /* a file may hold a core without hardware threads */
            }
            core->cache_bytes = share_of_caches(handle, core->object);
            read_kind(core, handle);
            by_speed[list->count++] = core;
        }
        qsort(by_speed, list->count, sizeof(struct rp_core *), compare_speed);
        assign_kinds(list, by_speed, fastest);
    }
    free(by_speed);
    free(fastest);
    return room;
}

void rp_core_list_free(struct rp_core_list *list)
{
    free(list->cores);
    *list = (struct rp_core_list){0};
}
