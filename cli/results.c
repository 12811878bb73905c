/* SPDX-License-Identifier: MIT */
#include "cli/results.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_IN_A_SECOND 100

static bool make_folder(const char *path, struct rp_error *error)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST) {
        return true;
    }
    return rp_fail(error, RP_UNABLE,
                   "cannot make the folder %s: %s; choose another with "
                   "--results",
                   path, strerror(errno));
}

bool rp_results_new(const char *results, const struct rp_run *run,
                    char folder[RP_PATH_BYTES], struct rp_error *error)
{
    char machine[RP_PATH_BYTES];
    char stamp[24];
    size_t length = 0;

    for (const char *c = run->started_utc; *c != '\0'; c++) { /* 20261130T204210Z */
        if (*c != '-' && *c != ':') {
            stamp[length++] = *c;
        }
    }
    stamp[length] = '\0';
    if (snprintf(machine, sizeof machine, "%s/%s", results, run->machine.name) >=
        (int)sizeof machine - 100) {
        return rp_fail(error, RP_USAGE, "the results folder %.60s... has too long a path",
                       results);
    }
    if (!make_folder(results, error) || !make_folder(machine, error)) {
        return false;
    }
    for (int i = 1; i < MOST_IN_A_SECOND; i++) {
        char suffix[8] = "";

        if (i > 1) {
            snprintf(suffix, sizeof suffix, "-%d", i);
        }
        if (snprintf(folder, RP_PATH_BYTES, "%s/%s-%s%s", machine, stamp, run->sweep_name,
                     suffix) >= RP_PATH_BYTES) {
            break;
        }
        if (mkdir(folder, 0777) == 0) {
            return true;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return rp_fail(error, RP_UNABLE,
                   "cannot make a folder in %s: %s; choose another with "
                   "--results",
                   machine, strerror(errno));
}

void rp_results_link_latest(const char *results, const char *folder)
{
    char link[RP_PATH_BYTES];
    char temporary[RP_PATH_BYTES];
    const size_t length = strlen(results);

    if (strncmp(folder, results, length) != 0 || folder[length] != '/' ||
        snprintf(link, sizeof link, "%s/latest", results) >= (int)sizeof link ||
        snprintf(temporary, sizeof temporary, "%s/latest.tmp", results) >=
            (int)sizeof temporary) {
        return;
    }
    unlink(temporary);
    if (symlink(folder + length + 1, temporary) == 0 && rename(temporary, link) != 0) {
        unlink(temporary);
    }
}
