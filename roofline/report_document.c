/* SPDX-License-Identifier: MIT */
#include "roofline/report_document.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Longest cell or list item; what is longer is cut. */
#define TEXT_CAPACITY 512

static const char *html_entity(char character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static bool is_control(char character)
{
    return (unsigned char)character < 0x20 || character == 0x7f;
}

void rp_escape_html(struct rp_text *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        const char *const entity = html_entity(*c);
        if (entity != NULL) {
            rp_text_print(out, "%s", entity);
        } else {
            rp_text_append(out, is_control(*c) ? " " : c, 1);
        }
    }
}

void rp_escape_csv(struct rp_text *out, const char *text)
{
    const char *const quote = strpbrk(text, ",\"") != NULL ? "\"" : "";
    const char first = text[strspn(text, " \t\r\n")];
    const bool formula = first != '\0' && strchr("=+-@", first) != NULL;

    rp_text_print(out, "%s%s", quote, formula ? "'" : "");
    for (const char *c = text; *c != '\0'; c++) {
        if (is_control(*c)) {
            rp_text_append(out, " ", 1);
        } else {
            rp_text_append(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
        }
    }
    rp_text_print(out, "%s", quote);
}

static void escape_markdown(struct rp_text *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (strchr("\\`*_{}[]<>#|~&$", *c) != NULL) {
            rp_text_append(out, "\\", 1);
        }
        rp_text_append(out, is_control(*c) ? " " : c, 1);
    }
}

static bool is_html(const struct rp_document *document)
{
    return document->format == RP_DOCUMENT_HTML;
}

static void escape(struct rp_document *document, const char *text)
{
    if (is_html(document)) {
        rp_escape_html(document->out, text);
    } else {
        escape_markdown(document->out, text);
    }
}

/* Writes `text` between what the format in use opens and closes it with. */
static void wrapped(struct rp_document *document, const char *html_open,
                    const char *html_close, const char *markdown_open,
                    const char *markdown_close, const char *text)
{
    rp_text_print(document->out, "%s", is_html(document) ? html_open : markdown_open);
    escape(document, text);
    rp_text_print(document->out, "%s", is_html(document) ? html_close : markdown_close);
}

void rp_document_heading(struct rp_document *document, unsigned depth, const char *text)
{
    static const char hashes[] = "######";
    char html_open[8];
    char html_close[8];
    char markdown_open[12];

    snprintf(html_open, sizeof html_open, "<h%u>", depth % 7);
    snprintf(html_close, sizeof html_close, "</h%u>\n", depth % 7);
    snprintf(markdown_open, sizeof markdown_open, "%.*s ", (int)(depth % 7), hashes);
    wrapped(document, html_open, html_close, markdown_open, "\n\n", text);
}

void rp_document_paragraph(struct rp_document *document, const char *text)
{
    wrapped(document, "<p>", "</p>\n", "", "\n\n", text);
}

void rp_document_lead(struct rp_document *document, const char *text)
{
    wrapped(document, "<p class=\"lead\">", "</p>\n", "> ", "\n\n", text);
}

/* Inside a code block Markdown takes nothing for markup. */
void rp_document_code(struct rp_document *document, const char *text)
{
    if (is_html(document)) {
        wrapped(document, "<pre><code>", "</code></pre>\n", "", "", text);
    } else {
        rp_text_print(document->out, "```\n%s\n```\n\n", text);
    }
}

void rp_document_list(struct rp_document *document)
{
    if (is_html(document)) {
        rp_text_print(document->out, "<ul>\n");
    }
}

void rp_document_item(struct rp_document *document, const char *format, ...)
{
    char text[TEXT_CAPACITY];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    wrapped(document, "<li>", "</li>\n", "- ", "\n", text);
}

void rp_document_list_end(struct rp_document *document)
{
    rp_text_print(document->out, "%s", is_html(document) ? "</ul>\n" : "\n");
}

/* The scrolling box lets a wide table keep its shape on a narrow screen. */
void rp_document_table(struct rp_document *document, const struct rp_column *columns,
                       size_t column_count)
{
    struct rp_text *const out = document->out;

    document->columns = columns;
    document->column_count = column_count;
    document->column = 0;
    rp_text_print(out, "%s",
                  is_html(document) ? "<div class=\"scroll\"><table>\n<thead><tr>" : "|");
    for (size_t i = 0; i < column_count; i++) {
        const char *const open =
            columns[i].number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">";
        wrapped(document, open, "</th>", " ", " |", columns[i].title);
    }
    if (is_html(document)) {
        rp_text_print(out, "</tr></thead>\n<tbody>\n");
        return;
    }
    rp_text_print(out, "\n|");
    for (size_t i = 0; i < column_count; i++) {
        rp_text_print(out, "%s", columns[i].number ? "---:|" : "---|");
    }
    rp_text_print(out, "\n");
}

void rp_document_cell(struct rp_document *document, const char *format, ...)
{
    char text[TEXT_CAPACITY];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (document->column == 0) {
        rp_text_print(document->out, "%s", is_html(document) ? "<tr>" : "|");
    }
    const char *const open =
        document->columns[document->column].number ? "<td class=\"n\">" : "<td>";
    wrapped(document, open, "</td>", " ", " |", text);
    document->column = (document->column + 1) % document->column_count;
    if (document->column == 0) {
        rp_text_print(document->out, "%s", is_html(document) ? "</tr>\n" : "\n");
    }
}

void rp_document_table_end(struct rp_document *document)
{
    rp_text_print(document->out, "%s",
                  is_html(document) ? "</tbody></table></div>\n" : "\n");
}
