/* SPDX-License-Identifier: MIT */
#include "probes/regions.h"

#include <stddef.h>

#include "probes/disturbance.h"
#include "probes/regions_way.h"

#ifdef RP_LIKWID_LIBRARY
const char *const rp_regions_library = RP_LIKWID_LIBRARY;
#else
const char *const rp_regions_library = NULL;
#endif

/* NULL: nobody counts. */
static const struct rp_regions_way *wanted_way(void)
{
    static const struct rp_regions_way *const ways[] = {&rp_regions_likwid,
                                                        &rp_regions_perf};

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (ways[i]->wanted()) {
            return ways[i];
        }
    }
    return NULL;
}

bool rp_regions_wanted(void)
{
    return wanted_way() != NULL;
}

bool rp_regions_open(struct rp_regions *regions, const char *library,
                     struct rp_error *error)
{
    const struct rp_regions_way *const way = wanted_way();

    *regions = (struct rp_regions){0};
    if (way == NULL) {
        return true;
    }
    regions->state = way->open(library, error);
    regions->way = regions->state != NULL ? way : NULL;
    return regions->way != NULL;
}

void rp_regions_close(struct rp_regions *regions)
{
    if (rp_regions_are_open(regions)) {
        regions->way->close(regions->state);
        *regions = (struct rp_regions){0};
    }
}

bool rp_regions_are_open(const struct rp_regions *regions)
{
    return regions != NULL && regions->way != NULL;
}

double rp_regions_least_seconds(const struct rp_regions *regions)
{
    return rp_regions_are_open(regions) ? RP_REGION_SECONDS : 0;
}

bool rp_regions_register(const struct rp_regions *regions, const char *name, unsigned cpu,
                         struct rp_error *error)
{
    return !rp_regions_are_open(regions) ||
           regions->way->register_region(regions->state, name, cpu, error);
}

uint64_t rp_regions_start(const struct rp_regions *regions, const char *name)
{
    if (!rp_regions_are_open(regions)) {
        return 0;
    }
    const uint64_t before = rp_disturbance_switches();
    regions->way->start(regions->state, name);
    return rp_disturbance_switches() - before;
}

uint64_t rp_regions_stop(const struct rp_regions *regions, const char *name)
{
    if (!rp_regions_are_open(regions)) {
        return 0;
    }
    const uint64_t before = rp_disturbance_switches();
    regions->way->stop(regions->state, name);
    return rp_disturbance_switches() - before;
}

bool rp_regions_check(const struct rp_regions *regions, struct rp_error *error)
{
    return !rp_regions_are_open(regions) || regions->way->check(regions->state, error);
}
