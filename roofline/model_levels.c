/* SPDX-License-Identifier: MIT */
/*
 * The stated cache sizes held against the measured curves.
 *
 * A hypervisor may state the cache of a whole socket of which a guest gets a slice, a
 * made-up size, or none; neighbours may use the rest. What a kernel meets is what the
 * curves show, so where they contradict a size, the model goes by them.
 */
#include "roofline/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "roofline/model_steps.h"

/* Sizes that differ by less are the same. */
static const double size_tolerance = 1.25;
/* How far past the capacity a step may show (model_steps.h). */
static const double latest_step = 1.3;
/* A step this high that no stated cache explains is one: page walks cost less. */
static const double cache_drop = 1.25;

/* The mixes that are asked, in this order. A store's rate depends on more than where its
 * line is; non-temporal ones show no cache at all. */
static const char *const mixes[] = {"load", "copy", "update", "store"};

enum { MIX_COUNT = sizeof mixes / sizeof *mixes, NO_STEP = -1 };

/* What one mix says: its steps, and which of them ends each stated cache. */
struct witness {
    const char *mix;
    struct rp_steps steps;
    int of_level[RP_MAX_LEVELS];
};

const char *rp_level_verdict_name(enum rp_level_verdict verdict)
{
    static const char *const names[] = {
        [RP_LEVEL_UNSEEN] = "unseen",       [RP_LEVEL_NO_STEP] = "no step",
        [RP_LEVEL_CONFIRMED] = "confirmed", [RP_LEVEL_DIFFERS] = "differs",
        [RP_LEVEL_UNCLEAR] = "unclear",     [RP_LEVEL_UNSTATED] = "unstated",
    };
    return names[verdict];
}

static double middle_octave(const struct rp_step *step)
{
    return log2((double)step->least_bytes * (double)step->most_bytes) / 2;
}

/*
 * Assigns steps to caches, both in ascending order and as many as there are of the fewer,
 * so that the sum of their distances on a logarithmic axis is least. Returns that sum for
 * what lies at or behind `step` and `level`.
 */
static double assign(const struct rp_steps *steps, const struct rp_machine *machine,
                     size_t step, unsigned level, int of_level[RP_MAX_LEVELS])
{
    const unsigned levels_left = machine->level_count - 1 - level;
    const size_t steps_left = steps->count - step;
    int other[RP_MAX_LEVELS];

    for (unsigned i = level; i < RP_MAX_LEVELS; i++) {
        of_level[i] = NO_STEP;
    }
    if (levels_left == 0 || steps_left == 0) {
        return 0;
    }
    const double size = log2((double)machine->levels[level].size_bytes);
    const double paired = fabs(middle_octave(&steps->list[step]) - size) +
                          assign(steps, machine, step + 1, level + 1, of_level);
    of_level[level] = (int)step;
    if (steps_left == levels_left) {
        return paired;
    }
    memcpy(other, of_level, sizeof other);
    other[level] = NO_STEP;
    const double skipped = steps_left > levels_left
                               ? assign(steps, machine, step + 1, level, other)
                               : assign(steps, machine, step, level + 1, other);
    if (skipped < paired) {
        memcpy(of_level, other, sizeof other);
    }
    return fmin(skipped, paired);
}

static bool agrees(const struct rp_step *step, size_t stated_bytes)
{
    const double stated = (double)stated_bytes;

    return (double)step->most_bytes >= stated / size_tolerance &&
           (double)step->least_bytes <= stated * size_tolerance * latest_step;
}

static const struct rp_step *step_of(const struct witness *witness, unsigned level)
{
    const int index = witness->of_level[level];

    return index == NO_STEP ? NULL : &witness->steps.list[index];
}

/* The first mix that shows the step tells its place. That the size is another one than
 * stated is believed only when no other mix confirms the stated one. */
static void judge(struct rp_level_check *check, const struct witness *witnesses,
                  size_t count, unsigned level)
{
    size_t end_bytes = 0;

    for (size_t i = 0; i < count; i++) {
        const struct rp_step *const step = step_of(&witnesses[i], level);
        if (witnesses[i].steps.end_bytes > end_bytes) {
            end_bytes = witnesses[i].steps.end_bytes;
        }
        if (step == NULL) {
            continue;
        }
        const bool agreed = agrees(step, check->stated_bytes);
        if (check->most_bytes == 0) {
            check->least_bytes = step->least_bytes;
            check->most_bytes = step->most_bytes;
            memcpy(check->record_ids, step->record_ids, sizeof check->record_ids);
            RP_COPY_NAME(check->mix, witnesses[i].mix);
            check->verdict = agreed ? RP_LEVEL_CONFIRMED : RP_LEVEL_DIFFERS;
        } else if (agreed && check->verdict == RP_LEVEL_DIFFERS) {
            check->verdict = RP_LEVEL_UNCLEAR;
        }
    }
    if (check->most_bytes == 0) {
        check->verdict =
            end_bytes > 2 * check->stated_bytes ? RP_LEVEL_NO_STEP : RP_LEVEL_UNSEEN;
    }
}

/* Puts what was measured where the later stages look. A size that would be smaller than
 * the nearer cache cannot be right. */
static void apply(struct rp_level *levels, struct rp_level_check *check, unsigned level)
{
    const size_t nearer_bytes = level > 0 ? levels[level - 1].size_bytes : 0;

    if (check->verdict == RP_LEVEL_DIFFERS) {
        if (check->least_bytes > nearer_bytes) {
            levels[level].size_bytes = check->least_bytes;
        } else {
            check->verdict = RP_LEVEL_UNCLEAR;
        }
    }
}

/* Makes caches of the steps behind the last stated one. */
static void add_unstated(struct rp_model *model, const struct witness *witness)
{
    struct rp_machine *const machine = &model->view->machine;
    int last = NO_STEP;

    for (unsigned i = 0; i < model->level_count; i++) {
        last = witness->of_level[i] > last ? witness->of_level[i] : last;
    }
    for (size_t i = (size_t)(last + 1);
         i < witness->steps.count && machine->level_count < RP_MAX_LEVELS; i++) {
        const struct rp_step *const step = &witness->steps.list[i];
        if (step->drop < cache_drop) {
            continue;
        }
        const unsigned level = model->level_count++;
        struct rp_level_check *const check = &model->levels[level];
        *check = (struct rp_level_check){
            .verdict = RP_LEVEL_UNSTATED,
            .least_bytes = step->least_bytes,
            .most_bytes = step->most_bytes,
            .record_ids = {step->record_ids[0], step->record_ids[1]},
        };
        RP_COPY_NAME(check->mix, witness->mix);
        snprintf(check->name, sizeof check->name, "L%u?", level + 1);
        machine->levels[machine->level_count++] = machine->levels[level]; /* memory */
        machine->levels[level] = (struct rp_level){.size_bytes = step->least_bytes};
        RP_COPY_NAME(machine->levels[level].name, check->name);
    }
}

bool rp_model_add_levels(struct rp_model_builder *builder)
{
    struct rp_model *const model = builder->model;
    struct rp_machine *const machine = &model->view->machine;
    struct witness witnesses[MIX_COUNT];
    size_t count = 0;

    for (size_t i = 0; i < MIX_COUNT; i++) {
        const struct rp_curve *const curve = rp_model_curve(model, mixes[i]);
        struct witness *const witness = &witnesses[count];
        if (curve == NULL) {
            continue;
        }
        witness->mix = mixes[i];
        if (!rp_curve_steps(curve, &witness->steps, builder->error)) {
            return false;
        }
        assign(&witness->steps, machine, 0, 0, witness->of_level);
        count++;
    }
    model->level_count = machine->level_count - 1;
    for (unsigned i = 0; i < model->level_count; i++) {
        struct rp_level_check *const check = &model->levels[i];
        check->stated_bytes = machine->levels[i].size_bytes;
        RP_COPY_NAME(check->name, machine->levels[i].name);
        judge(check, witnesses, count, i);
        apply(machine->levels, check, i);
    }
    if (count > 0) {
        add_unstated(model, &witnesses[0]);
    }
    return true;
}
