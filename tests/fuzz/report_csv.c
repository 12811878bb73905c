/* SPDX-License-Identifier: MIT */
/*
 * The table of facts of a run from anywhere, read back by the letter of RFC 4180: as many
 * fields in every row as columns, one line a row, and nothing that a spreadsheet runs.
 */
#include <string.h>

#include "hostile.h"
#include "roofline/report.h"

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

static void check_table(const char *table)
{
    size_t columns = 0;
    size_t fields = 0;
    const char *row = skip_row(table, &columns);

    while (*row != '\0') {
        row = skip_row(row, &fields);
        must(fields == columns, "every row has the same columns");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hostile hostile;

    if (hostile_read(&hostile, data, size)) {
        struct rp_error error = {0};
        struct rp_text table = {0};

        must(rp_report_csv(&hostile.model, &table, &error), "every model has a table");
        check_table(table.data);
        rp_text_free(&table);
    }
    hostile_free(&hostile);
    return 0;
}
