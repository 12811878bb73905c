/* SPDX-License-Identifier: MIT */
/*
 * Counting a run: what both ways of it, likwid-perfctr and perf stat, work with.
 */
#ifndef RP_CLI_COUNTERS_SESSION_H
#define RP_CLI_COUNTERS_SESSION_H

#include "cli/counters.h"
#include "cli/host.h"
#include "cli/imported.h"
#include "cli/program.h"
#include "cli/results.h"
#include "core/interrupt.h"

/* Each part may still be empty. */
struct rp_counters_session {
    const struct rp_counting *counting;
    struct rp_counters_plan plan;
    struct rp_host host;
    struct rp_run run;
    struct rp_run_writer writer;
    struct rp_interrupt interrupt;
    char program[RP_PATH_BYTES]; /* this one */
    char folder[RP_PATH_BYTES];  /* for what is kept of each group */
    char seed[24];               /* of the run */
    char fifos[32];              /* perf: the folder of its two; "": none */
    size_t counted;              /* groups */
    bool joined;                 /* something is in the run */
};

/* A way to count. */
struct rp_counters_way {
    bool (*prepare)(struct rp_counters_session *session, bool yes,
                    struct rp_error *error);
    double (*group_seconds)(const struct rp_counters_session *session, const char *group);
    bool (*count_group)(struct rp_counters_session *session, const char *group,
                        struct rp_error *error);
    void (*finish)(struct rp_counters_session *session);
};

extern const struct rp_counters_way rp_counters_likwid;
extern const struct rp_counters_way rp_counters_perf;

/* What one start of a counting program reads and leaves. */
struct rp_counters_files {
    char sweep[RP_PATH_BYTES + 64];
    char results[RP_PATH_BYTES + 32]; /* of the counted sweep */
    char run[RP_PATH_BYTES + 64];     /* the one it made there */
    char counts[RP_PATH_BYTES + 32];
    char said[RP_PATH_BYTES + 32]; /* what the program and the sweep printed */
};

bool rp_counters_make_folder(const char *path, struct rp_error *error);

/* Makes a folder of its own for each try of a group, with the sweep in it, and names
 * their paths. */
bool rp_counters_start_group(const struct rp_counters_session *session, const char *group,
                             char folder[RP_PATH_BYTES], struct rp_counters_files *files,
                             struct rp_error *error);

/* Names the other files of one start, which are in `folder`: the counts as counts.`type`,
 * and what was said as `who`.txt. */
void rp_counters_name_files(struct rp_counters_files *files, const char *folder,
                            const char *who, const char *type);

/* One start of a counting program. */
struct rp_counters_start {
    const char *const *arguments; /* ends with NULL */
    const char *group;
    enum rp_import_source source;
    const char *region;      /* perf: the one that is counted; NULL: all */
    double foreseen_seconds; /* ten times as long, and two minutes, are too long */
};

/* Runs it, and adds what it counted to the run. RP_UNABLE when it counted nothing;
 * RP_INTERRUPTED or RP_TERMINATED when it was stopped. */
bool rp_counters_run(struct rp_counters_session *session,
                     const struct rp_counters_start *start,
                     const struct rp_counters_files *files, struct rp_error *error);

#endif
