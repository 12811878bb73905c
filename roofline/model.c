/* SPDX-License-Identifier: MIT */
#include "roofline/model.h"

#include <stdlib.h>
#include <string.h>

#include "roofline/model_parts.h"

static size_t longest_record(const struct rp_run *run)
{
    size_t longest = 1;

    for (size_t i = 0; i < run->record_count; i++) {
        if (run->records[i].sample_count > longest) {
            longest = run->records[i].sample_count;
        }
    }
    return longest;
}

static bool is_known_absence(const struct rp_model *model, const char *name,
                             const char *why)
{
    for (size_t i = 0; i < model->absence_count; i++) {
        if (strcmp(model->absences[i].name, name) == 0 &&
            strcmp(model->absences[i].why, why) == 0) {
            return true;
        }
    }
    return false;
}

/* Counters that failed are no kernel that is missing: they go by their group, the part of
 * the job "counters/GROUP/REGION" before the last of these slashes. */
static void name_absence(const struct rp_record *record, char name[96])
{
    if (strcmp(record->probe, "counters") == 0) {
        const char *const group = strchr(record->job, '/');
        const size_t length =
            group != NULL ? (size_t)(group - record->job) + 1 + strcspn(group + 1, "/")
                          : strlen(record->job);

        snprintf(name, 96, "%.*s", (int)length, record->job);
    } else {
        snprintf(name, 96, "%s", record->kernel[0] ? record->kernel : record->job);
    }
}

/* A kernel that is missing here is missing at every size: it is listed once for each
 * reason. */
static bool add_absences(struct rp_model_builder *builder)
{
    struct rp_model *const model = builder->model;

    for (size_t i = 0; i < builder->run->record_count; i++) {
        const struct rp_record *const record = &builder->run->records[i];
        char name[96];

        name_absence(record, name);
        if (record->verdict != RP_VERDICT_UNAVAILABLE ||
            is_known_absence(model, name, record->why)) {
            continue;
        }
        struct rp_absence *const grown =
            rp_grow(model->absences, model->absence_count, sizeof *grown, builder->error);
        if (grown == NULL) {
            return false;
        }
        model->absences = grown;
        RP_COPY_NAME(grown[model->absence_count].name, name);
        RP_COPY_NAME(grown[model->absence_count].why, record->why);
        model->absence_count++;
    }
    return true;
}

/* The core clock over the run: of the clock probe, or of all records when it did not run.
 */
static bool add_clock(struct rp_model_builder *builder)
{
    const struct rp_run *const run = builder->run;
    bool have_probe = false;
    size_t capacity = 1;

    for (size_t i = 0; i < run->record_count; i++) {
        have_probe = have_probe || rp_record_measured(&run->records[i], "clock");
        capacity += run->records[i].sample_count;
    }
    double *const values = calloc(capacity, sizeof *values);
    if (values == NULL) {
        return rp_fail(builder->error, RP_UNABLE,
                       "not enough memory for the model of the run");
    }
    size_t count = 0;
    for (size_t i = 0; i < run->record_count; i++) {
        const struct rp_record *const record = &run->records[i];
        if (!rp_record_measured(record, have_probe ? "clock" : record->probe)) {
            continue;
        }
        for (size_t j = 0; j < record->sample_count; j++) {
            const double hz = rp_sample_hz(record, &record->samples[j]);
            if (hz > 0) {
                values[count++] = hz;
            }
        }
    }
    builder->model->hz_summary = rp_summarize(values, count);
    builder->model->hz = builder->model->hz_summary.median;
    free(values);
    return true;
}

static void count_findings(struct rp_model *model)
{
    for (size_t i = 0; i < model->run->record_count; i++) {
        model->disturbed_count += model->run->records[i].verdict == RP_VERDICT_DISTURBED;
    }
    for (size_t i = 0; i < model->point_count; i++) {
        model->above_roof_count += model->points[i].above_roof;
    }
}

/* Where there are several kinds of core, the processor's name alone is no title. */
static void name_kind(struct rp_machine *machine)
{
    const char *const kind = machine->kinds[machine->kind].name;
    char title[sizeof machine->processor + sizeof machine->kinds[0].name + 16];

    if (kind[0] != '\0') {
        const int room = (int)(sizeof machine->processor - strlen(kind) - 9);

        snprintf(title, sizeof title, "%.*s, %.15s cores", room, machine->processor,
                 kind);
        RP_COPY_NAME(machine->processor, title);
    }
}

/* The run as one kind of core sees it. Records are borrowed, only their list is new. */
static struct rp_run *view_from(const struct rp_run *run, unsigned core_kind)
{
    struct rp_run *const view = malloc(sizeof *view);
    struct rp_record *const records = calloc(run->record_count + 1, sizeof *records);

    if (view == NULL || records == NULL) {
        free(records);
        free(view);
        return NULL;
    }
    *view = *run;
    view->records = records;
    view->record_count = 0;
    if (core_kind != view->machine.kind) {
        rp_machine_look_from(&view->machine, core_kind);
    }
    name_kind(&view->machine);
    const char *const name = view->machine.kinds[core_kind].name;
    for (size_t i = 0; i < run->record_count; i++) {
        if (strcmp(run->records[i].core_kind, name) == 0) {
            records[view->record_count++] = run->records[i];
        }
    }
    return view;
}

bool rp_model_build(struct rp_model *model, const struct rp_run *run, unsigned core_kind,
                    struct rp_error *error)
{
    *model = (struct rp_model){.view = view_from(run, core_kind)};
    if (model->view == NULL) {
        return rp_fail(error, RP_UNABLE, "not enough memory for the model of the run");
    }
    if (run->job_count > rp_run_done_count(run)) {
        model->missing_job_count = run->job_count - rp_run_done_count(run);
    }
    model->run = run = model->view;
    struct rp_model_builder builder = {
        .model = model,
        .run = run,
        .scratch = calloc(longest_record(run), sizeof(double)),
        .error = error,
    };
    if (builder.scratch == NULL) {
        return rp_fail(error, RP_UNABLE, "not enough memory for the model of the run");
    }
    bool built = add_absences(&builder) && add_clock(&builder) &&
                 rp_model_add_units(&builder) && rp_model_add_curves(&builder) &&
                 rp_model_add_levels(&builder) && rp_model_add_roofs(&builder) &&
                 rp_model_add_points(&builder) && rp_model_add_counted(&builder) &&
                 rp_model_add_validation(&builder) && rp_model_add_scaling(&builder);
    if (built) {
        count_findings(model);
        built = rp_model_add_flags(&builder);
    }
    free(builder.scratch);
    if (!built) {
        return false;
    }
    if (model->hz_summary.count == 0 && model->absence_count == 0) {
        return rp_fail(
            error, RP_USAGE,
            "the run holds no usable record; measure with `ridgepoint sweep`, or go on "
            "with an interrupted run by `ridgepoint sweep --resume`");
    }
    return true;
}

void rp_model_free(struct rp_model *model)
{
    for (size_t i = 0; i < model->curve_count; i++) {
        free(model->curves[i].steps);
    }
    if (model->view != NULL) {
        free(model->view->records);
        free(model->view);
    }
    free(model->roofs);
    free(model->units);
    free(model->curves);
    free(model->points);
    free(model->counted);
    free(model->validation.points);
    free(model->scaling);
    free(model->absences);
    free(model->flags);
    *model = (struct rp_model){0};
}

const struct rp_bandwidth_roof *rp_model_roof(const struct rp_model *model,
                                              const char *mix, unsigned level)
{
    for (size_t i = 0; i < model->roof_count; i++) {
        if (model->roofs[i].level == level && strcmp(model->roofs[i].mix, mix) == 0) {
            return &model->roofs[i];
        }
    }
    return NULL;
}

const struct rp_curve *rp_model_curve(const struct rp_model *model, const char *mix)
{
    for (size_t i = 0; i < model->curve_count; i++) {
        if (strcmp(model->curves[i].mix, mix) == 0) {
            return &model->curves[i];
        }
    }
    return NULL;
}

const struct rp_unit *rp_model_unit(const struct rp_model *model, const char *name)
{
    for (size_t i = 0; i < model->unit_count; i++) {
        if (strcmp(model->units[i].name, name) == 0) {
            return &model->units[i];
        }
    }
    return NULL;
}

const struct rp_record *rp_model_record(const struct rp_model *model, uint64_t record_id)
{
    for (size_t i = 0; i < model->run->record_count; i++) {
        if (model->run->records[i].id == record_id) {
            return &model->run->records[i];
        }
    }
    return NULL;
}

const struct rp_flag *rp_model_flag(const struct rp_model *model, uint64_t record_id)
{
    for (size_t i = 0; i < model->flag_count; i++) {
        if (model->flags[i].record_id == record_id) {
            return &model->flags[i];
        }
    }
    return NULL;
}
