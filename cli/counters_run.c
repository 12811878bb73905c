/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/counters.h"
#include "cli/host.h"
#include "cli/imported.h"
#include "cli/program.h"
#include "cli/results.h"
#include "core/file.h"

/* What counting works with; each part may still be empty. */
struct state {
    const struct rp_counting *counting;
    struct rp_counters_plan plan;
    struct rp_host host;
    struct rp_run run;
    struct rp_run_writer writer;
    struct rp_interrupt interrupt;
    char program[RP_PATH_BYTES]; /* this one */
    char folder[RP_PATH_BYTES];  /* for what is kept of each group */
    size_t counted;              /* groups */
};

/* The files of one group. */
struct files {
    char sweep[RP_PATH_BYTES + 64];
    char results[RP_PATH_BYTES + 16]; /* of the counted sweep */
    char run[RP_PATH_BYTES + 48];     /* the one it made there */
    char csv[RP_PATH_BYTES + 16];
    char said[RP_PATH_BYTES + 16]; /* what likwid and the sweep printed */
};

static bool make_folder(const char *path, struct rp_error *error)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
           rp_fail(error, RP_UNABLE,
                   "cannot make the folder %.300s: %s; free some space, or copy the run "
                   "to where you may write",
                   path, strerror(errno));
}

/* A folder of its own for each try of a group. */
static bool make_group_folder(const struct state *state, const char *group,
                              char folder[RP_PATH_BYTES], struct rp_error *error)
{
    enum { MOST_TRIES = 100 };

    for (int i = 1; i < MOST_TRIES; i++) {
        char suffix[8] = "";

        if (i > 1) {
            snprintf(suffix, sizeof suffix, "-%d", i);
        }
        if (snprintf(folder, RP_PATH_BYTES, "%s/%s%s", state->folder, group, suffix) >=
            RP_PATH_BYTES) {
            return rp_fail(error, RP_USAGE, "the path %.60s... is too long", folder);
        }
        if (mkdir(folder, 0777) == 0) {
            return true;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return rp_fail(error, RP_UNABLE,
                   "cannot make the folder %.300s: %s; free some space, or remove what "
                   "is there",
                   folder, strerror(errno));
}

static bool write_sweep(const struct state *state, const char *path,
                        struct rp_error *error)
{
    struct rp_text text = {0};

    rp_text_append(&text, state->run.sweep_text, strlen(state->run.sweep_text));
    const bool written = rp_file_write(path, &text, error);
    rp_text_free(&text);
    return written;
}

static bool make_files(const struct state *state, const char *group, struct files *files,
                       struct rp_error *error)
{
    char folder[RP_PATH_BYTES];

    if (!make_group_folder(state, group, folder, error)) {
        return false;
    }
    snprintf(files->sweep, sizeof files->sweep, "%s/%s.sweep", folder,
             state->run.sweep_name);
    snprintf(files->results, sizeof files->results, "%s/results", folder);
    snprintf(files->run, sizeof files->run, "%s/latest/run.jsonl", files->results);
    snprintf(files->csv, sizeof files->csv, "%s/counts.csv", folder);
    snprintf(files->said, sizeof files->said, "%s/likwid.txt", folder);
    return write_sweep(state, files->sweep, error);
}

/* Runs the sweep under likwid-perfctr. A time that is far beyond what was foreseen ends
 * it: likwid has been seen to wait for what had ended. */
static bool run_likwid(const struct state *state, const char *group,
                       const struct files *files, struct rp_program_result *result,
                       struct rp_error *error)
{
    const double patience_seconds = 120 + 10 * state->plan.sweep_seconds;
    const int output = open(files->said, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    char cpu[16];
    char seed[24];

    if (output < 0) {
        return rp_fail(error, RP_UNABLE, "cannot write %.300s: %s; free some space",
                       files->said, strerror(errno));
    }
    snprintf(cpu, sizeof cpu, "%u", state->host.machine.measured_pu);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)state->run.seed);
    const char *const arguments[] = {
        "likwid-perfctr",
        "-C",
        cpu,
        "-g",
        group,
        "-m",
        "-o",
        files->csv,
        state->program,
        "sweep",
        "--results",
        files->results,
        "--only",
        state->plan.pattern,
        "--no-report",
        "--seed",
        seed,
        files->sweep,
        NULL,
    };
    const bool started = rp_program_run(arguments, patience_seconds, output,
                                        &state->interrupt, result, error);
    close(output);
    return started;
}

/* The last line of a file that tells of trouble; else its last one. */
static void last_complaint(const char *path, char *text, size_t capacity)
{
    static const char *const signs[] = {"ERROR", "Cannot", "cannot", "ridgepoint: "};
    FILE *const file = fopen(path, "re");
    char line[512];
    bool trouble = false;

    snprintf(text, capacity, "%s", "nothing");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        bool sign = false;

        line[strcspn(line, "\r\n")] = '\0';
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
            sign = sign || strstr(line, signs[i]) != NULL;
        }
        if (line[0] != '\0' && (sign || !trouble)) {
            rp_make_printable(line);
            snprintf(text, capacity, "\"%.*s\"", (int)capacity - 3, line);
        }
        trouble = trouble || sign;
    }
    if (file != NULL) {
        fclose(file);
    }
}

static bool has_content(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && status.st_size > 0;
}

/* Whether there is something to read. The exit code tells nothing: likwid-perfctr ends
 * with 0 when it could not count an event, and the import tells those. */
static bool judge(const struct state *state, const char *group, const struct files *files,
                  const struct rp_program_result *result, struct rp_error *error)
{
    char complaint[160];

    switch (result->end) {
    case RP_PROGRAM_STOPPED:
        return rp_fail(error, rp_interrupt_status(),
                       "stopped while counting with %s; what other groups counted is in "
                       "the run, and the same command goes on",
                       group);
    case RP_PROGRAM_LATE:
        return rp_fail(error, RP_UNABLE,
                       "likwid-perfctr had not ended after ten times the %.0f s that "
                       "were foreseen for %s, and was ended; it said what is in %.200s",
                       state->plan.sweep_seconds, group, files->said);
    default:
        break;
    }
    if (result->end == RP_PROGRAM_ENDED && has_content(files->csv) &&
        has_content(files->run)) {
        return true;
    }
    last_complaint(files->said, complaint, sizeof complaint);
    return rp_fail(error, RP_UNABLE,
                   "likwid-perfctr counted nothing with %s: it said %s; all that it said "
                   "is in %.200s",
                   group, complaint, files->said);
}

/* Adds what was counted to the run. */
static bool join(struct state *state, const struct files *files, struct rp_error *error)
{
    const struct rp_import import = {
        .source = RP_IMPORT_LIKWID, .path = files->csv, .stderr_path = files->said};
    struct rp_run counting = {0};
    const bool joined = rp_run_read(&counting, files->run, error) &&
                        rp_import(&import, &counting, &state->run, &state->writer, error);
    rp_run_free(&counting);
    return joined;
}

static bool count_group(struct state *state, const char *group, struct rp_error *error)
{
    struct rp_program_result result;
    struct files files;

    return make_files(state, group, &files, error) &&
           run_likwid(state, group, &files, &result, error) &&
           judge(state, group, &files, &result, error) && join(state, &files, error);
}

/* One group after another: each may fail for a reason of its own. */
static bool count_groups(struct state *state, struct rp_error *error)
{
    const struct rp_counters_plan *const plan = &state->plan;

    for (size_t i = 0; i < plan->group_count; i++) {
        const char *const group = plan->groups[i]->name;
        struct rp_error reason = {.status = RP_OK};

        fflush(stdout);
        fprintf(stderr, "%s, %zu of %zu: about %.0f s\n", group, i + 1, plan->group_count,
                ceil(plan->sweep_seconds));
        if (count_group(state, group, &reason)) {
            state->counted++;
        } else if (reason.status == RP_INTERRUPTED || reason.status == RP_TERMINATED) {
            *error = reason;
            return false;
        } else {
            fprintf(stderr, "warning: %s\n", reason.message);
        }
    }
    return state->counted == plan->group_count ||
           rp_fail(error, RP_UNABLE,
                   "%zu of %zu groups could not be counted; the warnings say why, and "
                   "the same command tries them again",
                   plan->group_count - state->counted, plan->group_count);
}

/* Groups that are not there yet have to be; one that differs is the user's choice. */
static bool have_groups(const struct state *state, bool yes, struct rp_error *error)
{
    char folder[RP_GROUP_PATH_BYTES];
    bool all = true;

    if (!rp_group_folder(state->counting, folder, error)) {
        return false;
    }
    for (size_t i = 0; i < state->plan.group_count; i++) {
        char path[RP_GROUP_PATH_BYTES];
        enum rp_group_file file = RP_GROUP_FILE_ABSENT;

        if (!rp_group_file(folder, state->plan.groups[i], path, &file, error)) {
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
    return all || rp_groups_install(state->counting, yes, false, error);
}

/* Opens the run to add to it, when it is one of this machine. */
static bool open_run(struct state *state, const char *argument, struct rp_error *error)
{
    char path[RP_PATH_BYTES];

    if (!rp_run_path(argument, path, error) || !rp_run_read(&state->run, path, error)) {
        return false;
    }
    if (!rp_host_is_of(&state->host, &state->run)) {
        return rp_fail(error, RP_USAGE,
                       "%s was measured on another machine or CPU level (%s); count it "
                       "there",
                       path, state->run.machine.name);
    }
    const char *const slash = strrchr(path, '/');
    if (snprintf(state->folder, sizeof state->folder, "%.*scounters",
                 slash != NULL ? (int)(slash - path) + 1 : 0,
                 path) >= (int)sizeof state->folder) {
        return rp_fail(error, RP_USAGE, "the path %.60s... is too long", path);
    }
    return rp_run_reopen(&state->writer, path, &state->run, error);
}

static bool find_program(struct state *state, struct rp_error *error)
{
    const ssize_t length =
        readlink("/proc/self/exe", state->program, sizeof state->program - 1);

    return length > 0 ||
           rp_fail(error, RP_UNABLE, "cannot find this program's own file in /proc: %s",
                   strerror(errno));
}

static bool prepare(struct state *state, const struct rp_counters_request *request,
                    struct rp_error *error)
{
    return rp_host_open(&state->host, error) && find_program(state, error) &&
           open_run(state, request->run, error) &&
           rp_counters_choose(&state->plan, state->counting, request, &state->run,
                              error) &&
           have_groups(state, request->yes, error) && make_folder(state->folder, error);
}

/* Counts, and makes anew what is made of the run. What ended the counting is what is told
 * in the end. */
static bool count(struct state *state, const char *argument, struct rp_error *error)
{
    struct rp_error reason = {.status = RP_OK};

    rp_host_warn(&state->host);
    rp_interrupt_hold(&state->interrupt);
    const bool done = count_groups(state, error);
    rp_interrupt_release(&state->interrupt);
    rp_run_close(&state->writer);
    if (state->counted == 0 || rp_make_everything(argument, &reason)) {
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
    struct state state = {.counting = counting};
    bool ok = prepare(&state, request, error);

    if (ok && state.plan.group_count > 0) {
        ok = count(&state, request->run, error);
    }
    rp_run_close(&state.writer);
    rp_run_free(&state.run);
    rp_host_close(&state.host);
    return ok;
}
