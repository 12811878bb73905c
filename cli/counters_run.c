/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/counters_session.h"

static const struct rp_counters_way *const ways[] = {
    [RP_COUNT_WITH_LIKWID] = &rp_counters_likwid,
    [RP_COUNT_WITH_PERF] = &rp_counters_perf,
};

static const struct rp_counters_way *way_of(const struct rp_counters_session *session)
{
    return ways[session->counting->with];
}

/* One group after another: each may fail for a reason of its own. */
static bool count_groups(struct rp_counters_session *session, struct rp_error *error)
{
    const struct rp_counters_plan *const plan = &session->plan;
    const struct rp_counters_way *const way = way_of(session);

    for (size_t i = 0; i < plan->group_count; i++) {
        const char *const group = plan->groups[i]->name;
        struct rp_error reason = {.status = RP_OK};

        fflush(stdout);
        fprintf(stderr, "%s, %zu of %zu: about %.0f s\n", group, i + 1, plan->group_count,
                ceil(way->group_seconds(session, group)));
        if (way->count_group(session, group, &reason)) {
            session->counted++;
        } else if (reason.status == RP_INTERRUPTED || reason.status == RP_TERMINATED) {
            *error = reason;
            return false;
        } else {
            fprintf(stderr, "warning: %s\n", reason.message);
        }
    }
    return session->counted == plan->group_count ||
           rp_fail(error, RP_UNABLE,
                   "%zu of %zu groups could not be counted; the warnings say why, and "
                   "the same command tries them again",
                   plan->group_count - session->counted, plan->group_count);
}

/* Opens the run to add to it, when it is one of this machine. */
static bool open_run(struct rp_counters_session *session, const char *argument,
                     struct rp_error *error)
{
    char path[RP_PATH_BYTES];

    if (!rp_run_path(argument, path, error) || !rp_run_read(&session->run, path, error)) {
        return false;
    }
    if (!rp_host_is_of(&session->host, &session->run)) {
        return rp_fail(error, RP_USAGE,
                       "%s was measured on another machine or CPU level (%s); count it "
                       "there",
                       path, session->run.machine.name);
    }
    const char *const slash = strrchr(path, '/');
    if (snprintf(session->folder, sizeof session->folder, "%.*scounters",
                 slash != NULL ? (int)(slash - path) + 1 : 0,
                 path) >= (int)sizeof session->folder) {
        return rp_fail(error, RP_USAGE, "the path %.60s... is too long", path);
    }
    snprintf(session->seed, sizeof session->seed, "%llu",
             (unsigned long long)session->run.seed);
    return rp_run_reopen(&session->writer, path, &session->run, error);
}

static bool find_program(struct rp_counters_session *session, struct rp_error *error)
{
    const ssize_t length =
        readlink("/proc/self/exe", session->program, sizeof session->program - 1);

    return length > 0 ||
           rp_fail(error, RP_UNABLE, "cannot find this program's own file in /proc: %s",
                   strerror(errno));
}

static bool prepare(struct rp_counters_session *session,
                    const struct rp_counters_request *request, struct rp_error *error)
{
    return rp_host_open(&session->host, error) && find_program(session, error) &&
           open_run(session, request->run, error) &&
           rp_counters_choose(&session->plan, session->counting, request, &session->run,
                              error) &&
           way_of(session)->prepare(session, request->yes, error) &&
           rp_counters_make_folder(session->folder, error);
}

/* Counts, and makes anew what is made of the run. What ended the counting is what is told
 * in the end. */
static bool count(struct rp_counters_session *session, const char *argument,
                  struct rp_error *error)
{
    struct rp_error reason = {.status = RP_OK};

    rp_host_warn(&session->host);
    rp_interrupt_hold(&session->interrupt);
    const bool done = count_groups(session, error);
    rp_interrupt_release(&session->interrupt);
    rp_run_close(&session->writer);
    if (!session->joined || rp_make_everything(argument, &reason)) {
        return done;
    }
    if (done) {
        *error = reason;
    } else {
        fprintf(stderr, "warning: %s\n", reason.message);
    }
    return false;
}

bool rp_counters_count(const struct rp_counting *counting,
                       const struct rp_counters_request *request, struct rp_error *error)
{
    struct rp_counters_session session = {.counting = counting};
    bool ok = prepare(&session, request, error);

    if (ok && session.plan.group_count > 0) {
        ok = count(&session, request->run, error);
    }
    way_of(&session)->finish(&session);
    rp_counters_plan_free(&session.plan);
    rp_run_close(&session.writer);
    rp_run_free(&session.run);
    rp_host_close(&session.host);
    return ok;
}
