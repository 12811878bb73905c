/* SPDX-License-Identifier: MIT */
#include "roofline/perf_json.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Per cent. Below, perf extrapolates. */
#define ALL_OF_THE_TIME 100.0

#define BYTES_PER_LINE 64.0

static const struct unit {
    const char *name;
    double counts; /* that make one of them */
} units[] = {
    {"", 1},
    {"ns", 1},
    {"msec", 1e6},
    {"MiB", (double)RP_MIB / BYTES_PER_LINE},
};

struct reader {
    const char *name;
    struct rp_counted_list *list;
    size_t line_number;
    struct rp_counted counted;
};

static const struct unit *find_unit(const char *name)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(units[i].name, name) == 0) {
            return &units[i];
        }
    }
    return NULL;
}

/* A member that is text; "" when there is none. */
static const char *text_of(const json_t *json, const char *key)
{
    const char *const text = json_string_value(json_object_get(json, key));

    return text != NULL ? text : "";
}

/* The count that a line tells. NaN when it tells none that can be trusted, with why. */
static double count_of(const json_t *json, struct rp_text *why)
{
    const char *const value = text_of(json, "counter-value");
    const double running = json_number_value(json_object_get(json, "pcnt-running"));
    const struct unit *const unit = find_unit(text_of(json, "unit"));
    const double number = rp_count_value(value);

    if (strcmp(value, "<not supported>") == 0) {
        rp_text_print(why, "cannot be counted on this machine; see `perf list`");
    } else if (strcmp(value, "<not counted>") == 0) {
        rp_text_print(why, "was not counted; count fewer events at once, and without -I");
    } else if (isnan(number)) {
        rp_text_print(why, "has a value that is no count; let perf write it again");
    } else if (running != ALL_OF_THE_TIME) {
        rp_text_print(why,
                      "was counted during %.2f %% of the time and extrapolated; count "
                      "fewer events at once",
                      running);
    } else if (unit == NULL) {
        rp_text_print(why, "is no count but in a unit of its own; leave it out");
    } else {
        /* Back to the whole number that perf scaled and printed with six decimals. */
        return unit->counts != 1 ? rp_count_sum(round(number * unit->counts), 0) : number;
    }
    return NAN;
}

/* The event of that name, which is added as zero when it is new; NULL when it cannot. */
static struct rp_count *find_event(struct reader *reader, const char *name,
                                   struct rp_error *error)
{
    struct rp_count count = {0};

    if (!rp_count_name(count.event, sizeof count.event, name)) {
        rp_fail(
            error, RP_USAGE,
            "%.300s:%zu: an event has a name of more than 63 bytes; give it a shorter "
            "one with name=... in perf's -e",
            reader->name, reader->line_number);
        return NULL;
    }
    for (size_t i = 0; i < reader->counted.count; i++) {
        if (strcmp(reader->counted.counts[i].event, count.event) == 0) {
            return &reader->counted.counts[i];
        }
    }
    return rp_counted_add(&reader->counted, &count, error)
               ? &reader->counted.counts[reader->counted.count - 1]
               : NULL;
}

static bool read_event(struct reader *reader, const json_t *json, struct rp_error *error)
{
    struct rp_text why = {0};

    if (json_object_get(json, "variance") != NULL) {
        return rp_fail(error, RP_USAGE,
                       "%.300s:%zu: this is the mean of several runs; run perf stat "
                       "without -r",
                       reader->name, reader->line_number);
    }
    struct rp_count *const count = find_event(reader, text_of(json, "event"), error);
    if (count == NULL) {
        return false;
    }
    const double value = count_of(json, &why);
    if (isnan(value) && !isnan(count->value)) { /* said once for each event */
        rp_text_print(&reader->list->notes, "%s is missing: it %s\n", count->event,
                      why.data != NULL ? why.data : "is too large a count");
    }
    count->value = rp_count_sum(count->value, value);
    const bool done = !why.failed || rp_fail(error, RP_UNABLE, "not enough memory");
    rp_text_free(&why);
    return done;
}

/* Reads a line of JSON; other lines are of perf or of the program it ran. */
static bool read_line(struct reader *reader, const char *line, size_t length,
                      struct rp_error *error)
{
    const size_t indent = strspn(line, " \t");
    const bool whole = line[length - 1] == '\n';

    if (line[indent] != '{') {
        return true;
    }
    json_t *const json = json_loadb(line, length, 0, NULL);
    if (json == NULL && (!whole || strstr(line, "\"counter-value\"") != NULL)) {
        return rp_fail(error, RP_USAGE,
                       "%.300s:%zu: %s; let perf stat write it again, with -j and "
                       "without -x",
                       reader->name, reader->line_number,
                       whole ? "malformed JSON" : "the file is cut off here");
    }
    const bool done = !json_is_string(json_object_get(json, "counter-value")) ||
                      !json_is_string(json_object_get(json, "event")) ||
                      read_event(reader, json, error);
    json_decref(json);
    return done;
}

static bool read_lines(struct reader *reader, FILE *file, struct rp_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = 0;
    bool done = true;

    errno = 0;
    while (done && (length = getline(&line, &capacity, file)) > 0) {
        reader->line_number++;
        done = read_line(reader, line, (size_t)length, error);
        errno = 0;
    }
    const int reason = errno;
    free(line);
    if (done && !feof(file)) {
        return rp_fail(error, reason == ENOMEM ? RP_UNABLE : RP_USAGE,
                       "cannot read %.300s: %s", reader->name, strerror(reason));
    }
    return done;
}

bool rp_perf_json_read(struct rp_counted_list *list, FILE *file, const char *name,
                       struct rp_error *error)
{
    struct reader reader = {
        .name = name, .list = list, .counted = {.source = "perf stat"}};

    *list = (struct rp_counted_list){0};
    bool done = read_lines(&reader, file, error);
    if (done && reader.counted.count == 0) {
        done = rp_fail(error, RP_USAGE,
                       "%.300s holds no event of perf stat; give what `perf stat -j` "
                       "wrote, to a file with -o",
                       name);
    } else if (done && list->notes.failed) {
        done = rp_fail(error, RP_UNABLE, "not enough memory to read %.300s", name);
    }
    if (done && rp_counted_any(&reader.counted)) {
        rp_counted_name_group(&reader.counted);
        done = rp_counted_list_add(list, &reader.counted, error);
    }
    rp_counted_free(&reader.counted);
    return done;
}
