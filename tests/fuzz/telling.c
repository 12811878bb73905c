/* SPDX-License-Identifier: MIT */
#include "telling.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "property.h"

/* Moves past one field, which ends before a comma or a line feed. */
static const char *skip_field(const char *c)
{
    const bool quoted = *c == '"';

    c += quoted;
    const char first = c[strspn(c, " ")];
    must(first == '\0' || strchr("=+-@", first) == NULL, "no field is a formula");
    for (;; c++) {
        must(!is_control(*c) || (!quoted && *c == '\n'), "a field is one line of text");
        if (quoted && c[0] == '"' && c[1] == '"') {
            c++;
        } else if (quoted && *c == '"') {
            must(c[1] == ',' || c[1] == '\n', "a closing quote ends its field");
            return c + 1;
        } else if (!quoted && (*c == ',' || *c == '\n')) {
            return c;
        }
        must(quoted || *c != '"', "only a quoted field holds quotes");
    }
}

/* Moves past one row, and counts its fields. */
static const char *skip_row(const char *c, size_t *fields)
{
    *fields = 1;
    while (*(c = skip_field(c)) == ',') {
        c++;
        ++*fields;
    }
    return c + 1;
}

void must_be_table(const char *table)
{
    size_t columns = 0;
    size_t fields = 0;
    const char *row = skip_row(table, &columns);

    while (*row != '\0') {
        row = skip_row(row, &fields);
        must(fields == columns, "every row has the same columns");
    }
}

/* True when the word stands in the text by itself: printf writes "inf" and "nan" for what
 * is no number. */
static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    const char *found = text;

    while ((found = strstr(found, word)) != NULL) {
        const bool starts = found == text || !isalnum((unsigned char)found[-1]);

        if (starts && !isalnum((unsigned char)found[length])) {
            return true;
        }
        found += length;
    }
    return false;
}

void must_hold_numbers(const char *report, const char *input)
{
    static const char *const words[] = {"inf", "nan"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        must(strstr(input, words[i]) != NULL || strstr(input, "\\u") != NULL ||
                 !has_word(report, words[i]),
             "a report holds numbers");
    }
}

void must_be_figures(json_t *json)
{
    const char *key = NULL;
    json_t *value = NULL;
    size_t index = 0;

    must(!json_is_number(json) ||
             (isfinite(json_number_value(json)) && json_number_value(json) >= 0),
         "figures are finite and not negative");
    json_object_foreach(json, key, value)
    {
        if (strcmp(key, "median_below") != 0) { /* less than zero above a roof */
            must_be_figures(value);
        }
    }
    json_array_foreach(json, index, value)
    {
        must_be_figures(value);
    }
}
