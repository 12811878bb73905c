/* SPDX-License-Identifier: MIT */
#include "roofline/report.h"

#include "roofline/report_sections.h"

bool rp_report_markdown(const struct rp_model *model, struct rp_text *out,
                        struct rp_error *error)
{
    struct rp_document document = {.format = RP_DOCUMENT_MARKDOWN, .out = out};

    rp_report_opening(model, &document);
    rp_report_body(model, &document);
    return !out->failed || rp_fail(error, RP_UNABLE, "not enough memory for the report");
}
