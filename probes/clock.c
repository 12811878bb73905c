/* SPDX-License-Identifier: MIT */
/*
 * Question: how fast does the core run? Trick: a chain of dependent additions retires one
 * a cycle. Known way to fool it: additions of constants, which recent cores fold at
 * rename.
 */
#include <stdio.h>

#include "probes/probe.h"

bool rp_probe_clock(const struct rp_machine *machine, double budget_seconds,
                    struct rp_job_list *jobs, struct rp_error *error)
{
    const struct rp_job job = {
        .kind = RP_JOB_CLOCK,
        .key = "clock/addition-chain",
        .probe = "clock",
        .budget_seconds = budget_seconds,
    };

    (void)machine;
    return rp_job_list_add(jobs, &job, error);
}
