/* SPDX-License-Identifier: MIT */
#include "probes/regions.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "probes/disturbance.h"

#ifdef RP_LIKWID_LIBRARY
const char *const rp_regions_library = RP_LIKWID_LIBRARY;
#else
const char *const rp_regions_library = NULL;
#endif

/* What likwid-perfctr tells the program that it starts; likwid itself wants all of it. */
static const char *const variables[] = {"LIKWID_MODE", "LIKWID_EVENTS", "LIKWID_THREADS",
                                        "LIKWID_FILEPATH"};

#define FUNCTION(member, name)                                                           \
    {                                                                                    \
        name, offsetof(struct rp_regions, member)                                        \
    }
static const struct {
    const char *name;
    size_t offset;
} functions[] = {
    FUNCTION(initialize, "likwid_markerInit"),
    FUNCTION(register_region, "likwid_markerRegisterRegion"),
    FUNCTION(start_region, "likwid_markerStartRegion"),
    FUNCTION(stop_region, "likwid_markerStopRegion"),
    FUNCTION(close, "likwid_markerClose"),
};

bool rp_regions_wanted(void)
{
    bool wanted = true;

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        wanted = wanted && getenv(variables[i]) != NULL;
    }
    return wanted;
}

/* "0,2,3" */
static cpu_set_t parse_cpus(const char *list)
{
    cpu_set_t cpus;

    CPU_ZERO(&cpus);
    while (list != NULL) {
        CPU_SET(strtoul(list, NULL, 10), &cpus);
        list = strchr(list, ',');
        list = list != NULL ? list + 1 : NULL;
    }
    return cpus;
}

static bool load(struct rp_regions *regions, const char *library, struct rp_error *error)
{
    if (library == NULL) {
        return rp_fail(error, RP_UNABLE,
                       "likwid-perfctr -m counts regions, and this program was built "
                       "without likwid; build it where likwid is installed, or leave -m "
                       "out");
    }
    regions->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (regions->library == NULL) {
        return rp_fail(error, RP_UNABLE,
                       "likwid-perfctr -m counts regions, and likwid cannot be loaded: "
                       "%s; build this program again with the likwid that is installed, "
                       "or leave -m out",
                       dlerror());
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *const address = dlsym(regions->library, functions[i].name);

        if (address == NULL) {
            dlclose(regions->library);
            regions->library = NULL;
            return rp_fail(error, RP_UNABLE,
                           "likwid-perfctr -m counts regions, and %s has no %s; install "
                           "likwid 5.2 or later and build this program again, or leave "
                           "-m out",
                           library, functions[i].name);
        }
        memcpy((char *)regions + functions[i].offset, &address, sizeof address);
    }
    return true;
}

bool rp_regions_open(struct rp_regions *regions, const char *library,
                     struct rp_error *error)
{
    *regions = (struct rp_regions){0};
    if (!rp_regions_wanted()) {
        return true;
    }
    if (!load(regions, library, error)) {
        return false;
    }
    regions->cpus = parse_cpus(getenv("LIKWID_THREADS"));
    /* likwid knows no other CPUs than those that the thread may use at this moment. */
    sched_setaffinity(0, sizeof regions->cpus, &regions->cpus);
    regions->initialize();
    return true;
}

void rp_regions_close(struct rp_regions *regions)
{
    if (rp_regions_are_open(regions)) {
        regions->close();
        dlclose(regions->library);
        *regions = (struct rp_regions){0};
    }
}

bool rp_regions_are_open(const struct rp_regions *regions)
{
    return regions != NULL && regions->library != NULL;
}

double rp_regions_least_seconds(const struct rp_regions *regions)
{
    return rp_regions_are_open(regions) ? RP_REGION_SECONDS : 0;
}

bool rp_regions_register(const struct rp_regions *regions, const char *name, unsigned cpu,
                         struct rp_error *error)
{
    if (!rp_regions_are_open(regions)) {
        return true;
    }
    if (!CPU_ISSET(cpu, &regions->cpus)) {
        return rp_fail(error, RP_UNABLE,
                       "%s is measured on CPU %u, where likwid-perfctr does not count; "
                       "choose CPUs with -C, which also binds, instead of -c",
                       name, cpu);
    }
    return regions->register_region(name) >= 0 ||
           rp_fail(
               error, RP_UNABLE,
               "likwid cannot count in region %s; see its own message above, or leave "
               "-m out",
               name);
}

uint64_t rp_regions_start(const struct rp_regions *regions, const char *name)
{
    if (!rp_regions_are_open(regions)) {
        return 0;
    }
    const uint64_t before = rp_disturbance_switches();
    regions->start_region(name);
    return rp_disturbance_switches() - before;
}

uint64_t rp_regions_stop(const struct rp_regions *regions, const char *name)
{
    if (!rp_regions_are_open(regions)) {
        return 0;
    }
    const uint64_t before = rp_disturbance_switches();
    regions->stop_region(name);
    return rp_disturbance_switches() - before;
}
