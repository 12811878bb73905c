/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a label for gnuplot and as a title, and, as what gnuplot drew, through the
 * dressing of the figure.
 */
#include <stdlib.h>
#include <string.h>

#include "plots/dress.h"
#include "plots/emit.h"
#include "plots/utf8.h"
#include "property.h"

/* Text that XML can hold: well-formed UTF-8 without control characters and without the
 * two characters that end in FFFE and FFFF. */
static void check_text(const char *text, size_t length)
{
    const char *const end = text + length;

    while (text < end) {
        const size_t step = rp_utf8_length((const unsigned char *)text);

        must(step > 0 && !is_control(*text), "a text is UTF-8 without controls");
        must(strncmp(text, "\xef\xbf\xbe", 3) != 0 &&
                 strncmp(text, "\xef\xbf\xbf", 3) != 0,
             "XML has a character for it");
        text += step;
    }
}

/* One string literal: quotes around it, and each one within doubled. */
static void check_string(const char *input, bool enhanced)
{
    struct rp_text text = {0};

    rp_emit_string(&text, input, enhanced);
    must(text.length >= 2 && text.data[0] == '\'' && text.data[text.length - 1] == '\'',
         "a string is quoted");
    for (size_t i = 1; i + 1 < text.length; i++) {
        if (text.data[i] == '\'') {
            i++;
            must(i + 1 < text.length && text.data[i] == '\'', "quotes are doubled");
        }
    }
    check_text(text.data, text.length);
    rp_text_free(&text);
}

/* The text of the first such element, which must hold no markup. */
static void check_element(const char *svg, const char *opening, const char *closing)
{
    const char *const start = strstr(svg, opening);

    must(start != NULL, "the element is there");
    const char *const text = start + strlen(opening);
    const size_t length = strcspn(text, "<");
    must(strncmp(text + length, closing, strlen(closing)) == 0,
         "a text opens no element");
    must(memchr(text, '>', length) == NULL, "a text closes none");
    check_text(text, length);
}

/* Any title, on what gnuplot draws. */
static void check_title(const char *title)
{
    static const char svg[] = "<svg><desc>x</desc>\n<g fill=\"none\">\n</g>\n</svg>\n";
    struct rp_text dressed = {0};

    must(rp_dress(&dressed, svg, "kind", title, title), "a figure can be dressed");
    check_element(dressed.data, "<title id=\"kind-title\">", "</title>");
    check_element(dressed.data, "<desc id=\"kind-desc\">", "</desc>");
    rp_text_free(&dressed);
}

/* Anything that gnuplot may have drawn. */
static void check_picture(const char *svg)
{
    struct rp_text dressed = {0};

    if (rp_dress(&dressed, svg, "kind", "title", "description")) {
        const char *const picture = strstr(dressed.data, "</style>\n");

        must(picture != NULL && strstr(picture, "]]>") == NULL,
             "what XML forbids in text is gone");
        must(strstr(picture, "</svg>") != NULL, "the picture ends");
    }
    rp_text_free(&dressed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const input = text_of(data, size);

    check_string(input, false);
    check_string(input, true);
    check_title(input);
    check_picture(input);
    free(input);
    return 0;
}
