/* SPDX-License-Identifier: MIT */
#include "probes/job.h"

#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

static int by_key(const void *left, const void *right)
{
    return strcmp(left, right);
}

/* Puts a key into the list's set; sets `known` when it is there already. */
static bool add_key(struct rp_job_list *list, const char *key, bool *known)
{
    char *const copy = strdup(key);
    char *const *const node = copy != NULL ? tsearch(copy, &list->keys, by_key) : NULL;

    *known = node != NULL && *node != copy;
    if (node == NULL || *known) {
        free(copy);
    }
    return node != NULL;
}

bool rp_job_list_add(struct rp_job_list *list, const struct rp_job *job,
                     struct rp_error *error)
{
    bool known = false;

    if (!add_key(list, job->key, &known)) {
        return rp_fail(error, RP_UNABLE, "no memory for the key of a job");
    }
    if (known) {
        return true;
    }
    if (list->count == RP_MOST_JOBS) {
        return rp_fail(error, RP_USAGE,
                       "these are more than %d measurements; take fewer kernels, modes "
                       "or working sets",
                       RP_MOST_JOBS);
    }
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity == 0 ? 256 : 2 * list->capacity;
        struct rp_job *const jobs = realloc(list->jobs, capacity * sizeof *jobs);

        if (jobs == NULL) {
            return rp_fail(error, RP_UNABLE, "no memory for a list of %zu jobs",
                           capacity);
        }
        list->jobs = jobs;
        list->capacity = capacity;
    }
    list->jobs[list->count++] = *job;
    return true;
}

bool rp_job_list_add_for(struct rp_job_list *list, const struct rp_job *job,
                         const struct rp_machine *machine, unsigned core_kind,
                         struct rp_error *error)
{
    struct rp_job copy = *job;
    const char *const name = machine->kinds[core_kind].name;

    copy.core_kind = core_kind;
    if (name[0] != '\0') {
        snprintf(copy.key, sizeof copy.key, "%s:%.78s", name, job->key);
    }
    return rp_job_list_add(list, &copy, error);
}

void rp_job_list_keep(struct rp_job_list *list, const char *pattern)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (rp_matches(pattern, list->jobs[i].key)) {
            list->jobs[kept++] = list->jobs[i];
        }
    }
    list->count = kept;
}

void rp_job_list_free(struct rp_job_list *list)
{
    free(list->jobs);
    tdestroy(list->keys, free);
    *list = (struct rp_job_list){0};
}

bool rp_job_list_add_kernel(struct rp_job_list *list, const char *probe,
                            const struct rp_kernel *kernel, enum rp_mode mode,
                            const char *level, size_t working_set_bytes,
                            double budget_seconds, const struct rp_cpu *cpu,
                            struct rp_error *error)
{
    struct rp_job job = {
        .kind = RP_JOB_KERNEL,
        .probe = probe,
        .kernel = kernel,
        .mode = mode,
        .working_set_bytes = working_set_bytes,
        .budget_seconds = budget_seconds,
    };

    snprintf(job.level, sizeof job.level, "%s", level);
    if (rp_kernel_available(kernel, cpu, job.why, sizeof job.why)) {
        snprintf(job.key, sizeof job.key, "%s/%s/%s%s%s/%zu", probe, kernel->name,
                 rp_mode_name(mode), level[0] == '\0' ? "" : "/", level,
                 working_set_bytes);
    } else { /* once for all sizes */
        job.kind = RP_JOB_UNAVAILABLE;
        job.working_set_bytes = 0;
        snprintf(job.key, sizeof job.key, "%s/%s/%s", probe, kernel->name,
                 rp_mode_name(mode));
    }
    return rp_job_list_add(list, &job, error);
}

bool rp_job_list_add_with_data(struct rp_job_list *list, const struct rp_job *job,
                               enum rp_data data, struct rp_error *error)
{
    struct rp_job other = *job;

    other.data = data;
    if (data != RP_DATA_RANDOM) { /* which is what the key stands for as it is */
        const size_t length = strlen(other.key);

        snprintf(other.key + length, sizeof other.key - length, "/%s",
                 rp_data_name(data));
    }
    return rp_job_list_add(list, &other, error);
}

size_t rp_job_list_largest(const struct rp_job_list *list)
{
    size_t largest = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (list->jobs[i].kind != RP_JOB_TEAM &&
            list->jobs[i].working_set_bytes > largest) {
            largest = list->jobs[i].working_set_bytes;
        }
    }
    return largest;
}

double rp_job_fixed_seconds(const struct rp_job *job)
{
    static const double bytes_per_s = 5e9;
    static const double cycles_per_s = 3e9;

    if (job->kind != RP_JOB_KERNEL && job->kind != RP_JOB_TEAM) {
        return 0;
    }
    const double bytes = (double)job->working_set_bytes;
    const double pass = fmax(bytes / bytes_per_s,
                             bytes / 2 * job->kernel->cycles_per_byte / cycles_per_s);
    return pass;
}

double rp_job_sampling_seconds(const struct rp_job *job, double budget_seconds)
{
    /* In a core's own caches samples converge long before any budget ends. */
    static const double converging_seconds = 0.006;

    if (job->kind == RP_JOB_UNAVAILABLE || job->kind == RP_JOB_CLOCK) {
        return 0;
    }
    return job->working_set_bytes > 16 * RP_MIB
               ? budget_seconds
               : fmin(budget_seconds, converging_seconds);
}
