/* SPDX-License-Identifier: MIT */
/*
 * What likwid-perfctr or perf stat counted, read from their files and added to a run.
 */
#ifndef RP_CLI_IMPORTED_H
#define RP_CLI_IMPORTED_H

#include "core/record.h"

enum rp_import_source {
    RP_IMPORT_LIKWID, /* CSV of likwid-perfctr -m */
    RP_IMPORT_PERF,   /* JSON lines of perf stat */
};

struct rp_import {
    enum rp_import_source source;
    const char *path; /* of the file; "-": standard input */
    const char
        *stderr_path;   /* what the source wrote to standard error; NULL: not known */
    const char *region; /* the only one to import; NULL: all. perf, which knows no
                         * regions: the one it counted; NULL: the run's only one */
    const char *group;  /* what to call it; NULL: as the source does */
    double calls;       /* perf: of the region; 0: as many as there are samples */
    bool json;          /* tell as records, one JSON object a line */
};

/*
 * Appends a record for each region and group to `run` and to its file, which `writer` has
 * open. `counting` is the run that the counted program wrote: the same one, or another
 * with the same jobs.
 *
 * Prints a line for each record on standard output. What is missing or left out (a region
 * that a run has no samples of) is a warning on standard error.
 *
 * Appends all or nothing. Fails with RP_USAGE for a file that is malformed, has nothing
 * to import, or counts that the run has already; with RP_UNABLE when the run cannot be
 * written.
 */
bool rp_import(const struct rp_import *import, const struct rp_run *counting,
               struct rp_run *run, struct rp_run_writer *writer, struct rp_error *error);

#endif
