/* SPDX-License-Identifier: MIT */
#include "sweeps/execute.h"

#include "core/place.h"
#include "core/progress.h"

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

static bool run_one(struct rp_bench *bench, const struct rp_job *job, struct rp_run *run,
                    struct rp_run_writer *writer, struct rp_error *error)
{
    struct rp_record record;
    bool ok = rp_job_run(bench, job, &record, error);

    if (ok && writer != NULL) {
        ok = rp_run_append(writer, &record, error);
    }
    if (ok) {
        ok = rp_run_add(run, &record, error);
    }
    rp_record_free(&record);
    return ok;
}

static bool run_pending(struct rp_bench *bench, const struct rp_job_list *pending,
                        struct rp_run *run, struct rp_run_writer *writer,
                        struct rp_error *error)
{
    struct rp_progress progress;
    double total = 0;
    bool ok = true;

    for (size_t i = 0; i < pending->count; i++) {
        total += rp_job_expected_seconds(&pending->jobs[i]);
    }
    rp_progress_start(&progress, total);
    for (size_t i = 0; ok && i < pending->count; i++) {
        const double before = i == 0 ? 0 : rp_job_expected_seconds(&pending->jobs[i - 1]);

        rp_progress_step(&progress, before, pending->jobs[i].key);
        ok = run_one(bench, &pending->jobs[i], run, writer, error);
    }
    rp_progress_end(&progress);
    return ok;
}

bool rp_execute_jobs(const struct rp_job_list *jobs, const struct rp_topology *topology,
                     struct rp_run *run, struct rp_run_writer *writer,
                     struct rp_error *error)
{
    struct rp_job_list pending = {0};
    struct rp_bench bench = {0};
    const bool ok = pending_jobs(jobs, run, &pending, error) &&
                    (pending.count == 0 ||
                     (rp_place_thread(topology, run->machine.measured_pu, error) &&
                      rp_bench_open(&bench, &run->machine, rp_job_list_largest(&pending),
                                    run->seed, error) &&
                      run_pending(&bench, &pending, run, writer, error)));

    rp_bench_close(&bench);
    rp_job_list_free(&pending);
    return ok;
}
