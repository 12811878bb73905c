/* SPDX-License-Identifier: MIT */
#include "core/capture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/capture_parts.h"
#include "core/fields.h"

#define MOST_LEAVES 64

/* What cpuid.txt holds. */
struct recorded_cpu {
    struct leaf {
        uint32_t leaf;
        uint32_t subleaf;
        uint32_t registers[4];
    } leaves[MOST_LEAVES];
    unsigned leaf_count;
    uint64_t xcr0; /* the one extended control register that is read */
};

/* Reads what follows `word`: hexadecimal numbers, with a colon behind the first `keys`.
 */
static bool read_numbers(const char *line, const char *word, size_t keys,
                         uint64_t *numbers, size_t count)
{
    if (strncmp(line, word, strlen(word)) != 0) {
        return false;
    }
    line += strlen(word);
    for (size_t i = 0; i < count; i++) {
        char *end = NULL;

        if (i == keys) {
            line += strspn(line, " ");
            if (*line++ != ':') {
                return false;
            }
        }
        numbers[i] = strtoull(line, &end, 16);
        if (end == line) {
            return false;
        }
        line = end;
    }
    return true;
}

static bool read_cpu_line(struct recorded_cpu *cpu, const char *line)
{
    uint64_t numbers[6];

    if (read_numbers(line, RP_CAPTURE_LEAF_WORD, 2, numbers, 6) &&
        cpu->leaf_count < MOST_LEAVES) {
        cpu->leaves[cpu->leaf_count++] = (struct leaf){
            .leaf = (uint32_t)numbers[0],
            .subleaf = (uint32_t)numbers[1],
            .registers = {(uint32_t)numbers[2], (uint32_t)numbers[3],
                          (uint32_t)numbers[4], (uint32_t)numbers[5]},
        };
        return true;
    }
    if (read_numbers(line, RP_CAPTURE_XGETBV_WORD, 1, numbers, 2) && numbers[0] == 0) {
        cpu->xcr0 = numbers[1];
        return true;
    }
    return false;
}

static bool read_cpu(struct recorded_cpu *cpu, const char *path, struct rp_error *error)
{
    FILE *const file = fopen(path, "re");
    char line[128];
    unsigned number = 0;
    bool good = true;

    if (file == NULL) {
        return rp_fail(error, RP_USAGE, "%.300s: %s; a capture has such a file", path,
                       strerror(errno));
    }
    while (good && fgets(line, sizeof line, file) != NULL) {
        number++;
        good = read_cpu_line(cpu, line);
    }
    fclose(file);
    return good ||
           rp_fail(error, RP_USAGE,
                   "%.300s:%u: this is no line of CPUID; capture the machine anew", path,
                   number);
}

static void recorded_cpuid(void *context, uint32_t leaf, uint32_t subleaf,
                           uint32_t registers[4])
{
    const struct recorded_cpu *const cpu = context;

    memset(registers, 0, 4 * sizeof *registers);
    for (unsigned i = 0; i < cpu->leaf_count; i++) {
        if (cpu->leaves[i].leaf == leaf && cpu->leaves[i].subleaf == subleaf) {
            memcpy(registers, cpu->leaves[i].registers, 4 * sizeof *registers);
        }
    }
}

static uint64_t recorded_xgetbv(void *context, uint32_t index)
{
    const struct recorded_cpu *const cpu = context;

    return index == 0 ? cpu->xcr0 : 0;
}

/* Checks that this is a capture, of a format that is known. */
static bool read_manifest(const char *path, double *tsc_hz, struct rp_error *error)
{
    json_error_t reason;
    json_t *const json = json_load_file(path, 0, &reason);
    const char *const type = json_string_value(json_object_get(json, "type"));
    const json_int_t format = json_integer_value(json_object_get(json, "format"));
    const bool ours = type != NULL && strcmp(type, "ridgepoint-machine") == 0;
    const json_t *const hz = json_object_get(json, "tsc_hz");
    bool good = true;

    if (json == NULL) {
        good = rp_fail(error, RP_USAGE,
                       "%.300s: %s; name a folder that \"machine --capture\" made", path,
                       reason.text);
    } else if (!ours || format < 1) {
        good = rp_fail(
            error, RP_USAGE,
            "%.300s: this is no manifest of a captured machine; name a folder that "
            "\"machine --capture\" made",
            path);
    } else if (format > RP_CAPTURE_FORMAT) {
        good = rp_fail(error, RP_USAGE,
                       "%.300s: format %lld is newer than this program; use a newer one",
                       path, (long long)format);
    } else if (hz != NULL && !rp_number_from_json(hz, tsc_hz)) {
        good =
            rp_fail(error, RP_USAGE,
                    "%.300s: \"tsc_hz\" must be 0 or a number from 1e-18 to 1e18", path);
    }
    json_decref(json);
    return good;
}

bool rp_capture_read(struct rp_machine *machine, const char *folder, const char *level,
                     struct rp_error *error)
{
    static const char *const names[] = {RP_CAPTURE_MANIFEST, RP_CAPTURE_CPUID,
                                        RP_CAPTURE_TOPOLOGY, RP_CAPTURE_ROOT,
                                        RP_CAPTURE_LATER};
    enum { MANIFEST, CPUID, TOPOLOGY, ROOT, LATER, NAMES };
    char paths[NAMES][RP_CAPTURE_PATH];
    struct recorded_cpu cpu = {0};
    struct rp_topology *topology = NULL;
    double tsc_hz = 0;

    for (int i = 0; i < NAMES; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, names[i]);
    }
    const struct rp_machine_source source = {
        .cpu = &(struct rp_cpu_reader){recorded_cpuid, recorded_xgetbv, &cpu},
        .system = &(struct rp_system){.root = paths[ROOT], .later = paths[LATER]},
        .topology_xml = paths[TOPOLOGY],
    };
    if (!read_manifest(paths[MANIFEST], &tsc_hz, error) ||
        !read_cpu(&cpu, paths[CPUID], error) ||
        !rp_machine_read(machine, &topology, &source, level, error)) {
        return false;
    }
    rp_topology_free(topology);
    machine->tsc_hz = tsc_hz;
    return true;
}
