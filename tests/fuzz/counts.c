/* SPDX-License-Identifier: MIT */
#include "counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A run file has nine digits of a number. */
#define TOLERANCE 1e-8

bool counts_read(struct rp_counted_list *list, counts_reader *read, const char *text,
                 size_t length)
{
    struct rp_error error = {0};
    FILE *const file = fmemopen((void *)(uintptr_t)text, length, "r");

    must(file != NULL, "memory can be read as a file");
    const bool done = read(list, file, "input", &error);
    fclose(file);
    if (!done) {
        must_explain(&error);
    }
    return done;
}

static bool same_number(double a, double b)
{
    return isnan(a) ? isnan(b) : fabs(a - b) <= TOLERANCE * fabs(a);
}

static void must_be_same(const struct rp_counted *a, const struct rp_counted *b,
                         double factor)
{
    must(strcmp(a->region, b->region) == 0 && strcmp(a->group, b->group) == 0 &&
             strcmp(a->source, b->source) == 0,
         "names are the same");
    must(same_number(a->calls, b->calls) && same_number(a->seconds, b->seconds),
         "calls and time are the same");
    must(a->count == b->count, "events are as many");
    for (size_t i = 0; i < a->count; i++) {
        const double value = a->counts[i].value * factor;

        must(strcmp(a->counts[i].event, b->counts[i].event) == 0 &&
                 strcmp(a->counts[i].counter, b->counts[i].counter) == 0,
             "events are the same");
        must(same_number(value, b->counts[i].value) || value > 1e18,
             "counts are the same");
    }
}

void must_be_same_counts(const struct rp_counted_list *a, const struct rp_counted_list *b,
                         double factor)
{
    must(a->count == b->count, "regions are as many");
    for (size_t i = 0; i < a->count; i++) {
        must_be_same(&a->counted[i], &b->counted[i], factor);
    }
}

static void must_survive(const struct rp_counted *counted)
{
    struct rp_error error = {0};
    struct rp_counted again;
    struct rp_counted whole = *counted; /* with what a join adds */

    whole.calls = counted->calls > 0 ? counted->calls : 1;
    whole.items = whole.calls;
    json_t *const json = rp_counted_to_json(&whole);
    char *const text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_t *const read =
        text != NULL ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;

    must(read != NULL && rp_counted_from_json(&again, read, &error),
         "what was counted can be written and read again");
    must_be_same(&whole, &again, 1);
    rp_counted_free(&again);
    free(text);
    json_decref(read);
    json_decref(json);
}

void must_be_counts(const struct rp_counted_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct rp_counted *const counted = &list->counted[i];

        must(rp_counted_any(counted), "what is told has a value");
        must(counted->items == 0, "a file of counters knows no items");
        for (size_t j = 0; j < counted->count; j++) {
            const double value = counted->counts[j].value;

            must(isnan(value) || (isfinite(value) && value >= 0), "a sum is a number");
        }
        must_survive(counted);
    }
    for (const char *c = list->notes.data; c != NULL && *c != '\0'; c++) {
        must(*c == '\n' || !is_control(*c), "a note leaves the terminal alone");
    }
}
