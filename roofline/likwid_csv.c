/* SPDX-License-Identifier: MIT */
#include "roofline/likwid_csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "likwid-perfctr"

struct reader {
    FILE *file;
    const char *name;
    struct rp_counted_list *list;
    char source[64];
    size_t line_number;
    char *line;
    size_t capacity;
    char **fields; /* of the line, which they point into */
    size_t field_count;
    size_t field_capacity;
    bool torn;      /* the last line has no end */
    bool no_memory; /* ran out */
    bool any_table;
};

/* A region's table in the making. */
struct table {
    struct rp_counted counted;
    uint64_t events;
    size_t threads;
    double fewest_calls; /* of any thread; NaN counts as none */
    double most_calls;
};

/* Splits the line at its commas; the empty fields at the end only pad it. */
static bool split(struct reader *reader)
{
    char *rest = reader->line;

    reader->field_count = 0;
    while (rest != NULL) {
        if (reader->field_count == reader->field_capacity) {
            const size_t capacity = 2 * reader->field_capacity + 16;
            char **const grown =
                reallocarray(reader->fields, capacity, sizeof *reader->fields);

            if (grown == NULL) {
                reader->no_memory = true;
                return false;
            }
            reader->fields = grown;
            reader->field_capacity = capacity;
        }
        reader->fields[reader->field_count++] = strsep(&rest, ",");
    }
    while (reader->field_count > 1 &&
           reader->fields[reader->field_count - 1][0] == '\0') {
        reader->field_count--;
    }
    return true;
}

/* The next whole line, in fields; false at the end, or when it cannot be read. */
static bool next_line(struct reader *reader)
{
    errno = 0;
    const ssize_t length = getline(&reader->line, &reader->capacity, reader->file);

    reader->field_count = 0;
    if (length <= 0) {
        reader->no_memory = errno == ENOMEM;
        return false;
    }
    reader->line_number++;
    reader->torn = reader->line[length - 1] != '\n';
    if (reader->torn) {
        return false;
    }
    reader->line[strcspn(reader->line, "\r\n")] = '\0';
    rp_make_printable(reader->line);
    return split(reader);
}

/* Says why there is no next line where one has to be. */
static bool fail_end(const struct reader *reader, struct rp_error *error)
{
    if (reader->no_memory) {
        return rp_fail(error, RP_UNABLE, "not enough memory to read %.300s",
                       reader->name);
    }
    if (ferror(reader->file)) {
        return rp_fail(error, RP_USAGE, "cannot read %.300s: %s", reader->name,
                       strerror(errno));
    }
    return rp_fail(error, RP_USAGE,
                   "%.300s:%zu: the file is cut off here; let " PROGRAM " write it again",
                   reader->name, reader->line_number);
}

static bool fail_line(const struct reader *reader, const char *what,
                      struct rp_error *error)
{
    return rp_fail(error, RP_USAGE,
                   "%.300s:%zu: %s; give the CSV of " PROGRAM " 5.2 to 5.5 as it is",
                   reader->name, reader->line_number, what);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
    const size_t length = strlen(text);

    return length >= strlen(with) && strcmp(text + length - strlen(with), with) == 0;
}

/* The next line must begin with the field `first`. */
static bool expect(struct reader *reader, const char *first, struct rp_error *error)
{
    if (!next_line(reader)) {
        return fail_end(reader, error);
    }
    return strcmp(reader->fields[0], first) == 0 ||
           fail_line(reader, "a row of a region's table is missing", error);
}

/* Region Info, RDTSC Runtime and call count. */
static bool read_region_info(struct reader *reader, struct table *table,
                             struct rp_error *error)
{
    if (!expect(reader, "Region Info", error)) {
        return false;
    }
    table->threads = reader->field_count - 1;
    for (size_t i = 1; i < reader->field_count; i++) {
        if (!begins(reader->fields[i], "HWThread ")) {
            return fail_line(reader, "a column is not of a hardware thread", error);
        }
    }
    if (!expect(reader, "RDTSC Runtime [s]", error)) {
        return false;
    }
    for (size_t i = 1; i < reader->field_count; i++) {
        table->counted.seconds =
            fmax(table->counted.seconds, rp_count_value(reader->fields[i]));
    }
    if (!expect(reader, "call count", error)) {
        return false;
    }
    table->fewest_calls = reader->field_count == table->threads + 1 ? INFINITY : 0;
    for (size_t i = 1; i < reader->field_count; i++) {
        const double calls = rp_count_value(reader->fields[i]);

        table->fewest_calls = fmin(table->fewest_calls, isnan(calls) ? 0 : calls);
        table->most_calls = fmax(table->most_calls, calls);
    }
    table->counted.calls = table->most_calls;
    return true;
}

/* True for what each core counts for itself, with whatever options. */
static bool is_of_core(const char *counter)
{
    return begins(counter, "PMC") || begins(counter, "FIXC");
}

/* The event's value over all threads, and a note when it has none. */
static double add_up(const struct reader *reader, const struct table *table,
                     const struct rp_count *count)
{
    double sum = 0;
    size_t numbers = 0;

    for (size_t i = 2; i < reader->field_count && i < table->threads + 2; i++) {
        const double value = rp_count_value(reader->fields[i]);

        if (!isnan(value)) {
            sum += value;
            numbers++;
        }
    }
    const bool enough =
        is_of_core(count->counter) ? numbers == table->threads : numbers > 0;
    const double value = enough ? rp_count_sum(sum, 0) : NAN;
    if (isnan(value)) {
        rp_text_print(&reader->list->notes,
                      "%s on %s is missing in %s: no value on %zu of %zu hardware "
                      "threads; see what " PROGRAM " said on standard error\n",
                      count->event, count->counter, table->counted.region,
                      table->threads - numbers, table->threads);
    }
    return value;
}

static bool read_event(struct reader *reader, struct table *table, struct rp_error *error)
{
    struct rp_count count = {0};

    if (!next_line(reader)) {
        return fail_end(reader, error);
    }
    if (reader->field_count < 2 || strcmp(reader->fields[0], "TABLE") == 0 ||
        strcmp(reader->fields[0], "STRUCT") == 0) {
        return fail_line(reader, "a region's table has fewer events than it says", error);
    }
    if (!rp_count_name(count.event, sizeof count.event, reader->fields[0]) ||
        !rp_count_name(count.counter, sizeof count.counter, reader->fields[1])) {
        return fail_line(reader, "an event or counter has a name of more than 63 bytes",
                         error);
    }
    if (strcmp(count.counter, "TSC") == 0) {
        return true; /* the runtime, again */
    }
    count.value = add_up(reader, table, &count);
    return rp_counted_add(&table->counted, &count, error);
}

/* Counters of a memory controller, data fabric or L3, which only the first hardware
 * thread there reads: where it was not in the region, all are zero, and no memory is ever
 * that quiet. */
static bool is_of_memory(const char *counter)
{
    static const char *const units[] = {"MBOX", "HBM", "MDEV", "UMC", "DFC", "CPMC"};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (begins(counter, units[i])) {
            return true;
        }
    }
    return false;
}

static void distrust_silence(const struct reader *reader, struct rp_counted *counted)
{
    size_t silent = 0;

    for (size_t i = 0; i < counted->count; i++) {
        if (is_of_memory(counted->counts[i].counter)) {
            if (counted->counts[i].value > 0) {
                return;
            }
            silent += counted->counts[i].value == 0;
        }
    }
    if (silent == 0) {
        return;
    }
    for (size_t i = 0; i < counted->count; i++) {
        if (is_of_memory(counted->counts[i].counter)) {
            counted->counts[i].value = NAN;
        }
    }
    rp_text_print(&reader->list->notes,
                  "all that %s counts beyond the cores is missing in %s: every count is "
                  "zero; begin the list of -C with the CPU that runs the region\n",
                  counted->group, counted->region);
}

/* Adds the table to the list unless there is nothing to hold it by. */
static bool keep(struct reader *reader, struct table *table, struct rp_error *error)
{
    const char *reason = NULL;

    if (table->most_calls < 1) {
        reason = "was never entered";
    } else if (table->fewest_calls != table->most_calls) {
        reason = "was entered more often by some hardware threads than by others";
    } else if (!rp_counted_any(&table->counted)) {
        reason = "has no value of any event";
    }
    if (reason != NULL) {
        rp_text_print(&reader->list->notes,
                      "%s is left out of %s: it %s; measure it again\n",
                      table->counted.region, table->counted.group, reason);
        return true;
    }
    return rp_counted_list_add(reader->list, &table->counted, error);
}

static bool read_rows(struct reader *reader, struct table *table, struct rp_error *error)
{
    if (!read_region_info(reader, table, error) || !expect(reader, "Event", error)) {
        return false;
    }
    for (uint64_t i = 0; i < table->events; i++) {
        if (!read_event(reader, table, error)) {
            return false;
        }
    }
    if (strcmp(table->counted.group, "Custom") == 0) { /* -g took the events themselves */
        rp_counted_name_group(&table->counted);
    }
    distrust_silence(reader, &table->counted);
    return keep(reader, table, error);
}

/* TABLE,Region NAME,Group 1 Raw,GROUP,EVENTS, or the line of another table. */
static bool read_table(struct reader *reader, struct rp_error *error)
{
    static const char region[] = "Region ";
    char *const *const fields = reader->fields;
    struct table table = {0};

    reader->any_table = true;
    if (reader->field_count > 1 && begins(fields[1], "Group ")) {
        return rp_fail(error, RP_USAGE,
                       "%.300s:%zu: this was counted over the whole program, not in "
                       "regions; run " PROGRAM " with -m",
                       reader->name, reader->line_number);
    }
    if (reader->field_count != 5 || !begins(fields[1], region) ||
        !begins(fields[2], "Group ") || !rp_parse_count(fields[4], &table.events)) {
        return fail_line(reader, "a table has no region, group and number of events",
                         error);
    }
    if (!ends(fields[2], " Raw")) {
        return true;
    }
    if (!rp_count_name(table.counted.region, sizeof table.counted.region,
                       fields[1] + sizeof region - 1) ||
        !rp_count_name(table.counted.group, sizeof table.counted.group, fields[3])) {
        return fail_line(reader, "the name of a region or group is too long", error);
    }
    memcpy(table.counted.source, reader->source, sizeof reader->source);
    const bool done = read_rows(reader, &table, error);
    rp_counted_free(&table.counted);
    return done;
}

static bool read_lines(struct reader *reader, struct rp_error *error)
{
    while (next_line(reader)) {
        if (strcmp(reader->fields[0], "CPU type:") == 0 && reader->field_count > 1) {
            snprintf(reader->source, sizeof reader->source, PROGRAM ", %.47s",
                     reader->fields[1]);
        } else if (strcmp(reader->fields[0], "TABLE") == 0 &&
                   !read_table(reader, error)) {
            return false;
        }
    }
    if (reader->no_memory || ferror(reader->file)) {
        return fail_end(reader, error);
    }
    if (!reader->any_table) {
        return rp_fail(error, RP_USAGE,
                       "%.300s holds no table of " PROGRAM
                       "; give what it wrote with -m and -O, or -o NAME.csv",
                       reader->name);
    }
    return !reader->torn || fail_end(reader, error);
}

bool rp_likwid_csv_read(struct rp_counted_list *list, FILE *file, const char *name,
                        struct rp_error *error)
{
    struct reader reader = {.file = file, .name = name, .list = list, .source = PROGRAM};

    *list = (struct rp_counted_list){0};
    bool done = read_lines(&reader, error);
    if (done && list->notes.failed) {
        done = rp_fail(error, RP_UNABLE, "not enough memory to read %.300s", name);
    }
    free(reader.line);
    free(reader.fields);
    return done;
}
