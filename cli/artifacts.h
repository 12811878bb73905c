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

/* A run read back, and its model. */
struct rp_analysis {
    struct rp_run run;
    struct rp_model model;
    char folder[RP_PATH_BYTES]; /* of the run file; "." when it has none */
};

/* Reads RUN, a run file or a folder with a run.jsonl, and builds its model. A torn last
 * line is left out with a warning on stderr. Close also after a failure. */
bool rp_analysis_open(struct rp_analysis *analysis, const char *run_path,
                      struct rp_error *error);
void rp_analysis_close(struct rp_analysis *analysis);

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

#endif
