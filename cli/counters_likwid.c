/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "cli/counters_session.h"

static bool count_group(struct rp_counters_session *session, const char *group,
                        struct rp_error *error)
{
    char folder[RP_PATH_BYTES];
    struct rp_counters_files files;
    char cpu[16];

    if (!rp_counters_start_group(session, group, folder, &files, error)) {
        return false;
    }
    rp_counters_name_files(&files, folder, "likwid", "csv");
    snprintf(cpu, sizeof cpu, "%u", session->host.machine.measured_pu);
    const char *const arguments[] = {
        "likwid-perfctr",
        "-C",
        cpu,
        "-g",
        group,
        "-m",
        "-o",
        files.counts,
        session->program,
        "sweep",
        "--results",
        files.results,
        "--only",
        session->plan.pattern,
        "--no-report",
        "--seed",
        session->seed,
        files.sweep,
        NULL,
    };
    const struct rp_counters_start start = {
        .arguments = arguments,
        .group = group,
        .source = RP_IMPORT_LIKWID,
        .foreseen_seconds = session->plan.sweep_seconds,
    };
    return rp_counters_run(session, &start, &files, error);
}

/* Groups that are not there yet have to be; one that differs is the user's choice. */
static bool have_groups(struct rp_counters_session *session, bool yes,
                        struct rp_error *error)
{
    char folder[RP_GROUP_PATH_BYTES];
    bool all = true;

    if (!rp_group_folder(session->counting, folder, error)) {
        return false;
    }
    for (size_t i = 0; i < session->plan.group_count; i++) {
        char path[RP_GROUP_PATH_BYTES];
        enum rp_group_file file = RP_GROUP_FILE_ABSENT;

        if (!rp_group_file(folder, session->plan.groups[i], path, &file, error)) {
            return false;
        }
        all = all && file != RP_GROUP_FILE_ABSENT;
        if (file == RP_GROUP_FILE_DIFFERS) {
            fprintf(stderr,
                    "warning: %s differs from what this release has, and is used "
                    "as it is\n",
                    path);
        }
    }
    return all || rp_groups_install(session->counting, yes, false, error);
}

static double group_seconds(const struct rp_counters_session *session, const char *group)
{
    (void)group;
    return session->plan.sweep_seconds;
}

static void finish(struct rp_counters_session *session)
{
    (void)session;
}

const struct rp_counters_way rp_counters_likwid = {
    .prepare = have_groups,
    .group_seconds = group_seconds,
    .count_group = count_group,
    .finish = finish,
};
