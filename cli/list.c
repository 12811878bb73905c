/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/verb.h"
#include "kernels/kernel.h"
#include "probes/groups.h"
#include "probes/probe.h"
#include "sweeps/sweep.h"

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_MARKDOWN };

static void mode_names(const struct rp_kernel *kernel, char *text, size_t capacity)
{
    size_t length = 0;

    text[0] = '\0';
    for (int mode = 0; mode < RP_MODE_COUNT; mode++) {
        if (rp_kernel_has_mode(kernel, (enum rp_mode)mode) && length < capacity) {
            length += (size_t)snprintf(text + length, capacity - length, "%s%s",
                                       length == 0 ? "" : " ",
                                       rp_mode_name((enum rp_mode)mode));
        }
    }
}

static bool list_kernels(enum format format, struct rp_error *error)
{
    const struct rp_kernel *kernel = NULL;
    struct rp_cpu cpu;

    if (!rp_cpu_detect(&cpu, &rp_cpu_native, getenv("RIDGEPOINT_CPU"), error)) {
        return false;
    }
    if (format == FORMAT_MARKDOWN) {
        puts("| kernel | modes | needs | what it does |\n|---|---|---|---|");
    }
    for (size_t i = 0; (kernel = rp_kernel_at(i)) != NULL; i++) {
        char modes[64];
        char why[160];
        char needs[128];

        mode_names(kernel, modes, sizeof modes);
        rp_cpu_feature_names(kernel->needs, needs, sizeof needs);
        const bool available = rp_kernel_available(kernel, &cpu, why, sizeof why);
        if (format == FORMAT_JSON) {
            json_t *const row =
                json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:s}", "name", kernel->name,
                          "family", kernel->family, "modes", modes, "needs", needs,
                          "text", kernel->text, "available", available, "why", why);

            json_dumpf(row, stdout, JSON_COMPACT);
            putchar('\n');
            json_decref(row);
        } else if (format == FORMAT_MARKDOWN) { /* the same on every machine */
            printf("| `%s` | %s | %s | %s |\n", kernel->name, modes, needs, kernel->text);
        } else {
            printf("%-28s %-20s %s%s\n", kernel->name, modes,
                   available ? kernel->text : "unavailable: ", why);
        }
    }
    return true;
}

static void print_row(enum format format, const char *name, const char *text)
{
    if (format == FORMAT_JSON) {
        json_t *const row = json_pack("{s:s, s:s}", "name", name, "text", text);

        json_dumpf(row, stdout, JSON_COMPACT);
        putchar('\n');
        json_decref(row);
    } else if (format == FORMAT_MARKDOWN) {
        printf("| `%s` | %s |\n", name, text);
    } else {
        printf("%-12s %s\n", name, text);
    }
}

static bool list_probes(enum format format, struct rp_error *error)
{
    const struct rp_probe *probe = NULL;

    (void)error;
    for (size_t i = 0; (probe = rp_probe_at(i)) != NULL; i++) {
        print_row(format, probe->name, probe->text);
    }
    return true;
}

static bool list_sweeps(enum format format, struct rp_error *error)
{
    const char *builtin = NULL;

    for (size_t i = 0; (builtin = rp_sweep_builtin_name(i)) != NULL; i++) {
        struct rp_sweep sweep;
        char name[48];
        char *text = NULL;
        const bool ok = rp_sweep_load(builtin, &text, name, error) &&
                        rp_sweep_parse(&sweep, name, text, builtin, error);

        free(text);
        if (!ok) {
            return false;
        }
        print_row(format, builtin, sweep.text);
    }
    return true;
}

static bool list_groups(enum format format, struct rp_error *error)
{
    const struct rp_counter_group *group = NULL;

    (void)error;
    if (format == FORMAT_MARKDOWN) {
        puts("| architecture | group | likwid | what it counts |\n|---|---|---|---|");
    }
    for (size_t i = 0; (group = rp_counter_group_at(i)) != NULL; i++) {
        char likwid[32];
        char text[128];

        rp_counter_group_likwid(group, likwid, sizeof likwid);
        rp_counter_group_summary(group, text, sizeof text);
        if (format == FORMAT_JSON) {
            json_t *const row =
                json_pack("{s:s, s:s, s:s, s:s}", "architecture", group->architecture,
                          "name", group->name, "likwid", likwid, "text", text);

            json_dumpf(row, stdout, JSON_COMPACT);
            putchar('\n');
            json_decref(row);
        } else if (format == FORMAT_MARKDOWN) {
            printf("| %s | `%s` | %s | %s |\n", group->architecture, group->name, likwid,
                   text);
        } else {
            printf("%-13s %-13s %s\n", group->architecture, group->name, text);
        }
    }
    return true;
}

static const struct {
    const char *name;
    bool (*list)(enum format format, struct rp_error *error);
} lists[] = {
    {"kernels", list_kernels},
    {"probes", list_probes},
    {"sweeps", list_sweeps},
    {"groups", list_groups},
};

static bool run(int argc, char **argv, struct rp_error *error)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'}, {"markdown", no_argument, NULL, 'm'}, {0}};
    enum format format = FORMAT_TEXT;
    const char *what = NULL;
    int option = 0;

    while ((option = rp_next_option(argc, argv, options, error)) != -1) {
        if (option == '?') {
            return false;
        }
        format = option == 'j' ? FORMAT_JSON : FORMAT_MARKDOWN;
    }
    if (!rp_single_argument(argc, argv, "list: kernels, probes, sweeps or groups", &what,
                            error)) {
        return false;
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(lists[i].name, what) == 0) {
            return lists[i].list(format, error);
        }
    }
    return rp_fail(error, RP_USAGE,
                   "list: '%s' cannot be listed; kernels, probes, sweeps and groups can",
                   what);
}

const struct rp_verb rp_verb_list = {
    .name = "list",
    .summary = "the kernels, probes, sweeps and counter groups there are",
    .help =
        "usage: ridgepoint list kernels|probes|sweeps|groups [--json | --markdown]\n\n"
        "A kernel that this CPU or build lacks is listed with the reason. Groups are\n"
        "counter groups for likwid, those of every architecture it knows them for.\n\n"
        "  --json       one JSON object a line\n"
        "  --markdown   rows of a Markdown table\n",
    .run = run,
};
