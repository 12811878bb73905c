/* SPDX-License-Identifier: MIT */
/*
 * What is made from a run: model, figures, report, in the folder of the run file.
 */
#ifndef RP_CLI_ARTIFACTS_H
#define RP_CLI_ARTIFACTS_H

#include "core/error.h"
#include "core/text.h"
#include "plots/figure.h"
#include "roofline/model.h"

#define RP_PATH_BYTES 512

/* A run read back, and its model for one kind of core. */
struct rp_analysis {
    struct rp_run run;
    struct rp_model model;
    unsigned core_kind;
    char base[RP_PATH_BYTES];   /* where the artifacts of the first kind go */
    char folder[RP_PATH_BYTES]; /* where those of this kind go: base, or base/NAME */
};

/*
 * Reads RUN, a run file or a folder with a run.jsonl, and builds the model of the first
 * kind of core. Artifacts go to `output`; NULL: beside the run file. A torn last line is
 * left out with a warning on stderr. Close also after a failure.
 */
bool rp_analysis_open(struct rp_analysis *analysis, const char *run_path,
                      const char *output, struct rp_error *error);
/* Goes on to the next kind of core that the run holds usable records of, and makes its
 * folder; false after the last, with RP_OK, or when that fails. */
bool rp_analysis_next(struct rp_analysis *analysis, struct rp_error *error);
void rp_analysis_close(struct rp_analysis *analysis);

/* Makes the same for every kind of core; stops at a failure. */
typedef bool rp_artifact_maker(const struct rp_analysis *analysis, void *context,
                               struct rp_error *error);
bool rp_make_for_all_kinds(struct rp_analysis *analysis, rp_artifact_maker *make,
                           void *context, struct rp_error *error);

/* The path of the run file that RUN means. */
bool rp_run_path(const char *run_argument, char path[RP_PATH_BYTES],
                 struct rp_error *error);

/* Each writes into `folder` and prints the paths on stdout. */
bool rp_make_model(const struct rp_model *model, const char *folder,
                   struct rp_error *error);
bool rp_make_figure(const struct rp_figure *figure, const struct rp_model *model,
                    const char *folder, struct rp_error *error);
/* All figures that the run has something for; the others are named on stderr. Fails with
 * RP_USAGE when it has nothing for any. */
bool rp_make_figures(const struct rp_model *model, const char *folder,
                     struct rp_error *error);
/* report.md, report.csv and index.html, with the figures that `folder` holds. */
bool rp_make_report(const struct rp_model *model, const char *folder,
                    struct rp_error *error);

/* All of them, of every kind of core, from the run as it is on disk: so will anyone find
 * it, to the last digit. When figures could not be drawn, the rest is made and the error
 * says so. */
bool rp_make_everything(const char *run_argument, struct rp_error *error);

#endif
