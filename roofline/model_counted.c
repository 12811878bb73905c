/* SPDX-License-Identifier: MIT */
/* What counters saw of the points' jobs, beside what the program text says. */
#include "roofline/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records of counters about one region: one for each group that was asked. */
#define MOST_RECORDS 32

static const struct {
    const char *name;
    const char *meaning;
} findings[] = {
    [RP_TRAFFIC_UNKNOWN] = {"unknown", "not known"},
    [RP_TRAFFIC_AS_ASKED] = {"as asked", "as the program asks"},
    [RP_TRAFFIC_WRITE_ALLOCATE] = {"write-allocate",
                                   "write-allocate, a plain store reads its line first"},
    [RP_TRAFFIC_AVOIDED] = {"avoided",
                            "no write-allocate although the stores are temporal; the "
                            "processor avoids it (SpecI2M or alike)"},
    [RP_TRAFFIC_PARTLY_AVOIDED] = {"partly avoided",
                                   "write-allocate for some lines only; the processor "
                                   "avoids it for the others (SpecI2M or alike)"},
    [RP_TRAFFIC_MORE] = {"more", "more than the program moves; prefetch past the end, "
                                 "other work on the socket, or evicted lines"},
    [RP_TRAFFIC_LESS] = {"less", "less than the program moves; part of it came from a "
                                 "nearer cache, or stayed there"},
};

const char *rp_traffic_finding_name(enum rp_traffic_finding finding)
{
    return findings[finding].name;
}

const char *rp_traffic_finding_meaning(enum rp_traffic_finding finding)
{
    return findings[finding].meaning;
}

const char *rp_model_boundary_name(const struct rp_model *model,
                                   enum rp_boundary boundary)
{
    static const char *const names[RP_BOUNDARY_COUNT] = {
        [RP_BOUNDARY_NONE] = "",
        [RP_BOUNDARY_L2] = "L2",
        [RP_BOUNDARY_L3] = "L3",
    };
    const struct rp_machine *const machine = &model->run->machine;

    return boundary == RP_BOUNDARY_MEMORY ? machine->levels[machine->level_count - 1].name
                                          : names[boundary];
}

const struct rp_counted_point *rp_model_counted(const struct rp_model *model,
                                                const struct rp_point *point)
{
    for (size_t i = 0; i < model->counted_count; i++) {
        if (&model->points[model->counted[i].point] == point) {
            return &model->counted[i];
        }
    }
    return NULL;
}

/* By the level's name: a machine may show an L3 and no L2. An unsure "L3?" is one, too.
 */
static enum rp_boundary boundary_of(const struct rp_machine *machine, unsigned level)
{
    const char *const name = machine->levels[level].name;

    if (level + 1 == machine->level_count) {
        return RP_BOUNDARY_MEMORY;
    }
    return strncmp(name, "L2", 2) == 0   ? RP_BOUNDARY_L2
           : strncmp(name, "L3", 2) == 0 ? RP_BOUNDARY_L3
                                         : RP_BOUNDARY_NONE;
}

/* `asked` is what the program text moves, `expected` that with write-allocates. */
static enum rp_traffic_finding find(double counted, double asked, double expected)
{
    const double near = RP_COUNTED_TOLERANCE * expected;
    const bool allocates = expected > asked + near;

    if (fabs(counted - expected) <= near) {
        return allocates ? RP_TRAFFIC_WRITE_ALLOCATE : RP_TRAFFIC_AS_ASKED;
    }
    if (counted > expected) {
        return RP_TRAFFIC_MORE;
    }
    if (fabs(counted - asked) <= near) {
        return allocates ? RP_TRAFFIC_AVOIDED : RP_TRAFFIC_AS_ASKED;
    }
    return counted > asked ? RP_TRAFFIC_PARTLY_AVOIDED : RP_TRAFFIC_LESS;
}

static double ratio(double counted, double of)
{
    return of > 0 ? counted / of : NAN;
}

/* What keeps a point without a finding. */
static const char *missing(const struct rp_counted_traffic *traffic, bool past_caches)
{
    if (traffic->why[0] != '\0') {
        return traffic->why;
    }
    if (!isnan(traffic->total_bytes)) {
        return past_caches ? "non-temporal stores cross no boundary before the memory"
                           : "";
    }
    return !isnan(traffic->read_bytes)      ? "writes were not counted"
           : !isnan(traffic->written_bytes) ? "reads were not counted"
                                            : "";
}

/* Compares what crossed the boundary that feeds the point. */
static void compare(struct rp_counted_point *counted, const struct rp_point *point,
                    const struct rp_traffic *asked)
{
    const struct rp_counted_traffic *const traffic = &counted->traffic[counted->boundary];
    const double expected_reads = asked->load + fmax(asked->store - asked->rmw, 0);
    const bool past_caches =
        counted->boundary != RP_BOUNDARY_MEMORY && asked->store_nt > 0;

    if (!(point->bus_bytes_per_item > 0 && point->payload_bytes_per_item > 0)) {
        snprintf(counted->why, sizeof counted->why, "the program asks for no traffic");
        return;
    }
    counted->reads_times_expected = ratio(traffic->read_bytes, expected_reads);
    if (!past_caches && !isnan(traffic->total_bytes)) {
        const double expected = point->bus_bytes_per_item;

        counted->bytes_per_item = traffic->total_bytes;
        counted->items_per_byte = ratio(1, traffic->total_bytes);
        counted->times_payload =
            ratio(traffic->total_bytes, point->payload_bytes_per_item);
        counted->times_expected = ratio(traffic->total_bytes, expected);
        counted->finding =
            find(traffic->total_bytes, point->payload_bytes_per_item, expected);
    } else if (!isnan(counted->reads_times_expected)) {
        counted->finding = find(traffic->read_bytes, asked->load, expected_reads);
        snprintf(counted->why, sizeof counted->why, "%s", traffic->why);
    } else {
        snprintf(counted->why, sizeof counted->why, "%s", missing(traffic, past_caches));
    }
}

/* The records that counters made of a job; returns how many, the first ones that fit. */
static size_t records_of(const struct rp_run *run, const char *job,
                         const struct rp_record *records[MOST_RECORDS])
{
    const char *const region = rp_counted_region(job);
    size_t count = 0;

    for (size_t i = 0; i < run->record_count && count < MOST_RECORDS; i++) {
        const struct rp_counted *const counted = run->records[i].counted;

        if (counted != NULL && strcmp(counted->region, region) == 0) {
            records[count++] = &run->records[i];
        }
    }
    return count;
}

static bool add_counted(struct rp_model_builder *builder, size_t index)
{
    struct rp_model *const model = builder->model;
    const struct rp_point *const point = &model->points[index];
    const struct rp_record *const record = rp_model_record(model, point->record_id);
    const struct rp_record *records[MOST_RECORDS];
    const size_t count = records_of(builder->run, record->job, records);

    if (count == 0) {
        return true;
    }
    struct rp_counted_point *const grown =
        rp_grow(model->counted, model->counted_count, sizeof *grown, builder->error);
    if (grown == NULL) {
        return false;
    }
    model->counted = grown;
    struct rp_counted_point *const counted = &grown[model->counted_count++];
    *counted = (struct rp_counted_point){
        .point = index,
        .boundary = boundary_of(&builder->run->machine, point->level),
        .bytes_per_item = NAN,
        .items_per_byte = NAN,
        .times_payload = NAN,
        .times_expected = NAN,
        .reads_times_expected = NAN,
    };
    for (int boundary = 0; boundary < RP_BOUNDARY_COUNT; boundary++) {
        counted->traffic[boundary] =
            rp_counted_traffic(records, count, (enum rp_boundary)boundary);
    }
    if (counted->boundary != RP_BOUNDARY_NONE) {
        compare(counted, point, &record->traffic);
    }
    return true;
}

static bool holds_counters(const struct rp_run *run)
{
    for (size_t i = 0; i < run->record_count; i++) {
        if (run->records[i].counted != NULL) {
            return true;
        }
    }
    return false;
}

bool rp_model_add_counted(struct rp_model_builder *builder)
{
    const size_t count = holds_counters(builder->run) ? builder->model->point_count : 0;

    for (size_t i = 0; i < count; i++) {
        if (!add_counted(builder, i)) {
            return false;
        }
    }
    return true;
}
