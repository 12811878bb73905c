/* SPDX-License-Identifier: MIT */
/* Plausibility: what no core can do, and what no undisturbed measurement looks like. */
#include "roofline/model_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "roofline/model_limits.h"

/* Two measurements minutes apart agree no better than this. */
static const double tolerance = 0.02;
/* A point this far from both its neighbours is out of line. */
static const double out_of_line = 0.1;
/* Clocks that differ by more drifted. */
static const double clock_drift = 0.05;
static const double least_hz = 0.2e9;
static const double most_hz = 8e9;
/* A run with a larger share of disturbed records is disturbed as a whole. */
static const double disturbed_share = 1.0 / 3;
/* A curve across two capacities that varies by less does not bend. */
static const double least_bend = 1.15;

struct check {
    bool (*find)(struct rp_model_builder *builder, const struct check *check);
    const char *cause;
    const char *what_to_do;
};

/* Adds a flag; `format` says what is wrong. */
__attribute__((format(printf, 5, 6))) static bool
raise_flag(struct rp_model_builder *builder, const struct check *check,
           uint64_t record_id, const char *where, const char *format, ...)
{
    struct rp_model *const model = builder->model;
    struct rp_flag *const grown =
        rp_grow(model->flags, model->flag_count, sizeof *grown, builder->error);
    va_list arguments;

    if (grown == NULL) {
        return false;
    }
    model->flags = grown;
    struct rp_flag *const flag = &grown[model->flag_count++];
    *flag = (struct rp_flag){
        .record_id = record_id, .cause = check->cause, .what_to_do = check->what_to_do};
    RP_COPY_NAME(flag->where, where);
    va_start(arguments, format);
    vsnprintf(flag->what, sizeof flag->what, format, arguments);
    va_end(arguments);
    return true;
}

/* "copy-avx2, temporal, 48 KiB" */
static const char *point_name(const struct rp_point *point, char name[112])
{
    char size[RP_SIZE_TEXT];

    snprintf(name, 112, "%s, %s, %s", point->kernel, rp_mode_name(point->mode),
             rp_size_text(point->working_set_bytes, size));
    return name;
}

/* Fewer cycles than `least` even at the slow end of the interval. */
static bool too_few(const struct rp_estimate *cycles, double least)
{
    return cycles->high > 0 && cycles->high < least * (1 - tolerance);
}

static bool above_ports(struct rp_model_builder *builder, const struct check *check)
{
    for (size_t i = 0; i < builder->run->record_count; i++) {
        const struct rp_record *const record = &builder->run->records[i];
        const double least = rp_least_cycles_for_traffic(record);
        if (!(least > 0) || !rp_record_measured(record, record->probe)) {
            continue;
        }
        const struct rp_estimate cycles =
            rp_estimate_record(record, rp_sample_cycles_per_item, builder->scratch);
        if (too_few(&cycles, least) &&
            !raise_flag(builder, check, record->id, record->job,
                        "%.1f bytes per cycle; the widest core moves %.0f so",
                        rp_payload_bytes(&record->traffic) / cycles.value,
                        rp_payload_bytes(&record->traffic) / least)) {
            return false;
        }
    }
    return true;
}

static bool unit_latency(struct rp_model_builder *builder, const struct check *check)
{
    for (size_t i = 0; i < builder->model->unit_count; i++) {
        const struct rp_unit *const unit = &builder->model->units[i];
        if (unit->latency_cycles > 0 && too_few(&unit->steps[0].cycles, 1) &&
            !raise_flag(builder, check, unit->steps[0].record_id, unit->name,
                        "a latency of %.2f cycles; none is below 1",
                        unit->latency_cycles)) {
            return false;
        }
    }
    return true;
}

static bool unit_throughput(struct rp_model_builder *builder, const struct check *check)
{
    for (size_t i = 0; i < builder->model->unit_count; i++) {
        const struct rp_unit *const unit = &builder->model->units[i];
        if (too_few(&unit->throughput_cycles, RP_LEAST_CYCLES_PER_OPERATION) &&
            !raise_flag(builder, check, unit->throughput_record_id, unit->name,
                        "one every %.3f cycles; no core completes more than %.0f a cycle",
                        unit->throughput_cycles.value,
                        1 / RP_LEAST_CYCLES_PER_OPERATION)) {
            return false;
        }
    }
    return true;
}

static bool below_unit_floor(struct rp_model_builder *builder, const struct check *check)
{
    for (size_t i = 0; i < builder->model->point_count; i++) {
        const struct rp_point *const point = &builder->model->points[i];
        const double least = rp_least_cycles_for_operations(
            rp_model_record(builder->model, point->record_id));
        char name[112];
        if (too_few(&point->cycles_per_item, least) &&
            !raise_flag(builder, check, point->record_id, point_name(point, name),
                        "%.3f cycles per byte; its instructions alone take %.3f on any "
                        "core",
                        point->cycles_per_item.value, least)) {
            return false;
        }
    }
    return true;
}

static bool above_roof(struct rp_model_builder *builder, enum rp_bound_kind kind,
                       const struct check *check)
{
    for (size_t i = 0; i < builder->model->point_count; i++) {
        const struct rp_point *const point = &builder->model->points[i];
        char name[112];
        if (point->above_roof && point->bound_kind == kind &&
            !raise_flag(builder, check, point->record_id, point_name(point, name),
                        "above its roof: %.2f x %s", point->attained, point->bound)) {
            return false;
        }
    }
    return true;
}

static bool above_unit(struct rp_model_builder *builder, const struct check *check)
{
    return above_roof(builder, RP_BOUND_UNIT, check);
}

static bool above_bandwidth(struct rp_model_builder *builder, const struct check *check)
{
    return above_roof(builder, RP_BOUND_BANDWIDTH, check);
}

/* Three steady sizes of one curve in one level. */
static bool neighbours(const struct rp_point *point)
{
    for (int i = -1; i <= 1; i++) {
        if (strcmp(point[i].kernel, point->kernel) != 0 || point[i].mode != point->mode ||
            point[i].level != point->level || point[i].verdict == RP_VERDICT_DISTURBED) {
            return false;
        }
    }
    return true;
}

/* Rate / that of the neighbour nearest to it, where both lie on the same side of it and
 * no interval reaches another; else 1. The nearest one, as the other may be the odd one.
 */
static double deviation(const struct rp_point *point)
{
    const struct rp_estimate *const before = &point[-1].items_per_s;
    const struct rp_estimate *const own = &point->items_per_s;
    const struct rp_estimate *const after = &point[1].items_per_s;

    if (own->low > fmax(before->high, after->high)) {
        return own->value / fmax(before->value, after->value);
    }
    if (own->high < fmin(before->low, after->low)) {
        return own->value / fmin(before->value, after->value);
    }
    return 1;
}

static bool off_the_line(struct rp_model_builder *builder, const struct check *check)
{
    for (size_t i = 1; i + 1 < builder->model->point_count; i++) {
        const struct rp_point *const point = &builder->model->points[i];
        const double ratio = neighbours(point) ? deviation(point) : 1;
        char name[112];
        if ((ratio > 1 + out_of_line || ratio < 1 - out_of_line) &&
            !raise_flag(builder, check, point->record_id, point_name(point, name),
                        "%.2f x the nearer of the rates on both sides of it", ratio)) {
            return false;
        }
    }
    return true;
}

/* Whether the next roof is of the same mix: roofs are ordered by mix, then level. */
static bool same_mix(const struct rp_model *model, size_t index)
{
    return index + 1 < model->roof_count &&
           strcmp(model->roofs[index].mix, model->roofs[index + 1].mix) == 0;
}

static bool raise_levels(struct rp_model_builder *builder, const struct check *check,
                         const struct rp_bandwidth_roof *nearer, const char *text)
{
    const struct rp_bandwidth_roof *const farther = nearer + 1;
    const struct rp_level *const levels = builder->run->machine.levels;
    char where[112];

    snprintf(where, sizeof where, "%s, %s and %s", nearer->mix,
             levels[nearer->level].name, levels[farther->level].name);
    return raise_flag(builder, check, farther->record_id, where, "%s: %.1f and %.1f GB/s",
                      text, nearer->bytes_per_s.value / 1e9,
                      farther->bytes_per_s.value / 1e9);
}

/* Loads only: a store may be as slow in the near level as in the far one by design. */
static bool same_levels(struct rp_model_builder *builder, const struct check *check)
{
    for (size_t i = 0; i < builder->model->roof_count; i++) {
        const struct rp_bandwidth_roof *const roof = &builder->model->roofs[i];
        if (!same_mix(builder->model, i) || strcmp(roof->mix, "load") != 0) {
            continue;
        }
        const double ratio = roof[1].bytes_per_s.value / roof->bytes_per_s.value;
        if (fabs(ratio - 1) <= tolerance &&
            !raise_levels(builder, check, roof, "the levels are not told apart")) {
            return false;
        }
    }
    return true;
}

/* Non-temporal stores pass the caches by, and may well be slower into a near one. */
static bool farther_faster(struct rp_model_builder *builder, const struct check *check)
{
    for (size_t i = 0; i < builder->model->roof_count; i++) {
        const struct rp_bandwidth_roof *const roof = &builder->model->roofs[i];
        if (!same_mix(builder->model, i) || strstr(roof->mix, "-nt") != NULL) {
            continue;
        }
        if (roof[1].bytes_per_s.value > roof->bytes_per_s.value * (1 + tolerance) &&
            roof[1].bytes_per_s.low > roof->bytes_per_s.high &&
            !raise_levels(builder, check, roof, "the farther level is faster")) {
            return false;
        }
    }
    return true;
}

/* Capacities that a curve passes. */
static unsigned capacities_passed(const struct rp_machine *machine,
                                  const struct rp_curve *curve)
{
    return rp_machine_level_of(machine,
                               curve->steps[curve->step_count - 1].working_set_bytes) -
           rp_machine_level_of(machine, curve->steps[0].working_set_bytes);
}

static bool unbent(struct rp_model_builder *builder, const struct check *check)
{
    for (size_t i = 0; i < builder->model->curve_count; i++) {
        const struct rp_curve *const curve = &builder->model->curves[i];
        double least = HUGE_VAL;
        double most = 0;
        for (size_t j = 0; j < curve->step_count; j++) {
            least = fmin(least, curve->steps[j].bytes_per_s.value);
            most = fmax(most, curve->steps[j].bytes_per_s.value);
        }
        if (strstr(curve->mix, "-nt") == NULL &&
            capacities_passed(&builder->run->machine, curve) >= 2 &&
            most < least * least_bend &&
            !raise_flag(builder, check, 0, curve->mix,
                        "the curve stays between %.1f and %.1f GB/s over all levels",
                        least / 1e9, most / 1e9)) {
            return false;
        }
    }
    return true;
}

static bool drifting_clock(struct rp_model_builder *builder, const struct check *check)
{
    double least = HUGE_VAL;
    double most = 0;
    uint64_t slowest = 0;

    for (size_t i = 0; i < builder->run->record_count; i++) {
        const struct rp_record *const record = &builder->run->records[i];
        if (!rp_record_measured(record, record->probe) ||
            record->verdict == RP_VERDICT_DISTURBED) {
            continue;
        }
        const double hz =
            rp_estimate_record(record, rp_sample_hz, builder->scratch).value;
        if (hz > 0 && hz < least) {
            least = hz;
            slowest = record->id;
        }
        most = fmax(most, hz);
    }
    if (!(most > 0) || most - least <= clock_drift * builder->model->hz) {
        return true;
    }
    return raise_flag(builder, check, 0, "the core clock",
                      "between %.3f (record %llu) and %.3f GHz", least / 1e9,
                      (unsigned long long)slowest, most / 1e9);
}

static bool impossible_clock(struct rp_model_builder *builder, const struct check *check)
{
    const double hz = builder->model->hz;

    if (!(hz > 0) || (hz >= least_hz && hz <= most_hz)) {
        return true;
    }
    return raise_flag(builder, check, 0, "the core clock", "%.3f GHz", hz / 1e9);
}

static bool mostly_disturbed(struct rp_model_builder *builder, const struct check *check)
{
    const size_t disturbed = builder->model->disturbed_count;
    const size_t count = rp_run_done_count(builder->run);

    if ((double)disturbed <= disturbed_share * (double)count) {
        return true;
    }
    return raise_flag(builder, check, 0, "the whole run", "%zu of %zu records disturbed",
                      disturbed, count);
}

/* Pages of the least size under a set that needs a thousand of them: their translations
 * do not fit into any core's first buffers. */
static bool small_pages(struct rp_model_builder *builder, const struct check *check)
{
    static const size_t small_bytes = 64 * RP_KIB; /* the largest base page there is */
    static const size_t many_bytes = 4 * RP_MIB;
    size_t count = 0;
    uint64_t first = 0;

    for (size_t i = 0; i < builder->run->record_count; i++) {
        const struct rp_record *const record = &builder->run->records[i];
        if (record->page_bytes > 0 && record->page_bytes <= small_bytes &&
            record->working_set_bytes >= many_bytes) {
            first = count++ == 0 ? record->id : first;
        }
    }
    return count == 0 || raise_flag(builder, check, first, "pages",
                                    "%zu records of 4 MiB and more on small pages: "
                                    "address translation is part of them",
                                    count);
}

#define CYCLE_SOURCE                                                                     \
    "the cycles are not core cycles: a time stamp counter, or a wrong clock"
#define CHECK_CLOCK                                                                      \
    "compare the core clock with the processor's; force another cycle source"

/* What concerns the whole run comes first. */
static const struct check checks[] = {
    {mostly_disturbed, "other work or other guests on this core",
     "measure again at a quieter time"},
    {impossible_clock, CYCLE_SOURCE, CHECK_CLOCK},
    {drifting_clock, "turbo, temperature, or a lower clock for wide vectors",
     "compare figures in cycles; fix the frequency and measure again"},
    {small_pages, "huge pages are switched off, or memory is in pieces",
     "enable transparent huge pages (madvise) and measure again"},
    {above_ports, CYCLE_SOURCE, CHECK_CLOCK},
    {unit_latency, "the cycles are not core cycles, or the chain is not one",
     CHECK_CLOCK},
    {unit_throughput, CYCLE_SOURCE, CHECK_CLOCK},
    {below_unit_floor, CYCLE_SOURCE, CHECK_CLOCK},
    {above_unit, "the clock or the unit was measured under a disturbance",
     "use it for nothing; measure again"},
    {above_bandwidth, "the roof was measured in a slower moment, or a cache holds more",
     "use it for nothing; measure again"},
    {off_the_line, "a disturbance, or lines that meet in one set of the cache",
     "measure again; if it stays, it is the cache"},
    {same_levels, "the nearer size is wrong, or something else than bandwidth binds",
     "look at the curve; do not tell these levels apart"},
    {farther_faster, "the nearer level was measured under a disturbance",
     "measure again"},
    {unbent, "instructions or the timer bind, not bandwidth", "take it for no bandwidth"},
};

bool rp_model_add_flags(struct rp_model_builder *builder)
{
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (!checks[i].find(builder, &checks[i])) {
            return false;
        }
    }
    return true;
}
