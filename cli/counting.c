/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/counters.h"
#include "cli/program.h"
#include "probes/architecture.h"
#include "probes/perf_events.h"
#include "probes/regions.h"

#define LIKWID_HOWTO "docs/howto/count-traffic-with-likwid.md"
#define PERF_HOWTO   "docs/howto/count-in-a-virtual-machine.md"

/* Reads the release from what a program printed: "likwid-perfctr -- Version 5.2.2
 * (commit: ...)" in all releases, "perf version 6.1.90". */
static void read_release(FILE *file, char *release, size_t capacity)
{
    static const char key[] = "ersion ";
    char line[256];

    rewind(file);
    while (release[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *const place = strstr(line, key);

        if (place != NULL) {
            const char *const number = place + strlen(key);

            snprintf(release, capacity, "%.*s", (int)strspn(number, "0123456789."),
                     number);
        }
    }
}

/* Whether the program can be started, and which release it says it is. */
static bool ask(const char *program, const char *option, bool *present, char release[16],
                struct rp_error *error)
{
    static const double patience_seconds = 10;
    const char *const arguments[] = {program, option, NULL};
    struct rp_program_result result;
    FILE *const file = tmpfile();

    if (file == NULL) {
        return rp_fail(error, RP_UNABLE,
                       "cannot write a temporary file for %s: %s; make room or access in "
                       "the directory for temporary files",
                       program, strerror(errno));
    }
    const bool asked =
        rp_program_run(arguments, patience_seconds, fileno(file), NULL, &result, error);
    if (asked) {
        *present = result.end != RP_PROGRAM_ABSENT;
        read_release(file, release, 16);
    }
    fclose(file);
    return asked;
}

static bool has_groups(const char *architecture)
{
    const struct rp_counter_group *group = NULL;

    for (size_t i = 0; (group = rp_counter_group_at(i)) != NULL; i++) {
        if (strcmp(group->architecture, architecture) == 0) {
            return true;
        }
    }
    return false;
}

enum rp_counting_with rp_counting_default(const struct rp_pmu *pmu)
{
    return rp_pmu_way(pmu) == RP_PMU_PERF_EVENT ? RP_COUNT_WITH_PERF
                                                : RP_COUNT_WITH_LIKWID;
}

bool rp_counting_find(struct rp_counting *counting, const char *architecture,
                      enum rp_counting_with with, struct rp_error *error)
{
    char known[128];

    *counting = (struct rp_counting){0};
    if (architecture != NULL && !has_groups(architecture)) {
        return rp_fail(error, RP_USAGE,
                       "counters: there are no groups for '%s'; there are for %s",
                       architecture, rp_counting_architectures(known, sizeof known));
    }
    if (!rp_cpu_detect(&counting->cpu, &rp_cpu_native, NULL, error)) {
        return false;
    }
    rp_pmu_read(&counting->pmu, &rp_system_running);
    counting->regions = rp_regions_library != NULL;
    counting->architecture =
        architecture != NULL ? architecture : rp_likwid_architecture(&counting->cpu);
    counting->chosen = with != RP_COUNT_WITH_EITHER;
    counting->with = counting->chosen ? with : rp_counting_default(&counting->pmu);
    return ask("likwid-perfctr", "-v", &counting->likwid, counting->likwid_release,
               error) &&
           ask("perf", "--version", &counting->perf, counting->perf_release, error);
}

const char *rp_counting_with(const struct rp_counting *counting)
{
    return counting->with == RP_COUNT_WITH_PERF ? "perf" : "likwid";
}

const char *rp_counting_reason(const struct rp_counting *counting)
{
    static const char *const reasons[] = {
        [RP_PMU_NONE] = "it counts most where there are counters",
        [RP_PMU_PERF_EVENT] = "the counters can be reached through the kernel only",
        [RP_PMU_REGISTERS] = "it reaches the registers, and with them all counters",
    };

    return counting->chosen ? "it was asked for" : reasons[rp_pmu_way(&counting->pmu)];
}

bool rp_counting_fits(const struct rp_counting *counting,
                      const struct rp_counter_group *group)
{
    return counting->with == RP_COUNT_WITH_PERF
               ? rp_perf_counts(group->architecture, group->name)
               : rp_counter_group_fits(group, counting->likwid_release);
}

const struct rp_counter_group *rp_counting_next(const struct rp_counting *counting,
                                                size_t *index)
{
    const struct rp_counter_group *group = NULL;

    while (counting->architecture != NULL &&
           (group = rp_counter_group_at((*index)++)) != NULL) {
        if (strcmp(group->architecture, counting->architecture) == 0) {
            return group;
        }
    }
    return NULL;
}

const char *rp_counting_architectures(char *text, size_t capacity)
{
    const struct rp_counter_group *group = NULL;
    const char *last = "";
    size_t length = 0;

    snprintf(text, capacity, "%s", "");
    for (size_t i = 0; (group = rp_counter_group_at(i)) != NULL && length < capacity;
         i++) {
        if (strcmp(group->architecture, last) != 0) {
            length += (size_t)snprintf(text + length, capacity - length, "%s%s",
                                       length > 0 ? ", " : "", group->architecture);
            last = group->architecture;
        }
    }
    return text;
}

static bool some_group_fits(const struct rp_counting *counting)
{
    const struct rp_counter_group *group = NULL;
    size_t index = 0;

    while ((group = rp_counting_next(counting, &index)) != NULL) {
        if (rp_counting_fits(counting, group)) {
            return true;
        }
    }
    return false;
}

/* The release that the first group needs: each architecture came with its RP_CORE. */
static const char *needed_release(const struct rp_counting *counting, char text[32])
{
    size_t index = 0;

    rp_counter_group_likwid(rp_counting_next(counting, &index), text, 32);
    return text;
}

bool rp_counting_has_groups(const struct rp_counting *counting, struct rp_error *error)
{
    const struct rp_cpu *const cpu = &counting->cpu;
    char text[128];

    return counting->architecture != NULL ||
           rp_fail(error, RP_UNABLE,
                   "there are no counter groups for this processor (%s family %u model "
                   "%u), only for %s; `likwid-perfctr -a` lists those of likwid",
                   cpu->vendor, cpu->family, cpu->model,
                   rp_counting_architectures(text, sizeof text));
}

bool rp_counting_possible(const struct rp_counting *counting, struct rp_error *error)
{
    return rp_pmu_usable(&counting->pmu, &counting->cpu, error) &&
           rp_counting_equipped(counting, error);
}

static bool perf_is_equipped(const struct rp_counting *counting, struct rp_error *error)
{
    if (!counting->perf) {
        return rp_fail(
            error, RP_UNABLE,
            "perf, which counts where %s, is not on PATH: install 6.0 or newer (Debian: "
            "apt install linux-perf, Ubuntu: linux-tools-generic), or give "
            "--with likwid; " PERF_HOWTO " tells more",
            counting->chosen ? "it is asked for" : rp_counting_reason(counting));
    }
    if (counting->perf_release[0] == '\0') {
        return rp_fail(error, RP_UNABLE,
                       "`perf --version` does not tell its release; see what it says, "
                       "and install the perf of this kernel");
    }
    return some_group_fits(counting) ||
           rp_fail(error, RP_UNABLE,
                   "no events are known for counting on this processor (%s) with perf; "
                   "give --with likwid",
                   counting->architecture);
}

static bool likwid_is_equipped(const struct rp_counting *counting, struct rp_error *error)
{
    char release[32];

    if (!counting->likwid) {
        return rp_fail(error, RP_UNABLE,
                       "likwid-perfctr, which counts, is not on PATH: install likwid %s "
                       "or newer (Debian and Ubuntu: apt install likwid); " LIKWID_HOWTO
                       " tells more",
                       needed_release(counting, release));
    }
    if (counting->likwid_release[0] == '\0') {
        return rp_fail(error, RP_UNABLE,
                       "`likwid-perfctr -v` does not tell its release; see what it says, "
                       "and install likwid again");
    }
    if (!some_group_fits(counting)) {
        return rp_fail(error, RP_UNABLE,
                       "likwid %s does not know this processor (%s): install likwid %s "
                       "or newer",
                       counting->likwid_release, counting->architecture,
                       needed_release(counting, release));
    }
    return counting->regions ||
           rp_fail(error, RP_UNABLE,
                   "this program was built without likwid and marks no regions for it: "
                   "build it again where likwid and its headers are installed (Debian "
                   "and Ubuntu: apt install likwid)");
}

bool rp_counting_equipped(const struct rp_counting *counting, struct rp_error *error)
{
    return rp_counting_has_groups(counting, error) &&
           (counting->with == RP_COUNT_WITH_PERF ? perf_is_equipped(counting, error)
                                                 : likwid_is_equipped(counting, error));
}
