/* SPDX-License-Identifier: MIT */
#include "cli/host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/clock.h"
#include "core/place.h"
#include "sweeps/execute.h"

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

bool rp_host_open(struct rp_host *host, struct rp_error *error)
{
    *host = (struct rp_host){0};
    return rp_machine_read(&host->machine, &host->topology, &rp_machine_here,
                           getenv("RIDGEPOINT_CPU"), error);
}

void rp_host_close(struct rp_host *host)
{
    rp_cycles_close(&host->cycles);
    if (host->topology != NULL) {
        rp_topology_free(host->topology);
    }
    host->topology = NULL;
}

bool rp_host_begin_run(const struct rp_host *host, const char *sweep_name,
                       const char *sweep_text, uint64_t seed, struct rp_run *run,
                       struct rp_error *error)
{
    const time_t now = time(NULL);
    struct tm utc;

    *run = (struct rp_run){.seed = seed, .machine = host->machine};
    run->machine.tsc_hz = rp_clock_tsc_hz();
    snprintf(run->version, sizeof run->version, "%s", RIDGEPOINT_VERSION);
    snprintf(run->compiler, sizeof run->compiler, "%s", COMPILER);
    snprintf(run->sweep_name, sizeof run->sweep_name, "%s", sweep_name);
    strftime(run->started_utc, sizeof run->started_utc, "%Y-%m-%dT%H:%M:%SZ",
             gmtime_r(&now, &utc));
    run->sweep_text = strdup(sweep_text);
    return run->sweep_text != NULL || rp_fail(error, RP_UNABLE, "no memory for a run");
}

/* likwid sets the registers up behind the kernel's back, and perf may need all counters
 * that there are. */
static int refuse_counters(void *context)
{
    (void)context;
    return -EBUSY;
}

bool rp_host_open_cycles(struct rp_host *host, struct rp_run *run, struct rp_error *error)
{
    const unsigned cpu = host->machine.measured_pu;

    host->cycle_system = rp_cycle_native;
    if (rp_regions_wanted()) {
        host->cycle_system.perf_open = refuse_counters;
    }
    if (!rp_place_thread(host->topology, cpu, error) ||
        !rp_cycles_open(&host->cycles, &host->cycle_system, cpu,
                        getenv("RIDGEPOINT_CYCLES"), error)) {
        return false;
    }
    if (run != NULL) {
        memcpy(run->cycle_trials, host->cycles.trials, sizeof run->cycle_trials);
        run->cycle_trial_count = RP_CYCLE_SOURCES;
    }
    return true;
}

bool rp_host_is_of(const struct rp_host *host, const struct rp_run *run)
{
    const struct rp_machine *const now = &host->machine;
    const struct rp_machine *const then = &run->machine;
    bool same = strcmp(then->name, now->name) == 0 &&
                then->cpu.features == now->cpu.features &&
                then->level_count == now->level_count;

    for (unsigned i = 0; same && i < now->level_count; i++) {
        same = then->levels[i].size_bytes == now->levels[i].size_bytes;
    }
    return same;
}

bool rp_host_execute(struct rp_host *host, const struct rp_job_list *jobs,
                     double budget_seconds, struct rp_run *run,
                     struct rp_run_writer *writer, struct rp_error *error)
{
    const struct rp_execute_options options = {
        .topology = host->topology,
        .cycles = &host->cycles,
        .forced_cycles = getenv("RIDGEPOINT_CYCLES"),
        .budget_seconds = budget_seconds,
    };

    return rp_execute_jobs(jobs, &options, run, writer, error);
}

void rp_host_warn(const struct rp_host *host)
{
    for (unsigned i = 0; i < host->machine.condition_count; i++) {
        const struct rp_condition *const condition = &host->machine.conditions[i];

        if (condition->severity == RP_SEVERITY_WARN) {
            fprintf(stderr, "warning: %s; %s\n", condition->text, condition->what_to_do);
        }
    }
}
