/* SPDX-License-Identifier: MIT */
#include "core/system.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/text.h"

#define LINE_BYTES 1024
#define MOST_CPUS  (1ul << 20) /* beyond any system */

/* Long enough to tell a busy CPU by the kernel's ticks, of which there are 100 a second
 * and more. */
const struct rp_system rp_system_running = {.root = "", .later = "", .pause_ms = 80};

bool rp_system_wait(const struct rp_system *system, struct rp_system *later)
{
    const struct timespec pause = {
        .tv_sec = system->pause_ms / 1000,
        .tv_nsec = (long)(system->pause_ms % 1000) * 1000000,
    };

    if (system->later == NULL) {
        return false;
    }
    if (system->pause_ms > 0) {
        nanosleep(&pause, NULL);
    }
    *later = *system;
    later->root = system->later;
    later->later = NULL;
    return true;
}

/* The full path of what is about to be read; false when it is too long. */
static bool find_path(const struct rp_system *system, const char *path, const char *key,
                      char full[LINE_BYTES])
{
    const int length = snprintf(full, LINE_BYTES, "%s%s", system->root, path);

    if (length < 0 || length >= LINE_BYTES) {
        return false;
    }
    if (system->fetch != NULL) {
        system->fetch(system->context, system->root, path, key);
    }
    return true;
}

static FILE *open_file(const struct rp_system *system, const char *path, const char *key)
{
    char full[LINE_BYTES];

    return find_path(system, path, key, full) ? fopen(full, "re") : NULL;
}

bool rp_system_exists(const struct rp_system *system, const char *path)
{
    char full[LINE_BYTES];

    return find_path(system, path, NULL, full) && access(full, F_OK) == 0;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

bool rp_system_name(const struct rp_system *system, const char *folder, unsigned index,
                    char *name, size_t capacity)
{
    char full[LINE_BYTES];
    struct dirent **entries = NULL;
    const int count = find_path(system, folder, NULL, full)
                          ? scandir(full, &entries, is_shown, alphasort)
                          : 0;
    bool found = false;

    for (int i = 0; i < count; i++) {
        if ((unsigned)i == index) {
            const int length = snprintf(name, capacity, "%s", entries[i]->d_name);
            found = length > 0 && (size_t)length < capacity;
        }
        free(entries[i]);
    }
    free(entries);
    return found;
}

bool rp_system_line(const struct rp_system *system, const char *path, char *line,
                    size_t capacity)
{
    return rp_system_field(system, path, "", line, capacity);
}

bool rp_system_count(const struct rp_system *system, const char *path, uint64_t *count)
{
    char line[32];

    return rp_system_line(system, path, line, sizeof line) && rp_parse_count(line, count);
}

bool rp_system_field(const struct rp_system *system, const char *path, const char *key,
                     char *value, size_t capacity)
{
    FILE *const file = open_file(system, path, key);
    const size_t key_length = strlen(key);
    char line[LINE_BYTES];
    bool found = false;

    snprintf(value, capacity, "%s", "");
    if (file == NULL) {
        return false;
    }
    while (!found && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, key_length) == 0) {
            const char *const rest = line + key_length + strspn(line + key_length, " \t");

            snprintf(value, capacity, "%.*s", (int)strcspn(rest, "\n"), rest);
            rp_make_printable(value);
            found = true;
        }
    }
    fclose(file);
    return found;
}

/* Reads a CPU number from `*list` on and moves past it. Digits only: strtoul would take
 * blanks and signs, too. */
static bool read_cpu(const char **list, unsigned long *cpu)
{
    char *end = NULL;

    if (**list < '0' || **list > '9') {
        return false;
    }
    *cpu = strtoul(*list, &end, 10);
    *list = end;
    return *cpu < MOST_CPUS;
}

/* Reads a range such as "0-3" or "8" from `*list` on and moves past it. */
static bool read_range(const char **list, unsigned long *first, unsigned long *last)
{
    if (!read_cpu(list, first)) {
        return false;
    }
    *last = *first;
    if (**list == '-') {
        ++*list;
        return read_cpu(list, last) && *last >= *first;
    }
    return true;
}

unsigned rp_system_list_count(const char *list)
{
    unsigned long count = 0;
    unsigned long first = 0;
    unsigned long last = 0;

    for (;; list++) {
        if (!read_range(&list, &first, &last)) {
            return 0;
        }
        count += last - first + 1;
        if (*list != ',') {
            return *list == '\0' && count <= UINT_MAX ? (unsigned)count : 0;
        }
    }
}

bool rp_system_list_next(const char *list, unsigned *cpu)
{
    unsigned long first = 0;
    unsigned long last = 0;

    for (; read_range(&list, &first, &last); list++) {
        if (*cpu <= last) {
            *cpu = *cpu < first ? (unsigned)first : *cpu;
            return true;
        }
        if (*list != ',') {
            break;
        }
    }
    return false;
}

/* True when the comma-separated `list` of a line of /proc/self/cgroup names `controller`.
 */
static bool names_controller(const char *list, size_t length, const char *controller)
{
    const size_t wanted = strlen(controller);

    while (length >= wanted) {
        const char *const comma = memchr(list, ',', length);
        const size_t part = comma != NULL ? (size_t)(comma - list) : length;

        if (part == wanted && memcmp(list, controller, wanted) == 0) {
            return true;
        }
        if (comma == NULL) {
            return false;
        }
        list += part + 1;
        length -= part + 1;
    }
    return false;
}

void rp_cgroup_start(struct rp_cgroup *group, const struct rp_system *system,
                     const char *controller)
{
    FILE *const file = open_file(system, "/proc/self/cgroup", "");
    char line[LINE_BYTES];

    *group = (struct rp_cgroup){.done = true};
    if (file == NULL) {
        return;
    }
    /* Lines read "4:memory:/path" in version 1 and "0::/path" in version 2. A controller
     * that version 1 holds is not in version 2. */
    while (fgets(line, sizeof line, file) != NULL) {
        char *const list = strchr(line, ':');
        char *const path = list != NULL ? strchr(list + 1, ':') : NULL;

        if (path == NULL) {
            continue;
        }
        const size_t list_length = (size_t)(path - list - 1);
        const bool unified = list_length == 0;
        if (!unified && !names_controller(list + 1, list_length, controller)) {
            continue;
        }
        path[1 + strcspn(path + 1, "\n")] = '\0';
        const int mount =
            snprintf(group->directory, sizeof group->directory, "/sys/fs/cgroup%s%s",
                     unified ? "" : "/", unified ? "" : controller);
        group->mount_length = (size_t)mount;
        snprintf(group->directory + mount, sizeof group->directory - group->mount_length,
                 "%s/", path + 1);
        group->unified = unified;
        group->done = false;
        if (!unified) {
            break;
        }
    }
    fclose(file);
}

bool rp_cgroup_next(struct rp_cgroup *group)
{
    char *const last = group->done ? NULL : strrchr(group->directory, '/');

    if (last == NULL || last < group->directory + group->mount_length) {
        group->done = true;
        return false;
    }
    *last = '\0';
    return true;
}

bool rp_cgroup_quota(const struct rp_system *system, const struct rp_cgroup *group,
                     double *cpus)
{
    char path[sizeof group->directory + 32];
    char line[64];
    uint64_t quota = 0;
    uint64_t period = 0;

    snprintf(path, sizeof path, "%s/%s", group->directory,
             group->unified ? "cpu.max" : "cpu.cfs_quota_us");
    if (!rp_system_line(system, path, line, sizeof line)) {
        return false;
    }
    if (group->unified) { /* "50000 100000", or "max 100000" */
        char *const blank = strchr(line, ' ');
        if (blank == NULL || !rp_parse_count(blank + 1, &period)) {
            return false;
        }
        *blank = '\0';
    } else {
        snprintf(path, sizeof path, "%s/cpu.cfs_period_us", group->directory);
        if (!rp_system_count(system, path, &period)) {
            return false;
        }
    }
    if (!rp_parse_count(line, &quota) || period == 0) {
        return false; /* "max" and -1 are no limit */
    }
    *cpus = (double)quota / (double)period;
    return true;
}

/* The file names of the two versions. */
static const struct memory_files {
    const char *limit;
    const char *usage;
    const char *reclaimable;
} memory_files[] = {
    {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
    {"memory.max", "memory.current", "inactive_file"},
};

/* What one control group leaves: the limit less what is used, where file pages that the
 * kernel can drop at once count as free, as they do in MemAvailable. False without a
 * limit. */
static bool group_memory(const struct rp_system *system, const struct rp_cgroup *group,
                         size_t *bytes)
{
    const struct memory_files *const files = &memory_files[group->unified];
    char path[sizeof group->directory + 32];
    char text[32];
    uint64_t limit = 0;
    uint64_t usage = 0;
    uint64_t reclaimable = 0;

    snprintf(path, sizeof path, "%s/%s", group->directory, files->limit);
    if (!rp_system_count(system, path, &limit)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/%s", group->directory, files->usage);
    if (!rp_system_count(system, path, &usage)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/memory.stat", group->directory);
    if (rp_system_field(system, path, files->reclaimable, text, sizeof text) &&
        rp_parse_count(text, &reclaimable)) {
        usage -= reclaimable < usage ? reclaimable : usage;
    }
    *bytes = limit > usage ? limit - usage : 0;
    return true;
}

size_t rp_system_memory(const struct rp_system *system, bool *limited)
{
    struct rp_cgroup group;
    char text[32];
    size_t bytes = SIZE_MAX;

    *limited = false;
    if (rp_system_field(system, "/proc/meminfo", "MemAvailable:", text, sizeof text)) {
        const unsigned long long kib = strtoull(text, NULL, 10); /* "kB" means KiB */

        bytes = kib <= SIZE_MAX / RP_KIB ? (size_t)kib * RP_KIB : SIZE_MAX;
    }
    rp_cgroup_start(&group, system, "memory");
    while (rp_cgroup_next(&group)) {
        size_t left = 0;

        if (group_memory(system, &group, &left) && left < bytes) {
            bytes = left;
            *limited = true;
        }
    }
    return bytes > INT64_MAX ? 0 : bytes; /* as much as a run file keeps */
}
