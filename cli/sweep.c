/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/host.h"
#include "cli/results.h"
#include "cli/verb.h"
#include "core/clock.h"
#include "sweeps/pace.h"
#include "sweeps/sweep.h"

struct request {
    const char *file;    /* NULL when resuming */
    const char *resume;  /* folder or run file; NULL for a new run */
    const char *results; /* where new runs go */
    uint64_t seed;
    double budget_seconds; /* for all measurements; 0: as the sweep says for each */
    const char *only;      /* pattern of the jobs to measure; NULL: all */
    const char *new_only;  /* an option given that says how to begin a run; or NULL */
    bool dry_run;
    bool no_report;
};

/* All that a sweep needs; each part may still be empty. */
struct sweep_state {
    struct rp_host host;
    struct rp_sweep sweep;
    struct rp_job_list jobs;
    size_t job_count; /* of the whole sweep */
    struct rp_run run;
    struct rp_run_writer writer;
    char run_argument[RP_PATH_BYTES]; /* the run, as --resume and other verbs take it */
};

static bool parse_options(int argc, char **argv, struct request *request,
                          struct rp_error *error)
{
    static const struct option options[] = {{"resume", required_argument, NULL, 'r'},
                                            {"results", required_argument, NULL, 'd'},
                                            {"seed", required_argument, NULL, 's'},
                                            {"budget", required_argument, NULL, 'b'},
                                            {"only", required_argument, NULL, 'o'},
                                            {"dry-run", no_argument, NULL, 'n'},
                                            {"no-report", no_argument, NULL, 'm'},
                                            {0}};
    int option = 0;

    while ((option = rp_next_option(argc, argv, options, error)) != -1) {
        switch (option) {
        case 'r':
            request->resume = optarg;
            break;
        case 'd':
            request->results = optarg;
            request->new_only = "--results";
            break;
        case 's':
            if (!rp_parse_count(optarg, &request->seed) || request->seed > INT64_MAX) {
                return rp_fail(error, RP_USAGE,
                               "sweep: --seed takes a whole number below 2^63, not '%s'",
                               optarg);
            }
            request->new_only = "--seed";
            break;
        case 'b':
            if (!rp_parse_seconds(optarg, &request->budget_seconds)) {
                return rp_fail(error, RP_USAGE,
                               "sweep: --budget takes a duration such as 90s or 4min, "
                               "not '%s'",
                               optarg);
            }
            break;
        case 'o':
            request->only = optarg;
            break;
        case 'n':
            request->dry_run = true;
            break;
        case 'm':
            request->no_report = true;
            break;
        default:
            return false;
        }
    }
    return true;
}

static bool parse(int argc, char **argv, struct request *request, struct rp_error *error)
{
    if (!parse_options(argc, argv, request, error)) {
        return false;
    }
    if (request->resume != NULL && request->new_only != NULL) {
        return rp_fail(error, RP_USAGE,
                       "sweep: --resume keeps the folder and the seed of the run; leave "
                       "%s out",
                       request->new_only);
    }
    if (request->resume != NULL) {
        return optind == argc ||
               rp_fail(error, RP_USAGE,
                       "sweep: --resume goes on with the sweep that the run "
                       "began; leave '%s' out",
                       argv[optind]);
    }
    return rp_single_argument(
        argc, argv, "sweep (a .sweep file, or a name from `ridgepoint list sweeps`)",
        &request->file, error);
}

/* Parses and expands the sweep that `run` holds the text of. `only` is NULL for all. */
static bool expand(struct sweep_state *state, const char *origin, const char *only,
                   size_t *left_out, struct rp_error *error)
{
    char available[RP_SIZE_TEXT];

    if (!rp_sweep_parse(&state->sweep, state->run.sweep_name, state->run.sweep_text,
                        origin, error) ||
        !rp_sweep_expand(&state->sweep, &state->run.machine, &state->jobs, left_out,
                         error)) {
        return false;
    }
    if (state->jobs.count == 0) {
        return rp_fail(error, RP_UNABLE,
                       "%s: every working set needs more memory than the %s available; "
                       "choose smaller ones",
                       origin, rp_size_text(state->run.machine.memory_bytes, available));
    }
    state->job_count = state->jobs.count;
    if (only != NULL) {
        rp_job_list_keep(&state->jobs, only);
    }
    return state->jobs.count > 0 ||
           rp_fail(error, RP_USAGE,
                   "%s: no job matches '%s'; `ridgepoint sweep --dry-run` lists them",
                   origin, only);
}

/* Completes the header of a new run with what its sweep turned out to be. */
static void note_jobs(struct rp_run *run, size_t job_count, size_t left_out)
{
    char text[160];
    char available[RP_SIZE_TEXT];

    run->job_count = job_count;
    if (left_out > 0) {
        snprintf(text, sizeof text,
                 "%zu points need more memory than the %s available and are left out",
                 left_out, rp_size_text(run->machine.memory_bytes, available));
        rp_machine_condition(&run->machine, RP_SEVERITY_WARN, text,
                             "free memory, lift its limit, or choose smaller sets");
    }
}

/* A run file holds the text of its sweep, and JSON knows no other encoding. */
static bool is_utf8(const char *text, const char *origin, struct rp_error *error)
{
    json_t *const string = json_string(text);
    const bool valid = string != NULL;

    json_decref(string);
    return valid || rp_fail(error, RP_USAGE,
                            "%s is not in UTF-8; save it in that encoding", origin);
}

static bool begin(struct sweep_state *state, const struct request *request,
                  struct rp_error *error)
{
    char *text = NULL;
    char name[sizeof state->sweep.name];
    size_t left_out = 0;
    struct rp_pace pace;
    const bool ok =
        rp_sweep_load(request->file, &text, name, error) &&
        is_utf8(text, request->file, error) &&
        rp_host_begin_run(&state->host, name, text, request->seed, &state->run, error) &&
        expand(state, request->file, request->only, &left_out, error) &&
        rp_pace_start(&pace, &state->jobs, &state->run.machine, request->budget_seconds,
                      error);

    free(text);
    note_jobs(&state->run, state->job_count, left_out);
    if (!ok || request->dry_run) {
        return ok;
    }
    if (!rp_host_open_cycles(&state->host, &state->run, error)) {
        return false;
    }
    char path[RP_PATH_BYTES + 16];
    char *const folder = state->run_argument;
    if (!rp_results_new(request->results, &state->run, folder, error)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/topology.xml", folder);
    if (!rp_topology_save(state->host.topology, path, error)) {
        return false;
    }
    puts(path);
    snprintf(path, sizeof path, "%s/run.jsonl", folder);
    puts(path);
    if (!rp_run_create(&state->writer, path, &state->run, error)) {
        return false;
    }
    rp_results_link_latest(request->results, folder);
    return true;
}

static bool resume(struct sweep_state *state, const struct request *request,
                   struct rp_error *error)
{
    char path[RP_PATH_BYTES];
    size_t left_out = 0;

    if (!rp_run_path(request->resume, path, error) ||
        !rp_run_read(&state->run, path, error)) {
        return false;
    }
    if (!rp_host_is_of(&state->host, &state->run)) {
        return rp_fail(error, RP_USAGE,
                       "%s was begun on another machine or CPU level (%s); "
                       "resume it there, or start a new sweep here",
                       path, state->run.machine.name);
    }
    if (!expand(state, path, request->only, &left_out, error)) {
        return false;
    }
    if (request->dry_run) {
        return true;
    }
    if (!rp_host_open_cycles(&state->host, NULL, error)) { /* the header stays as it is */
        return false;
    }
    puts(path);
    snprintf(state->run_argument, sizeof state->run_argument, "%s", request->resume);
    return rp_run_reopen(&state->writer, path, &state->run, error);
}

static bool print_jobs(const struct sweep_state *state, const struct request *request,
                       struct rp_error *error)
{
    struct rp_job_list pending = {0};
    struct rp_pace pace;
    bool ok = true;

    for (size_t i = 0; ok && i < state->jobs.count; i++) {
        const struct rp_job *const job = &state->jobs.jobs[i];
        const bool done = rp_run_find(&state->run, job->key) != NULL;

        printf("%s%s%s%s\n", job->key,
               job->why[0] == '\0' ? "" : "  unavailable: ", job->why,
               done ? "  done" : "");
        ok = done || rp_job_list_add(&pending, job, error);
    }
    ok = ok && rp_pace_start(&pace, &pending, &state->run.machine,
                             request->budget_seconds, error);
    if (ok) {
        fprintf(stderr, "%zu jobs, %zu to do, about %.0f s\n", state->jobs.count,
                pending.count, rp_pace_left_seconds(&pace));
    }
    rp_job_list_free(&pending);
    return ok;
}

/* A failure or a signal ends the measuring, and loses nothing. */
static bool measure(struct sweep_state *state, double budget_seconds,
                    struct rp_error *error)
{
    struct rp_error reason;

    rp_host_warn(&state->host);
    fflush(stdout);
    const bool ok = rp_host_execute(&state->host, &state->jobs, budget_seconds,
                                    &state->run, &state->writer, &reason);
    rp_run_close(&state->writer);
    return ok || rp_fail(error, reason.status,
                         "%.360s; what was measured is kept, and `ridgepoint sweep "
                         "--resume %.100s` goes on",
                         reason.message, state->run_argument);
}

static bool was_stopped(const struct rp_error *error)
{
    return error->status == RP_INTERRUPTED || error->status == RP_TERMINATED;
}

/* Who stops a run wants to see what there is; but that it was stopped is the outcome. */
static bool measure_and_tell(struct sweep_state *state, const struct request *request,
                             struct rp_error *error)
{
    struct rp_error reason;
    const bool done = measure(state, request->budget_seconds, error);

    if (request->no_report) {
        return done;
    }
    if (done) {
        return rp_make_everything(state->run_argument, error);
    }
    if (was_stopped(error) && !rp_make_everything(state->run_argument, &reason)) {
        fprintf(stderr, "warning: %s\n", reason.message);
    }
    return false;
}

static bool run(int argc, char **argv, struct rp_error *error)
{
    struct request request = {.results = "results", .seed = rp_clock_ns()};
    struct sweep_state state = {0};
    bool ok = parse(argc, argv, &request, error) && rp_host_open(&state.host, error) &&
              (request.resume == NULL ? begin(&state, &request, error)
                                      : resume(&state, &request, error));

    if (ok) {
        ok = request.dry_run ? print_jobs(&state, &request, error)
                             : measure_and_tell(&state, &request, error);
    }
    rp_run_close(&state.writer);
    rp_run_free(&state.run);
    rp_job_list_free(&state.jobs);
    rp_host_close(&state.host);
    return ok;
}

const struct rp_verb rp_verb_sweep = {
    .name = "sweep",
    .summary = "measures a machine: probes, sweep, model, figures, report",
    .help =
        "usage: ridgepoint sweep [OPTIONS] FILE\n"
        "       ridgepoint sweep [--budget TIME] --resume RUN\n\n"
        "FILE is a .sweep file or the name of one built in (`ridgepoint list sweeps`).\n"
        "Everything is written below results/<machine>/<UTC>-<sweep>/, and the paths "
        "are\n"
        "printed. Each record is on disk before the next measurement starts: a sweep "
        "that\n"
        "was stopped in any way goes on with --resume and repeats nothing.\n\n"
        "  --resume RUN     goes on with the run in this folder or file\n"
        "  --results DIR    keeps runs below DIR instead of ./results\n"
        "  --seed N         seed of test data; printed in the report\n"
        "  --budget TIME    shares this time (90s, 4min) out to the measurements\n"
        "  --only PATTERN   of the jobs, only those whose name matches\n"
        "  --dry-run        lists the jobs and measures nothing\n"
        "  --no-report      measures, and draws and reports nothing\n\n"
        "SIGINT and SIGTERM end the sweep behind the measurement in hand; what there is "
        "is\n"
        "then drawn and reported, and the exit code is 130 or 143. Exit 3 when figures "
        "could\n"
        "not be drawn; the measurements are then kept.\n",
    .run = run,
};
