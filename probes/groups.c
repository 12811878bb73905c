/* SPDX-License-Identifier: MIT */
#include "probes/groups.h"

#include <stdio.h>
#include <string.h>

static const struct rp_counter_group groups[] = {
#include "probes/group_rows.h"
};

const struct rp_counter_group *rp_counter_group_at(size_t index)
{
    return index < sizeof groups / sizeof *groups ? &groups[index] : NULL;
}

/* Writes the rest of the first line that begins with `start`, or nothing. */
static void rest_of_line(const char *lines, const char *start, char *text,
                         size_t capacity)
{
    const size_t length = strlen(start);

    snprintf(text, capacity, "%s", "");
    for (const char *line = lines; line != NULL;) {
        if (strncmp(line, start, length) == 0) {
            const char *const rest = line + length;

            snprintf(text, capacity, "%.*s", (int)strcspn(rest, "\n"), rest);
            return;
        }
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
}

void rp_counter_group_summary(const struct rp_counter_group *group, char *text,
                              size_t capacity)
{
    rest_of_line(group->text, "SHORT ", text, capacity);
}

void rp_counter_group_likwid(const struct rp_counter_group *group, char *text,
                             size_t capacity)
{
    char start[32];

    snprintf(start, sizeof start, "%s ", group->architecture);
    rest_of_line(strstr(group->text, "\nLikwid:\n"), start, text, capacity);
}
