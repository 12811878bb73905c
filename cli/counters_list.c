/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <stdio.h>

#include "cli/counters.h"

static const char *const way_names[] = {
    [RP_PMU_NONE] = "none",
    [RP_PMU_PERF_EVENT] = "perf_event",
    [RP_PMU_REGISTERS] = "registers",
};

static const char *const way_texts[] = {
    [RP_PMU_PERF_EVENT] = "through the kernel only: perf, or a likwid built with "
                          "ACCESSMODE=perf_event",
    [RP_PMU_REGISTERS] = "through the registers: likwid, as root or by its daemon",
};

static const char *const file_names[] = {
    [RP_GROUP_FILE_ABSENT] = "no",
    [RP_GROUP_FILE_SAME] = "yes",
    [RP_GROUP_FILE_DIFFERS] = "differs",
};

/* Without a home, nothing is installed there: that only an installation has to tell. */
static enum rp_group_file installed(const struct rp_counting *counting,
                                    const struct rp_counter_group *group)
{
    struct rp_error ignored;
    char folder[RP_GROUP_PATH_BYTES];
    char path[RP_GROUP_PATH_BYTES];
    enum rp_group_file state = RP_GROUP_FILE_ABSENT;

    return rp_group_folder(counting, folder, &ignored) &&
                   rp_group_file(folder, group, path, &state, &ignored)
               ? state
               : RP_GROUP_FILE_ABSENT;
}

static void print_program(const char *title, const char *program, bool present,
                          const char *release)
{
    if (!present) {
        printf("%-11s not installed: there is no %s on PATH\n", title, program);
    } else {
        printf("%-11s %s\n", title,
               release[0] != '\0' ? release : "does not tell its release");
    }
}

static void print_counters(const struct rp_counting *counting)
{
    struct rp_error why;

    if (rp_pmu_usable(&counting->pmu, &counting->cpu, &why)) {
        printf("counters    %s%s\n", way_texts[rp_pmu_way(&counting->pmu)],
               counting->pmu.memory ? "" : "; the kernel shows none of memory");
    } else {
        printf("counters    none: %s\n", why.message);
    }
    printf("with        %s: %s\n", rp_counting_with(counting),
           rp_counting_reason(counting));
}

static void print_group(const struct rp_counting *counting,
                        const struct rp_counter_group *group)
{
    char likwid[32];

    rp_counter_group_likwid(group, likwid, sizeof likwid);
    const bool lacking =
        (counting->with == RP_COUNT_WITH_PERF || counting->likwid_release[0] != '\0') &&
        !rp_counting_fits(counting, group);
    printf("%-13s %-18s %-10s %s", group->name, likwid,
           file_names[installed(counting, group)],
           rp_counter_group_purpose(group->name)->question);
    if (lacking) {
        printf(" (not with this %s)", rp_counting_with(counting));
    }
    putchar('\n');
}

bool rp_counting_print(const struct rp_counting *counting, struct rp_error *error)
{
    const struct rp_counter_group *group = NULL;
    char known[128];
    size_t index = 0;

    (void)error;
    printf("processor   %s\n", counting->cpu.brand);
    print_program("likwid", "likwid-perfctr", counting->likwid, counting->likwid_release);
    print_program("perf", "perf", counting->perf, counting->perf_release);
    print_counters(counting);
    if (counting->architecture == NULL) {
        printf("groups      none for this processor; there are for %s\n",
               rp_counting_architectures(known, sizeof known));
        return true;
    }
    printf("groups      %s\n\n", counting->architecture);
    printf("%-13s %-18s %-10s %s\n", "group", "likwid from", "installed",
           "what it answers");
    while ((group = rp_counting_next(counting, &index)) != NULL) {
        print_group(counting, group);
    }
    return true;
}

static json_t *group_to_json(const struct rp_counting *counting,
                             const struct rp_counter_group *group)
{
    char likwid[32];
    char text[128];

    rp_counter_group_likwid(group, likwid, sizeof likwid);
    rp_counter_group_summary(group, text, sizeof text);
    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:s}", "name", group->name, "text", text,
                     "question", rp_counter_group_purpose(group->name)->question,
                     "likwid", likwid, "fits", rp_counting_fits(counting, group),
                     "installed", file_names[installed(counting, group)]);
}

bool rp_counting_print_json(const struct rp_counting *counting, struct rp_error *error)
{
    const struct rp_pmu *const pmu = &counting->pmu;
    const struct rp_counter_group *group = NULL;
    struct rp_error why = {0};
    size_t index = 0;
    json_t *const groups = json_array();

    while ((group = rp_counting_next(counting, &index)) != NULL) {
        json_array_append_new(groups, group_to_json(counting, group));
    }
    const bool possible = rp_counting_possible(counting, &why);
    json_t *const json = json_pack(
        "{s:s, s:s?, s:b, s:s?, s:b, s:s?, s:s, s:s, s:{s:s, s:b, s:b, s:b, s:b, s:b}, "
        "s:b, s:s, s:o}",
        "processor", counting->cpu.brand, "architecture", counting->architecture,
        "likwid_installed", counting->likwid, "likwid",
        counting->likwid_release[0] != '\0' ? counting->likwid_release : NULL,
        "perf_installed", counting->perf, "perf",
        counting->perf_release[0] != '\0' ? counting->perf_release : NULL, "with",
        rp_counting_with(counting), "with_why", rp_counting_reason(counting), "counters",
        "way", way_names[rp_pmu_way(pmu)], "present", pmu->present, "memory", pmu->memory,
        "registers", pmu->registers, "registers_locked", pmu->registers_locked,
        "kept_from_users", pmu->kept_from_users, "can_count", possible, "why",
        possible ? "" : why.message, "groups", groups);
    const bool written = json != NULL && json_dumpf(json, stdout, JSON_INDENT(2)) == 0;

    json_decref(json);
    if (!written) {
        return rp_fail(error, RP_UNABLE, "cannot write the counter groups as JSON");
    }
    putchar('\n');
    return true;
}
