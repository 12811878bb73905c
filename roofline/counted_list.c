/* SPDX-License-Identifier: MIT */
#include "roofline/counted_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that a run file holds (core/fields.h). */
#define LEAST_COUNT 1e-18
#define MOST_COUNT  1e18

void rp_counted_list_free(struct rp_counted_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        rp_counted_free(&list->counted[i]);
    }
    free(list->counted);
    rp_text_free(&list->notes);
    *list = (struct rp_counted_list){0};
}

bool rp_counted_list_add(struct rp_counted_list *list, struct rp_counted *counted,
                         struct rp_error *error)
{
    struct rp_counted *const grown =
        reallocarray(list->counted, list->count + 1, sizeof *grown);

    if (grown == NULL) {
        rp_counted_free(counted);
        return rp_fail(error, RP_UNABLE, "not enough memory for what was counted");
    }
    list->counted = grown;
    list->counted[list->count++] = *counted;
    *counted = (struct rp_counted){0};
    return true;
}

bool rp_counted_add(struct rp_counted *counted, const struct rp_count *count,
                    struct rp_error *error)
{
    if (counted->count == RP_MOST_COUNTS) {
        return rp_fail(error, RP_USAGE, "a region has more than %d events",
                       RP_MOST_COUNTS);
    }
    struct rp_count *const grown =
        reallocarray(counted->counts, counted->count + 1, sizeof *grown);
    if (grown == NULL) {
        return rp_fail(error, RP_UNABLE, "not enough memory for what was counted");
    }
    counted->counts = grown;
    counted->counts[counted->count++] = *count;
    return true;
}

bool rp_counted_any(const struct rp_counted *counted)
{
    for (size_t i = 0; i < counted->count; i++) {
        if (!isnan(counted->counts[i].value)) {
            return true;
        }
    }
    return false;
}

void rp_counted_name_group(struct rp_counted *counted)
{
    char *const group = counted->group;
    size_t length = 0;

    group[0] = '\0';
    for (size_t i = 0; i < counted->count; i++) {
        const char *const event = counted->counts[i].event;
        const char *const plus = i > 0 ? "+" : "";
        const size_t behind = i + 1 < counted->count ? sizeof "+4096" : sizeof "";

        if (length + strlen(plus) + strlen(event) + behind > sizeof counted->group) {
            snprintf(group + length, sizeof counted->group - length,
                     i > 0 ? "+%zu" : "%zu events", counted->count - i);
            return;
        }
        length += (size_t)snprintf(group + length, sizeof counted->group - length, "%s%s",
                                   plus, event);
    }
}

static double in_range(double value)
{
    return value == 0 || (value >= LEAST_COUNT && value <= MOST_COUNT) ? value : NAN;
}

double rp_count_value(const char *text)
{
    char *end = NULL;
    const double value = strtod(text, &end);

    return end != text && *end == '\0' ? in_range(value) : NAN;
}

double rp_count_sum(double a, double b)
{
    return in_range(a + b);
}

bool rp_count_name(char *name, size_t capacity, const char *text)
{
    const size_t length = strlen(text);

    if (length >= capacity) {
        return false;
    }
    memcpy(name, text, length + 1);
    rp_make_printable(name);
    return true;
}
