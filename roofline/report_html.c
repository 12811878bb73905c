/* SPDX-License-Identifier: MIT */
#include "roofline/report.h"

#include <string.h>

#include "roofline/report_sections.h"

static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1c1c1e;--soft:#5c5c63;--line:#d9d9de;--ground:#fff;"
    "--raised:#f5f5f7}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#ececf0;--soft:#a5a5ad;--line:#3a3a40;"
    "--ground:#16161a;--raised:#212127}}\n"
    "body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--ground);"
    "color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\n"
    "p,pre,figcaption{max-width:60rem}\n"
    "h1{font-size:1.6rem;line-height:1.2}\n"
    "h2{font-size:1.2rem;margin-top:2.5rem}\n"
    ".lead{font-size:1.1rem;padding:1rem;background:var(--raised);border-radius:.5rem}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.9rem;overflow-wrap:normal}\n"
    "th,td{padding:.3rem .6rem;border-bottom:1px solid var(--line);text-align:left;"
    "vertical-align:top}\n"
    "td{white-space:nowrap}\n"
    "th{color:var(--soft);font-weight:600}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums}\n"
    "pre{padding:.8rem;background:var(--raised);border-radius:.5rem;overflow-x:auto}\n"
    "figure{margin:2rem 0}\n"
    "img{width:100%;height:auto}\n"
    "figcaption{color:var(--soft);font-size:.9rem}\n";

static void append_base64(struct rp_text *out, const char *data)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *const bytes = (const unsigned char *)data;
    const size_t length = strlen(data);

    for (size_t i = 0; i < length; i += 3) {
        const size_t left = length - i;
        const unsigned word = (unsigned)bytes[i] << 16 |
                              (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                              (left > 2 ? (unsigned)bytes[i + 2] : 0);
        const char group[] = {digits[word >> 18], digits[word >> 12 & 63],
                              digits[word >> 6 & 63], digits[word & 63]};
        const size_t used = left < 3 ? left + 1 : 4;
        rp_text_append(out, group, used);
        rp_text_append(out, "==", 4 - used);
    }
}

/*
 * The text of an SVG's first element of this name, which is XML and thus fit for HTML but
 * for the quotes that would end an attribute. Nothing when there is none.
 */
static void append_element(struct rp_text *out, const char *svg, const char *opening)
{
    const char *const element = strstr(svg, opening);
    const char *const start = element ? strchr(element, '>') : NULL;
    const char *const end = start ? strchr(start, '<') : NULL;

    for (const char *c = start ? start + 1 : NULL; c != NULL && end != NULL && c < end;
         c++) {
        if (*c == '"') {
            rp_text_print(out, "&quot;");
        } else {
            rp_text_append(out, c, 1);
        }
    }
}

/*
 * An image from a data address rather than inline elements: ids and styles of one figure
 * cannot reach another one or the page, and the figure's own dark theme keeps working.
 */
static void append_figure(struct rp_text *out, const struct rp_report_figure *figure)
{
    rp_text_print(out, "<figure id=\"");
    rp_escape_html(out, figure->kind);
    rp_text_print(out, "\"><img alt=\"");
    append_element(out, figure->svg, "<title");
    rp_text_print(out, "\" src=\"data:image/svg+xml;base64,");
    append_base64(out, figure->svg);
    rp_text_print(out, "\">\n<figcaption>");
    append_element(out, figure->svg, "<desc");
    rp_text_print(out, "</figcaption></figure>\n");
}

bool rp_report_html(const struct rp_model *model, const struct rp_report_figure *figures,
                    size_t figure_count, struct rp_text *out, struct rp_error *error)
{
    struct rp_document document = {.format = RP_DOCUMENT_HTML, .out = out};

    rp_text_print(
        out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, "
             "initial-scale=1\">\n<title>AES roofline of ");
    rp_escape_html(out, model->run->machine.processor);
    rp_text_print(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
    rp_report_opening(model, &document);
    for (size_t i = 0; i < figure_count; i++) {
        append_figure(out, &figures[i]);
    }
    rp_report_body(model, &document);
    rp_text_print(out, "</main>\n</body>\n</html>\n");
    return !out->failed || rp_fail(error, RP_UNABLE, "not enough memory for the report");
}
