/* SPDX-License-Identifier: MIT */
/*
 * A document of headings, paragraphs, lists and tables, written as Markdown or as HTML.
 *
 * All text handed in is plain: the writer escapes whatever its format would take for
 * markup.
 */
#ifndef RP_ROOFLINE_REPORT_DOCUMENT_H
#define RP_ROOFLINE_REPORT_DOCUMENT_H

#include "core/text.h"

enum rp_document_format {
    RP_DOCUMENT_MARKDOWN,
    RP_DOCUMENT_HTML,
};

struct rp_column {
    const char *title;
    bool number; /* aligned to the right */
};

struct rp_document {
    enum rp_document_format format;
    struct rp_text *out;
    const struct rp_column *columns; /* of the open table */
    size_t column_count;
    size_t column; /* of the next cell */
};

void rp_document_heading(struct rp_document *document, unsigned depth, const char *text);
void rp_document_paragraph(struct rp_document *document, const char *text);
/* A paragraph that carries the conclusion. */
void rp_document_lead(struct rp_document *document, const char *text);
void rp_document_code(struct rp_document *document, const char *text);

void rp_document_list(struct rp_document *document);
void rp_document_item(struct rp_document *document, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void rp_document_list_end(struct rp_document *document);

/* Cells follow row by row; a row ends by itself after as many cells as there are columns.
 */
void rp_document_table(struct rp_document *document, const struct rp_column *columns,
                       size_t column_count);
void rp_document_cell(struct rp_document *document, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void rp_document_table_end(struct rp_document *document);

/* Appends `text` with everything escaped that HTML (content and attributes) gives a
 * meaning. */
void rp_escape_html(struct rp_text *out, const char *text);

/* Appends `text` as a field of a CSV file: quoted as RFC 4180 asks for when it holds a
 * comma or a quote, and kept on its line, as control characters become spaces. Before
 * what a spreadsheet would take for a formula stands an apostrophe. */
void rp_escape_csv(struct rp_text *out, const char *text);

#endif
