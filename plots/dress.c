/* SPDX-License-Identifier: MIT */
#include "plots/dress.h"

#include <string.h>

#include "plots/palette.h"
#include "plots/utf8.h"

static const struct {
    unsigned light;
    unsigned dark;
} palette[RP_COLOUR_COUNT] = {
#define COLOUR_PAIR(name, light, dark) {light, dark},
    RP_PALETTE(COLOUR_PAIR)
#undef COLOUR_PAIR
};

/* Control characters and malformed UTF-8, which XML allows in no spelling, become '?'. */
static void append_escaped(struct rp_text *text, const char *plain)
{
    for (const char *c = plain; *c != '\0';) {
        const size_t length = rp_utf8_length((const unsigned char *)c);

        if (length == 0 || (unsigned char)*c < ' ' || *c == 0x7f) {
            rp_text_append(text, "?", 1);
        } else if (*c == '&') {
            rp_text_print(text, "&amp;");
        } else if (*c == '<') {
            rp_text_print(text, "&lt;");
        } else if (*c == '>') {
            rp_text_print(text, "&gt;");
        } else {
            rp_text_append(text, c, length);
        }
        c += length > 0 ? length : 1;
    }
}

/* gnuplot leaves '>' as it is, but XML forbids "]]>" in text. */
static void append_raw(struct rp_text *text, const char *data, size_t length)
{
    const char *found;

    while ((found = memmem(data, length, "]]>", 3)) != NULL) {
        const size_t before = (size_t)(found - data) + 2;

        rp_text_append(text, data, before);
        rp_text_print(text, "&gt;");
        data += before + 1;
        length -= before + 1;
    }
    rp_text_append(text, data, length);
}

/* Presentation attributes lose to any CSS rule, so a rule for each spelling in which
 * gnuplot writes a colour repaints the figure without touching an element. */
static void append_dark_rule(struct rp_text *text, unsigned light, unsigned dark)
{
    const unsigned red = light >> 16;
    const unsigned green = light >> 8 & 0xff;
    const unsigned blue = light & 0xff;

    rp_text_print(
        text,
        "[stroke=\"rgb(%3u, %3u, %3u)\"]{stroke:#%06x}"
        "[fill=\"rgb(%3u, %3u, %3u)\"],[fill=\"rgb(%u,%u,%u)\"],[fill=\"#%06x\"]"
        "{fill:#%06x}[color=\"rgb(%3u, %3u, %3u)\"]{color:#%06x}\n",
        red, green, blue, dark, red, green, blue, red, green, blue, light, dark, red,
        green, blue, dark);
}

static void append_style(struct rp_text *text)
{
    rp_text_print(
        text,
        "<style>\n"
        "text,tspan{font-family:\"Liberation Sans\",Arial,Helvetica,sans-serif}\n"
        "text{paint-order:stroke;stroke:#%06x;stroke-width:3px;"
        "stroke-linejoin:round}\n"
        "@media (prefers-color-scheme:dark){\n"
        "text{stroke:#%06x}\n",
        palette[RP_PAPER].light, palette[RP_PAPER].dark);
    for (size_t i = 0; i < RP_COLOUR_COUNT; i++) {
        append_dark_rule(text, palette[i].light, palette[i].dark);
    }
    rp_text_print(text, "}\n</style>\n");
}

/* The part of `line` after a "<title>" that only repeats the element's id
 * ("kind_plot_3"), or NULL when there is no such thing. `*before` is what comes ahead of
 * it. */
static const char *after_placeholder(const char *line, const char *end, size_t *before)
{
    static const char open[] = "<title>";
    static const char close[] = "</title>";
    const char *const id = strstr(line, "id=\"");
    const char *const title = id != NULL ? strstr(id, open) : NULL;

    if (title == NULL || title >= end) {
        return NULL;
    }
    const char *const text = title + sizeof open - 1;
    const size_t length = strcspn(id + 4, "\"");

    if ((size_t)(end - text) < length + sizeof close - 1 ||
        memcmp(id + 4, text, length) != 0 ||
        memcmp(text + length, close, sizeof close - 1) != 0) {
        return NULL;
    }
    *before = (size_t)(title - line);
    return text + length + sizeof close - 1;
}

static const char *next_line(const char *line)
{
    const char *const end = strchr(line, '\n');

    return end != NULL ? end + 1 : line + strlen(line);
}

/* The lines of the picture, without blank ones, empty groups and placeholder titles. */
static void append_picture(struct rp_text *text, const char *svg)
{
    static const char group[] = "<g fill=\"none\"";

    for (const char *line = svg; *line != '\0';) {
        const char *const next = next_line(line);
        size_t before;

        if (next - line <= 1) {
            line = next;
            continue;
        }
        if (strncmp(line, group, sizeof group - 1) == 0 &&
            strncmp(next, "</g>\n", 5) == 0) {
            line = next_line(next);
            continue;
        }
        const char *const rest = after_placeholder(line, next, &before);

        if (rest != NULL) {
            append_raw(text, line, before);
            append_raw(text, rest, (size_t)(next - rest));
        } else {
            append_raw(text, line, (size_t)(next - line));
        }
        line = next;
    }
}

/* True when the last line that is not blank ends the picture: what gnuplot was stopped in
 * may hold those characters anywhere. */
static bool is_complete(const char *svg)
{
    static const char last_line[] = "\n</svg>";
    const char *found = NULL;

    for (const char *at = svg; (at = strstr(at, last_line)) != NULL; at++) {
        found = at + sizeof last_line - 1;
    }
    return found != NULL && found[strspn(found, "\n")] == '\0';
}

bool rp_dress(struct rp_text *dressed, const char *svg, const char *kind,
              const char *title, const char *description)
{
    const char *const tag = strstr(svg, "<svg");
    const char *const tag_end = tag != NULL ? strchr(tag, '>') : NULL;
    const char *const old = tag_end != NULL ? strstr(tag_end, "<desc>") : NULL;
    const char *const old_end = old != NULL ? strstr(old, "</desc>") : NULL;

    if (old_end == NULL || !is_complete(old_end)) {
        return false;
    }
    rp_text_print(dressed,
                  "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<svg role=\"img\" "
                  "aria-labelledby=\"%s-title %s-desc\"",
                  kind, kind);
    rp_text_append(dressed, tag + 4, (size_t)(tag_end + 1 - tag - 4));
    rp_text_print(dressed, "\n<title id=\"%s-title\">", kind);
    append_escaped(dressed, title);
    rp_text_print(dressed, "</title>\n<desc id=\"%s-desc\">", kind);
    append_escaped(dressed, description);
    rp_text_print(dressed, "</desc>\n");
    append_style(dressed);
    append_picture(dressed, old_end + strlen("</desc>"));
    return true;
}
