/* SPDX-License-Identifier: MIT */
/*
 * The content of the report, in any format.
 */
#ifndef RP_ROOFLINE_REPORT_SECTIONS_H
#define RP_ROOFLINE_REPORT_SECTIONS_H

#include "roofline/model.h"
#include "roofline/report_document.h"

/* Title and answer; figures belong between this and the rest. */
void rp_report_opening(const struct rp_model *model, struct rp_document *document);
/* All other sections. */
void rp_report_body(const struct rp_model *model, struct rp_document *document);

/* The tables of results (report_tables.c), each with its heading. */
void rp_report_ladder(const struct rp_model *model, struct rp_document *document);
void rp_report_roofline(const struct rp_model *model, struct rp_document *document);
void rp_report_roofs(const struct rp_model *model, struct rp_document *document);
/* Our kernels beside other libraries; nothing when none was measured (report_peers.c). */
void rp_report_peers(const struct rp_model *model, struct rp_document *document);
/* Nothing when no interleave kernel was measured (report_interleave.c). */
void rp_report_interleave(const struct rp_model *model, struct rp_document *document);
/* Execution units (report_units.c). */
void rp_report_units(const struct rp_model *model, struct rp_document *document);
/* Nothing when several cores were not measured. */
void rp_report_scaling(const struct rp_model *model, struct rp_document *document);

/* What counters saw move; nothing where none were asked (report_counted.c). */
void rp_report_counted(const struct rp_model *model, struct rp_document *document);

/* What the reader has to know of a record: "" when nothing. */
const char *rp_report_remark(const struct rp_model *model, enum rp_verdict verdict,
                             uint64_t record_id);

/* Half the 95 % interval of the median, in per cent of it. */
double rp_report_spread_percent(const struct rp_estimate *estimate);

/* The kernels of known intensity against their roofs (report_validation.c). */
void rp_report_validation(const struct rp_model *model, struct rp_document *document);

/* Doubtful records and results listed by name; how many there are is always said. */
#define RP_MOST_LISTED 20

/* Stated and measured cache sizes; flags, where there are any (report_trust.c). */
void rp_report_levels(const struct rp_model *model, struct rp_document *document);
void rp_report_flags(const struct rp_model *model, struct rp_document *document);

#endif
