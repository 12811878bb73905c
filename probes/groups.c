/* SPDX-License-Identifier: MIT */
#include "probes/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct rp_counter_group groups[] = {
#include "probes/group_rows.h"
};

static const struct rp_counter_purpose purposes[] = {
    {.name = "RP_CORE",
     .question = "is the core itself the limit: its width, its load and store pipes?",
     .routine = true},
    {.name = "RP_L1FILL",
     .question = "how many bytes crossed from the L2 and beyond to the L1?",
     .routine = true},
    {.name = "RP_L2",
     .question = "how many bytes crossed between L1 and L2?",
     .routine = true},
    {.name = "RP_L3",
     .question = "how many bytes crossed between the L2 and what is beyond it?",
     .routine = true},
    {.name = "RP_L3CCX",
     .question = "how much of that did the L3 hold?",
     .outside = true},
    {.name = "RP_L3CCX_522",
     .question = "how much of that did the L3 hold?",
     .outside = true},
    {.name = "RP_MEM",
     .question = "how many bytes crossed to DRAM?",
     .routine = true,
     .outside = true},
    {.name = "RP_MEM_A",
     .question = "how many bytes crossed to DRAM, on the first four channels?",
     .routine = true,
     .outside = true},
    {.name = "RP_MEM_B",
     .question = "how many bytes crossed to DRAM, on the last four channels?",
     .routine = true,
     .outside = true},
    {.name = "RP_MEM_RD",
     .question = "how many bytes crossed to DRAM, read?",
     .routine = true,
     .outside = true,
     .better = "RP_MEM"},
    {.name = "RP_MEM_WR",
     .question = "how many bytes crossed to DRAM, written?",
     .routine = true,
     .outside = true,
     .better = "RP_MEM"},
    {.name = "RP_STORE",
     .question = "how many lines were read only because they were stored to?"},
    {.name = "RP_NTFULL",
     .question = "how many whole lines did non-temporal stores send past the caches?",
     .outside = true},
    {.name = "RP_SPECI2M",
     .question = "how many lines did the hardware spare itself to read before a store?",
     .outside = true},
    {.name = "RP_FP", .question = "how many floating-point operations?"},
    {.name = "RP_FP_DP",
     .question = "how many double-precision operations, at which width?"},
    {.name = "RP_FP_SP",
     .question = "how many single-precision operations, at which width?"},
    {.name = "RP_VINT",
     .question = "how many packed integer operations: XOR, shuffles, bit slices?"},
    {.name = "RP_CRYPTO",
     .question = "how many AES, carry-less multiply and SHA operations?"},
    {.name = "RP_PORT", .question = "which execution port is full?"},
};

const struct rp_counter_purpose *rp_counter_group_purpose(const char *name)
{
    for (size_t i = 0; i < sizeof purposes / sizeof *purposes; i++) {
        if (strcmp(purposes[i].name, name) == 0) {
            return &purposes[i];
        }
    }
    return NULL;
}

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

/* A release as a number that grows with it; 0 for what is none. */
static unsigned long release_number(const char *release)
{
    unsigned long number = 0;
    char *rest = NULL;

    for (int part = 0; part < 3; part++) {
        number = 1000 * number + strtoul(release, &rest, 10);
        release = *rest == '.' ? rest + 1 : rest;
    }
    return number;
}

bool rp_counter_group_fits(const struct rp_counter_group *group, const char *release)
{
    static const char until[] = " until ";
    const unsigned long number = release_number(release);
    char span[32];

    rp_counter_group_likwid(group, span, sizeof span);
    const char *const last = strstr(span, until);
    return span[0] != '\0' && number >= release_number(span) &&
           (last == NULL || number <= release_number(last + sizeof until - 1));
}
