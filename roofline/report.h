/* SPDX-License-Identifier: MIT */
/*
 * The model told to people (Markdown, HTML) and to programs (CSV).
 *
 * Markdown and HTML come from one description of the content, so they cannot disagree.
 * The columns and units of the CSV are in docs/reference/report-csv.md.
 */
#ifndef RP_ROOFLINE_REPORT_H
#define RP_ROOFLINE_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/text.h"
#include "roofline/model.h"

/* A figure to show: its kind ("roofline-aes") and the complete text of its SVG. */
struct rp_report_figure {
    const char *kind;
    const char *svg;
};

/* Each appends the whole document to `out` and fails only when memory runs out. */
bool rp_report_markdown(const struct rp_model *model, struct rp_text *out,
                        struct rp_error *error);
bool rp_report_csv(const struct rp_model *model, struct rp_text *out,
                   struct rp_error *error);

/* One file that needs no other: figures are embedded, there is no script. */
bool rp_report_html(const struct rp_model *model, const struct rp_report_figure *figures,
                    size_t figure_count, struct rp_text *out, struct rp_error *error);

/* Appends one line: whether the kernels of known intensity trace the roofs, how near, and
 * what is wrong where they do not. */
void rp_report_validation_line(const struct rp_model *model, struct rp_text *out);

#endif
