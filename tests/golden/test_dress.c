/* SPDX-License-Identifier: MIT */
/* The SVG post-pass, and the strings that are handed to gnuplot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "plots/dress.h"
#include "plots/emit.h"

/* What gnuplot 5.4 writes, shortened. */
static const char picture[] =
    "<?xml version=\"1.0\" encoding=\"utf-8\"  standalone=\"no\"?>\n"
    "<svg \n width=\"96\" height=\"60\"\n viewBox=\"0 0 96 60\"\n"
    " xmlns=\"http://www.w3.org/2000/svg\"\n>\n\n"
    "<title>aes_unit</title>\n"
    "<desc>Produced by GNUPLOT 5.4 patchlevel 4 </desc>\n\n"
    "<rect x=\"0\" y=\"0\" width=\"96\" height=\"60\" fill=\"#ffffff\"/>\n"
    "<g fill=\"none\" color=\"black\" stroke=\"currentColor\">\n</g>\n"
    "\t<g id=\"aes_unit_plot_1\" ><title>aes_unit_plot_1</title>\n"
    "\t\t<path stroke='rgb( 26,  26,  26)'  d='M1,2 L3,4  '/></g>\n"
    "\t<g id=\"aes_unit_plot_2\" ><title>128 bit ]]> wide</title>\n"
    "\t</g>\n"
    "</svg>\n";

static void dress(struct rp_text *dressed, const char *title, const char *description)
{
    *dressed = (struct rp_text){0};
    assert_true(rp_dress(dressed, picture, "aes-unit", title, description));
    assert_false(dressed->failed);
}

static void says_what_it_shows(void **state)
{
    struct rp_text dressed;

    (void)state;
    dress(&dressed, "AES unit", "One every 0.50 cycles.");
    assert_non_null(
        strstr(dressed.data, "<title id=\"aes-unit-title\">AES unit</title>"));
    assert_non_null(
        strstr(dressed.data, "<desc id=\"aes-unit-desc\">One every 0.50 cycles.</desc>"));
    assert_non_null(strstr(
        dressed.data, "role=\"img\" aria-labelledby=\"aes-unit-title aes-unit-desc\""));
    assert_null(strstr(dressed.data, "GNUPLOT"));
    rp_text_free(&dressed);
}

static void drops_what_says_nothing(void **state)
{
    struct rp_text dressed;

    (void)state;
    dress(&dressed, "t", "d");
    assert_null(strstr(dressed.data, "<title>aes_unit"));
    assert_null(strstr(dressed.data, "currentColor"));
    assert_non_null(strstr(dressed.data, "<g id=\"aes_unit_plot_1\" >\n"));
    assert_non_null(strstr(dressed.data, "d='M1,2 L3,4  '/></g>"));
    assert_non_null(strstr(dressed.data, "</svg>\n"));
    rp_text_free(&dressed);
}

static void keeps_tooltips_and_mends_them(void **state)
{
    struct rp_text dressed;

    (void)state;
    dress(&dressed, "t", "d");
    assert_non_null(strstr(dressed.data, "<title>128 bit ]]&gt; wide</title>"));
    assert_null(strstr(dressed.data, "]]>"));
    rp_text_free(&dressed);
}

static void escapes_titles(void **state)
{
    struct rp_text dressed;

    (void)state;
    dress(&dressed, "a<b>&\"c\"",
          "\x01\xff\xc3\xa9\xed\xa0\x80\x7f\xef\xbf\xbd\xef\xbf\xbe\xef\xbf\xbf|");
    assert_non_null(strstr(dressed.data, ">a&lt;b&gt;&amp;\"c\"</title>"));
    assert_non_null(strstr(dressed.data, ">??\xc3\xa9????\xef\xbf\xbd??????|</desc>"));
    rp_text_free(&dressed);
}

static void every_colour_has_a_dark_one(void **state)
{
    static const unsigned palette[][2] = {
#define COLOUR_PAIR(name, light, dark) {light, dark},
        RP_PALETTE(COLOUR_PAIR)
#undef COLOUR_PAIR
    };
    struct rp_text dressed;

    (void)state;
    dress(&dressed, "t", "d");
    assert_non_null(strstr(dressed.data, "prefers-color-scheme:dark"));
    for (size_t i = 0; i < RP_COLOUR_COUNT; i++) {
        char rule[96];

        for (size_t k = 0; k < i; k++) {
            assert_int_not_equal(palette[i][0], palette[k][0]);
        }
        snprintf(rule, sizeof rule, "[stroke=\"rgb(%3u, %3u, %3u)\"]{stroke:#%06x}",
                 palette[i][0] >> 16, palette[i][0] >> 8 & 0xff, palette[i][0] & 0xff,
                 palette[i][1]);
        assert_non_null(strstr(dressed.data, rule));
    }
    rp_text_free(&dressed);
}

static void refuses_what_is_no_picture(void **state)
{
    static const char *const broken[] = {
        "",
        "<svg",
        "<svg >",
        "<html></html>",
        "<svg ><desc>x</desc>",
        "<svg ><desc>x</svg>",
        "<svg ><desc>x</desc>\n<g fill=\"none\" color=\"</svg>\">\n</g>\n",
        "<svg ><desc>x</desc>\n</svg>\n<g>\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct rp_text dressed = {0};

        assert_false(rp_dress(&dressed, broken[i], "k", "t", "d"));
        rp_text_free(&dressed);
    }
}

static void assert_string(const char *string, bool enhanced, const char *expected)
{
    struct rp_text text = {0};

    rp_emit_string(&text, string, enhanced);
    assert_string_equal(text.data, expected);
    rp_text_free(&text);
}

static void strings_reach_gnuplot_unchanged(void **state)
{
    (void)state;
    assert_string("plain", false, "'plain'");
    assert_string("it's `id` $x \"q\" %d", false, "'it''s `id` $x \"q\" %d'");
    assert_string("a_b^c{d}~e@f&g\\h", false, "'a_b^c{d}~e@f&g\\h'");
    assert_string("a_b^c{d}~e@f&g\\h", true, "'a\\_b\\^c\\{d\\}\\~e\\@f\\&g\\\\h'");
    assert_string("line\nbreak\x7f", false, "'line?break?'");
    assert_string("\xc3\xa9 \xc3( \xf5 \xe0\x80\x80 \xf4\x90\x80\x80|", false,
                  "'\xc3\xa9 ?( ? ??? ????|'");
}

static void numbers_keep_their_digits(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.0123, "0.012"}, {0.5, "0.500"},  {0.9996, "1.00"}, {9.949, "9.95"},
        {9.996, "10.0"},   {19.24, "19.2"}, {99.6, "100"},    {1234, "1234"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[24];

        assert_string_equal(rp_number_text(cases[i].value, text), cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_it_shows),
        cmocka_unit_test(drops_what_says_nothing),
        cmocka_unit_test(keeps_tooltips_and_mends_them),
        cmocka_unit_test(escapes_titles),
        cmocka_unit_test(every_colour_has_a_dark_one),
        cmocka_unit_test(refuses_what_is_no_picture),
        cmocka_unit_test(strings_reach_gnuplot_unchanged),
        cmocka_unit_test(numbers_keep_their_digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
