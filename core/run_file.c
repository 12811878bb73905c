/* SPDX-License-Identifier: MIT */
#include "core/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/fields.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define FORMAT_KEY    "ridgepoint_run"
#define CYCLES_KEY    "cycle_sources"
#define LINE_FLAGS    (JSON_COMPACT | JSON_REAL_PRECISION(9))
#define CREATE_ADVICE "choose a folder that exists and may be written to"

#define RUN(key, member, its_kind, is_required)                                          \
    {                                                                                    \
        .name = (key), .kind = (its_kind), .offset = offsetof(struct rp_run, member),    \
        .capacity = sizeof(((struct rp_run *)0)->member), .required = (is_required)      \
    }
static const struct rp_field header_fields[] = {
    RUN("version", version, RP_FIELD_TEXT, true),
    RUN("compiler", compiler, RP_FIELD_TEXT, true),
    RUN("started_utc", started_utc, RP_FIELD_TEXT, true),
    RUN("sweep", sweep_name, RP_FIELD_TEXT, true),
    RUN("seed", seed, RP_FIELD_NUMBER, true),
    RUN("job_count", job_count, RP_FIELD_NUMBER, false),
};

/* Reading. */

static bool read_header(struct rp_run *run, const json_t *json, struct rp_error *error)
{
    const json_t *const format = json_object_get(json, FORMAT_KEY);
    const char *const sweep_text = json_string_value(json_object_get(json, "sweep_text"));

    if (!json_is_integer(format)) {
        return rp_fail(error, RP_USAGE,
                       "this is no Ridgepoint run, which starts with a header");
    }
    if (json_integer_value(format) != RP_RUN_FORMAT) {
        return rp_fail(error, RP_USAGE,
                       "the run has format %lld and this program reads %d",
                       (long long)json_integer_value(format), RP_RUN_FORMAT);
    }
    if (sweep_text == NULL) {
        return rp_fail(error, RP_USAGE, "\"sweep_text\" must be a text");
    }
    if (!rp_fields_read(json, "", header_fields, COUNT_OF(header_fields), run, error) ||
        !rp_machine_from_json(&run->machine, json_object_get(json, "machine"), error) ||
        !rp_cycle_trials_from_json(run->cycle_trials, &run->cycle_trial_count,
                                   json_object_get(json, CYCLES_KEY), error)) {
        return false;
    }
    run->sweep_text = strdup(sweep_text);
    return run->sweep_text != NULL || rp_fail(error, RP_UNABLE, "not enough memory");
}

/* Ids ascend, so that each names one record; a job stands once, so that a resumed run
 * knows what is done. `jobs` is the set of jobs seen so far. */
static bool read_record(struct rp_run *run, json_t *jobs, const json_t *json,
                        struct rp_error *error)
{
    const uint64_t last_id =
        run->record_count > 0 ? run->records[run->record_count - 1].id : 0;
    struct rp_record record;

    if (!rp_record_from_json(&record, json, error)) {
        return false;
    }
    if (record.id <= last_id) {
        rp_fail(error, RP_USAGE, "\"id\" must be above that of the line before");
    } else if (json_object_get(jobs, record.job) != NULL) {
        rp_fail(error, RP_USAGE, "the job \"%s\" is in the run already", record.job);
    } else if (json_object_set_new(jobs, record.job, json_true()) != 0) {
        rp_fail(error, RP_UNABLE, "not enough memory");
    } else if (rp_run_add(run, &record, error)) {
        return true;
    }
    rp_record_free(&record);
    return false;
}

static bool read_line(struct rp_run *run, json_t *jobs, const char *line, size_t length,
                      struct rp_error *error)
{
    json_error_t problem;
    json_t *const json = json_loadb(line, length, JSON_REJECT_DUPLICATES, &problem);

    if (json == NULL) {
        return rp_fail(error, RP_USAGE, "%s: column %d: %s",
                       run->sweep_text == NULL
                           ? "this is no Ridgepoint run, which starts with a header"
                           : "malformed JSON",
                       problem.column, problem.text);
    }
    const bool done = run->sweep_text == NULL ? read_header(run, json, error)
                                              : read_record(run, jobs, json, error);
    json_decref(json);
    return done;
}

/* Puts file, line and what to do around what is wrong. */
static bool fail_line(const char *path, size_t number, struct rp_error *error)
{
    const struct rp_error inner = *error;

    return rp_fail(error, inner.status, "%.160s:%zu: %.200s; %s", path, number,
                   inner.message,
                   number == 1 ? "give the run.jsonl of a results folder"
                               : "delete the line, or measure again");
}

static bool read_lines(struct rp_run *run, FILE *file, json_t *jobs, const char *path,
                       struct rp_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = 0;
    bool done = true;

    for (size_t number = 1; done && (length = getline(&line, &capacity, file)) > 0;
         number++) {
        if (line[length - 1] != '\n') {
            run->torn = true;
            break;
        }
        done = read_line(run, jobs, line, (size_t)length, error) ||
               fail_line(path, number, error);
        run->valid_size += length;
    }
    free(line);
    if (done && ferror(file)) {
        return rp_fail(error, RP_USAGE, "cannot read %s: %s", path, strerror(errno));
    }
    if (done && run->sweep_text == NULL) {
        return rp_fail(
            error, RP_USAGE,
            "%s holds no whole line of a run; give the run.jsonl of a results folder",
            path);
    }
    return done;
}

bool rp_run_read_stream(struct rp_run *run, FILE *file, const char *name,
                        struct rp_error *error)
{
    json_t *const jobs = json_object();

    *run = (struct rp_run){0};
    const bool done = jobs != NULL ? read_lines(run, file, jobs, name, error)
                                   : rp_fail(error, RP_UNABLE, "not enough memory");
    json_decref(jobs);
    return done;
}

bool rp_run_read(struct rp_run *run, const char *path, struct rp_error *error)
{
    struct stat status;

    *run = (struct rp_run){0};
    FILE *const file = fopen(path, "re");
    if (file == NULL) {
        return rp_fail(error, RP_USAGE,
                       "cannot read %s: %s; give the run.jsonl of a results folder", path,
                       strerror(errno));
    }
    /* An endless device would fill the memory. */
    if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode)) {
        fclose(file);
        return rp_fail(error, RP_USAGE,
                       "%s is not a file; give the run.jsonl of a results folder", path);
    }
    const bool done = rp_run_read_stream(run, file, path, error);
    fclose(file);
    return done;
}

void rp_run_free(struct rp_run *run)
{
    for (size_t i = 0; i < run->record_count; i++) {
        rp_record_free(&run->records[i]);
    }
    free(run->records);
    free(run->sweep_text);
    *run = (struct rp_run){0};
}

bool rp_run_add(struct rp_run *run, struct rp_record *record, struct rp_error *error)
{
    const size_t count = run->record_count;

    if ((count & (count - 1)) == 0) { /* the capacity is the next power of two: full */
        const size_t capacity = count > 0 ? 2 * count : 1;
        struct rp_record *const records =
            reallocarray(run->records, capacity, sizeof *records);

        if (records == NULL) {
            return rp_fail(error, RP_UNABLE, "not enough memory for %zu records",
                           capacity);
        }
        run->records = records;
    }
    run->records[run->record_count++] = *record;
    *record = (struct rp_record){0};
    return true;
}

const struct rp_record *rp_run_find(const struct rp_run *run, const char *job)
{
    for (size_t i = 0; i < run->record_count; i++) {
        if (strcmp(run->records[i].job, job) == 0) {
            return &run->records[i];
        }
    }
    return NULL;
}

size_t rp_run_done_count(const struct rp_run *run)
{
    size_t count = run->record_count;

    for (size_t i = 0; i < run->record_count; i++) {
        count -= run->records[i].counted != NULL;
    }
    return count;
}

/* Writing. */

static bool fail_write(const char *path, int reason, struct rp_error *error)
{
    return rp_fail(error, RP_UNABLE, "cannot write %.200s: %s; free some space", path,
                   strerror(reason));
}

/* Writes one line and waits for the disk; on failure the file is as it was before. */
static bool write_line(const struct rp_run_writer *writer, json_t *json,
                       struct rp_error *error)
{
    const int descriptor = fileno(writer->file);
    struct stat status;
    char *const text = json != NULL ? json_dumps(json, LINE_FLAGS) : NULL;
    const size_t length = text != NULL ? strlen(text) : 0;

    json_decref(json);
    if (text == NULL) {
        return rp_fail(
            error, RP_UNABLE,
            "cannot write a line of %.200s: a text in it is not UTF-8, which the "
            ".sweep file must be, or memory ran out",
            writer->path);
    }
    if (fstat(descriptor, &status) != 0) {
        free(text);
        return fail_write(writer->path, errno, error);
    }
    text[length] = '\n'; /* in place of the end, so that the line goes out in one piece */
    const bool written = fwrite(text, 1, length + 1, writer->file) == length + 1 &&
                         fflush(writer->file) == 0 && fdatasync(descriptor) == 0;
    const int reason = errno;
    free(text);
    if (written) {
        return true;
    }
    clearerr(writer->file);
    if (ftruncate(descriptor, status.st_size) != 0) {
        return rp_fail(
            error, RP_UNABLE,
            "cannot write %.200s: %s, nor cut off its incomplete last line, which "
            "resuming does; free some space",
            writer->path, strerror(reason));
    }
    return fail_write(writer->path, reason, error);
}

static json_t *header_to_json(const struct rp_run *run)
{
    json_t *const json = json_object();

    if (json == NULL ||
        json_object_set_new(json, FORMAT_KEY, json_integer(RP_RUN_FORMAT)) != 0 ||
        !rp_fields_write(json, header_fields, COUNT_OF(header_fields), run) ||
        json_object_set_new(
            json, "sweep_text",
            json_string(run->sweep_text != NULL ? run->sweep_text : "")) != 0 ||
        json_object_set_new(json, "machine", rp_machine_to_json(&run->machine)) != 0 ||
        json_object_set_new(
            json, CYCLES_KEY,
            rp_cycle_trials_to_json(run->cycle_trials, run->cycle_trial_count)) != 0) {
        json_decref(json);
        return NULL;
    }
    return json;
}

/* Opens without a buffer: a line goes out at once, and none is left over after a failure.
 */
static bool open_writer(struct rp_run_writer *writer, const char *path, const char *mode,
                        struct rp_error *error)
{
    *writer = (struct rp_run_writer){0};
    const size_t length = strlen(path);
    if (length >= sizeof writer->path) {
        return rp_fail(error, RP_USAGE,
                       "the path %.100s... is too long; choose a shorter one", path);
    }
    memcpy(writer->path, path, length + 1);
    writer->file = fopen(path, mode);
    if (writer->file == NULL) {
        return rp_fail(error, RP_UNABLE, "cannot write %.200s: %s; " CREATE_ADVICE, path,
                       strerror(errno));
    }
    /* A file system without locks refuses for another reason and is trusted. */
    if (flock(fileno(writer->file), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        rp_run_close(writer);
        return rp_fail(error, RP_UNABLE,
                       "another program is writing %.200s; wait for its end or stop it",
                       path);
    }
    setvbuf(writer->file, NULL, _IONBF, 0);
    return true;
}

bool rp_run_create(struct rp_run_writer *writer, const char *path,
                   const struct rp_run *run, struct rp_error *error)
{
    if (run->seed > INT64_MAX) {
        *writer = (struct rp_run_writer){0};
        return rp_fail(error, RP_USAGE,
                       "the seed must be below 2^63; choose a smaller one");
    }
    if (!open_writer(writer, path, "axe", error)) { /* x: never over another run */
        return false;
    }
    writer->next_id = 1;
    if (!write_line(writer, header_to_json(run), error)) {
        rp_run_close(writer);
        unlink(path);
        return false;
    }
    return true;
}

bool rp_run_reopen(struct rp_run_writer *writer, const char *path,
                   const struct rp_run *run, struct rp_error *error)
{
    struct stat status;

    if (access(path, F_OK) != 0) { /* opening would create it */
        *writer = (struct rp_run_writer){0};
        return rp_fail(error, RP_UNABLE, "cannot go on with %.200s: %s", path,
                       strerror(errno));
    }
    if (!open_writer(writer, path, "ae", error)) {
        return false;
    }
    const bool as_read = fstat(fileno(writer->file), &status) == 0 &&
                         (run->torn ? status.st_size > run->valid_size
                                    : status.st_size == run->valid_size);
    if (!as_read || ftruncate(fileno(writer->file), run->valid_size) != 0) {
        rp_run_close(writer);
        return rp_fail(
            error, RP_UNABLE,
            "%.200s has changed since it was read; stop the other program that "
            "writes it and try again",
            path);
    }
    writer->next_id =
        run->record_count > 0 ? run->records[run->record_count - 1].id + 1 : 1;
    return true;
}

bool rp_run_append(struct rp_run_writer *writer, struct rp_record *record,
                   struct rp_error *error)
{
    record->id = writer->next_id;
    if (!write_line(writer, rp_record_to_json(record), error)) {
        return false;
    }
    writer->next_id++;
    return true;
}

void rp_run_close(struct rp_run_writer *writer)
{
    if (writer->file != NULL) {
        fclose(writer->file); /* every line is on disk already */
    }
    *writer = (struct rp_run_writer){0};
}
