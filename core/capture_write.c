/* SPDX-License-Identifier: MIT */
#include "core/capture.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/capture_groups.h"
#include "core/capture_parts.h"
#include "core/file.h"
#include "core/system.h"
#include "core/text.h"

#define CGROUP_FILE "/proc/self/cgroup"

/* A capture that is being made. */
struct capture {
    struct rp_text cpuid;
    struct rp_capture_groups groups;
    bool failed; /* and `error` says why */
    struct rp_error error;
};

static void fail_to_write(struct capture *capture, const char *path)
{
    if (!capture->failed) {
        capture->failed = true;
        rp_fail(&capture->error, RP_UNABLE,
                "cannot write %.300s: %s; free some space or choose a folder you may "
                "write to",
                path, strerror(errno));
    }
}

/* Makes the folders on the way to `path`, and `path` itself when it ends with a slash. */
static bool make_folders(const char *path)
{
    char part[RP_CAPTURE_PATH];

    for (const char *slash = strchr(path + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            return false;
        }
    }
    return true;
}

static void append_line(struct capture *capture, const char *path, const char *line)
{
    FILE *const file = make_folders(path) ? fopen(path, "ae") : NULL;

    if (file == NULL) {
        fail_to_write(capture, path);
        return;
    }
    const bool written = fputs(line, file) >= 0;
    if (fclose(file) != 0 || !written) {
        fail_to_write(capture, path);
    }
}

static void copy_groups(struct capture *capture, const char *source, const char *target)
{
    FILE *const file = fopen(source, "re");
    char line[RP_CAPTURE_PATH];

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        struct rp_text renamed = {0};

        if (rp_capture_rename_groups(&capture->groups, line, &renamed)) {
            append_line(capture, target, renamed.data);
        }
        rp_text_free(&renamed);
    }
    if (file != NULL) {
        fclose(file);
    }
}

/* The first line of an open file that starts with `key`, with its end. */
static bool find_line(FILE *file, const char *key, char **line, size_t *capacity)
{
    while (getline(line, capacity, file) > 0) {
        if (strncmp(*line, key, strlen(key)) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_line(const char *path, const char *key)
{
    FILE *const file = fopen(path, "re");
    char *line = NULL;
    size_t capacity = 0;
    const bool found = file != NULL && find_line(file, key, &line, &capacity);

    free(line);
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

static void copy_line(struct capture *capture, const char *source, const char *target,
                      const char *key)
{
    FILE *const file = fopen(source, "re");
    char *line = NULL;
    size_t capacity = 0;

    if (file == NULL) {
        return;
    }
    if (find_line(file, key, &line, &capacity)) {
        append_line(capture, target, line);
    }
    free(line);
    fclose(file);
}

/* The names in a folder, as empty folders, until more is asked for. A device that has
 * its address for a name is left out. */
static void copy_names(struct capture *capture, DIR *folder, const char *target)
{
    char path[RP_CAPTURE_PATH];
    const struct dirent *entry = NULL;

    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.' || strchr(entry->d_name, ':') != NULL) {
            continue;
        }
        const int length = snprintf(path, sizeof path, "%s/%s/", target, entry->d_name);
        if (length >= (int)sizeof path || !make_folders(path)) {
            fail_to_write(capture, path);
        }
    }
}

static void copy_presence(struct capture *capture, const char *source, const char *target)
{
    DIR *const folder = opendir(source);

    if (folder != NULL) {
        copy_names(capture, folder, target);
        closedir(folder);
    } else if (access(source, F_OK) == 0) {
        append_line(capture, target, "");
    }
}

/* rp_system's fetch: puts what is about to be read where it will be looked for. */
static void fetch(void *context, const char *folder, const char *path, const char *key)
{
    struct capture *const capture = context;
    char source[RP_CAPTURE_PATH];
    char target[RP_CAPTURE_PATH];
    struct stat status;

    if (snprintf(target, sizeof target, "%s%s", folder, path) >= (int)sizeof target) {
        return;
    }
    rp_capture_original_path(&capture->groups, path, source);
    if (strcmp(path, CGROUP_FILE) == 0) {
        if (stat(target, &status) != 0) {
            copy_groups(capture, source, target);
        }
    } else if (key == NULL) {
        copy_presence(capture, source, target);
    } else if (!has_line(target, key)) {
        copy_line(capture, source, target, key);
    }
}

/* Each line once, however often it is read. */
__attribute__((format(printf, 2, 3))) static void note(struct capture *capture,
                                                       const char *format, ...)
{
    char line[128];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (capture->cpuid.data == NULL || strstr(capture->cpuid.data, line) == NULL) {
        rp_text_print(&capture->cpuid, "%s\n", line);
    }
}

static void noted_cpuid(void *context, uint32_t leaf, uint32_t subleaf,
                        uint32_t registers[4])
{
    rp_cpu_native.cpuid(rp_cpu_native.context, leaf, subleaf, registers);
    note(context, RP_CAPTURE_LEAF, leaf, subleaf, registers[0], registers[1],
         registers[2], registers[3]);
}

static uint64_t noted_xgetbv(void *context, uint32_t index)
{
    const uint64_t value = rp_cpu_native.xgetbv(rp_cpu_native.context, index);

    note(context, RP_CAPTURE_XGETBV, index, (unsigned long long)value);
    return value;
}

/* The folder must be new, or empty. */
static bool make_empty(const char *folder, struct rp_error *error)
{
    if (mkdir(folder, 0777) == 0) {
        return true;
    }
    if (errno != EEXIST) {
        return rp_fail(
            error, RP_UNABLE,
            "cannot make the folder %.300s: %s; choose one whose parent exists "
            "and that you may write to",
            folder, strerror(errno));
    }
    DIR *const opened = opendir(folder);
    const struct dirent *entry = NULL;
    bool empty = opened != NULL;

    while (empty && (entry = readdir(opened)) != NULL) {
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    }
    if (opened != NULL) {
        closedir(opened);
    }
    return empty ||
           rp_fail(error, RP_USAGE,
                   "%.300s exists and is no empty folder; name a new one for the "
                   "capture",
                   folder);
}

static bool save_topology(const char *path, struct rp_error *error)
{
    struct rp_topology *const topology = rp_topology_load(error);
    const bool saved = topology != NULL && rp_topology_save(topology, path, error);

    rp_topology_free(topology);
    return saved;
}

/* Writes a JSON value, which is taken, as a file of the capture. */
static bool write_json(const char *path, json_t *json, struct rp_error *error)
{
    char *const data = json != NULL ? json_dumps(json, JSON_INDENT(2)) : NULL;
    struct rp_text text = {0};

    json_decref(json);
    if (data == NULL) {
        return rp_fail(error, RP_UNABLE, "not enough memory to write %.300s", path);
    }
    rp_text_print(&text, "%s\n", data);
    free(data);
    const bool written = rp_file_write(path, &text, error);
    rp_text_free(&text);
    return written;
}

static const char *name_in(const char *folder, const char *name,
                           char path[RP_CAPTURE_PATH])
{
    snprintf(path, RP_CAPTURE_PATH, "%s/%s", folder, name);
    return path;
}

/* Describes the machine from what `capture` fetches into the folder. */
static bool describe(struct capture *capture, struct rp_machine *machine,
                     const char *folder, const char *level, struct rp_error *error)
{
    char root[RP_CAPTURE_PATH];
    char later[RP_CAPTURE_PATH];
    char topology_path[RP_CAPTURE_PATH];
    struct rp_topology *topology = NULL;
    const struct rp_machine_source source = {
        .cpu = &(struct rp_cpu_reader){noted_cpuid, noted_xgetbv, capture},
        .system =
            &(struct rp_system){
                .root = name_in(folder, RP_CAPTURE_ROOT, root),
                .later = name_in(folder, RP_CAPTURE_LATER, later),
                .pause_ms = rp_system_running.pause_ms,
                .fetch = fetch,
                .context = capture,
            },
        .topology_xml = name_in(folder, RP_CAPTURE_TOPOLOGY, topology_path),
    };

    if (!save_topology(topology_path, error) ||
        !rp_machine_read(machine, &topology, &source, level, error)) {
        return false;
    }
    rp_topology_free(topology);
    if (capture->failed) {
        *error = capture->error;
    }
    return !capture->failed;
}

bool rp_capture_write(const char *folder, const char *program, double tsc_hz,
                      const char *level, struct rp_error *error)
{
    struct capture *const capture = calloc(1, sizeof *capture);
    char path[RP_CAPTURE_PATH];
    struct rp_machine machine;

    if (capture == NULL) {
        return rp_fail(error, RP_UNABLE, "not enough memory for a capture");
    }
    bool done = strlen(folder) < RP_CAPTURE_PATH / 2 ||
                rp_fail(error, RP_USAGE,
                        "the path of the capture is too long; choose a shorter one");
    done = done && make_empty(folder, error) &&
           describe(capture, &machine, folder, level, error) &&
           rp_file_write(name_in(folder, RP_CAPTURE_CPUID, path), &capture->cpuid, error);
    if (done) {
        machine.tsc_hz = tsc_hz;
        done = write_json(name_in(folder, RP_CAPTURE_MACHINE, path),
                          rp_machine_to_json(&machine), error) &&
               write_json(name_in(folder, RP_CAPTURE_MANIFEST, path),
                          json_pack("{s:s, s:i, s:s, s:f}", "type", "ridgepoint-machine",
                                    "format", RP_CAPTURE_FORMAT, "program", program,
                                    "tsc_hz", tsc_hz),
                          error);
    }
    rp_text_free(&capture->cpuid);
    free(capture);
    return done;
}
