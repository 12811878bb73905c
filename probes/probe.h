/* SPDX-License-Identifier: MIT */
/*
 * The probes: named sets of jobs that find out what a machine can do.
 */
#ifndef RP_PROBES_PROBE_H
#define RP_PROBES_PROBE_H

#include "core/text.h"
#include "probes/job.h"

/* The least working set that stands for memory, where the caches are small. */
#define RP_LEAST_MEMORY_SET (256 * RP_MIB)

struct rp_probe {
    const char *name;
    const char *text; /* one line */
    /* Appends the probe's jobs for this machine, each with at most `budget_seconds`. */
    bool (*expand)(const struct rp_machine *machine, double budget_seconds,
                   struct rp_job_list *jobs, struct rp_error *error);
};

/* All probes; NULL past the last. */
const struct rp_probe *rp_probe_at(size_t index);

/* The probe with this name, or NULL. */
const struct rp_probe *rp_probe_find(const char *name);

/* What the table is made of; one file each. */
bool rp_probe_clock(const struct rp_machine *machine, double budget_seconds,
                    struct rp_job_list *jobs, struct rp_error *error);
bool rp_probe_units(const struct rp_machine *machine, double budget_seconds,
                    struct rp_job_list *jobs, struct rp_error *error);
bool rp_probe_bandwidth(const struct rp_machine *machine, double budget_seconds,
                        struct rp_job_list *jobs, struct rp_error *error);
bool rp_probe_roofs(const struct rp_machine *machine, double budget_seconds,
                    struct rp_job_list *jobs, struct rp_error *error);
bool rp_probe_scaling(const struct rp_machine *machine, double budget_seconds,
                      struct rp_job_list *jobs, struct rp_error *error);

#endif
