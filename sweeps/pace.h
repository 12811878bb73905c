/* SPDX-License-Identifier: MIT */
/*
 * How long a run will take, and how much of a given time each job may have. Pure: it is
 * told what took how long.
 *
 * A job costs a part that nothing changes (checking the kernel, the first pass) and a
 * part in proportion to its budget. Both are expected roughly and corrected by how jobs
 * of the same class - by kind, and by the level their working set lies in - have turned
 * out.
 */
#ifndef RP_SWEEPS_PACE_H
#define RP_SWEEPS_PACE_H

#include "core/machine.h"
#include "probes/job.h"

/* Clock, units, teams, slow kernels, and the others by level. */
#define RP_PACE_CLASSES (4 + RP_MAX_LEVELS)

struct rp_pace_class {
    double fixed_left_seconds; /* as expected, of the jobs still to do */
    double sampling_left_seconds;
    double expected_seconds; /* of the jobs done */
    double actual_seconds;
};

struct rp_pace {
    const struct rp_machine *machine; /* borrowed */
    struct rp_pace_class classes[RP_PACE_CLASSES];
    double budget_seconds;  /* for everything; 0: each job has its own */
    double elapsed_seconds; /* of the jobs done */
};

/* Starts with none of the jobs done. Fails with RP_USAGE when `budget_seconds` is above 0
 * and too short to measure anything. */
bool rp_pace_start(struct rp_pace *pace, const struct rp_job_list *jobs,
                   const struct rp_machine *machine, double budget_seconds,
                   struct rp_error *error);

/* What the next job may take for its samples: its own budget, or its share of what is
 * left of the whole. Never less than the fewest samples need. */
double rp_pace_job_budget(const struct rp_pace *pace, const struct rp_job *job);

/* Notes that the job is done: with this budget it took so long. */
void rp_pace_done(struct rp_pace *pace, const struct rp_job *job, double budget_seconds,
                  double seconds);

/* Seconds that the jobs still to do are expected to take. */
double rp_pace_left_seconds(const struct rp_pace *pace);

#endif
