/* SPDX-License-Identifier: MIT */
#include "core/place.h"

#include <errno.h>
#include <hwloc.h>
#include <sched.h>
#include <string.h>

#include "core/core_kinds.h"
#include "core/topology.h"

bool rp_place_thread(const struct rp_topology *topology, unsigned pu,
                     struct rp_error *error)
{
    hwloc_topology_t const handle = topology->handle;
    const hwloc_obj_t object = hwloc_get_pu_obj_by_os_index(handle, pu);

    if (object == NULL) {
        return rp_fail(error, RP_UNABLE,
                       "CPU %u is not one this process may use; widen its CPU mask", pu);
    }
    if (hwloc_set_cpubind(handle, object->cpuset,
                          HWLOC_CPUBIND_THREAD | HWLOC_CPUBIND_STRICT) != 0) {
        return rp_fail(
            error, RP_UNABLE,
            "the system refuses to bind a thread to CPU %u: %s; allow it in the "
            "container or sandbox",
            pu, strerror(errno));
    }
    /* hwloc only pretends to bind when the topology is not this system's. */
    if (hwloc_topology_is_thissystem(handle) && sched_getcpu() != (int)pu) {
        return rp_fail(
            error, RP_UNABLE,
            "the thread was bound to CPU %u but runs on CPU %d; another program "
            "seems to move it",
            pu, sched_getcpu());
    }
    return true;
}

unsigned rp_machine_pus(const struct rp_topology *topology, unsigned kind, unsigned *pus,
                        unsigned capacity)
{
    struct rp_core_list list;
    unsigned count = 0;
    bool more = rp_core_list_make(&list, topology);

    for (unsigned sibling = 0; more; sibling++) {
        more = false;
        for (unsigned i = list.count; i-- > 0;) {
            const hwloc_obj_t pu = hwloc_get_obj_inside_cpuset_by_type(
                topology->handle, list.cores[i].object->cpuset, HWLOC_OBJ_PU, sibling);

            if (list.cores[i].kind != kind || pu == NULL) {
                continue;
            }
            if (count < capacity) {
                pus[count] = pu->os_index;
            }
            count++;
            more = true;
        }
    }
    rp_core_list_free(&list);
    return count;
}
