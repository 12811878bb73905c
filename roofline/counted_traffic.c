/* SPDX-License-Identifier: MIT */
#include "roofline/counted_traffic.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of a cache, or a burst of the memory. */
#define LINE 64

// clang-format off
static const struct rp_counted_volume volumes[] = {
    {RP_BOUNDARY_L2, RP_READ, LINE, {{"L1D_REPLACEMENT", 0}}, "RP_L2"},
    {RP_BOUNDARY_L2, RP_READ, LINE, {{"L1D_CACHE_REFILL", 0}}, "RP_L2"},
    {RP_BOUNDARY_L2, RP_READ, LINE, {{"ANY_DATA_CACHE_FILLS_ALL", 0}}, "RP_L1FILL"},
    {RP_BOUNDARY_L2, RP_READ, LINE, {{"L1_DC_REFILLS_ALL", 0}}, "RP_L1FILL"},
    {RP_BOUNDARY_L2, RP_READ, LINE,
     {{"DATA_CACHE_REFILLS_ALL", 0}, {"HWPREF_DATA_CACHE_FILLS_ALL", 0}}, "RP_L1FILL"},
    /* Requests of instructions are in these two: only where the fills are not known. */
    {RP_BOUNDARY_L2, RP_READ, LINE, {{"REQUESTS_TO_L2_GRP1_ALL_NO_PF", 0}}, "RP_L2"},
    {RP_BOUNDARY_L2, RP_READ, LINE, {{"REQUESTS_TO_L2_GRP1_RD_ANY", 0}}, "RP_L2"},
    {RP_BOUNDARY_L2, RP_WRITTEN, LINE, {{"L2_TRANS_L1D_WB", 0}}, "RP_L2"},
    {RP_BOUNDARY_L2, RP_WRITTEN, LINE, {{"L1D_CACHE_WB", 0}}, "RP_L2"},

    {RP_BOUNDARY_L3, RP_READ, LINE, {{"L2_LINES_IN_ALL", 0}}, "RP_L3"},
    {RP_BOUNDARY_L3, RP_READ, LINE, {{"L2D_CACHE_REFILL", 0}}, "RP_L3"},
    {RP_BOUNDARY_L3, RP_READ, LINE,
     {{"CORE_TO_L2_CACHE_REQUESTS_MISSES", 0}, {"L2_PF_HIT_IN_L3", 0},
      {"L2_PF_MISS_IN_L3", 0}}, "RP_L3"},
    {RP_BOUNDARY_L3, RP_READ, LINE,
     {{"CORE_TO_L2_CACHE_REQUESTS_MISSES", 0}, {"L2_PF_HIT_IN_L3_ALL", 0},
      {"L2_PF_MISS_IN_L3_ALL", 0}}, "RP_L3"},
    {RP_BOUNDARY_L3, RP_READ, LINE,
     {{"CORE_TO_L2_CACHE_REQUESTS_LD_READ_BLK_C", 0},
      {"CORE_TO_L2_CACHE_REQUESTS_IC_FILL_MISS", 0}, {"L2_PF_HIT_IN_L3", 0},
      {"L2_PF_MISS_IN_L3", 0}}, "RP_L3"},
    {RP_BOUNDARY_L3, RP_WRITTEN, LINE, {{"L2_LINES_OUT_NON_SILENT", 0}}, "RP_L3"},
    {RP_BOUNDARY_L3, RP_WRITTEN, LINE, {{"L2D_CACHE_WB", 0}}, "RP_L3"},

    {RP_BOUNDARY_MEMORY, RP_READ, LINE, {{"CAS_COUNT_RD", 0}}, "RP_MEM"},
    {RP_BOUNDARY_MEMORY, RP_READ, LINE, {{"CAS_CMD_RD", 0}}, "RP_MEM"},
    {RP_BOUNDARY_MEMORY, RP_READ, LINE, {{"DRAM_READS_LOCAL_CHANNEL_#", 12}},
     "RP_MEM_RD"},
    {RP_BOUNDARY_MEMORY, RP_READ, LINE, {{"DATA_BW_UMC#_ANY_READ", 12}}, "RP_MEM_RD"},
    {RP_BOUNDARY_MEMORY, RP_READ, 32, {{"CMEM_RD_DATA", 0}}, "RP_MEM"},
    {RP_BOUNDARY_MEMORY, RP_READ, LINE, {{"cas_count_read", 0}}, NULL},
    {RP_BOUNDARY_MEMORY, RP_READ, LINE, {{"umc_cas_cmd.rd", 0}}, NULL},
    {RP_BOUNDARY_MEMORY, RP_WRITTEN, LINE, {{"CAS_COUNT_WR", 0}}, "RP_MEM"},
    {RP_BOUNDARY_MEMORY, RP_WRITTEN, LINE, {{"CAS_CMD_WR", 0}}, "RP_MEM"},
    {RP_BOUNDARY_MEMORY, RP_WRITTEN, LINE, {{"DRAM_WRITES_LOCAL_CHANNEL_#", 12}},
     "RP_MEM_WR"},
    {RP_BOUNDARY_MEMORY, RP_WRITTEN, LINE, {{"DATA_BW_UMC#_ANY_WRITE", 12}}, "RP_MEM_WR"},
    {RP_BOUNDARY_MEMORY, RP_WRITTEN, 1, {{"CMEM_WR_TOTAL_BYTES", 0}}, "RP_MEM"},
    {RP_BOUNDARY_MEMORY, RP_WRITTEN, LINE, {{"cas_count_write", 0}}, NULL},
    {RP_BOUNDARY_MEMORY, RP_WRITTEN, LINE, {{"umc_cas_cmd.wr", 0}}, NULL},
    /* All eight or none: two of them that stand for the others (RP_MEM of zen2) need the
     * number of memory nodes, and are off by a factor of two on some machines. */
    {RP_BOUNDARY_MEMORY, RP_BOTH_WAYS, LINE, {{"DRAM_CHANNEL_#", 8}}, "RP_MEM_*"},
};
// clang-format on

const struct rp_counted_volume *rp_counted_volume_at(size_t index)
{
    return index < sizeof volumes / sizeof *volumes ? &volumes[index] : NULL;
}

const char *rp_counted_event_name(const char *name, unsigned number, char text[64])
{
    const size_t before = strcspn(name, "#");

    if (name[before] == '\0') {
        snprintf(text, 64, "%s", name);
    } else {
        snprintf(text, 64, "%.*s%u%s", (int)before, name, number, name + before + 1);
    }
    return text;
}

/* perf also writes an event with its PMU before it: "amd_umc_0/umc_cas_cmd.rd/". */
static bool is_event(const struct rp_count *count, const char *name)
{
    const char *const slash = strchr(count->event, '/');
    const char *const own = slash != NULL ? slash + 1 : count->event;
    const size_t length = strcspn(own, "/");

    return strlen(name) == length && strncmp(own, name, length) == 0;
}

/* A volume as far as it has been added up. */
struct sum {
    double bytes_per_item;
    const struct rp_record *records[RP_MOST_COUNTED_RECORDS];
    unsigned record_count;
    bool asked; /* the events that make out this volume are there, with a value or not */
    char why[sizeof((struct rp_counted_traffic *)0)->why];
};

static void note_record(struct sum *sum, const struct rp_record *record)
{
    for (unsigned i = 0; i < sum->record_count; i++) {
        if (sum->records[i] == record) {
            return;
        }
    }
    if (sum->record_count < RP_MOST_COUNTED_RECORDS) {
        sum->records[sum->record_count++] = record;
    }
}

/* Reads "MBOX11C1" as number 11 of "MBOX"; returns how long that name is, 0 for what is
 * no counter of a numbered unit, such as "PMC2". */
static size_t parse_unit(const char *counter, unsigned long *number)
{
    const size_t length = strcspn(counter, "0123456789");
    char *end = NULL;

    *number = strtoul(counter + length, &end, 10);
    return end > counter + length && *end == 'C' ? length : 0;
}

/* A group names as many memory channels as any machine of its architecture has, and a
 * smaller one has no values for the last of them: none for any event from some number on,
 * but for those before. */
static bool is_of_no_unit(const struct rp_counted *counted, const struct rp_count *count)
{
    unsigned long number = 0;
    const size_t length = parse_unit(count->counter, &number);
    bool before = false;

    for (size_t i = 0; i < counted->count; i++) {
        const struct rp_count *const other = &counted->counts[i];
        unsigned long others = 0;

        if (isnan(other->value) || parse_unit(other->counter, &others) != length ||
            strncmp(other->counter, count->counter, length) != 0) {
            continue;
        }
        if (others >= number) {
            return false;
        }
        before = true;
    }
    return length > 0 && before;
}

/* Adds an event as a record has it, over all units that count it; false when the record
 * lacks it or the value of a unit that is there. */
static bool add_from(struct sum *sum, const struct rp_record *record, const char *name,
                     double bytes)
{
    const struct rp_counted *const counted = record->counted;
    double value = 0;
    bool found = false;

    for (size_t i = 0; i < counted->count; i++) {
        const struct rp_count *const count = &counted->counts[i];

        if (!is_event(count, name) ||
            (isnan(count->value) && is_of_no_unit(counted, count))) {
            continue;
        }
        if (isnan(count->value)) {
            sum->asked = true;
            snprintf(sum->why, sizeof sum->why, "%s has no value%s%.48s (record %llu)",
                     name, count->counter[0] != '\0' ? " on " : "", count->counter,
                     (unsigned long long)record->id);
            return false;
        }
        value += count->value;
        found = true;
    }
    if (found) {
        sum->asked = true;
        sum->bytes_per_item += value * bytes / counted->items;
        note_record(sum, record);
    }
    return found;
}

/* The first record that has the event counts: the same line may be in several. */
static bool add_event(struct sum *sum, const struct rp_record *const *records,
                      size_t count, const char *name, double bytes)
{
    for (size_t i = 0; i < count; i++) {
        if (add_from(sum, records[i], name, bytes)) {
            return true;
        }
    }
    if (sum->why[0] == '\0') {
        snprintf(sum->why, sizeof sum->why, "%s was not counted", name);
    }
    return false;
}

static bool add_volume(struct sum *sum, const struct rp_record *const *records,
                       size_t count, const struct rp_counted_volume *volume)
{
    bool whole = true;

    for (size_t i = 0; i < RP_MOST_VOLUME_EVENTS && volume->events[i].name != NULL; i++) {
        const unsigned numbers = volume->events[i].numbers;

        for (unsigned k = 0; k == 0 || k < numbers; k++) {
            char name[64];

            rp_counted_event_name(volume->events[i].name, k, name);
            whole =
                add_event(sum, records, count, name, volume->bytes_per_count) && whole;
        }
        if (!sum->asked) { /* others share its further events */
            return false;
        }
    }
    return whole;
}

/* Out of one record if that has it all, else out of several. */
static bool find_volume(struct sum *sum, const struct rp_record *const *records,
                        size_t count, const struct rp_counted_volume *volume)
{
    for (size_t i = 0; i < count; i++) {
        *sum = (struct sum){0};
        if (add_volume(sum, &records[i], 1, volume)) {
            return true;
        }
    }
    *sum = (struct sum){0};
    return add_volume(sum, records, count, volume);
}

static void note_sum(struct rp_counted_traffic *traffic, const struct sum *sum)
{
    for (unsigned i = 0; i < sum->record_count; i++) {
        bool known = false;

        for (unsigned k = 0; k < traffic->record_count; k++) {
            known = known || traffic->record_ids[k] == sum->records[i]->id;
        }
        if (!known && traffic->record_count < RP_MOST_COUNTED_RECORDS) {
            traffic->record_ids[traffic->record_count++] = sum->records[i]->id;
        }
    }
}

/* The first way in the table that is complete; NaN when none is. */
static double find_direction(struct rp_counted_traffic *traffic,
                             const struct rp_record *const *records, size_t count,
                             enum rp_boundary boundary, enum rp_direction direction)
{
    const struct rp_counted_volume *volume = NULL;
    char why[sizeof traffic->why] = "";

    for (size_t i = 0; (volume = rp_counted_volume_at(i)) != NULL; i++) {
        struct sum sum;

        if (volume->boundary != boundary || volume->direction != direction) {
            continue;
        }
        if (find_volume(&sum, records, count, volume)) {
            note_sum(traffic, &sum);
            return sum.bytes_per_item;
        }
        if (sum.asked && why[0] == '\0') {
            memcpy(why, sum.why, sizeof why);
        }
    }
    if (traffic->why[0] == '\0') {
        memcpy(traffic->why, why, sizeof why);
    }
    return NAN;
}

struct rp_counted_traffic rp_counted_traffic(const struct rp_record *const *records,
                                             size_t count, enum rp_boundary boundary)
{
    struct rp_counted_traffic traffic = {.total_bytes = NAN};

    traffic.read_bytes = find_direction(&traffic, records, count, boundary, RP_READ);
    traffic.written_bytes =
        find_direction(&traffic, records, count, boundary, RP_WRITTEN);
    traffic.total_bytes = traffic.read_bytes + traffic.written_bytes;
    if (isnan(traffic.total_bytes)) {
        traffic.total_bytes =
            find_direction(&traffic, records, count, boundary, RP_BOTH_WAYS);
    }
    if (!isnan(traffic.total_bytes)) {
        traffic.why[0] = '\0';
    }
    return traffic;
}
