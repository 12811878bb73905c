/* SPDX-License-Identifier: MIT */
/*
 * What counters said of a region, joined to the record of its job.
 */
#ifndef RP_ROOFLINE_COUNTERS_H
#define RP_ROOFLINE_COUNTERS_H

#include "core/record.h"

/* The record of the job that has this region and took samples; NULL when the run has
 * none. */
const struct rp_record *rp_counters_find(const struct rp_run *run, const char *region);

/*
 * Makes the record of what was counted. `run` is the one it is for; `counting` the one
 * that the counted program wrote, which may be the same: each chooses anew how many items
 * a sample has, so that only its own run knows on what the region worked. Both must have
 * the region (rp_counters_find).
 *
 * `counted`, whose items (and calls, where they are 0: by the samples) are filled in, is
 * moved into the record, which describes the job as the one of `run` does and has no id
 * yet. Fails with RP_USAGE when `run` has counts of that group and region already, or
 * their names make too long a job; `counted` then is what it was and `record` empty.
 */
bool rp_counters_join(struct rp_record *record, struct rp_counted *counted,
                      const struct rp_run *counting, const struct rp_run *run,
                      struct rp_error *error);

#endif
