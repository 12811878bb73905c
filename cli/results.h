/* SPDX-License-Identifier: MIT */
/*
 * The folders that runs are kept in: results/<machine>/<UTC>-<sweep>/, with
 * results/latest pointing to the newest.
 */
#ifndef RP_CLI_RESULTS_H
#define RP_CLI_RESULTS_H

#include "cli/artifacts.h"

/* Makes the folder of a new run below `results` and stores its path in `folder`. Runs
 * that start in the same second get folders of their own. */
bool rp_results_new(const char *results, const struct rp_run *run,
                    char folder[RP_PATH_BYTES], struct rp_error *error);

/* Lets results/latest point to `folder`; a failure is no harm and is not reported. */
void rp_results_link_latest(const char *results, const char *folder);

#endif
