/* SPDX-License-Identifier: MIT */
/* Instruction classes: latency, reciprocal throughput and the knee between them. */
#include "roofline/model_parts.h"

#include <stdlib.h>
#include <string.h>

/* A knee lies where more chains no longer help by more than this. */
static const double knee_tolerance = 1.02;

static unsigned width_of(const char *class_name)
{
    const char *const dash = strrchr(class_name, '-');

    return dash ? (unsigned)strtoul(dash + 1, NULL, 10) : 0;
}

static struct rp_unit *unit_named(struct rp_model_builder *builder, const char *name)
{
    struct rp_model *const model = builder->model;

    for (size_t i = 0; i < model->unit_count; i++) {
        if (strcmp(model->units[i].name, name) == 0) {
            return &model->units[i];
        }
    }
    struct rp_unit *const grown =
        rp_grow(model->units, model->unit_count, sizeof *grown, builder->error);
    if (grown == NULL) {
        return NULL;
    }
    model->units = grown;
    struct rp_unit *const unit = &grown[model->unit_count++];
    RP_COPY_NAME(unit->name, name);
    unit->width_bits = width_of(name);
    return unit;
}

/* Less than this is what a disturbed step can seem too fast by. */
static const double beyond_doubt = 0.95;

/*
 * Fewer cycles are better, by the high end of the interval: of sixteen noisy medians the
 * smallest would be a lucky one. A disturbance of the clock that cycles are counted by
 * can make them fewer than they were, though not by much, so a disturbed step wins over
 * an undisturbed one only where it is faster beyond doubt: that one may have too few
 * chains.
 */
static bool is_better(const struct rp_unit_step *step, const struct rp_unit_step *best)
{
    const bool disturbed = step->verdict == RP_VERDICT_DISTURBED;
    const bool best_disturbed = best->verdict == RP_VERDICT_DISTURBED;

    if (disturbed && !best_disturbed) {
        return step->cycles.high < beyond_doubt * best->cycles.low;
    }
    if (best_disturbed && !disturbed) {
        return !(best->cycles.high < beyond_doubt * step->cycles.low);
    }
    return step->cycles.high < best->cycles.high;
}

/* Puts a step at its place by ascending chains; the better one of two with equal chains.
 */
static void insert_step(struct rp_unit *unit, const struct rp_unit_step *step)
{
    unsigned at = 0;

    while (at < unit->step_count && unit->steps[at].chains < step->chains) {
        at++;
    }
    if (at < unit->step_count && unit->steps[at].chains == step->chains) {
        const struct rp_unit_step *const old = &unit->steps[at];
        if (is_better(step, old)) {
            unit->steps[at] = *step;
        }
        return;
    }
    if (unit->step_count == RP_MAX_CHAINS) {
        return;
    }
    memmove(&unit->steps[at + 1], &unit->steps[at],
            (unit->step_count - at) * sizeof *unit->steps);
    unit->steps[at] = *step;
    unit->step_count++;
}

static const struct rp_unit_step *fastest_step(const struct rp_unit *unit)
{
    const struct rp_unit_step *best = &unit->steps[0];

    for (unsigned i = 1; i < unit->step_count; i++) {
        const struct rp_unit_step *const step = &unit->steps[i];
        if (is_better(step, best)) {
            best = step;
        }
    }
    return best;
}

/* A mix says in its record what it consists of; a record of one class has no need to. */
static void describe_mix(struct rp_unit *unit, const struct rp_record *record)
{
    for (size_t i = 0; i < RP_MIXED_CLASSES; i++) {
        if (!(record->operations[i].per_item > 0)) {
            return;
        }
    }
    for (size_t i = 0; i < RP_MIXED_CLASSES; i++) {
        RP_COPY_NAME(unit->mixed[i].class_name, record->operations[i].class_name);
        unit->mixed[i].per_instruction = record->operations[i].per_item;
    }
}

static void conclude_unit(const struct rp_model_builder *builder, struct rp_unit *unit)
{
    if (unit->step_count == 0) {
        return;
    }
    unit->unavailable[0] = '\0';
    const struct rp_unit_step *const fastest = fastest_step(unit);
    unit->throughput_cycles = fastest->cycles;
    unit->throughput_record_id = fastest->record_id;
    unit->latency_cycles = unit->steps[0].chains == 1 ? unit->steps[0].cycles.value : 0;
    unit->knee_chains = fastest->chains;
    for (unsigned i = 0; i < unit->step_count; i++) {
        if (unit->steps[i].cycles.value <= knee_tolerance * fastest->cycles.value) {
            unit->knee_chains = unit->steps[i].chains;
            break;
        }
    }
    const struct rp_record *const record =
        rp_model_record(builder->model, fastest->record_id);
    describe_mix(unit, record);
    unit->hz = rp_estimate_record(record, rp_sample_hz, builder->scratch).value;
}

bool rp_model_add_units(struct rp_model_builder *builder)
{
    for (size_t i = 0; i < builder->run->record_count; i++) {
        const struct rp_record *const record = &builder->run->records[i];
        if (strcmp(record->probe, "units") != 0) {
            continue;
        }
        struct rp_unit *const unit = unit_named(builder, record->kernel);
        if (unit == NULL) {
            return false;
        }
        if (!rp_record_measured(record, "units")) {
            RP_COPY_NAME(unit->unavailable, record->why);
            continue;
        }
        const struct rp_unit_step step = {
            .chains = record->chains,
            .cycles =
                rp_estimate_record(record, rp_sample_cycles_per_item, builder->scratch),
            .verdict = record->verdict,
            .record_id = record->id,
        };
        if (step.chains > 0 && step.cycles.value > 0) {
            insert_step(unit, &step);
        }
    }
    for (size_t i = 0; i < builder->model->unit_count; i++) {
        conclude_unit(builder, &builder->model->units[i]);
    }
    return true;
}
