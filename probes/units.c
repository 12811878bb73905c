/* SPDX-License-Identifier: MIT */
/*
 * Question: what is the latency of an instruction, and how many can the core start a
 * cycle? Trick: 1 to 16 independent chains of it; one shows the latency, and from the
 * knee on the units are the limit. Known way to fool it: too few chains (a 4-cycle
 * instruction with two units needs eight), so the whole curve is kept. Of a mix of two
 * classes only the end of the curve says something: whether one delays the other.
 */
#include <stdio.h>

#include "probes/probe.h"

bool rp_probe_units(const struct rp_machine *machine, double budget_seconds,
                    struct rp_job_list *jobs, struct rp_error *error)
{
    const struct rp_unit_class *unit = NULL;

    for (size_t i = 0; (unit = rp_unit_class_at(i)) != NULL; i++) {
        struct rp_job job = {
            .kind = RP_JOB_UNIT,
            .probe = "units",
            .unit = unit,
            .budget_seconds = budget_seconds,
        };

        rp_cpu_missing(&machine->cpu, unit->needs, job.why, sizeof job.why);
        if (job.why[0] != '\0') {
            job.kind = RP_JOB_UNAVAILABLE;
            snprintf(job.key, sizeof job.key, "units/%s", unit->name);
            if (!rp_job_list_add(jobs, &job, error)) {
                return false;
            }
            continue;
        }
        for (job.chains = 1; job.chains <= RP_UNIT_CHAINS; job.chains++) {
            if (unit->loops[job.chains - 1][0] == NULL) {
                continue;
            }
            snprintf(job.key, sizeof job.key, "units/%s/%u", unit->name, job.chains);
            if (!rp_job_list_add(jobs, &job, error)) {
                return false;
            }
        }
    }
    return true;
}
