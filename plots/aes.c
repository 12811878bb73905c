/* SPDX-License-Identifier: MIT */
#include "plots/aes.h"

#include <math.h>
#include <string.h>

static const struct rp_mode_look mode_looks[RP_MODE_COUNT] = {
    [RP_MODE_NONE] = {"", RP_BLUE, RP_BLUE_TEXT, 5, 4},
    [RP_MODE_TEMPORAL] = {"", RP_VERMILLION, RP_VERMILLION_TEXT, 7, 6},
    [RP_MODE_NT] = {" nt", RP_GREEN, RP_GREEN_TEXT, 9, 8},
    [RP_MODE_INPLACE] = {" in place", RP_PURPLE, RP_PURPLE_TEXT, 13, 12},
};

static const struct {
    const char *pattern;
    struct rp_variant_look look;
} variant_looks[] = {
    {"aesni-x1", {RP_BLUE, RP_BLUE_TEXT}},
    {"aesni-*", {RP_GREEN, RP_GREEN_TEXT}},
    {"vaes256-*", {RP_PURPLE, RP_PURPLE_TEXT}},
    {"vaes512-*", {RP_VERMILLION, RP_VERMILLION_TEXT}},
    {"*", {RP_MUTED, RP_MUTED}},
};

const struct rp_mode_look *rp_mode_look(enum rp_mode mode)
{
    return &mode_looks[mode];
}

const struct rp_variant_look *rp_variant_look(const char *variant)
{
    size_t i = 0;

    while (!rp_matches(variant_looks[i].pattern, variant)) {
        i++; /* the last pattern matches everything */
    }
    return &variant_looks[i].look;
}

bool rp_is_aes(const struct rp_point *point)
{
    return strcmp(point->family, "aes128ctr") == 0 && point->library[0] == '\0' &&
           point->items_per_s.value > 0;
}

size_t rp_aes_variants(const struct rp_model *model,
                       const char *variants[RP_MAX_VARIANTS])
{
    size_t count = 0;

    for (size_t i = 0; i < model->point_count && count < RP_MAX_VARIANTS; i++) {
        size_t known = 0;

        if (!rp_is_aes(&model->points[i])) {
            continue;
        }
        while (known < count && strcmp(variants[known], model->points[i].variant) != 0) {
            known++;
        }
        if (known == count) {
            variants[count++] = model->points[i].variant;
        }
    }
    return count;
}

const struct rp_point *rp_aes_point(const struct rp_model *model, const char *variant,
                                    enum rp_mode mode, double bytes)
{
    const struct rp_point *best = NULL;
    double best_distance = INFINITY;

    for (size_t i = 0; i < model->point_count; i++) {
        const struct rp_point *const point = &model->points[i];

        if (rp_is_aes(point) && point->mode == mode &&
            strcmp(point->variant, variant) == 0) {
            const double distance = fabs(log((double)point->working_set_bytes / bytes));

            if (distance < best_distance) {
                best = point;
                best_distance = distance;
            }
        }
    }
    return best;
}

const struct rp_point *rp_aes_best(const struct rp_model *model, double bytes)
{
    const char *variants[RP_MAX_VARIANTS];
    const size_t count = rp_aes_variants(model, variants);
    const struct rp_point *best = NULL;
    double fastest = 0;

    for (size_t i = 0; i < count; i++) {
        const struct rp_point *const point =
            rp_aes_point(model, variants[i], RP_MODE_TEMPORAL, bytes);

        fastest = point != NULL ? fmax(fastest, point->items_per_s.value) : fastest;
    }
    for (size_t i = 0; i < count; i++) {
        const struct rp_point *const point =
            rp_aes_point(model, variants[i], RP_MODE_TEMPORAL, bytes);

        if (point != NULL && point->items_per_s.value >= 0.98 * fastest) {
            best = point;
        }
    }
    return best;
}

double rp_aes_cached_bytes(const struct rp_machine *machine)
{
    const double nearest =
        machine->level_count > 0 ? (double)machine->levels[0].size_bytes : 0;
    const double second =
        machine->level_count > 1 ? (double)machine->levels[1].size_bytes : 0;

    return second > 0 ? sqrt(nearest * second) : nearest / 2;
}
