/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "roofline/report_sections.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The worse one of the two steps that latency and throughput are taken from. */
static enum rp_verdict unit_verdict(const struct rp_unit *unit)
{
    enum rp_verdict worst = RP_VERDICT_STEADY;

    for (unsigned i = 0; i < unit->step_count; i++) {
        const struct rp_unit_step *const step = &unit->steps[i];
        const bool used =
            step->chains == 1 || step->record_id == unit->throughput_record_id;
        worst = used && step->verdict > worst ? step->verdict : worst;
    }
    return worst;
}

static void unit_row(const struct rp_model *model, const struct rp_unit *unit,
                     struct rp_document *document)
{
    const struct rp_estimate *const throughput = &unit->throughput_cycles;

    rp_document_cell(document, "%s", unit->name);
    if (unit->latency_cycles > 0) {
        rp_document_cell(document, "%.2f", unit->latency_cycles);
    } else {
        rp_document_cell(document, "–");
    }
    rp_document_cell(document, "%.3f", throughput->value);
    rp_document_cell(document, "±%.1f %%", rp_report_spread_percent(throughput));
    rp_document_cell(document, "%u", unit->knee_chains);
    if (unit->latency_cycles > 0) {
        rp_document_cell(document, "%.1f", unit->latency_cycles / throughput->value);
    } else {
        rp_document_cell(document, "–");
    }
    rp_document_cell(document, "%.3f", unit->hz / 1e9);
    rp_document_cell(
        document, "%s",
        rp_report_remark(model, unit_verdict(unit), unit->throughput_record_id));
}

/* Whether two classes get in each other's way, by their measured mix. */
static void list_mixes(const struct rp_model *model, struct rp_document *document)
{
    rp_document_list(document);
    for (size_t i = 0; i < model->unit_count; i++) {
        const struct rp_unit *const mix = &model->units[i];
        const struct rp_unit *const second =
            rp_model_unit(model, mix->mixed[1].class_name);
        const double added = rp_model_added_cycles(model, mix);

        if (rp_unit_is_mix(mix) && mix->step_count > 0 && isnan(added)) {
            rp_document_item(document,
                             "%s: not steady enough, or not to be compared, to tell.",
                             mix->name);
        } else if (second != NULL && second->step_count > 0 && !isnan(added)) {
            rp_document_item(
                document,
                "%s: one for each %.3g of %s adds %.2f cycles to these; "
                "alone it takes %.2f.",
                second->name,
                mix->mixed[0].per_instruction / mix->mixed[1].per_instruction,
                mix->mixed[0].class_name, added, second->throughput_cycles.value);
        }
    }
    rp_document_list_end(document);
}

void rp_report_units(const struct rp_model *model, struct rp_document *document)
{
    static const struct rp_column columns[] = {
        {"instruction", false},
        {"latency, cycles", true},
        {"reciprocal throughput, cycles", true},
        {"95 % interval", true},
        {"knee, chains", true},
        {"latency / reciprocal throughput", true},
        {"core clock, GHz", true},
        {"verdict", false},
    };
    size_t measured = 0;
    bool has_mix = false;

    for (size_t i = 0; i < model->unit_count; i++) {
        measured += model->units[i].step_count > 0;
        has_mix = has_mix || rp_unit_is_mix(&model->units[i]);
    }
    rp_document_heading(document, 2, "Execution units");
    if (measured == 0) {
        rp_document_paragraph(document, "The run holds no measurement of a unit.");
        return;
    }
    rp_document_paragraph(document,
                          "The knee is the fewest independent chains within 2 % of the "
                          "reciprocal throughput. By Little's law that takes as many "
                          "instructions in flight as latency / reciprocal throughput.");
    rp_document_table(document, columns, COUNT(columns));
    for (size_t i = 0; i < model->unit_count; i++) {
        if (model->units[i].step_count > 0) {
            unit_row(model, &model->units[i], document);
        }
    }
    rp_document_table_end(document);
    if (has_mix) {
        rp_document_paragraph(document,
                              "In a mix of two instructions the cycles are those of an "
                              "average one. What one of them adds shows whether they "
                              "share pipes: nothing, where it has one of its own.");
        list_mixes(model, document);
    }
}
