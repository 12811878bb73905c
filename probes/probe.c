/* SPDX-License-Identifier: MIT */
#include "probes/probe.h"

#include <string.h>

static const struct rp_probe probes[] = {
    {"clock", "core clock, by a chain of dependent additions", rp_probe_clock},
    {"units", "latency and throughput of AES, carry-less multiplication and FMA",
     rp_probe_units},
    {"bandwidth", "bandwidth of every level and traffic mix, by the best kernel",
     rp_probe_bandwidth},
    {"scaling", "bandwidth of more and more cores at once, and how far apart they are",
     rp_probe_scaling},
    {"roofs", "kernels of known intensity, which must trace the roofs", rp_probe_roofs},
};

const struct rp_probe *rp_probe_at(size_t index)
{
    return index < sizeof probes / sizeof *probes ? &probes[index] : NULL;
}

const struct rp_probe *rp_probe_find(const char *name)
{
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
        if (strcmp(probes[i].name, name) == 0) {
            return &probes[i];
        }
    }
    return NULL;
}
