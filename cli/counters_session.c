/* SPDX-License-Identifier: MIT */
#include "cli/counters_session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"

bool rp_counters_make_folder(const char *path, struct rp_error *error)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
           rp_fail(error, RP_UNABLE,
                   "cannot make the folder %.300s: %s; free some space, or copy the run "
                   "to where you may write",
                   path, strerror(errno));
}

/* A folder of its own for each try of a group. */
static bool make_group_folder(const struct rp_counters_session *session,
                              const char *group, char folder[RP_PATH_BYTES],
                              struct rp_error *error)
{
    enum { MOST_TRIES = 100 };

    for (int i = 1; i < MOST_TRIES; i++) {
        char suffix[8] = "";

        if (i > 1) {
            snprintf(suffix, sizeof suffix, "-%d", i);
        }
        if (snprintf(folder, RP_PATH_BYTES, "%s/%s%s", session->folder, group, suffix) >=
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

static bool write_sweep(const struct rp_counters_session *session, const char *path,
                        struct rp_error *error)
{
    struct rp_text text = {0};

    rp_text_append(&text, session->run.sweep_text, strlen(session->run.sweep_text));
    const bool written = rp_file_write(path, &text, error);
    rp_text_free(&text);
    return written;
}

bool rp_counters_start_group(const struct rp_counters_session *session, const char *group,
                             char folder[RP_PATH_BYTES], struct rp_counters_files *files,
                             struct rp_error *error)
{
    if (!make_group_folder(session, group, folder, error)) {
        return false;
    }
    snprintf(files->sweep, sizeof files->sweep, "%s/%s.sweep", folder,
             session->run.sweep_name);
    return write_sweep(session, files->sweep, error);
}

void rp_counters_name_files(struct rp_counters_files *files, const char *folder,
                            const char *who, const char *type)
{
    snprintf(files->results, sizeof files->results, "%s/results", folder);
    snprintf(files->run, sizeof files->run, "%s/latest/run.jsonl", files->results);
    snprintf(files->counts, sizeof files->counts, "%s/counts.%s", folder, type);
    snprintf(files->said, sizeof files->said, "%s/%s.txt", folder, who);
}

/* The last line of a file that tells of trouble; else its last one. perf puts what it is
 * below "Error:", and what is wrong with an event below that, at "\___". */
static void last_complaint(const char *path, char *text, size_t capacity)
{
    static const char *const signs[] = {
        "ERROR", "Error: ", "error: ", "annot ", "ridgepoint: ", "not supported"};
    FILE *const file = fopen(path, "re");
    char line[512];
    bool trouble = false;
    bool below = false;

    snprintf(text, capacity, "%s", "nothing");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        bool sign = below;

        line[strcspn(line, "\r\n")] = '\0';
        below = strcmp(line, "Error:") == 0;
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
            sign = sign || strstr(line, signs[i]) != NULL;
        }
        if (line[0] != '\0' && !below && (sign || !trouble)) {
            rp_make_printable(line);
            snprintf(text, capacity, "\"%.*s\"", (int)capacity - 3,
                     line + strspn(line, " \\_"));
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

/* Runs the program. A time that is far beyond what was foreseen ends it: likwid has been
 * seen to wait for what had ended. */
static bool run_program(const struct rp_counters_session *session,
                        const struct rp_counters_start *start,
                        const struct rp_counters_files *files,
                        struct rp_program_result *result, struct rp_error *error)
{
    const double patience_seconds = 120 + 10 * start->foreseen_seconds;
    const int output = open(files->said, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (output < 0) {
        return rp_fail(error, RP_UNABLE, "cannot write %.300s: %s; free some space",
                       files->said, strerror(errno));
    }
    const bool started = rp_program_run(start->arguments, patience_seconds, output,
                                        &session->interrupt, result, error);
    close(output);
    return started;
}

/* Whether there is something to read. The exit code tells nothing: likwid-perfctr ends
 * with 0 when it could not count an event, and the import tells those. */
static bool judge(const struct rp_counters_start *start,
                  const struct rp_counters_files *files,
                  const struct rp_program_result *result, struct rp_error *error)
{
    const char *const program = start->arguments[0];
    char complaint[160];

    switch (result->end) {
    case RP_PROGRAM_STOPPED:
        return rp_fail(error, rp_interrupt_status(),
                       "stopped while counting with %s; what was counted before is in "
                       "the run, and the same command goes on",
                       start->group);
    case RP_PROGRAM_LATE:
        return rp_fail(error, RP_UNABLE,
                       "%s had not ended after ten times the %.0f s that were foreseen "
                       "for %s, and was ended; it said what is in %.200s",
                       program, start->foreseen_seconds, start->group, files->said);
    default:
        break;
    }
    if (result->end == RP_PROGRAM_ENDED && has_content(files->counts) &&
        has_content(files->run)) {
        return true;
    }
    last_complaint(files->said, complaint, sizeof complaint);
    return rp_fail(error, RP_UNABLE,
                   "%s counted nothing with %s: it said %s; all that it said is in "
                   "%.200s",
                   program, start->group, complaint, files->said);
}

/* Adds what was counted to the run. */
static bool join(struct rp_counters_session *session,
                 const struct rp_counters_start *start,
                 const struct rp_counters_files *files, struct rp_error *error)
{
    const struct rp_import import = {.source = start->source,
                                     .path = files->counts,
                                     .stderr_path = files->said,
                                     .region = start->region,
                                     .group = start->group};
    struct rp_run counting = {0};
    const bool joined =
        rp_run_read(&counting, files->run, error) &&
        rp_import(&import, &counting, &session->run, &session->writer, error);

    rp_run_free(&counting);
    session->joined = session->joined || joined;
    return joined;
}

bool rp_counters_run(struct rp_counters_session *session,
                     const struct rp_counters_start *start,
                     const struct rp_counters_files *files, struct rp_error *error)
{
    struct rp_program_result result;

    return run_program(session, start, files, &result, error) &&
           judge(start, files, &result, error) && join(session, start, files, error);
}
