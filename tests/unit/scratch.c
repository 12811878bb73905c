/* SPDX-License-Identifier: MIT */
#include "scratch.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

int scratch_make(void **state)
{
    const char *const parent = getenv("TMPDIR");
    char *folder = NULL;

    if (asprintf(&folder, "%s/ridgepoint-test-XXXXXX", parent != NULL ? parent : "/tmp") <
        0) {
        return -1;
    }
    *state = folder;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *status, int type,
                        struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

int scratch_remove(void **state)
{
    const int result = nftw(*state, remove_entry, 16, FTW_DEPTH | FTW_PHYS);

    free(*state);
    return result;
}

const char *scratch_path(const char *folder, const char *name)
{
    static char path[1024];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

void scratch_write(const char *folder, const char *name, const char *text)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL;
         slash++) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

char *scratch_read(const char *folder, const char *name, size_t *length)
{
    FILE *const file = fopen(scratch_path(folder, name), "r");
    char *text = NULL;
    size_t capacity = 0;

    assert_non_null(file);
    const ssize_t got = getdelim(&text, &capacity, '\0', file);
    fclose(file);
    assert_true(got >= 0);
    *length = (size_t)got;
    return text;
}
