/* SPDX-License-Identifier: MIT */
#include "core/topology.h"

#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/machine.h"
#include "core/text.h"

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

static struct rp_topology *new_topology(struct rp_error *error)
{
    struct rp_topology *const topology = calloc(1, sizeof *topology);

    if (topology == NULL || hwloc_topology_init(&topology->handle) != 0) {
        free(topology);
        rp_fail(error, RP_UNABLE, "not enough memory to read the machine's topology");
        return NULL;
    }
    return topology;
}

struct rp_topology *rp_topology_load(struct rp_error *error)
{
    struct rp_topology *const topology = new_topology(error);

    if (topology != NULL && (hwloc_topology_load(topology->handle) != 0 ||
                             !restrict_to_mask(topology->handle))) {
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

struct rp_topology *rp_topology_load_xml(const char *path, struct rp_error *error)
{
    struct rp_topology *const topology = new_topology(error);

    if (topology != NULL && (hwloc_topology_set_xml(topology->handle, path) != 0 ||
                             hwloc_topology_load(topology->handle) != 0)) {
        rp_fail(error, RP_USAGE,
                "%.300s: this is no topology that hwloc can read: %s; capture "
                "the machine anew",
                path, strerror(errno));
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
        return rp_fail(
            error, RP_UNABLE,
            "hwloc cannot export the topology: %s; free some memory, or unset HWLOC_*",
            strerror(errno));
    }
    strip_private_infos(xml, &stripped);
    hwloc_free_xmlbuffer(topology->handle, xml);

    const bool written = rp_file_write(path, &stripped, error);
    rp_text_free(&stripped);
    return written;
}
