/* SPDX-License-Identifier: MIT */
/*
 * The machine the program runs on, found out once for a verb that measures.
 */
#ifndef RP_CLI_HOST_H
#define RP_CLI_HOST_H

#include "core/cycles.h"
#include "core/machine.h"
#include "core/record.h"
#include "probes/job.h"

struct rp_host {
    struct rp_topology *topology;
    struct rp_machine machine;
    struct rp_cycle_system cycle_system;
    struct rp_cycles cycles; /* of the thread that measures; {0} until it is asked for */
};

/* Reads CPU (capped by RIDGEPOINT_CPU), topology and conditions. Close also after a
 * failure. */
bool rp_host_open(struct rp_host *host, struct rp_error *error);
void rp_host_close(struct rp_host *host);

/* Starts an empty run on this machine: version, compiler, time, machine with its TSC
 * rate. `sweep_text` is copied. Free with rp_run_free. */
bool rp_host_begin_run(const struct rp_host *host, const char *sweep_name,
                       const char *sweep_text, uint64_t seed, struct rp_run *run,
                       struct rp_error *error);

/* Binds the calling thread to the measured CPU and opens the best cycle source there, or
 * the one that RIDGEPOINT_CYCLES names. The trials go into `run`, if it is not NULL.
 * Where likwid counts the regions of this process, the counters of the kernel are taken.
 */
bool rp_host_open_cycles(struct rp_host *host, struct rp_run *run,
                         struct rp_error *error);

/* True when the run was begun on a machine with the same caches and instructions as this
 * one: else what is measured here would not belong to it. */
bool rp_host_is_of(const struct rp_host *host, const struct rp_run *run);

/* Runs jobs on this machine (sweeps/execute.h); cycles must be open. */
bool rp_host_execute(struct rp_host *host, const struct rp_job_list *jobs,
                     double budget_seconds, struct rp_run *run,
                     struct rp_run_writer *writer, struct rp_error *error);

/* Warnings among the conditions, to stderr, each with what to do. */
void rp_host_warn(const struct rp_host *host);

#endif
