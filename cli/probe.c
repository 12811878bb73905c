/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check_roofs.h"
#include "cli/host.h"
#include "cli/probe_bandwidth.h"
#include "cli/verb.h"
#include "core/text.h"
#include "probes/probe.h"
#include "roofline/model.h"
#include "roofline/report.h"

#define DEFAULT_BUDGET_SECONDS 0.15

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

struct request {
    enum format format;
    double budget_seconds;
    const char *data;          /* as given; NULL: nothing was */
    bool kinds[RP_DATA_COUNT]; /* of data, to measure with */
};

static void print_clock(const struct rp_model *model)
{
    const struct rp_summary *const hz = &model->hz_summary;

    if (hz->count == 0) { /* nothing could be measured */
        return;
    }
    printf("core clock  %.4f GHz (median; quartiles %.4f to %.4f; addition chain)\n",
           model->hz / 1e9, hz->lower_quartile / 1e9, hz->upper_quartile / 1e9);
    printf("time stamp counter  %.4f GHz, which is not the core clock\n",
           model->run->machine.tsc_hz / 1e9);
}

static void print_cycle_sources(const struct rp_run *run)
{
    for (unsigned i = 0; i < run->cycle_trial_count; i++) {
        const struct rp_cycle_trial *const trial = &run->cycle_trials[i];

        printf("cycle source  %-16s  %s", trial->name, trial->used ? "used" : "not used");
        if (trial->ratio > 0 && trial->accepted) {
            printf(": counts %.4f times the cycles of the addition chain", trial->ratio);
        }
        printf("%s%s\n", trial->text[0] == '\0' ? "" : ": ", trial->text);
    }
}

static void print_units(const struct rp_model *model)
{
    if (model->unit_count > 0) {
        printf("%-16s %10s %24s %18s\n", "instruction", "latency",
               "reciprocal throughput", "limit reached at");
    }
    for (size_t i = 0; i < model->unit_count; i++) {
        const struct rp_unit *const unit = &model->units[i];

        if (unit->step_count == 0) {
            printf("%-16s unavailable: %s\n", unit->name, unit->unavailable);
            continue;
        }
        printf("%-16s ", unit->name);
        if (unit->latency_cycles > 0) {
            printf("%6.2f cyc ", unit->latency_cycles);
        } else if (rp_unit_is_mix(unit)) {
            printf("%10s ", "-");
        } else { /* no sample of one chain was good */
            printf("%10s ", "disturbed");
        }
        printf("%10.3f cyc (%.3f-%.3f) %9u chains\n", unit->throughput_cycles.value,
               unit->throughput_cycles.low, unit->throughput_cycles.high,
               unit->knee_chains);
    }
}

/* Whether two classes get in each other's way. */
static void print_mixes(const struct rp_model *model)
{
    for (size_t i = 0; i < model->unit_count; i++) {
        const struct rp_unit *const mix = &model->units[i];
        const double added = rp_model_added_cycles(model, mix);

        if (!isnan(added)) {
            printf("%s  each %s adds %.2f cyc to %.3g of %s\n", mix->name,
                   mix->mixed[1].class_name, added,
                   mix->mixed[0].per_instruction / mix->mixed[1].per_instruction,
                   mix->mixed[0].class_name);
        }
    }
}

static void print_absences(const struct rp_model *model)
{
    for (size_t i = 0; i < model->absence_count; i++) {
        const struct rp_absence *const absence = &model->absences[i];

        if (rp_model_unit(model, absence->name) == NULL) { /* those are printed above */
            printf("%s unavailable: %s\n", absence->name, absence->why);
        }
    }
}

static bool print_records(const struct rp_run *run, struct rp_error *error)
{
    for (size_t i = 0; i < run->record_count; i++) {
        json_t *const json = rp_record_to_json(&run->records[i]);

        if (json == NULL || json_dumpf(json, stdout, JSON_COMPACT) != 0) {
            json_decref(json);
            return rp_fail(error, RP_UNABLE, "cannot write a record as JSON");
        }
        json_decref(json);
        putchar('\n');
    }
    return true;
}

static bool print_answer(const struct rp_run *run, const struct request *request,
                         struct rp_error *error)
{
    struct rp_model model;
    bool ok = true;

    if (request->format == FORMAT_JSON) {
        return print_records(run, error);
    }
    if (request->data != NULL) {
        return rp_print_by_data(run, request->kinds, error);
    }
    if (!rp_model_build(&model, run, 0, error)) {
        rp_model_free(&model);
        return false;
    }
    if (request->format == FORMAT_CSV) {
        struct rp_text csv = {0};

        ok = rp_report_csv(&model, &csv, error);
        fwrite(csv.data, 1, csv.length, stdout);
        rp_text_free(&csv);
    } else {
        print_clock(&model);
        print_cycle_sources(run);
        print_units(&model);
        print_mixes(&model);
        rp_print_bandwidth(&model);
        rp_print_scaling(&model);
        rp_print_validation(&model);
        print_absences(&model);
    }
    rp_model_free(&model);
    return ok;
}

static bool expand(int argc, char **argv, const struct request *request,
                   const struct rp_machine *machine, struct rp_job_list *jobs,
                   struct rp_error *error)
{
    if (optind == argc) {
        return rp_fail(error, RP_USAGE,
                       "probe: name a probe; `ridgepoint list probes` shows "
                       "them");
    }
    for (int i = optind; i < argc; i++) {
        const struct rp_probe *const probe = rp_probe_find(argv[i]);

        if (probe == NULL) {
            return rp_fail(error, RP_USAGE,
                           "probe: '%s' is no probe; `ridgepoint list probes` "
                           "shows them",
                           argv[i]);
        }
        if (!probe->expand(machine, request->budget_seconds, jobs, error)) {
            return false;
        }
        if (request->data != NULL && strcmp(probe->name, "bandwidth") != 0) {
            return rp_fail(error, RP_USAGE,
                           "probe: --data is for the bandwidth probe; leave '%s' out",
                           probe->name);
        }
    }
    return request->data == NULL || rp_jobs_by_data(jobs, request->kinds, error);
}

static bool parse_data(struct request *request, struct rp_error *error)
{
    enum rp_data data = RP_DATA_RANDOM;
    const bool all = strcmp(request->data, "all") == 0;

    if (!all && !rp_data_parse(request->data, &data)) {
        return rp_fail(error, RP_USAGE,
                       "probe: --data takes random, half, zero or all, not '%s'",
                       request->data);
    }
    for (unsigned i = 0; i < RP_DATA_COUNT; i++) {
        request->kinds[i] = all || i == data;
    }
    return true;
}

static bool parse(int argc, char **argv, struct request *request, struct rp_error *error)
{
    static const struct option options[] = {
        {"point-budget", required_argument, NULL, 'b'},
        {"data", required_argument, NULL, 'd'},
        {"json", no_argument, NULL, 'j'},
        {"csv", no_argument, NULL, 'c'},
        {0}};
    int option = 0;

    while ((option = rp_next_option(argc, argv, options, error)) != -1) {
        switch (option) {
        case 'b':
            if (!rp_parse_seconds(optarg, &request->budget_seconds)) {
                return rp_fail(error, RP_USAGE,
                               "probe: --point-budget takes a duration such as "
                               "150ms or 2s, not '%s'",
                               optarg);
            }
            break;
        case 'd':
            request->data = optarg;
            break;
        case 'j':
            request->format = FORMAT_JSON;
            break;
        case 'c':
            request->format = FORMAT_CSV;
            break;
        default:
            return false;
        }
    }
    if (request->data != NULL && request->format == FORMAT_CSV) {
        return rp_fail(error, RP_USAGE,
                       "probe: --csv has no column for the data; use --json with --data");
    }
    return request->data == NULL || parse_data(request, error);
}

static bool run(int argc, char **argv, struct rp_error *error)
{
    struct request request = {.budget_seconds = DEFAULT_BUDGET_SECONDS};
    struct rp_job_list jobs = {0};
    struct rp_host host = {0};
    struct rp_run measured = {0};
    const bool ok = parse(argc, argv, &request, error) && rp_host_open(&host, error) &&
                    expand(argc, argv, &request, &host.machine, &jobs, error) &&
                    rp_host_begin_run(&host, "probe", "", 1, &measured, error) &&
                    rp_host_open_cycles(&host, &measured, error) &&
                    rp_host_execute(&host, &jobs, 0, &measured, NULL, error) &&
                    print_answer(&measured, &request, error);

    rp_run_free(&measured);
    rp_job_list_free(&jobs);
    rp_host_close(&host);
    return ok;
}

const struct rp_verb rp_verb_probe = {
    .name = "probe",
    .summary = "measures one thing about the machine and prints it",
    .help =
        "usage: ridgepoint probe [OPTIONS] NAME...\n\n"
        "Runs probes (`ridgepoint list probes`) and prints what they found. Nothing is\n"
        "stored; `ridgepoint sweep` stores.\n\n"
        "  --point-budget TIME   longest time for one figure (150ms)\n"
        "  --data KIND           what is loaded and stored by the bandwidth probe: "
        "random\n"
        "                        (bytes, none zero), half (of each line is zero), zero, "
        "or\n"
        "                        all three side by side, for stores only\n"
        "  --json                the raw records, one JSON object a line\n"
        "  --csv                 the figures as tidy CSV\n",
    .run = run,
};
