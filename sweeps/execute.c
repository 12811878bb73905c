/* SPDX-License-Identifier: MIT */
#include "sweeps/execute.h"

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/place.h"
#include "core/progress.h"
#include "sweeps/pace.h"

/* What the jobs of one execution share. */
struct execution {
    const struct rp_execute_options *options;
    struct rp_job_list pending;
    struct rp_machine machine; /* as seen from the kind of core that measures */
    struct rp_bench bench;
    struct rp_regions regions; /* that the jobs are counted in */
    struct rp_pace pace;
    struct rp_run *run;
    struct rp_run_writer *writer; /* NULL: records are kept in memory only */
};

/* The jobs without a record yet, in order. */
static bool pending_jobs(const struct rp_job_list *jobs, const struct rp_run *run,
                         struct rp_job_list *pending, struct rp_error *error)
{
    for (size_t i = 0; i < jobs->count; i++) {
        if (rp_run_find(run, jobs->jobs[i].key) == NULL &&
            !rp_job_list_add(pending, &jobs->jobs[i], error)) {
            return false;
        }
    }
    return true;
}

/* Goes to a core of this kind. What counts the cycles of one may not count another's. */
static bool place_on(struct execution *execution, unsigned core_kind,
                     struct rp_error *error)
{
    const struct rp_execute_options *const options = execution->options;
    struct rp_machine *const machine = &execution->machine;
    const bool other = core_kind != machine->kind;

    rp_machine_look_from(machine, core_kind);
    if (!rp_place_thread(options->topology, machine->measured_pu, error)) {
        return false;
    }
    if (!other) {
        return true;
    }
    const struct rp_cycle_system *const system = options->cycles->system;
    rp_cycles_close(options->cycles);
    rp_bench_move(&execution->bench);
    return rp_cycles_open(options->cycles, system, machine->measured_pu,
                          options->forced_cycles, error);
}

static bool run_one(struct execution *execution, const struct rp_job *job,
                    struct rp_error *error)
{
    struct rp_record record;
    bool ok = rp_job_run(&execution->bench, job, &record, error) &&
              rp_regions_check(&execution->regions, error);

    if (ok && execution->writer != NULL) {
        ok = rp_run_append(execution->writer, &record, error);
    } else if (ok) {
        record.id = execution->run->record_count + 1; /* as a file would number it */
    }
    if (ok) {
        ok = rp_run_add(execution->run, &record, error);
    }
    rp_record_free(&record);
    return ok;
}

static bool go_on(size_t done, size_t count, struct rp_error *error)
{
    const enum rp_status status = rp_interrupt_status();

    return status == RP_OK ||
           rp_fail(error, status, "stopped after %zu of %zu jobs", done, count);
}

static bool run_pending(struct execution *execution, struct rp_error *error)
{
    const struct rp_job_list *const pending = &execution->pending;
    struct rp_pace *const pace = &execution->pace;
    struct rp_progress progress;
    bool ok = true;

    execution->bench.topology = execution->options->topology;
    execution->bench.regions = &execution->regions;
    rp_progress_start(&progress);
    for (size_t i = 0; ok && i < pending->count; i++) {
        struct rp_job job = pending->jobs[i];
        const uint64_t start_ns = rp_clock_ns();

        rp_progress_step(&progress, pace->elapsed_seconds, rp_pace_left_seconds(pace),
                         job.key);
        job.budget_seconds = rp_pace_job_budget(pace, &pending->jobs[i]);
        ok = go_on(i, pending->count, error) &&
             (job.core_kind == execution->machine.kind ||
              place_on(execution, job.core_kind, error)) &&
             run_one(execution, &job, error);
        rp_pace_done(pace, &pending->jobs[i], job.budget_seconds,
                     (double)(rp_clock_ns() - start_ns) / 1e9);
    }
    rp_progress_end(&progress);
    return ok;
}

bool rp_execute_jobs(const struct rp_job_list *jobs,
                     const struct rp_execute_options *options, struct rp_run *run,
                     struct rp_run_writer *writer, struct rp_error *error)
{
    struct execution execution = {
        .options = options, .machine = run->machine, .run = run, .writer = writer};
    struct rp_interrupt interrupt;
    bool ok = pending_jobs(jobs, run, &execution.pending, error) &&
              rp_pace_start(&execution.pace, &execution.pending, &execution.machine,
                            options->budget_seconds, error);

    if (ok && execution.pending.count > 0) {
        rp_interrupt_hold(&interrupt);
        ok = rp_regions_open(&execution.regions, rp_regions_library, error) &&
             place_on(&execution, execution.pending.jobs[0].core_kind, error) &&
             rp_bench_open(&execution.bench, &execution.machine, options->cycles,
                           rp_job_list_largest(&execution.pending), run->seed, error) &&
             run_pending(&execution, error);
        rp_regions_close(&execution.regions);
        rp_interrupt_release(&interrupt);
    }
    rp_bench_close(&execution.bench);
    rp_job_list_free(&execution.pending);
    return ok;
}
