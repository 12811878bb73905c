/* SPDX-License-Identifier: MIT */
/*
 * What to sweep: a .sweep file parsed and expanded into jobs. Pure: nothing runs here.
 *
 * docs/reference/sweep-file.md describes the file.
 */
#ifndef RP_SWEEPS_SWEEP_H
#define RP_SWEEPS_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/machine.h"
#include "core/text.h"
#include "probes/job.h"

#define RP_SWEEP_GROUPS   16
#define RP_SWEEP_PATTERNS 8

/* What a group may ask for. Sets are multiples of the least one: a whole page of each of
 * two streams. The largest is beyond any machine's memory. */
#define RP_SWEEP_LEAST_SET       (8 * RP_KIB)
#define RP_SWEEP_LARGEST_SET     (RP_GIB << 20)
#define RP_SWEEP_MOST_OCTAVES    37 /* from the least set to the largest */
#define RP_SWEEP_MOST_PER_OCTAVE 16

/* A section other than [sweep]: kernels x modes x working sets. */
struct rp_sweep_group {
    char name[64];
    char kernels[RP_SWEEP_PATTERNS][40]; /* names, '*' for any run of characters */
    unsigned kernel_count;
    bool modes[RP_MODE_COUNT];
    size_t from_bytes;
    size_t to_bytes;
    unsigned per_octave;  /* working sets per doubling, spaced evenly in its logarithm */
    bool near_capacities; /* more of them around each cache's capacity */
};

struct rp_sweep {
    char name[48]; /* file name without folder and ".sweep" */
    char text[160];
    char probes[RP_SWEEP_PATTERNS][16]; /* probes to run first, in order */
    unsigned probe_count;
    double point_budget_seconds;
    struct rp_sweep_group groups[RP_SWEEP_GROUPS];
    unsigned group_count;
};

/* Parses the text of a .sweep file. `origin` names it in errors ("FILE:LINE: ...",
 * RP_USAGE). */
bool rp_sweep_parse(struct rp_sweep *sweep, const char *name, const char *text,
                    const char *origin, struct rp_error *error);

/*
 * Finds a sweep: the path of a file, or the name of one built in ("default", "quick").
 * The text is new and owned by the caller; `name` gets at least 48 bytes.
 */
bool rp_sweep_load(const char *file_or_name, char **text, char name[48],
                   struct rp_error *error);

/* The sweeps built in; NULL past the last. */
const char *rp_sweep_builtin_name(size_t index);

/*
 * Expands into jobs: probes first, then the groups in file order, kernel by kernel, mode
 * by mode, by ascending working set. Working sets above what memory allows are left out
 * and counted in `left_out`. Fails with RP_USAGE when a group selects nothing.
 */
bool rp_sweep_expand(const struct rp_sweep *sweep, const struct rp_machine *machine,
                     struct rp_job_list *jobs, size_t *left_out, struct rp_error *error);

#endif
