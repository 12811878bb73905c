/* SPDX-License-Identifier: MIT */
#include "probes/regions_way.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What likwid-perfctr tells the program that it starts; likwid itself wants all of it. */
static const char *const variables[] = {"LIKWID_MODE", "LIKWID_EVENTS", "LIKWID_THREADS",
                                        "LIKWID_FILEPATH"};

#define FUNCTION(member, name)                                                           \
    {                                                                                    \
        name, offsetof(struct rp_likwid_markers, member)                                 \
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

static bool wanted(void)
{
    bool all = true;

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        all = all && getenv(variables[i]) != NULL;
    }
    return all;
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

static bool load(struct rp_likwid_markers *markers, const char *library,
                 struct rp_error *error)
{
    if (library == NULL) {
        return rp_fail(error, RP_UNABLE,
                       "likwid-perfctr -m counts regions, and this program was built "
                       "without likwid; build it where likwid is installed, or leave -m "
                       "out");
    }
    markers->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (markers->library == NULL) {
        return rp_fail(error, RP_UNABLE,
                       "likwid-perfctr -m counts regions, and likwid cannot be loaded: "
                       "%s; build this program again with the likwid that is installed, "
                       "or leave -m out",
                       dlerror());
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *const address = dlsym(markers->library, functions[i].name);

        if (address == NULL) {
            dlclose(markers->library);
            markers->library = NULL;
            return rp_fail(error, RP_UNABLE,
                           "likwid-perfctr -m counts regions, and %s has no %s; install "
                           "likwid 5.2 or later and build this program again, or leave "
                           "-m out",
                           library, functions[i].name);
        }
        memcpy((char *)markers + functions[i].offset, &address, sizeof address);
    }
    return true;
}

static void *open_markers(const char *library, struct rp_error *error)
{
    struct rp_likwid_markers *const markers = calloc(1, sizeof *markers);

    if (markers == NULL) {
        rp_fail(error, RP_UNABLE, "no memory for the regions of likwid");
        return NULL;
    }
    if (!load(markers, library, error)) {
        free(markers);
        return NULL;
    }
    markers->cpus = parse_cpus(getenv("LIKWID_THREADS"));
    /* likwid knows no other CPUs than those that the thread may use at this moment. */
    sched_setaffinity(0, sizeof markers->cpus, &markers->cpus);
    markers->initialize();
    return markers;
}

static bool register_region(void *state, const char *name, unsigned cpu,
                            struct rp_error *error)
{
    const struct rp_likwid_markers *const markers = state;

    if (!CPU_ISSET(cpu, &markers->cpus)) {
        return rp_fail(error, RP_UNABLE,
                       "%s is measured on CPU %u, where likwid-perfctr does not count; "
                       "choose CPUs with -C, which also binds, instead of -c",
                       name, cpu);
    }
    return markers->register_region(name) >= 0 ||
           rp_fail(
               error, RP_UNABLE,
               "likwid cannot count in region %s; see its own message above, or leave "
               "-m out",
               name);
}

static void start(void *state, const char *name)
{
    ((const struct rp_likwid_markers *)state)->start_region(name);
}

static void stop(void *state, const char *name)
{
    ((const struct rp_likwid_markers *)state)->stop_region(name);
}

/* likwid tells of what it cannot count by itself. */
static bool check(const void *state, struct rp_error *error)
{
    (void)state;
    (void)error;
    return true;
}

static void close_markers(void *state)
{
    struct rp_likwid_markers *const markers = state;

    markers->close();
    dlclose(markers->library);
    free(markers);
}

const struct rp_regions_way rp_regions_likwid = {
    .wanted = wanted,
    .open = open_markers,
    .register_region = register_region,
    .start = start,
    .stop = stop,
    .check = check,
    .close = close_markers,
};
