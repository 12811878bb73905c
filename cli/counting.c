/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/counters.h"
#include "cli/program.h"
#include "probes/architecture.h"
#include "probes/regions.h"

#define LIKWID_HOWTO "docs/howto/count-traffic-with-likwid.md"

/* Reads the release from what `likwid-perfctr -v` printed, which is "likwid-perfctr --
 * Version 5.2.2 (commit: ...)" in all releases. */
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

static bool ask_likwid(struct rp_counting *counting, struct rp_error *error)
{
    static const double patience_seconds = 10;
    static const char *const arguments[] = {"likwid-perfctr", "-v", NULL};
    struct rp_program_result result;
    FILE *const file = tmpfile();

    if (file == NULL) {
        return rp_fail(error, RP_UNABLE,
                       "cannot write a temporary file for likwid-perfctr: %s; make room "
                       "or access in the directory for temporary files",
                       strerror(errno));
    }
    const bool asked =
        rp_program_run(arguments, patience_seconds, fileno(file), NULL, &result, error);
    if (asked) {
        counting->likwid = result.end != RP_PROGRAM_ABSENT;
        read_release(file, counting->likwid_release, sizeof counting->likwid_release);
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

bool rp_counting_find(struct rp_counting *counting, const char *architecture,
                      struct rp_error *error)
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
    return ask_likwid(counting, error);
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
        if (rp_counter_group_fits(group, counting->likwid_release)) {
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

bool rp_counting_equipped(const struct rp_counting *counting, struct rp_error *error)
{
    char release[32];

    if (!rp_counting_has_groups(counting, error)) {
        return false;
    }
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
