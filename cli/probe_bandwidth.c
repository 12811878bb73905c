/* SPDX-License-Identifier: MIT */
#include "cli/probe_bandwidth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

static const char *const data_texts[] = {
    [RP_DATA_RANDOM] = "random bytes, none of them zero",
    [RP_DATA_HALF] = "of each 64-byte line one half random, the other zero",
    [RP_DATA_ZERO] = "zeros",
};

void rp_print_bandwidth(const struct rp_model *model)
{
    if (model->roof_count > 0) {
        printf("%-10s %-5s %22s %8s  %-14s %s\n", "mix", "level", "GB/s (95 % interval)",
               "B/cycle", "best kernel", "working set");
    }
    for (size_t i = 0; i < model->roof_count; i++) {
        const struct rp_bandwidth_roof *const roof = &model->roofs[i];
        char size[RP_SIZE_TEXT];

        printf("%-10s %-5s %7.1f (%6.1f-%6.1f) %8.1f  %-14s %s\n", roof->mix,
               model->run->machine.levels[roof->level].name,
               roof->bytes_per_s.value / 1e9, roof->bytes_per_s.low / 1e9,
               roof->bytes_per_s.high / 1e9, roof->bytes_per_s.value / roof->hz,
               roof->variant, rp_size_text(roof->working_set_bytes, size));
    }
}

static void print_cluster(const struct rp_model *model, const struct rp_scaling *scaling,
                          const struct rp_scaling_cluster *cluster)
{
    const struct rp_scaling *const one = rp_model_one_core(model, scaling);

    printf("%-10s %-5s %5u ", scaling->mix,
           model->run->machine.levels[scaling->level].name, scaling->threads);
    if (cluster->pingpong_ns > 0) {
        printf("%6.0f ns ", cluster->pingpong_ns);
    } else {
        printf("%9s ", "-");
    }
    printf("%7.0f %%  %7.1f (%6.1f-%6.1f) ", 100 * cluster->share,
           cluster->bytes_per_s.value / 1e9, cluster->bytes_per_s.low / 1e9,
           cluster->bytes_per_s.high / 1e9);
    if (one != NULL) {
        printf("%10.2f", cluster->bytes_per_s.value / one->clusters[0].bytes_per_s.value);
    } else {
        printf("%10s", "-");
    }
    if (scaling->verdict != RP_VERDICT_STEADY) {
        printf("  %s", rp_verdict_name(scaling->verdict));
    }
    putchar('\n');
}

void rp_print_scaling(const struct rp_model *model)
{
    if (model->scaling_count == 0) {
        return;
    }
    printf("%-10s %-5s %5s %9s %9s  %23s %10s\n", "mix", "level", "cores", "apart",
           "samples", "GB/s (95 % interval)", "x one core");
    for (size_t i = 0; i < model->scaling_count; i++) {
        const struct rp_scaling *const scaling = &model->scaling[i];

        for (unsigned j = 0; j < scaling->cluster_count; j++) {
            print_cluster(model, scaling, &scaling->clusters[j]);
        }
    }
    for (unsigned i = 0; i < model->doubt_count; i++) {
        const struct rp_condition *const doubt =
            &model->run->machine.conditions[model->first_doubt + i];

        printf("%s; %s\n", doubt->text, doubt->what_to_do);
    }
}

static unsigned chosen(const bool kinds[RP_DATA_COUNT])
{
    unsigned count = 0;

    for (unsigned i = 0; i < RP_DATA_COUNT; i++) {
        count += kinds[i];
    }
    return count;
}

/* Kind by kind, since memory is filled anew in between. */
bool rp_jobs_by_data(struct rp_job_list *jobs, const bool kinds[RP_DATA_COUNT],
                     struct rp_error *error)
{
    const bool stores_only = chosen(kinds) > 1;
    struct rp_job_list chosen_jobs = {0};
    bool ok = true;

    for (unsigned kind = 0; kind < RP_DATA_COUNT; kind++) {
        for (size_t i = 0; ok && kinds[kind] && i < jobs->count; i++) {
            const struct rp_job *const job = &jobs->jobs[i];

            if (!stores_only || job->kernel->loads == 0) {
                ok = rp_job_list_add_with_data(&chosen_jobs, job, (enum rp_data)kind,
                                               error);
            }
        }
    }
    rp_job_list_free(jobs);
    *jobs = chosen_jobs;
    return ok;
}

/* The model of the records with one kind of data, as if there were no others: what other
 * data show is no roof, and a model of the whole run would leave it out. Records are
 * borrowed, but for `list`, which the caller frees after the model. */
static bool build(struct rp_model *model, const struct rp_run *run, enum rp_data data,
                  struct rp_run *view, struct rp_error *error)
{
    const char *const name = data == RP_DATA_RANDOM ? "" : rp_data_name(data);

    *view = *run;
    view->record_count = 0;
    view->records = calloc(run->record_count + 1, sizeof *view->records);
    if (view->records == NULL) {
        return rp_fail(error, RP_UNABLE, "not enough memory for the model of the run");
    }
    for (size_t i = 0; i < run->record_count; i++) {
        if (strcmp(run->records[i].data, name) == 0) {
            struct rp_record *const record = &view->records[view->record_count++];

            *record = run->records[i];
            record->data[0] = '\0';
        }
    }
    return rp_model_build(model, view, 0, error);
}

static void print_one(const struct rp_model *model, enum rp_data data)
{
    printf("memory and stores hold: %s (%s)\n", rp_data_name(data), data_texts[data]);
    rp_print_bandwidth(model);
}

static void print_side_by_side(const struct rp_model models[RP_DATA_COUNT])
{
    const struct rp_model *const random = &models[RP_DATA_RANDOM];

    for (unsigned data = 0; data < RP_DATA_COUNT; data++) {
        printf("%-6s  %s\n", rp_data_name((enum rp_data)data), data_texts[data]);
    }
    printf("%-10s %-5s %26s %15s %15s\n", "mix", "level", "GB/s storing random", "half",
           "zero");
    for (size_t i = 0; i < random->roof_count; i++) {
        const struct rp_bandwidth_roof *const roof = &random->roofs[i];

        printf("%-10s %-5s %26.1f", roof->mix,
               random->run->machine.levels[roof->level].name,
               roof->bytes_per_s.value / 1e9);
        for (unsigned data = RP_DATA_RANDOM + 1; data < RP_DATA_COUNT; data++) {
            const struct rp_bandwidth_roof *const other =
                rp_model_roof(&models[data], roof->mix, roof->level);

            if (other == NULL) {
                printf(" %15s", "disturbed");
            } else {
                printf(" %7.1f (%.2f x)", other->bytes_per_s.value / 1e9,
                       other->bytes_per_s.value / roof->bytes_per_s.value);
            }
        }
        putchar('\n');
    }
}

bool rp_print_by_data(const struct rp_run *run, const bool kinds[RP_DATA_COUNT],
                      struct rp_error *error)
{
    struct rp_model models[RP_DATA_COUNT] = {0};
    struct rp_run views[RP_DATA_COUNT] = {0};
    bool ok = true;

    for (unsigned data = 0; ok && data < RP_DATA_COUNT; data++) {
        ok = !kinds[data] ||
             build(&models[data], run, (enum rp_data)data, &views[data], error);
    }
    if (ok && chosen(kinds) > 1) {
        print_side_by_side(models);
    }
    for (unsigned data = 0; data < RP_DATA_COUNT; data++) {
        if (ok && kinds[data] && chosen(kinds) == 1) {
            print_one(&models[data], (enum rp_data)data);
        }
        rp_model_free(&models[data]);
        free(views[data].records);
    }
    return ok;
}
