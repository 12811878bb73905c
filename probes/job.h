/* SPDX-License-Identifier: MIT */
/*
 * One measurement to make, and the bench it is made on.
 *
 * Probes and sweeps expand into jobs before anything runs; a job's key says all of what
 * is measured, so a run that was interrupted goes on with the keys it lacks.
 */
#ifndef RP_PROBES_JOB_H
#define RP_PROBES_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buffer.h"
#include "core/cycles.h"
#include "core/error.h"
#include "core/machine.h"
#include "core/record.h"
#include "kernels/kernel.h"
#include "probes/company.h"
#include "probes/disturbance.h"
#include "probes/regions.h"
#include "probes/team.h"
#include "probes/unit_loops.h"

enum rp_job_kind {
    RP_JOB_CLOCK,       /* the core clock by itself */
    RP_JOB_UNIT,        /* `unit` with `chains` */
    RP_JOB_KERNEL,      /* `kernel` in `mode` over `working_set_bytes` */
    RP_JOB_TEAM,        /* the same on `threads` cores at once */
    RP_JOB_UNAVAILABLE, /* nothing to run: `why` goes into the record */
};

struct rp_job {
    enum rp_job_kind kind;
    char key[96];
    const char *probe; /* "clock", "units", "bandwidth", "scaling", "roofs", "sweep" */
    const struct rp_kernel *kernel;
    enum rp_mode mode;
    char level[8];     /* the level that the bandwidth and scaling probes aim at */
    enum rp_data data; /* what memory and stored pattern hold, for a kernel */
    size_t working_set_bytes;
    const struct rp_unit_class *unit;
    unsigned chains;
    unsigned threads;   /* for a team; 0: one thread, and no team */
    unsigned core_kind; /* index into the machine's kinds */
    double budget_seconds;
    char why[160];
};

/* Jobs in the order they run. Start from {0}; free with rp_job_list_free. */
struct rp_job_list {
    struct rp_job *jobs;
    size_t count;
    size_t capacity;
    void *keys; /* the set of them, a tree of search.h */
};

#define RP_MOST_JOBS 20000 /* nobody waits for more */

/* Appends a copy, unless the list holds a job with that key. Fails with RP_USAGE when the
 * list is full. */
bool rp_job_list_add(struct rp_job_list *list, const struct rp_job *job,
                     struct rp_error *error);
/* Appends a copy for one kind of the machine's cores, whose name the key then carries. */
bool rp_job_list_add_for(struct rp_job_list *list, const struct rp_job *job,
                         const struct rp_machine *machine, unsigned core_kind,
                         struct rp_error *error);
void rp_job_list_free(struct rp_job_list *list);

/* Takes all jobs out but those whose key matches the pattern (rp_matches). They are not
 * added again. */
void rp_job_list_keep(struct rp_job_list *list, const char *pattern);

/* Appends the job of a kernel, with its key; as unavailable when `cpu` or build lack it.
 */
bool rp_job_list_add_kernel(struct rp_job_list *list, const char *probe,
                            const struct rp_kernel *kernel, enum rp_mode mode,
                            const char *level, size_t working_set_bytes,
                            double budget_seconds, const struct rp_cpu *cpu,
                            struct rp_error *error);

/* Appends a job that does the same with other data, with a key of its own. */
bool rp_job_list_add_with_data(struct rp_job_list *list, const struct rp_job *job,
                               enum rp_data data, struct rp_error *error);

/* The largest working set of any job on one thread; 0 when none has one. */
size_t rp_job_list_largest(const struct rp_job_list *list);

/* Rough expectations of what a job takes, for progress and time left: before its first
 * sample, and for its samples when it may take `budget_seconds` for them. */
double rp_job_fixed_seconds(const struct rp_job *job);
double rp_job_sampling_seconds(const struct rp_job *job, double budget_seconds);

#define RP_BENCH_CHECKED 256

/* What jobs share: memory, keys, and which kernels have proved right in this process. */
struct rp_bench {
    const struct rp_machine *machine; /* as seen from the core that measures */
    const struct rp_cycles *cycles;
    struct rp_disturbance_watch watch;
    const struct rp_topology *topology; /* set it for jobs of a team */
    const struct rp_regions *regions;   /* set it to have the jobs counted; or NULL */
    size_t buffer_bytes;                /* what the buffer has when it is there: */
    struct rp_buffer buffer;            /* while it is, */
    struct rp_team team;                /* this has no memory, and the other way round */
    enum rp_data data; /* what the buffer was filled with, and the pattern */
    uint8_t pattern[RP_BLOCK_BYTES] __attribute__((aligned(64))); /* stored */
    uint8_t result[RP_BLOCK_BYTES] __attribute__((aligned(64)));  /* what a load leaves */
    uint8_t tag[RP_BLOCK_BYTES] __attribute__((aligned(64)));
    uint8_t context[RP_CONTEXT_BYTES]
        __attribute__((aligned(64))); /* of the job's kernel */
    uint64_t seed;
    struct rp_company company; /* of the core that measures */
    struct {
        const struct rp_kernel *kernel;
        enum rp_mode mode;
    } checked[RP_BENCH_CHECKED]; /* what does not fit is checked again */
    size_t checked_count;
};

/* Gets memory for working sets up to `largest_bytes` and fills it from `seed`. Machine
 * and cycles must outlive the bench and be those of the core the thread is bound to. */
bool rp_bench_open(struct rp_bench *bench, const struct rp_machine *machine,
                   const struct rp_cycles *cycles, size_t largest_bytes, uint64_t seed,
                   struct rp_error *error);
/* Notes that the machine is now seen from another core: what one kind of core can do
 * says nothing of another. */
void rp_bench_move(struct rp_bench *bench);
void rp_bench_close(struct rp_bench *bench);

/*
 * Runs one job on the calling thread, which is bound already, and fills `record` (free it
 * with rp_record_free). A kernel is compared with its reference, and what it touches on
 * its walk with its descriptor, before its first timing; one that is wrong fails with
 * RP_NO and is never timed. What is unavailable is a record
 * that says so.
 */
bool rp_job_run(struct rp_bench *bench, const struct rp_job *job,
                struct rp_record *record, struct rp_error *error);

#endif
