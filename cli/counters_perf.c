/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/counters_session.h"
#include "probes/perf_events.h"
#include "probes/regions.h"

/* To start this program and to look at the machine; what a job takes comes on top. */
#define START_SECONDS 0.2

/* So many jobs in a row that cannot be counted end a group: the others will not be,
 * either. */
#define MOST_FAILURES 3

static size_t jobs_left(const struct rp_counters_session *session, const char *group)
{
    const struct rp_job_list *const jobs = &session->plan.jobs;
    size_t count = 0;

    for (size_t i = 0; i < jobs->count; i++) {
        count += rp_counters_lacks(&session->run, group, jobs->jobs[i].key);
    }
    return count;
}

static double job_seconds(const struct rp_counters_session *session)
{
    return START_SECONDS + session->plan.sweep_seconds / (double)session->plan.jobs.count;
}

static double group_seconds(const struct rp_counters_session *session, const char *group)
{
    return (double)jobs_left(session, group) * job_seconds(session);
}

/* ---- the fifos ---- */

struct fifos {
    char control[48];
    char acknowledge[48];
};

static struct fifos name_fifos(const struct rp_counters_session *session)
{
    struct fifos fifos;

    snprintf(fifos.control, sizeof fifos.control, "%s/control", session->fifos);
    snprintf(fifos.acknowledge, sizeof fifos.acknowledge, "%s/ack", session->fifos);
    return fifos;
}

static void remove_fifos(struct rp_counters_session *session)
{
    const struct fifos fifos = name_fifos(session);

    if (session->fifos[0] != '\0') {
        unlink(fifos.control);
        unlink(fifos.acknowledge);
        rmdir(session->fifos);
        session->fifos[0] = '\0';
    }
}

/* Not beside the run: perf takes no comma in their paths, and not every file system has
 * fifos. */
static bool make_fifos(struct rp_counters_session *session, struct rp_error *error)
{
    char folder[] = "/tmp/ridgepoint-XXXXXX";

    if (mkdtemp(folder) == NULL) {
        return rp_fail(error, RP_UNABLE, "cannot make a folder in /tmp: %s",
                       strerror(errno));
    }
    snprintf(session->fifos, sizeof session->fifos, "%s", folder);
    const struct fifos fifos = name_fifos(session);
    return (mkfifo(fifos.control, 0600) == 0 && mkfifo(fifos.acknowledge, 0600) == 0) ||
           rp_fail(error, RP_UNABLE, "cannot make a fifo in %s: %s", folder,
                   strerror(errno));
}

/* ---- counting ---- */

static bool prepare(struct rp_counters_session *session, bool yes, struct rp_error *error)
{
    const size_t groups = session->plan.group_count;
    double seconds = 0;
    size_t starts = 0;

    (void)yes; /* perf needs no files of groups */
    for (size_t i = 0; i < groups; i++) {
        starts += jobs_left(session, session->plan.groups[i]->name);
        seconds += group_seconds(session, session->plan.groups[i]->name);
    }
    if (groups > 0) {
        fprintf(stderr,
                "perf stat counts one job at a time: %zu processes with %zu group%s, "
                "about %.0f s\n",
                starts, groups, groups == 1 ? "" : "s", seconds + 1);
    }
    return make_fifos(session, error);
}

/* Runs the job alone in a process that tells perf when a sample begins and ends. */
static bool count_job(struct rp_counters_session *session, const char *group,
                      const char *job, const struct rp_counters_files *files,
                      struct rp_error *error)
{
    const struct fifos fifos = name_fifos(session);
    char events[RP_PERF_EVENTS_BYTES];
    char control[128];
    char variable[128];

    rp_perf_events(session->counting->architecture, group, events);
    snprintf(control, sizeof control, "fifo:%s,%s", fifos.control, fifos.acknowledge);
    snprintf(variable, sizeof variable, RP_PERF_CONTROL "=%s,%s", fifos.control,
             fifos.acknowledge);
    // clang-format off
    const char *const arguments[] = {
        "perf", "stat", "-j", "-o", files->counts, "-D", "-1", "--control", control,
        "-e", events, "--", "env", variable, session->program, "sweep",
        "--results", files->results, "--only", job, "--no-report",
        "--seed", session->seed, files->sweep, NULL,
    };
    // clang-format on
    const struct rp_counters_start start = {
        .arguments = arguments,
        .group = group,
        .source = RP_IMPORT_PERF,
        .region = rp_counted_region(job),
        .foreseen_seconds = job_seconds(session),
    };
    return rp_counters_run(session, &start, files, error);
}

/* In a folder of its own. */
static bool count_in(struct rp_counters_session *session, const char *group,
                     const char *job, const char *group_folder, size_t number,
                     struct rp_counters_files *files, struct rp_error *error)
{
    char folder[RP_PATH_BYTES];

    if (snprintf(folder, sizeof folder, "%s/%04zu", group_folder, number) >=
        (int)sizeof folder) {
        return rp_fail(error, RP_USAGE, "the path %.60s... is too long", folder);
    }
    rp_counters_name_files(files, folder, "perf", "json");
    return rp_counters_make_folder(folder, error) &&
           count_job(session, group, job, files, error);
}

static bool count_group(struct rp_counters_session *session, const char *group,
                        struct rp_error *error)
{
    const struct rp_job_list *const jobs = &session->plan.jobs;
    char folder[RP_PATH_BYTES];
    struct rp_counters_files files;
    size_t failures = 0;
    unsigned in_a_row = 0;

    if (!rp_counters_start_group(session, group, folder, &files, error)) {
        return false;
    }
    for (size_t i = 0; i < jobs->count; i++) {
        const char *const job = jobs->jobs[i].key;

        if (!rp_counters_lacks(&session->run, group, job)) {
            continue;
        }
        if (count_in(session, group, job, folder, i + 1, &files, error)) {
            in_a_row = 0;
            continue;
        }
        failures++;
        if (error->status == RP_INTERRUPTED || error->status == RP_TERMINATED ||
            ++in_a_row == MOST_FAILURES) {
            return false;
        }
        fprintf(stderr, "warning: %s: %s\n", job, error->message);
    }
    return failures == 0 ||
           rp_fail(error, RP_UNABLE, "%zu jobs could not be counted with %s", failures,
                   group);
}

const struct rp_counters_way rp_counters_perf = {
    .prepare = prepare,
    .group_seconds = group_seconds,
    .count_group = count_group,
    .finish = remove_fifos,
};
