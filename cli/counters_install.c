/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/counters.h"
#include "core/file.h"

bool rp_group_folder(const struct rp_counting *counting, char folder[RP_GROUP_PATH_BYTES],
                     struct rp_error *error)
{
    const char *const home = getenv("HOME");

    if (home == NULL || home[0] != '/') {
        return rp_fail(error, RP_USAGE,
                       "counters: HOME names no folder, and likwid looks for a user's "
                       "groups there; set it");
    }
    if (snprintf(folder, RP_GROUP_PATH_BYTES, "%s/.likwid/groups/%s", home,
                 counting->architecture) >= RP_GROUP_PATH_BYTES) {
        return rp_fail(error, RP_USAGE, "counters: the path of HOME is too long");
    }
    char *const real = realpath(folder, NULL);
    if (real != NULL) {
        snprintf(folder, RP_GROUP_PATH_BYTES, "%s", real);
        free(real);
    }
    return true;
}

static bool holds(const char *path, const char *text)
{
    FILE *const file = fopen(path, "re");
    bool same = file != NULL;

    for (const char *c = text; same && *c != '\0'; c++) {
        same = getc(file) == (unsigned char)*c;
    }
    same = same && getc(file) == EOF && !ferror(file);
    if (file != NULL) {
        fclose(file);
    }
    return same;
}

bool rp_group_file(const char *folder, const struct rp_counter_group *group,
                   char path[RP_GROUP_PATH_BYTES], enum rp_group_file *state,
                   struct rp_error *error)
{
    struct stat status;

    if (snprintf(path, RP_GROUP_PATH_BYTES, "%s/%s.txt", folder, group->name) >=
        RP_GROUP_PATH_BYTES) {
        return rp_fail(error, RP_USAGE, "counters: the path of HOME is too long");
    }
    if (lstat(path, &status) != 0) {
        if (errno != ENOENT) {
            return rp_fail(error, RP_UNABLE, "cannot look at %.300s: %s", path,
                           strerror(errno));
        }
        *state = RP_GROUP_FILE_ABSENT;
    } else {
        /* What is no file is not opened: it might never end. */
        *state = stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
                         holds(path, group->text)
                     ? RP_GROUP_FILE_SAME
                     : RP_GROUP_FILE_DIFFERS;
    }
    return true;
}

/* Makes a folder and those on the way to it. */
static bool make_folders(const char *folder, struct rp_error *error)
{
    char path[RP_GROUP_PATH_BYTES];
    struct stat status;

    snprintf(path, sizeof path, "%s", folder);
    for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0777); /* whether it is there now, the last one tells */
        *slash = '/';
    }
    const int reason = mkdir(path, 0777) == 0 ? 0 : errno;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        return true;
    }
    return rp_fail(error, RP_UNABLE,
                   "cannot make the folder %.300s: %s; make it, or remove what is in its "
                   "place",
                   folder, strerror(reason != EEXIST ? reason : ENOTDIR));
}

/* Tells what there is to do with each group and counts what is to be written. */
static bool print_plan(const struct rp_counting *counting, const char *folder,
                       bool replace, unsigned *count, struct rp_error *error)
{
    const struct rp_counter_group *group = NULL;
    const char *const texts[] = {
        [RP_GROUP_FILE_ABSENT] = "new",
        [RP_GROUP_FILE_SAME] = "there already",
        [RP_GROUP_FILE_DIFFERS] =
            replace ? "replaces one that differs" : "differs, and stays; see --replace",
    };
    size_t index = 0;

    *count = 0;
    while ((group = rp_counting_next(counting, &index)) != NULL) {
        char path[RP_GROUP_PATH_BYTES];
        enum rp_group_file state = RP_GROUP_FILE_ABSENT;

        if (!rp_group_file(folder, group, path, &state, error)) {
            return false;
        }
        printf("%s  %s\n", path, texts[state]);
        *count +=
            state == RP_GROUP_FILE_ABSENT || (state == RP_GROUP_FILE_DIFFERS && replace);
    }
    return true;
}

static bool confirm(unsigned count, struct rp_error *error)
{
    char answer[16];

    fflush(stdout);
    if (!isatty(STDIN_FILENO)) {
        return rp_fail(error, RP_USAGE,
                       "counters: nothing was written; add --yes to write %u file%s, as "
                       "there is no terminal to ask at",
                       count, count == 1 ? "" : "s");
    }
    fprintf(stderr, "Write %u file%s? [y/N] ", count, count == 1 ? "" : "s");
    if (fgets(answer, sizeof answer, stdin) != NULL &&
        (strcmp(answer, "y\n") == 0 || strcmp(answer, "yes\n") == 0)) {
        return true;
    }
    return rp_fail(error, RP_NO, "counters: nothing was written, as you answered");
}

static bool write_groups(const struct rp_counting *counting, const char *folder,
                         bool replace, struct rp_error *error)
{
    const struct rp_counter_group *group = NULL;
    size_t index = 0;

    while ((group = rp_counting_next(counting, &index)) != NULL) {
        char path[RP_GROUP_PATH_BYTES];
        enum rp_group_file state = RP_GROUP_FILE_ABSENT;

        if (!rp_group_file(folder, group, path, &state, error)) {
            return false;
        }
        if (state == RP_GROUP_FILE_SAME || (state == RP_GROUP_FILE_DIFFERS && !replace)) {
            continue;
        }
        struct rp_text text = {0};

        rp_text_append(&text, group->text, strlen(group->text));
        const bool written = rp_file_write(path, &text, error);
        rp_text_free(&text);
        if (!written) {
            return false;
        }
    }
    return true;
}

bool rp_groups_install(const struct rp_counting *counting, bool yes, bool replace,
                       struct rp_error *error)
{
    char folder[RP_GROUP_PATH_BYTES];
    unsigned count = 0;

    if (!rp_group_folder(counting, folder, error) ||
        !print_plan(counting, folder, replace, &count, error)) {
        return false;
    }
    if (count == 0) {
        return true;
    }
    if ((!yes && !confirm(count, error)) || !make_folders(folder, error) ||
        !write_groups(counting, folder, replace, error)) {
        return false;
    }
    fprintf(stderr, "%u file%s written: likwid-perfctr -g takes %s now\n", count,
            count == 1 ? "" : "s", count == 1 ? "it" : "them");
    return true;
}
