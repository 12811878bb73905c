/* SPDX-License-Identifier: MIT */
#include "cli/check_roofs.h"

#include <stdio.h>
#include <string.h>

#include "cli/host.h"
#include "core/text.h"
#include "probes/probe.h"
#include "roofline/report.h"

#define BUDGET_SECONDS 0.15

static void print_point(const struct rp_model *model, const struct rp_point *point)
{
    const struct rp_record *const record = rp_model_record(model, point->record_id);
    const bool steady = point->verdict == RP_VERDICT_STEADY;

    printf("%-24s %10.4f %11.2f ", point->kernel, record->operations[0].per_item,
           point->items_per_s.value / 1e9);
    if (point->bound_kind == RP_BOUND_UNKNOWN) {
        printf("%11s  %-12s %9s  %s", "-", "-", "-", "not judged");
    } else {
        printf("%11.2f  %-12s %+7.1f %%  %s", point->bound_items_per_s / 1e9,
               point->bound, 100 * (point->attained - 1),
               point->above_roof ? "above" : "ok");
    }
    printf("%s%s\n", steady ? "" : ", ", steady ? "" : rp_verdict_name(point->verdict));
}

void rp_print_validation(const struct rp_model *model)
{
    const struct rp_validation *const validation = &model->validation;
    struct rp_text line = {0};
    char size[RP_SIZE_TEXT];

    if (validation->point_count == 0) {
        return;
    }
    printf("kernels of known intensity at %s\n",
           rp_size_text(validation->points[0].working_set_bytes, size));
    printf("%-24s %10s %11s %11s  %-12s %9s  %s\n", "kernel", "ops/byte", "GB/s",
           "bound, GB/s", "bound by", "distance", "verdict");
    for (size_t i = 0; i < validation->point_count; i++) {
        print_point(model, &validation->points[i]);
    }
    rp_report_validation_line(model, &line);
    printf("%s\n", line.data ? line.data : "");
    rp_text_free(&line);
}

/* True when a point of `roofs` is bound by what this job measures: its unit, or loads
 * from its level. */
static bool bears_on(const struct rp_job *job, const struct rp_job *point,
                     const struct rp_machine *machine)
{
    if (point->kind != RP_JOB_KERNEL) {
        return false;
    }
    if (job->unit != NULL) {
        return strcmp(job->unit->name, point->kernel->operations[0].class_name) == 0;
    }
    const unsigned level = rp_machine_level_of(machine, point->working_set_bytes);
    return strcmp(job->level, machine->levels[level].name) == 0 &&
           job->mode == point->mode;
}

static bool expand(const char *probe, const struct rp_machine *machine,
                   struct rp_job_list *jobs, struct rp_error *error)
{
    return rp_probe_find(probe)->expand(machine, BUDGET_SECONDS, jobs, error);
}

/* Adds those of `candidates` that bear on a point. */
static bool add_needed(const struct rp_job_list *candidates,
                       const struct rp_job_list *points, const struct rp_machine *machine,
                       struct rp_job_list *jobs, struct rp_error *error)
{
    for (size_t i = 0; i < candidates->count; i++) {
        bool needed = false;

        for (size_t j = 0; j < points->count && !needed; j++) {
            needed = bears_on(&candidates->jobs[i], &points->jobs[j], machine);
        }
        if (needed && !rp_job_list_add(jobs, &candidates->jobs[i], error)) {
            return false;
        }
    }
    return true;
}

/* The clock, what bounds the points, and the points. */
static bool plan(const struct rp_machine *machine, struct rp_job_list *jobs,
                 struct rp_error *error)
{
    struct rp_job_list points = {0};
    struct rp_job_list candidates = {0};
    const bool ok = expand("roofs", machine, &points, error) &&
                    expand("units", machine, &candidates, error) &&
                    expand("bandwidth", machine, &candidates, error) &&
                    expand("clock", machine, jobs, error) &&
                    add_needed(&candidates, &points, machine, jobs, error) &&
                    expand("roofs", machine, jobs, error);

    rp_job_list_free(&candidates);
    rp_job_list_free(&points);
    return ok;
}

static bool conclude(const struct rp_run *run, struct rp_error *error)
{
    struct rp_model model;
    bool ok = rp_model_build(&model, run, 0, error);

    if (ok) {
        const struct rp_validation *const validation = &model.validation;

        rp_print_validation(&model);
        for (size_t i = 0; i < run->record_count; i++) {
            const struct rp_record *const record = &run->records[i];

            if (record->verdict == RP_VERDICT_UNAVAILABLE) {
                printf("%-24s unavailable: %s\n",
                       record->kernel[0] ? record->kernel : record->job, record->why);
            }
        }
        if (validation->judged_count == 0) {
            ok = rp_fail(error, RP_UNABLE,
                         "check: no kernel of known intensity could be held against its "
                         "roofs here; the lines above say what is missing");
        } else if (!rp_validation_passed(validation)) {
            ok = rp_fail(
                error, RP_NO,
                "check: the kernels of known intensity do not trace the roofs; "
                "repeat on an idle machine, and where it stays so trust no bound");
        }
    }
    rp_model_free(&model);
    return ok;
}

bool rp_check_roofs(struct rp_error *error)
{
    struct rp_job_list jobs = {0};
    struct rp_host host = {0};
    struct rp_run run = {0};
    const bool ok = rp_host_open(&host, error) && plan(&host.machine, &jobs, error) &&
                    rp_host_begin_run(&host, "check", "", 1, &run, error) &&
                    rp_host_open_cycles(&host, &run, error) &&
                    rp_host_execute(&host, &jobs, 0, &run, NULL, error) &&
                    conclude(&run, error);

    rp_run_free(&run);
    rp_job_list_free(&jobs);
    rp_host_close(&host);
    return ok;
}
