/* SPDX-License-Identifier: MIT */
#include "core/system.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

#define LINE_BYTES 1024
#define MOST_CPUS  (1ul << 20) /* beyond any system */

static FILE *open_below(const char *root, const char *path)
{
    char full[LINE_BYTES];
    const int length = snprintf(full, sizeof full, "%s%s", root, path);

    return length > 0 && (size_t)length < sizeof full ? fopen(full, "re") : NULL;
}

bool rp_system_line(const char *root, const char *path, char *line, size_t capacity)
{
    return rp_system_field(root, path, "", line, capacity);
}

bool rp_system_count(const char *root, const char *path, uint64_t *count)
{
    char line[32];

    return rp_system_line(root, path, line, sizeof line) && rp_parse_count(line, count);
}

bool rp_system_field(const char *root, const char *path, const char *key, char *value,
                     size_t capacity)
{
    FILE *const file = open_below(root, path);
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

unsigned rp_system_list_count(const char *list)
{
    unsigned long count = 0;

    for (;; list++) {
        unsigned long first = 0;

        if (!read_cpu(&list, &first)) {
            return 0;
        }
        unsigned long last = first;
        if (*list == '-' && (list++, !read_cpu(&list, &last))) {
            return 0;
        }
        if (last < first) {
            return 0;
        }
        count += last - first + 1;
        if (*list != ',') {
            return *list == '\0' && count <= UINT_MAX ? (unsigned)count : 0;
        }
    }
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

void rp_cgroup_start(struct rp_cgroup *group, const char *root, const char *controller)
{
    FILE *const file = open_below(root, "/proc/self/cgroup");
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

bool rp_cgroup_quota(const char *root, const struct rp_cgroup *group, double *cpus)
{
    char path[sizeof group->directory + 32];
    char line[64];
    uint64_t quota = 0;
    uint64_t period = 0;

    snprintf(path, sizeof path, "%s/%s", group->directory,
             group->unified ? "cpu.max" : "cpu.cfs_quota_us");
    if (!rp_system_line(root, path, line, sizeof line)) {
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
        if (!rp_system_count(root, path, &period)) {
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
static bool group_memory(const char *root, const struct rp_cgroup *group, size_t *bytes)
{
    const struct memory_files *const files = &memory_files[group->unified];
    char path[sizeof group->directory + 32];
    char text[32];
    uint64_t limit = 0;
    uint64_t usage = 0;
    uint64_t reclaimable = 0;

    snprintf(path, sizeof path, "%s/%s", group->directory, files->limit);
    if (!rp_system_count(root, path, &limit)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/%s", group->directory, files->usage);
    if (!rp_system_count(root, path, &usage)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/memory.stat", group->directory);
    if (rp_system_field(root, path, files->reclaimable, text, sizeof text) &&
        rp_parse_count(text, &reclaimable)) {
        usage -= reclaimable < usage ? reclaimable : usage;
    }
    *bytes = limit > usage ? limit - usage : 0;
    return true;
}

size_t rp_system_memory(const char *root, bool *limited)
{
    struct rp_cgroup group;
    char text[32];
    size_t bytes = SIZE_MAX;

    *limited = false;
    if (rp_system_field(root, "/proc/meminfo", "MemAvailable:", text, sizeof text)) {
        bytes =
            (size_t)strtoull(text, NULL, 10) * RP_KIB; /* the file says kB, means KiB */
    }
    rp_cgroup_start(&group, root, "memory");
    while (rp_cgroup_next(&group)) {
        size_t left = 0;

        if (group_memory(root, &group, &left) && left < bytes) {
            bytes = left;
            *limited = true;
        }
    }
    return bytes == SIZE_MAX ? 0 : bytes;
}
