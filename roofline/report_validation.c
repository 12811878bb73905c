/* SPDX-License-Identifier: MIT */
#include "roofline/report.h"
#include "roofline/report_sections.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What is to be thought of a validation that did not pass. */
static const char *objection(const struct rp_validation *validation)
{
    if (validation->above_count > 0) {
        return "; what lies above by more than noise is a defect of a roof or of a "
               "measurement";
    }
    return validation->median_below > RP_VALIDATION_MOST_BELOW
               ? "; so far below, a roof is too high or something slowed the kernels"
               : "";
}

void rp_report_validation_line(const struct rp_model *model, struct rp_text *out)
{
    const struct rp_validation *const validation = &model->validation;

    if (validation->judged_count == 0) {
        rp_text_print(out, "roofs not validated: %s",
                      validation->point_count == 0
                          ? "no kernel of known intensity was measured (probe roofs)"
                          : "the run lacks the roofs of load and of the units (probes "
                            "bandwidth and units)");
        return;
    }
    rp_text_print(out, "roofs %s: %zu point%s, median %.1f %% %s, ",
                  rp_validation_passed(validation) ? "validated" : "not validated",
                  validation->judged_count, validation->judged_count == 1 ? "" : "s",
                  100 * fabs(validation->median_below),
                  validation->median_below < 0 ? "above" : "below");
    if (validation->above_count == 0) {
        rp_text_print(out, "none above");
    } else {
        rp_text_print(out, "%zu above", validation->above_count);
    }
    if (validation->disturbed_count > 0) {
        rp_text_print(out, ", %zu disturbed", validation->disturbed_count);
    }
    if (validation->judged_count < validation->point_count) {
        rp_text_print(out, ", %zu more without their roofs",
                      validation->point_count - validation->judged_count);
    }
    rp_text_print(out, "%s", objection(validation));
}

static void point_row(const struct rp_model *model, const struct rp_point *point,
                      struct rp_document *document)
{
    const struct rp_record *const record = rp_model_record(model, point->record_id);

    rp_document_cell(document, "%s", point->kernel);
    rp_document_cell(document, "%.4f", record->operations[0].per_item);
    rp_document_cell(document, "%.1f", point->items_per_s.value / 1e9);
    if (point->bound_kind == RP_BOUND_UNKNOWN) {
        rp_document_cell(document, "–");
        rp_document_cell(document, "–");
        rp_document_cell(document, "–");
    } else {
        rp_document_cell(document, "%.1f", point->bound_items_per_s / 1e9);
        rp_document_cell(document, "%s", point->bound);
        rp_document_cell(document, "%.1f %%%s", 100 * point->attained,
                         point->above_roof ? ", above" : "");
    }
    rp_document_cell(
        document, "%s",
        point->verdict == RP_VERDICT_STEADY ? "" : rp_verdict_name(point->verdict));
    rp_document_cell(document, "%llu", (unsigned long long)point->record_id);
}

void rp_report_validation(const struct rp_model *model, struct rp_document *document)
{
    static const struct rp_column columns[] = {
        {"kernel", false},     {"operations/byte", true}, {"GB/s", true},
        {"bound, GB/s", true}, {"bound by", false},       {"of the bound", true},
        {"verdict", false},    {"record", true},
    };
    const struct rp_validation *const validation = &model->validation;
    struct rp_text text = {0};
    char size[RP_SIZE_TEXT];

    rp_document_heading(document, 2, "Are the roofs right?");
    rp_text_print(&text, "Self-test: ");
    rp_report_validation_line(model, &text);
    rp_document_paragraph(document, text.data ? text.data : "");
    rp_text_free(&text);
    if (validation->point_count == 0) {
        return;
    }
    text = (struct rp_text){0};
    rp_text_print(&text,
                  "Kernels that load, and execute a known number of instructions for "
                  "each byte, at a working set of %s: they must run along the roofs that "
                  "other measurements found.",
                  rp_size_text(validation->points[0].working_set_bytes, size));
    rp_document_paragraph(document, text.data ? text.data : "");
    rp_text_free(&text);
    rp_document_table(document, columns, COUNT(columns));
    for (size_t i = 0; i < validation->point_count; i++) {
        point_row(model, &validation->points[i], document);
    }
    rp_document_table_end(document);
}
