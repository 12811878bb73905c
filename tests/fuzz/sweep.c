/* SPDX-License-Identifier: MIT */
/* A .sweep file from anywhere, parsed, and expanded for a common machine and for one that
 * has next to no memory and no caches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "property.h"
#include "sweeps/sweep.h"

static const struct rp_machine machines[] = {
    {
        .cpu = {.features = UINT32_MAX, .present = UINT32_MAX, .level = "avx512"},
        .kinds = {{.name = "performance",
                   .levels = {{.name = "L1", .size_bytes = 32 * RP_KIB},
                              {.name = "L2", .size_bytes = RP_MIB},
                              {.name = "L3", .size_bytes = 32 * RP_MIB},
                              {.name = "DRAM"}},
                   .level_count = 4},
                  {.name = "efficiency",
                   .levels = {{.name = "L1", .size_bytes = 48 * RP_KIB},
                              {.name = "DRAM"}},
                   .level_count = 2}},
        .kind_count = 2,
        .memory_bytes = 8 * RP_GIB,
    },
    {
        .cpu = {.level = "avx512"},
        .kinds = {{.levels = {{.name = "DRAM"}}, .level_count = 1}},
        .kind_count = 1,
        .memory_bytes = 64 * RP_KIB,
    },
};

static void check_group(const struct rp_sweep_group *group)
{
    must(group->kernel_count >= 1 && group->kernel_count <= RP_SWEEP_PATTERNS,
         "a group has kernels");
    must(group->from_bytes >= RP_SWEEP_LEAST_SET &&
             group->from_bytes <= group->to_bytes &&
             group->to_bytes <= RP_SWEEP_LARGEST_SET,
         "a group has working sets");
    must(group->per_octave >= 1 && group->per_octave <= RP_SWEEP_MOST_PER_OCTAVE,
         "a group has a density");
}

static void check_jobs(const struct rp_job_list *jobs, size_t most_bytes)
{
    for (size_t i = 0; i < jobs->count; i++) {
        const struct rp_job *const job = &jobs->jobs[i];

        must(job->key[0] != '\0' && strlen(job->key) < sizeof job->key - 1,
             "a job has a key that is not cut");
        if (job->kind == RP_JOB_KERNEL) {
            must(job->working_set_bytes > 0 && job->working_set_bytes <= most_bytes,
                 "a working set fits into memory");
        }
        must(isfinite(rp_job_fixed_seconds(job)) &&
                 isfinite(rp_job_sampling_seconds(job, job->budget_seconds)),
             "a job ends");
    }
}

static void check_expansion(const struct rp_sweep *sweep,
                            const struct rp_machine *machine)
{
    struct rp_job_list jobs = {0};
    struct rp_error error = {0};
    size_t left_out = 0;

    if (rp_sweep_expand(sweep, machine, &jobs, &left_out, &error)) {
        must(jobs.count > 0 || left_out > 0, "a sweep measures something or says why");
        check_jobs(&jobs, machine->memory_bytes);
    } else {
        must_explain(&error);
    }
    rp_job_list_free(&jobs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rp_sweep sweep;
    struct rp_error error = {0};
    char *const text = text_of(data, size);

    if (rp_sweep_parse(&sweep, "fuzz", text, "fuzz.sweep", &error)) {
        must(isfinite(sweep.point_budget_seconds) && sweep.point_budget_seconds > 0,
             "a sweep has a budget");
        for (unsigned i = 0; i < sweep.group_count; i++) {
            check_group(&sweep.groups[i]);
        }
        for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
            check_expansion(&sweep, &machines[i]);
        }
    } else {
        must_explain(&error);
    }
    free(text);
    return 0;
}
