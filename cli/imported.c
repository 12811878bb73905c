/* SPDX-License-Identifier: MIT */
#include "cli/imported.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "roofline/counters.h"
#include "roofline/likwid_csv.h"
#include "roofline/perf_json.h"

static const struct source {
    const char *program;
    bool (*read)(struct rp_counted_list *list, FILE *file, const char *name,
                 struct rp_error *error);
} sources[] = {
    [RP_IMPORT_LIKWID] = {"likwid-perfctr", rp_likwid_csv_read},
    [RP_IMPORT_PERF] = {"perf stat", rp_perf_json_read},
};

/* Opens a file or a pipe; an endless device would fill the memory. */
static FILE *open_file(const char *path, struct rp_error *error)
{
    struct stat status;
    FILE *const file = fopen(path, "re");

    if (file == NULL) {
        rp_fail(error, RP_USAGE, "cannot read %.300s: %s; give a file", path,
                strerror(errno));
        return NULL;
    }
    if (fstat(fileno(file), &status) != 0 ||
        !(S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode))) {
        fclose(file);
        rp_fail(error, RP_USAGE, "%.300s is not a file; give one", path);
        return NULL;
    }
    return file;
}

/* Repeats what the source warned of: its exit code tells nothing. */
static bool repeat_warnings(const struct rp_import *import, struct rp_error *error)
{
    char *line = NULL;
    size_t capacity = 0;

    if (import->stderr_path == NULL) {
        return true;
    }
    FILE *const file = open_file(import->stderr_path, error);
    if (file == NULL) {
        return false;
    }
    while (getline(&line, &capacity, file) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        rp_make_printable(line);
        if (strstr(line, "WARN") != NULL || strstr(line, "ERROR") != NULL) {
            fprintf(stderr, "warning: %s: %s\n", sources[import->source].program, line);
        }
    }
    free(line);
    fclose(file);
    return true;
}

static void print_notes(char *notes)
{
    char *rest = notes;
    const char *line = NULL;

    while ((line = strsep(&rest, "\n")) != NULL) {
        if (*line != '\0') {
            fprintf(stderr, "warning: %s\n", line);
        }
    }
}

static bool read_source(const struct rp_import *import, struct rp_counted_list *list,
                        struct rp_error *error)
{
    const bool from_stdin = strcmp(import->path, "-") == 0;

    if (!repeat_warnings(import, error)) {
        return false;
    }
    FILE *const file = from_stdin ? stdin : open_file(import->path, error);
    if (file == NULL) {
        return false;
    }
    const bool done = sources[import->source].read(
        list, file, from_stdin ? "standard input" : import->path, error);
    print_notes(list->notes.data);
    if (!from_stdin) {
        fclose(file);
    }
    return done;
}

/* The region of the run's only job; NULL when it has none or several. */
static const char *only_region(const struct rp_run *run)
{
    const char *region = NULL;

    for (size_t i = 0; rp_run_done_count(run) == 1 && i < run->record_count; i++) {
        if (run->records[i].counted == NULL) {
            region = rp_counted_region(run->records[i].job);
        }
    }
    return region;
}

/* Gives perf's counts, which know of no region, the one they are of. */
static bool set_region(const struct rp_import *import, const struct rp_run *counting,
                       struct rp_counted *counted, struct rp_error *error)
{
    const char *const region =
        import->region != NULL ? import->region : only_region(counting);

    if (region == NULL) {
        return rp_fail(error, RP_USAGE,
                       "perf stat counts a whole program and the run has %zu jobs; name "
                       "the one that was counted with --region",
                       rp_run_done_count(counting));
    }
    counted->calls = import->calls;
    return rp_count_name(counted->region, sizeof counted->region, region) ||
           rp_fail(error, RP_USAGE, "the region %.60s... has too long a name", region);
}

/* Gives all that was counted its final names; perf's gets region and calls. */
static bool name_all(const struct rp_import *import, const struct rp_run *counting,
                     struct rp_counted_list *list, struct rp_error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        struct rp_counted *const counted = &list->counted[i];

        if (import->source == RP_IMPORT_PERF &&
            !set_region(import, counting, counted, error)) {
            return false;
        }
        if (import->group != NULL &&
            !rp_count_name(counted->group, sizeof counted->group, import->group)) {
            return rp_fail(
                error, RP_USAGE,
                "the group %.60s... has too long a name; at most %zu bytes fit",
                import->group, sizeof counted->group - 1);
        }
    }
    return true;
}

/* Whether the region has a record to be joined to, in both runs; says so when not. */
static bool can_be_joined(const struct rp_counted *counted, const struct rp_run *counting,
                          const struct rp_run *run)
{
    const struct rp_record *const job = rp_counters_find(counting, counted->region);

    if (job == NULL || rp_counters_find(run, counted->region) == NULL) {
        fprintf(stderr,
                "warning: the run has no samples of %s, so its counts are left out; "
                "give the run that the counted program wrote\n",
                counted->region);
        return false;
    }
    if (counted->calls > 0 && counted->calls != rp_record_samples_taken(job)) {
        fprintf(stderr,
                "warning: %s was entered %.0f times, but %.0f samples of it were taken; "
                "make sure that this is the run that the counted program wrote\n",
                counted->region, counted->calls, rp_record_samples_taken(job));
    }
    return true;
}

/* Joins what is asked for to its jobs, as records of `joined`. */
static bool join_all(const struct rp_import *import, const struct rp_run *counting,
                     const struct rp_run *run, struct rp_counted_list *list,
                     struct rp_run *joined, struct rp_error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        struct rp_counted *const counted = &list->counted[i];
        struct rp_record record = {0};

        if ((import->region != NULL && strcmp(import->region, counted->region) != 0) ||
            !can_be_joined(counted, counting, run)) {
            continue;
        }
        if (!rp_counters_join(&record, counted, counting, run, error)) {
            return false;
        }
        if (rp_run_find(joined, record.job) != NULL) {
            rp_fail(error, RP_USAGE,
                    "%.200s has %s twice; import the output of one run at a time",
                    import->path, record.job);
            rp_record_free(&record);
            return false;
        }
        if (!rp_run_add(joined, &record, error)) {
            rp_record_free(&record);
            return false;
        }
    }
    return joined->record_count > 0 ||
           rp_fail(error, RP_USAGE,
                   "%.200s has nothing to import%s%.100s; see `ridgepoint import --help`",
                   import->path, import->region != NULL ? " for the region " : "",
                   import->region != NULL ? import->region : "");
}

/* Appends all to the file, or nothing. */
static bool append_all(struct rp_run_writer *writer, struct rp_run *joined,
                       struct rp_error *error)
{
    const uint64_t first_id = writer->next_id;
    struct stat before;

    if (fstat(fileno(writer->file), &before) != 0) {
        return rp_fail(error, RP_UNABLE, "cannot write %.200s: %s", writer->path,
                       strerror(errno));
    }
    for (size_t i = 0; i < joined->record_count; i++) {
        if (!rp_run_append(writer, &joined->records[i], error)) {
            /* What is left then is whole lines, which the next import says it has. */
            if (ftruncate(fileno(writer->file), before.st_size) == 0) {
                writer->next_id = first_id;
            }
            return false;
        }
    }
    return true;
}

static bool print_record(const struct rp_record *record, bool as_json,
                         struct rp_error *error)
{
    const struct rp_counted *const counted = record->counted;
    size_t missing = 0;

    if (as_json) {
        json_t *const json = rp_record_to_json(record);
        const bool ok =
            json != NULL &&
            json_dumpf(json, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0;

        json_decref(json);
        putchar('\n');
        return ok || rp_fail(error, RP_UNABLE, "cannot write a record as JSON");
    }
    for (size_t i = 0; i < counted->count; i++) {
        missing += isnan(counted->counts[i].value);
    }
    printf("%s  %s  %.0f calls, %zu events", counted->region, counted->group,
           counted->calls, counted->count);
    printf(missing > 0 ? ", %zu missing\n" : "\n", missing);
    return true;
}

bool rp_import(const struct rp_import *import, const struct rp_run *counting,
               struct rp_run *run, struct rp_run_writer *writer, struct rp_error *error)
{
    struct rp_counted_list list = {0};
    struct rp_run joined = {0};

    bool done = read_source(import, &list, error) &&
                name_all(import, counting, &list, error) &&
                join_all(import, counting, run, &list, &joined, error) &&
                append_all(writer, &joined, error);
    for (size_t i = 0; done && i < joined.record_count; i++) {
        done = print_record(&joined.records[i], import->json, error) &&
               rp_run_add(run, &joined.records[i], error);
    }
    rp_run_free(&joined);
    rp_counted_list_free(&list);
    return done;
}
