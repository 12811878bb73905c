/* SPDX-License-Identifier: MIT */
/*
 * Running jobs into a run file, from the start or from where an interrupted run stopped.
 */
#ifndef RP_SWEEPS_EXECUTE_H
#define RP_SWEEPS_EXECUTE_H

#include "core/cycles.h"
#include "core/error.h"
#include "core/machine.h"
#include "core/record.h"
#include "probes/job.h"

struct rp_execute_options {
    const struct rp_topology *topology;
    struct rp_cycles
        *cycles; /* opened on the first kind of core; opened again on others */
    const char *forced_cycles; /* see rp_cycles_open */
    double budget_seconds;     /* for all jobs together; 0 leaves each its own */
};

/*
 * Runs the jobs that `run` holds no record of, one after another, and adds their records
 * to it. With a `writer`, each record is on disk before the next job starts. Binds the
 * calling thread to the measured hardware thread of each job's kind of core and reports
 * progress on stderr. After a failure everything measured so far is in `run` and on disk;
 * so it is after SIGINT or SIGTERM, which end the work behind the job in hand with
 * RP_INTERRUPTED or RP_TERMINATED.
 */
bool rp_execute_jobs(const struct rp_job_list *jobs,
                     const struct rp_execute_options *options, struct rp_run *run,
                     struct rp_run_writer *writer, struct rp_error *error);

#endif
