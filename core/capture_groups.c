/* SPDX-License-Identifier: MIT */
#include "core/capture_groups.h"

#include <stdio.h>
#include <string.h>

#include "core/conditions_parts.h"

#define MOUNT "/sys/fs/cgroup/"
#define STEM  "group"

/* The number of a name, which it gets when it is new. */
static unsigned number_of(struct rp_capture_groups *groups, const char *name,
                          size_t length)
{
    unsigned index = 0;

    while (index < groups->count && (strncmp(groups->names[index], name, length) != 0 ||
                                     groups->names[index][length] != '\0')) {
        index++;
    }
    if (index == groups->count && index < RP_CAPTURE_GROUPS) {
        snprintf(groups->names[groups->count++], sizeof groups->names[0], "%.*s",
                 (int)length, name);
    }
    return index;
}

bool rp_capture_rename_groups(struct rp_capture_groups *groups, const char *line,
                              struct rp_text *renamed)
{
    const char *const controllers = strchr(line, ':');
    const char *name = controllers != NULL ? strchr(controllers + 1, '/') : NULL;

    if (name == NULL || name[-1] != ':') {
        return false;
    }
    rp_text_append(renamed, line, (size_t)(name - line));
    while (*name == '/') {
        const size_t length = strcspn(++name, "/\n");

        if (length == 0 || length > NAME_MAX) {
            rp_text_print(renamed, "/");
        } else {
            char copy[NAME_MAX + 1];

            snprintf(copy, sizeof copy, "%.*s", (int)length, name);
            const char *const word = rp_container_word(copy);
            rp_text_print(renamed, "/%s%s" STEM "%u", word != NULL ? word : "",
                          word != NULL ? "." : "", number_of(groups, name, length));
        }
        name += length;
    }
    rp_text_print(renamed, "\n");
    return !renamed->failed;
}

/* The name that one of ours stands for; NULL for any other. */
static const char *replaced_by(const struct rp_capture_groups *groups, const char *name)
{
    const char *const stem = strstr(name, STEM);
    uint64_t index = 0;

    return stem != NULL && rp_parse_count(stem + strlen(STEM), &index) &&
                   index < groups->count
               ? groups->names[index]
               : NULL;
}

void rp_capture_original_path(const struct rp_capture_groups *groups, const char *path,
                              char original[RP_CAPTURE_PATH])
{
    char copy[RP_CAPTURE_PATH];
    char *rest = copy;
    size_t length = strlen(MOUNT) - 1;

    if (strncmp(path, MOUNT, strlen(MOUNT)) != 0) {
        snprintf(original, RP_CAPTURE_PATH, "%s", path);
        return;
    }
    snprintf(copy, sizeof copy, "%s", path + strlen(MOUNT));
    snprintf(original, RP_CAPTURE_PATH, "%.*s", (int)length, MOUNT);
    for (const char *name = strsep(&rest, "/"); name != NULL && length < RP_CAPTURE_PATH;
         name = strsep(&rest, "/")) {
        const char *const replaced = replaced_by(groups, name);

        length += (size_t)snprintf(original + length, RP_CAPTURE_PATH - length, "/%s",
                                   replaced != NULL ? replaced : name);
    }
}
