/* SPDX-License-Identifier: MIT */
/*
 * What the verb `counters` knows of counting here, and its parts.
 */
#ifndef RP_CLI_COUNTERS_H
#define RP_CLI_COUNTERS_H

#include "core/cpu.h"
#include "core/pmu.h"
#include "core/record.h"
#include "probes/groups.h"
#include "probes/job.h"

/* What counts. */
enum rp_counting_with {
    RP_COUNT_WITH_LIKWID, /* likwid-perfctr, all jobs of a run in one process */
    RP_COUNT_WITH_PERF,   /* perf stat, each job in a process of its own */
    RP_COUNT_WITH_EITHER, /* what the machine allows */
};

struct rp_counting {
    struct rp_cpu cpu;
    struct rp_pmu pmu;
    const char *architecture;   /* whose groups are meant: this processor's, or the one
                                   asked for; NULL: there are no groups for it */
    bool likwid;                /* likwid-perfctr can be started */
    bool regions;               /* this program was built to mark regions for likwid */
    char likwid_release[16];    /* "5.2.2"; "" when it does not say, or is not there */
    bool perf;                  /* perf can be started */
    char perf_release[16];      /* "6.1.90"; as with likwid */
    enum rp_counting_with with; /* likwid or perf */
    bool chosen; /* because it was asked for, whatever the machine allows */
};

/* Looks at processor, counters, likwid and perf. `architecture` NULL: the processor's.
 * RP_USAGE for one that there are no groups for. */
bool rp_counting_find(struct rp_counting *counting, const char *architecture,
                      enum rp_counting_with with, struct rp_error *error);

/* What counts where nothing else is asked for: perf where likwid, as it is usually built,
 * cannot. */
enum rp_counting_with rp_counting_default(const struct rp_pmu *pmu);

/* "likwid" or "perf", and why it is the one, in a part of a sentence. */
const char *rp_counting_with(const struct rp_counting *counting);
const char *rp_counting_reason(const struct rp_counting *counting);

/* Whether what counts here knows all events of a group. */
bool rp_counting_fits(const struct rp_counting *counting,
                      const struct rp_counter_group *group);

/* False when nothing could be counted here, with what would be needed (RP_UNABLE). */
bool rp_counting_possible(const struct rp_counting *counting, struct rp_error *error);

/* The same without a look at the counters themselves. */
bool rp_counting_equipped(const struct rp_counting *counting, struct rp_error *error);

/* False, with those that there are, when there are no groups for this processor
 * (RP_UNABLE). */
bool rp_counting_has_groups(const struct rp_counting *counting, struct rp_error *error);

/* The groups of counting->architecture, one after another from *index = 0 on; NULL past
 * the last. */
const struct rp_counter_group *rp_counting_next(const struct rp_counting *counting,
                                                size_t *index);

/* The architectures that there are groups for, separated by ", ". Returns `text`. */
const char *rp_counting_architectures(char *text, size_t capacity);

enum rp_group_file {
    RP_GROUP_FILE_ABSENT,
    RP_GROUP_FILE_SAME,    /* holds this group */
    RP_GROUP_FILE_DIFFERS, /* of another release, changed, or no file of ours */
};

#define RP_GROUP_PATH_BYTES 4096

/* Where likwid looks for a user's groups of counting->architecture, which is not NULL;
 * links are followed where the folder exists. RP_USAGE without a home. */
bool rp_group_folder(const struct rp_counting *counting, char folder[RP_GROUP_PATH_BYTES],
                     struct rp_error *error);

/* Looks at the file of a group in such a folder and stores its path. */
bool rp_group_file(const char *folder, const struct rp_counter_group *group,
                   char path[RP_GROUP_PATH_BYTES], enum rp_group_file *state,
                   struct rp_error *error);

/* Prints the groups, likwid and the counters. */
bool rp_counting_print(const struct rp_counting *counting, struct rp_error *error);
bool rp_counting_print_json(const struct rp_counting *counting, struct rp_error *error);

/* Writes the groups, which there are, where likwid finds them, after telling which, and
 * after asking unless `yes`. A file that differs stays unless `replace`. */
bool rp_groups_install(const struct rp_counting *counting, bool yes, bool replace,
                       struct rp_error *error);

struct rp_counters_request {
    const char *run;    /* folder or run file */
    const char *groups; /* names with commas between; NULL: what a roofline wants first */
    const char *kernels; /* pattern; NULL: all */
    bool yes;            /* groups that are not installed are, without asking */
};

/*
 * Counts the sweep of a run with one group after another under likwid-perfctr or perf
 * stat, and adds what was counted to the run, group by group (perf: job by job); then
 * makes its model, figures and report anew. What the counting programs and the counted
 * sweeps said and measured stays in the folder `counters` beside the run.
 *
 * A group that cannot be counted is a warning, and RP_UNABLE at the end. SIGINT and
 * SIGTERM end it (RP_INTERRUPTED, RP_TERMINATED); what was added stays, and another call
 * goes on with the groups (perf: and jobs) that the run lacks.
 */
bool rp_counters_count(const struct rp_counting *counting,
                       const struct rp_counters_request *request, struct rp_error *error);

/* What is to be counted. Free with rp_counters_plan_free. */
struct rp_counters_plan {
    const struct rp_counter_group *groups[32];
    size_t group_count;
    struct rp_job_list jobs;
    char pattern[64];     /* of the jobs, for `sweep --only` */
    double sweep_seconds; /* that all jobs are foreseen to take, once */
};

/* Chooses groups and jobs. RP_USAGE for a group that there is not and when there is no
 * job, RP_UNABLE for a group that what counts here lacks events of. Groups that the run
 * has counts with (perf: of all jobs) are left out, and told: none may be left. */
bool rp_counters_choose(struct rp_counters_plan *plan, const struct rp_counting *counting,
                        const struct rp_counters_request *request,
                        const struct rp_run *run, struct rp_error *error);

void rp_counters_plan_free(struct rp_counters_plan *plan);

/* Whether the run has samples of the job, and no counts of it with the group. */
bool rp_counters_lacks(const struct rp_run *run, const char *group, const char *job);

#endif
