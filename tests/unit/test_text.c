/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"

static void test_sizes(void **state)
{
    static const struct {
        const char *text;
        size_t bytes;
    } good[] = {
        {"0", 0},
        {"4096", 4096},
        {"1b", 1},
        {"16K", 16 * RP_KIB},
        {"16 KiB", 16 * RP_KIB},
        {"16kib", 16 * RP_KIB},
        {"1.5MiB", 3 * RP_MIB / 2},
        {"0.5 k", 512},
        {"1G", RP_GIB},
        {"2t", 2048 * RP_GIB},
        {"18446744073709551615", SIZE_MAX},
        {"1.0", 1},
    };
    static const char *const bad[] = {
        "",
        "K",
        "-1",
        "-1K",
        "+1",
        " 1",
        "1 ",
        "1  K",
        "1KB",
        "1Ki",
        ".5K",
        "1.",
        "1.K",
        "1.5",
        "0x10",
        "1e3",
        "nan",
        "inf",
        "1 K ",
        "1,5",
        "1..5",
        "1.5.",
        "KiB",
        "1P",
        "1 GiBx",
        "999999999999999999999",
        /* do not fit */
        "18446744073709551616",
        "16777216T",
        "16777215.9999999999999T1",
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        size_t bytes = 1;
        assert_true(rp_parse_size(good[i].text, &bytes));
        assert_int_equal(bytes, good[i].bytes);
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        size_t bytes = 77;
        if (rp_parse_size(bad[i], &bytes)) {
            fail_msg("\"%s\" was read as a size", bad[i]);
        }
        assert_int_equal(bytes, 77);
    }
}

static void test_counts(void **state)
{
    static const char *const bad[] = {
        "", " 1", "1 ", "-1", "+1", "1.0", "0x1", "1e3", "18446744073709551616"};
    uint64_t count = 0;

    (void)state;
    assert_true(rp_parse_count("0", &count) && count == 0);
    assert_true(rp_parse_count("007", &count) && count == 7);
    assert_true(rp_parse_count("18446744073709551615", &count) && count == UINT64_MAX);
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        assert_false(rp_parse_count(bad[i], &count));
    }
}

static void test_seconds(void **state)
{
    static const char *const bad[] = {"",     "s",   "0",   "0ms",   "-1s",
                                      "1 s",  "1h",  "1e3", "nan",   "inf",
                                      "0x10", "1..", ".",   "1.2.3", "1ss"};
    double seconds = 0;

    (void)state;
    assert_true(rp_parse_seconds("90", &seconds) && seconds == 90);
    assert_true(rp_parse_seconds("90s", &seconds) && seconds == 90);
    assert_true(rp_parse_seconds("250ms", &seconds) && seconds == 0.25);
    assert_true(rp_parse_seconds("4min", &seconds) && seconds == 240);
    assert_true(rp_parse_seconds("0.5s", &seconds) && seconds == 0.5);
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        assert_false(rp_parse_seconds(bad[i], &seconds));
    }

    char endless[400];
    memset(endless, '9', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_false(rp_parse_seconds(endless, &seconds));
}

static void test_size_text(void **state)
{
    static const struct {
        size_t bytes;
        const char *text;
    } rows[] = {
        {0, "0 B"},
        {1, "1 B"},
        {1023, "1023 B"},
        {1024, "1 KiB"},
        {48 * RP_KIB, "48 KiB"},
        {3 * RP_MIB / 2, "1.5 MiB"},
        {260 * RP_MIB, "260 MiB"},
        {RP_MIB - 1, "1 MiB"},
        {RP_MIB + 1, "1 MiB"},
        {RP_GIB, "1 GiB"},
        {SIZE_MAX, "16777216 TiB"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[RP_SIZE_TEXT];
        assert_string_equal(rp_size_text(rows[i].bytes, text), rows[i].text);
    }
}

static void test_slug(void **state)
{
    char slug[64];
    char small[8];

    (void)state;
    rp_slug("Intel(R) Xeon(R)  6-207", slug, sizeof slug);
    assert_string_equal(slug, "intel-r-xeon-r-6-207");
    rp_slug("../../etc/passwd", slug, sizeof slug);
    assert_string_equal(slug, "etc-passwd");
    rp_slug("--\xc3\xa4 ", slug, sizeof slug);
    assert_string_equal(slug, "");
    rp_slug("abcdef-ghi", small, sizeof small);
    assert_string_equal(small, "abcdef");
}

static void test_matches(void **state)
{
    (void)state;
    assert_true(rp_matches("*", ""));
    assert_true(rp_matches("*", "copy-avx2"));
    assert_true(rp_matches("copy-*", "copy-avx2"));
    assert_true(rp_matches("*-avx2", "copy-avx2"));
    assert_true(rp_matches("a*b*c", "aXbXbXc"));
    assert_true(rp_matches("a**", "a"));
    assert_false(rp_matches("", "a"));
    assert_false(rp_matches("copy", "copy-avx2"));
    assert_false(rp_matches("copy-avx2", "copy"));
    assert_false(rp_matches("a*b*c", "aXbXb"));
    /* no exponential search */
    assert_false(
        rp_matches("*a*a*a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
}

static void test_growing_text(void **state)
{
    struct rp_text text = {0};

    (void)state;
    for (int i = 0; i < 1000; i++) {
        rp_text_print(&text, "%d,", i % 10);
    }
    rp_text_append(&text, "end!", 3);
    assert_false(text.failed);
    assert_int_equal(text.length, 2003);
    assert_int_equal(strlen(text.data), 2003);
    assert_string_equal(text.data + 1996, "8,9,end");
    rp_text_free(&text);
    assert_null(text.data);
}

static void test_plain(void **state)
{
    static const struct {
        const char *text;
        bool plain;
        const char *printable;
    } rows[] = {
        {"", true, ""},
        {" ~0", true, " ~0"},
        {"\xc2\xa0 \xc3\x9f", true, "?? ??"},
        {"a\x1b[0m", false, "a?[0m"},
        {"a\n", false, "a?"},
        {"\x7f", false, "?"},
        {"\xc2\x80", false, "??"},
        {"\xc2\x9f", false, "??"},
        {"\xc2", false, "?"}, /* the end of a text is no character */
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[16];

        assert_int_equal(rp_is_plain(rows[i].text), rows[i].plain);
        snprintf(text, sizeof text, "%s", rows[i].text);
        rp_make_printable(text);
        assert_string_equal(text, rows[i].printable);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_seconds),      cmocka_unit_test(test_size_text),
        cmocka_unit_test(test_slug),         cmocka_unit_test(test_matches),
        cmocka_unit_test(test_growing_text), cmocka_unit_test(test_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
