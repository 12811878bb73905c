/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "sweeps/builtin.h"
#include "sweeps/sweep.h"

#define LARGEST_FILE (64 * RP_KIB)

static const struct {
    const char *name;
    const char *text;
} builtin[] = {
    {"default", rp_default_sweep},
    {"quick", rp_quick_sweep},
    {"interleave", rp_interleave_sweep},
    {"modes", rp_modes_sweep},
};

const char *rp_sweep_builtin_name(size_t index)
{
    return index < sizeof builtin / sizeof *builtin ? builtin[index].name : NULL;
}

static bool read_file(const char *path, char **text, struct rp_error *error)
{
    FILE *const file = fopen(path, "re");

    if (file == NULL) {
        return rp_fail(error, RP_USAGE,
                       "cannot read sweep %s: %s; give the path of a .sweep "
                       "file or a name from `ridgepoint list sweeps`",
                       path, strerror(errno));
    }
    *text = calloc(1, LARGEST_FILE + 1);
    const size_t length = *text == NULL ? 0 : fread(*text, 1, LARGEST_FILE + 1, file);
    const bool whole = *text != NULL && !ferror(file) && length <= LARGEST_FILE &&
                       memchr(*text, '\0', length) == NULL;
    fclose(file);
    if (!whole) {
        free(*text);
        *text = NULL;
        return rp_fail(error, RP_USAGE,
                       "%s is no .sweep file: it must be text of at most 64 "
                       "KiB; docs/reference/sweep-file.md describes it",
                       path);
    }
    return true;
}

bool rp_sweep_load(const char *file_or_name, char **text, char name[48],
                   struct rp_error *error)
{
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++) {
        if (strcmp(builtin[i].name, file_or_name) == 0) {
            snprintf(name, 48, "%s", file_or_name);
            *text = strdup(builtin[i].text);
            return *text != NULL || rp_fail(error, RP_UNABLE, "no memory for a sweep");
        }
    }
    const char *const slash = strrchr(file_or_name, '/');
    rp_slug(slash == NULL ? file_or_name : slash + 1, name, 48);
    const size_t length = strlen(name);
    if (length > 6 && strcmp(name + length - 6, "-sweep") == 0) {
        name[length - 6] = '\0';
    }
    return read_file(file_or_name, text, error);
}
