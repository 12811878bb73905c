/* SPDX-License-Identifier: MIT */
/*
 * What `ridgepoint probe` prints of bandwidth: of one core, of several, and by data.
 */
#ifndef RP_CLI_PROBE_BANDWIDTH_H
#define RP_CLI_PROBE_BANDWIDTH_H

#include "probes/job.h"
#include "roofline/model.h"

/* The roofs; nothing when there are none. */
void rp_print_bandwidth(const struct rp_model *model);

/* The clusters of several cores, and the conditions that show in them; nothing when there
 * are none. */
void rp_print_scaling(const struct rp_model *model);

/* Turns the jobs into those for these kinds of data. For more than one kind, only the
 * jobs that do nothing but store stay: what is stored is what matters. */
bool rp_jobs_by_data(struct rp_job_list *jobs, const bool kinds[RP_DATA_COUNT],
                     struct rp_error *error);

/* The roofs with the one kind of data that was chosen, or all kinds side by side. */
bool rp_print_by_data(const struct rp_run *run, const bool kinds[RP_DATA_COUNT],
                      struct rp_error *error);

#endif
