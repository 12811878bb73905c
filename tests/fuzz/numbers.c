/* SPDX-License-Identifier: MIT */
/* Sizes, counts, durations, CPU lists, names and patterns as people and sysfs write them.
 * The first line is the text, or the pattern; the second one the name it is held
 * against. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/system.h"
#include "core/text.h"
#include "property.h"

/* A size, written and read again, is what it was to half of its last decimal. */
static void check_size_text(size_t bytes)
{
    char text[RP_SIZE_TEXT];
    size_t again = 0;

    rp_size_text(bytes, text);
    if (bytes > SIZE_MAX - (RP_GIB << 10)) {
        return; /* may round up to 2^64, which is no size */
    }
    must(rp_parse_size(text, &again), "a size that was written can be read");
    const double tolerance = bytes < RP_KIB ? 0 : 0.051 * (double)bytes;
    must(fabs((double)again - (double)bytes) <= tolerance,
         "a size that was written is what is read");
}

static void check_numbers(const char *text)
{
    size_t bytes = 0;
    uint64_t count = 0;
    double seconds = 0;
    const bool is_count = rp_parse_count(text, &count);
    const bool is_size = rp_parse_size(text, &bytes);

    must(!is_count || strspn(text, "0123456789") == strlen(text), "a count is digits");
    must(!is_count || (is_size && bytes == count), "a count is a size in bytes");
    must(!is_size || isdigit((unsigned char)text[0]), "a size begins with a digit");
    if (is_size) {
        check_size_text(bytes);
    }
    if (rp_parse_seconds(text, &seconds)) {
        must(isfinite(seconds) && seconds > 0, "a duration is finite and above zero");
        must(isdigit((unsigned char)text[0]) || text[0] == '.',
             "a duration begins with a digit");
    }
}

/* Counts a list again, once its form is known to be right. */
static void check_list(const char *list)
{
    const unsigned count = rp_system_list_count(list);
    unsigned long again = 0;

    if (count == 0) {
        return;
    }
    must(strspn(list, "0123456789,-") == strlen(list), "a list is ranges");
    for (const char *c = list; c != NULL; c = strchr(c, ',')) {
        char *end = NULL;

        c += *c == ',';
        must(isdigit((unsigned char)*c), "a range begins with a CPU");
        const unsigned long first = strtoul(c, &end, 10);
        must(*end != '-' || isdigit((unsigned char)end[1]), "a range ends with a CPU");
        const unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        must(*end == ',' || *end == '\0', "a range is one or two CPUs");
        must(first <= last, "a range ascends");
        again += last - first + 1;
    }
    must(again == count, "a list is counted");
}

static void check_slug(const char *text)
{
    char slug[48];
    char again[48];

    rp_slug(text, slug, sizeof slug);
    for (const char *c = slug; *c != '\0'; c++) {
        must(islower((unsigned char)*c) || isdigit((unsigned char)*c) ||
                 (*c == '-' && c > slug && c[1] != '-' && c[1] != '\0'),
             "a slug is words between dashes");
    }
    rp_slug(slug, again, sizeof again);
    must(strcmp(slug, again) == 0, "a slug is its own slug");
}

/* The same question by dynamic programming: row i tells for each j whether the first i
 * characters of the pattern match the first j of the name. */
static bool matches_by_table(const char *pattern, const char *name)
{
    const size_t length = strlen(name);
    bool *const row = calloc(length + 1, sizeof *row);

    must(row != NULL, "there is memory");
    row[0] = true;
    for (const char *p = pattern; *p != '\0'; p++) {
        bool diagonal = row[0]; /* of the row before */

        row[0] = row[0] && *p == '*';
        for (size_t j = 1; j <= length; j++) {
            const bool above = row[j];

            row[j] = *p == '*' ? above || row[j - 1] : diagonal && *p == name[j - 1];
            diagonal = above;
        }
    }
    const bool matches = row[length];
    free(row);
    return matches;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = text_of(data, size);
    char *const end = strchr(text, '\n');
    const char *const name = end != NULL ? end + 1 : "";
    uint64_t bytes = 0;

    if (end != NULL) {
        *end = '\0';
    }
    memcpy(&bytes, data, size < sizeof bytes ? size : sizeof bytes);
    check_size_text(bytes);
    check_numbers(text);
    check_list(text);
    check_slug(text);
    must(rp_matches(text, name) == matches_by_table(text, name),
         "a pattern matches what it describes");
    free(text);
    return 0;
}
