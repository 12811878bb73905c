/* SPDX-License-Identifier: MIT */
/*
 * What markers.sh needs to know of regions, one "calls region" a line:
 *   likwid_regions RUN     each job of a run that was sampled
 *   likwid_regions --team  a job on two cores, which is measured now
 */
#include <likwid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/counted.h"
#include "core/place.h"
#include "core/record.h"
#include "probes/regions.h"
#include "probes/regions_way.h"
#include "probes/team.h"

#define NOT_HERE 77

/* Functions that are looked up by name have the types that likwid gives them. */
#define EXPECT_TYPE(member, function)                                                    \
    _Static_assert(__builtin_types_compatible_p(                                         \
                       __typeof__(((struct rp_likwid_markers *)0)->member),              \
                       __typeof__(&(function))),                                         \
                   #member " is not what likwid declares")
EXPECT_TYPE(initialize, likwid_markerInit);
EXPECT_TYPE(register_region, likwid_markerRegisterRegion);
EXPECT_TYPE(start_region, likwid_markerStartRegion);
EXPECT_TYPE(stop_region, likwid_markerStopRegion);
EXPECT_TYPE(close, likwid_markerClose);

static void print_calls(const struct rp_record *record)
{
    const struct rp_dropped *const dropped = &record->dropped;
    const size_t calls = record->sample_count + dropped->clock + dropped->preempted +
                         dropped->stolen + dropped->throttled + dropped->moved +
                         dropped->shared;

    if (calls > 0) {
        printf("%zu %s\n", calls, rp_counted_region(record->job));
    }
}

/* The clock is read, but nothing runs that could be counted. */
static bool print_run(const char *path, struct rp_error *error)
{
    struct rp_run run;

    if (!rp_run_read(&run, path, error)) {
        return false;
    }
    for (size_t i = 0; i < run.record_count; i++) {
        if (strcmp(run.records[i].probe, "clock") != 0) {
            print_calls(&run.records[i]);
        }
    }
    rp_run_free(&run);
    return true;
}

static bool measure_team(const struct rp_topology *topology, const unsigned pus[2],
                         struct rp_error *error)
{
    struct rp_regions regions;
    struct rp_team team = {0};
    struct rp_record record = {.job = "sweep/store-sse2/nt/131072/2-threads"};
    bool ok = rp_regions_open(&regions, rp_regions_library, error);
    const struct rp_team_options options = {
        .topology = topology,
        .pus = pus,
        .threads = 2,
        .kernel = rp_kernel_find("store-sse2"),
        .mode = RP_MODE_NT,
        .working_set_bytes = 131072,
        .seed = 1,
        .budget_seconds = 0.05,
        .regions = &regions,
    };

    ok = ok && rp_team_measure(&team, &options, &record, error);
    rp_regions_close(&regions);
    rp_team_close(&team);
    if (ok) {
        print_calls(&record);
    }
    rp_record_free(&record);
    return ok;
}

int main(int argc, char **argv)
{
    struct rp_error error;
    unsigned pus[2];
    bool ok = false;

    if (argc != 2) {
        fprintf(stderr, "usage: %s RUN | --team\n", argv[0]);
        return RP_USAGE;
    }
    if (strcmp(argv[1], "--team") == 0) {
        struct rp_topology *const topology = rp_topology_load(&error);

        if (topology != NULL && rp_machine_pus(topology, 0, pus, 2) < 2) {
            rp_topology_free(topology);
            return NOT_HERE;
        }
        ok = topology != NULL && measure_team(topology, pus, &error);
        rp_topology_free(topology);
    } else {
        ok = print_run(argv[1], &error);
    }
    if (!ok) {
        fprintf(stderr, "%s\n", error.message);
    }
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
