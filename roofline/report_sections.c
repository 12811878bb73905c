/* SPDX-License-Identifier: MIT */
#include "roofline/report_sections.h"

#include <stdio.h>
#include <string.h>

#include "roofline/environment.h"
#include "roofline/report_facts.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

void rp_report_opening(const struct rp_model *model, struct rp_document *document)
{
    struct rp_text text = {0};

    rp_text_print(&text, "AES roofline of %s", model->run->machine.processor);
    rp_document_heading(document, 1, text.data ? text.data : "");
    rp_text_free(&text);

    text = (struct rp_text){0};
    rp_answer(model, &text);
    rp_document_lead(document, text.data ? text.data : "");
    rp_text_free(&text);
}

/* ---- machine and conditions ---- */

static void section_machine(const struct rp_model *model, struct rp_document *document)
{
    const struct rp_machine *const machine = &model->run->machine;
    struct rp_text processor = {0};
    char size[RP_SIZE_TEXT];

    rp_document_heading(document, 2, "Machine");
    rp_document_list(document);
    rp_print_processor(machine, &processor);
    rp_document_item(document, "Processor: %s",
                     processor.data != NULL ? processor.data : "");
    rp_text_free(&processor);
    if (model->hz > 0) {
        rp_document_item(document, "Core clock while measuring: %.3f GHz (%.3f to %.3f)",
                         model->hz / 1e9, model->hz_summary.minimum / 1e9,
                         model->hz_summary.maximum / 1e9);
    }
    rp_document_item(document,
                     "Usable by the process: %u core%s, %u hardware thread%s, %u NUMA "
                     "node%s; measured on hardware thread %u",
                     machine->core_count, machine->core_count == 1 ? "" : "s",
                     machine->pu_count, machine->pu_count == 1 ? "" : "s",
                     machine->numa_count, machine->numa_count == 1 ? "" : "s",
                     machine->measured_pu);
    rp_document_item(document, "Memory available: %s",
                     rp_size_text(machine->memory_bytes, size));
    rp_document_item(document, "Linux kernel: %s", machine->kernel);
    rp_document_list_end(document);
}

static void section_conditions(const struct rp_model *model, struct rp_document *document)
{
    static const struct rp_column columns[] = {
        {"severity", false},
        {"what is so", false},
        {"what to do", false},
    };
    const struct rp_machine *const machine = &model->run->machine;

    rp_document_heading(document, 2, "Conditions");
    if (machine->condition_count == 0) {
        rp_document_paragraph(document, "Nothing was found that colours the numbers.");
        return;
    }
    rp_document_table(document, columns, COUNT(columns));
    for (unsigned i = 0; i < machine->condition_count; i++) {
        const struct rp_condition *const condition = &machine->conditions[i];
        rp_document_cell(document, "%s",
                         condition->severity == RP_SEVERITY_WARN ? "warning" : "note");
        rp_document_cell(document, "%s", condition->text);
        rp_document_cell(document, "%s", condition->what_to_do);
    }
    rp_document_table_end(document);
}

/* ---- what is missing and what is doubtful ---- */

static void section_absences(const struct rp_model *model, struct rp_document *document)
{
    rp_document_heading(document, 2, "Unavailable here");
    if (model->absence_count == 0) {
        rp_document_paragraph(document, "Nothing that this run came to was unavailable.");
        return;
    }
    rp_document_list(document);
    for (size_t i = 0; i < model->absence_count; i++) {
        rp_document_item(document, "%s: %s", model->absences[i].name,
                         model->absences[i].why);
    }
    rp_document_list_end(document);
}

static void disturbed_list(const struct rp_model *model, struct rp_document *document)
{
    size_t listed = 0;

    rp_document_list(document);
    for (size_t i = 0; i < model->run->record_count && listed < RP_MOST_LISTED; i++) {
        const struct rp_record *const record = &model->run->records[i];
        if (record->verdict == RP_VERDICT_DISTURBED) {
            rp_document_item(document, "disturbed: %s (record %llu): %s", record->job,
                             (unsigned long long)record->id, record->why);
            listed++;
        }
    }
    if (listed < model->disturbed_count) {
        rp_document_item(document, "and %zu more disturbed ones",
                         model->disturbed_count - listed);
    }
    rp_document_list_end(document);
}

static void section_verdicts(const struct rp_model *model, struct rp_document *document)
{
    size_t counts[RP_VERDICT_COUNTED + 1] = {0};
    struct rp_text text = {0};

    for (size_t i = 0; i < model->run->record_count; i++) {
        counts[model->run->records[i].verdict]++;
    }
    rp_document_heading(document, 2, "How far to trust the numbers");
    if (model->missing_job_count > 0) {
        rp_text_print(
            &text,
            "This run is incomplete: %llu of %llu jobs were measured; "
            "`ridgepoint sweep --resume` measures the others. ",
            (unsigned long long)(model->run->job_count - model->missing_job_count),
            (unsigned long long)model->run->job_count);
    }
    rp_text_print(
        &text,
        "Of %zu records %zu are steady (the 95 %% interval of the median is within "
        "1 %% of it), %zu used up their time before that, %zu were disturbed, and %zu "
        "are unavailable here. %zu points lie above their roof; %zu results are flagged.",
        rp_run_done_count(model->run), counts[RP_VERDICT_STEADY],
        counts[RP_VERDICT_BUDGET], counts[RP_VERDICT_DISTURBED],
        counts[RP_VERDICT_UNAVAILABLE], model->above_roof_count, model->flag_count);
    rp_document_paragraph(document, text.data ? text.data : "");
    rp_text_free(&text);
    if (model->disturbed_count > 0) {
        disturbed_list(model, document);
    }
    rp_report_flags(model, document);
}

/* ---- how it was measured ---- */

/* The sources that the records name: one, but where a run was resumed under another. */
static void print_cycle_sources(const struct rp_run *run, struct rp_text *text)
{
    const char *last = "";

    for (size_t i = 0; i < run->record_count; i++) {
        const struct rp_record *const record = &run->records[i];

        if (record->sample_count > 0 && strcmp(record->cycle_source, last) != 0) {
            rp_text_print(text, "%s%s", *last == '\0' ? "" : ", then ",
                          record->cycle_source);
            last = record->cycle_source;
        }
    }
}

/* What became of the sources that cycles could have come from. */
static void cycle_trial_items(const struct rp_run *run, struct rp_document *document)
{
    for (unsigned i = 0; i < run->cycle_trial_count; i++) {
        const struct rp_cycle_trial *const trial = &run->cycle_trials[i];

        if (!trial->accepted) {
            rp_document_item(document, "Not used for cycles: %s (%s)", trial->name,
                             trial->text);
        } else if (trial->ratio > 0) {
            rp_document_item(document,
                             "Cycles of %s over those of the addition chain: %.4f",
                             trial->name, trial->ratio);
        }
    }
}

/* How to measure the same again. The name of a sweep is a slug and is kept one here: a
 * run from elsewhere must not put a command of its own on a shell's line. */
static void print_command(const struct rp_run *run, struct rp_document *document)
{
    const struct rp_cpu *const cpu = &run->machine.cpu;
    const bool capped = (cpu->present & ~cpu->features) != 0;
    char name[sizeof run->sweep_name];
    struct rp_text text = {0};

    rp_slug(run->sweep_name, name, sizeof name);
    rp_text_print(&text, "%s%s%sridgepoint sweep --seed %llu %s",
                  capped ? "RIDGEPOINT_CPU=" : "", capped ? cpu->level : "",
                  capped ? " " : "", (unsigned long long)run->seed, name);
    rp_document_paragraph(
        document, "To measure the same again, where the last word is a sweep that "
                  "is built in, or else the path of the .sweep file:");
    rp_document_code(document, text.data ? text.data : "");
    rp_text_free(&text);
}

static void section_method(const struct rp_model *model, struct rp_document *document)
{
    const struct rp_run *const run = model->run;
    struct rp_text pages = {0};
    struct rp_text sources = {0};

    rp_document_heading(document, 2, "How it was measured");
    rp_print_page_sizes(run, &pages);
    print_cycle_sources(run, &sources);
    rp_document_list(document);
    rp_document_item(document, "Program: ridgepoint %s, built by %s", run->version,
                     run->compiler);
    rp_document_item(document, "Sweep: %s, started %s, seed %llu", run->sweep_name,
                     run->started_utc, (unsigned long long)run->seed);
    rp_document_item(document,
                     "Seconds: CLOCK_MONOTONIC_RAW. Cycles: %s, taken beside every "
                     "sample",
                     sources.data != NULL ? sources.data : "none");
    cycle_trial_items(run, document);
    if (run->machine.tsc_hz > 0) {
        rp_document_item(document,
                         "Time stamp counter: %.3f GHz, never taken for a cycle",
                         run->machine.tsc_hz / 1e9);
    }
    if (pages.data != NULL) {
        rp_document_item(document, "Pages under the buffers: %s", pages.data);
    }
    rp_document_item(document,
                     "Figures are medians; intervals are 95 %% intervals of the "
                     "median from order statistics");
    rp_document_list_end(document);
    rp_text_free(&pages);
    rp_text_free(&sources);
    print_command(run, document);
}

void rp_report_body(const struct rp_model *model, struct rp_document *document)
{
    rp_report_ladder(model, document);
    rp_report_peers(model, document);
    rp_report_interleave(model, document);
    rp_report_roofline(model, document);
    rp_report_counted(model, document);
    rp_report_roofs(model, document);
    rp_report_scaling(model, document);
    rp_report_units(model, document);
    rp_report_validation(model, document);
    section_verdicts(model, document);
    section_absences(model, document);
    section_machine(model, document);
    rp_report_levels(model, document);
    section_conditions(model, document);
    section_method(model, document);
}
