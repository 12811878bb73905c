/* SPDX-License-Identifier: MIT */
/* What the execution units alone need for one item of a kernel. */
#include "roofline/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two measurements minutes apart agree no better than this. */
static const double agreement = 1.02;

/* Executions of a class per item; 0 when the kernel has none. */
static double executions(const struct rp_record *record, const char *class_name)
{
    double sum = 0;

    for (size_t i = 0; i < RP_MAX_OPERATIONS; i++) {
        if (strcmp(record->operations[i].class_name, class_name) == 0) {
            sum += record->operations[i].per_item;
        }
    }
    return sum;
}

/* The class that alone takes longest. */
static struct rp_unit_time slowest_class(const struct rp_model *model,
                                         const struct rp_record *record)
{
    struct rp_unit_time slowest = {0};

    for (size_t i = 0; i < RP_MAX_OPERATIONS; i++) {
        const char *const name = record->operations[i].class_name;
        const struct rp_unit *const unit = rp_model_unit(model, name);
        const double count = executions(record, name);

        if (unit != NULL &&
            count * unit->throughput_cycles.value > slowest.cycles.value) {
            slowest.cycles = rp_estimate_scaled(&unit->throughput_cycles, count);
            RP_COPY_NAME(slowest.name, unit->name);
        }
    }
    return slowest;
}

/*
 * The cycles of a mix, as far as they prove anything; all zero when its best step is not
 * steady. Whatever else a core is busy with slows a mix just as a shared pipe does. But
 * no step takes less than the units need, so that need lies no higher than any of them.
 */
static struct rp_estimate proven_cycles(const struct rp_unit *mix)
{
    struct rp_estimate cycles = {0};

    for (unsigned i = 0; i < mix->step_count; i++) {
        if (mix->steps[i].record_id == mix->throughput_record_id &&
            mix->steps[i].verdict == RP_VERDICT_STEADY) {
            cycles = mix->throughput_cycles;
        }
    }
    for (unsigned i = 0; i < mix->step_count; i++) {
        cycles.low = fmin(cycles.low, mix->steps[i].cycles.low);
    }
    return cycles;
}

/* `whole` less `part`, each at the end that makes the difference small or large. */
static struct rp_estimate difference(const struct rp_estimate *whole,
                                     const struct rp_estimate *part)
{
    return (struct rp_estimate){
        .value = whole->value - part->value,
        .lower_quartile = whole->lower_quartile - part->upper_quartile,
        .upper_quartile = whole->upper_quartile - part->lower_quartile,
        .low = whole->low - part->high,
        .high = whole->high - part->low,
    };
}

/*
 * What the classes of a mix need at least together: as many mixes as hold all that the
 * item has of both take so long, and of that time the surplus, of which the item has
 * less, accounts for no more than it takes alone. All zero when the item has not both.
 */
static struct rp_estimate mixed_time(const struct rp_model *model,
                                     const struct rp_unit *mix,
                                     const struct rp_record *record)
{
    const struct rp_estimate cycles = proven_cycles(mix);
    double counts[RP_MIXED_CLASSES];
    double mixes = 0;

    for (size_t i = 0; i < RP_MIXED_CLASSES; i++) {
        counts[i] = executions(record, mix->mixed[i].class_name);
        if (!(counts[i] > 0)) {
            return (struct rp_estimate){0};
        }
        mixes = fmax(mixes, counts[i] / mix->mixed[i].per_instruction);
    }
    struct rp_estimate time = rp_estimate_scaled(&cycles, mixes);
    for (size_t i = 0; i < RP_MIXED_CLASSES; i++) {
        const struct rp_unit *const unit = rp_model_unit(model, mix->mixed[i].class_name);
        const double surplus = fmax(0, mixes * mix->mixed[i].per_instruction - counts[i]);

        if (unit == NULL || unit->step_count == 0) {
            return (struct rp_estimate){0};
        }
        const struct rp_estimate alone =
            rp_estimate_scaled(&unit->throughput_cycles, surplus);
        time = difference(&time, &alone);
    }
    return time;
}

struct rp_unit_time rp_model_unit_time(const struct rp_model *model,
                                       const struct rp_record *record)
{
    struct rp_unit_time slowest = slowest_class(model, record);
    const double beyond_doubt = agreement * slowest.cycles.value;

    for (size_t i = 0; i < model->unit_count; i++) {
        const struct rp_unit *const mix = &model->units[i];

        if (!rp_unit_is_mix(mix)) {
            continue;
        }
        const struct rp_estimate cycles = mixed_time(model, mix, record);
        if (cycles.low > beyond_doubt && cycles.value > slowest.cycles.value) {
            slowest.cycles = cycles;
            snprintf(slowest.name, sizeof slowest.name, "%s and %s together",
                     mix->mixed[0].class_name, mix->mixed[1].class_name);
        }
    }
    return slowest;
}

bool rp_unit_is_mix(const struct rp_unit *unit)
{
    return unit->mixed[0].class_name[0] != '\0';
}

double rp_model_added_cycles(const struct rp_model *model, const struct rp_unit *mix)
{
    const struct rp_unit *const first = rp_model_unit(model, mix->mixed[0].class_name);
    const double cycles = proven_cycles(mix).value;

    if (!rp_unit_is_mix(mix) || !(cycles > 0) || first == NULL ||
        first->step_count == 0) {
        return NAN;
    }
    const double others = mix->mixed[0].per_instruction * first->throughput_cycles.value;
    return fmax(0, cycles - others) / mix->mixed[1].per_instruction;
}
