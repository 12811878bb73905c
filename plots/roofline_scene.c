/* SPDX-License-Identifier: MIT */
#include "plots/roofline_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plots/aes.h"

/* AES-128 runs ten rounds on every block. */
static double ceiling_gb_per_s(const struct rp_unit *unit)
{
    const double rounds = 10;

    return unit->width_bits / 8.0 / rounds / unit->throughput_cycles.value * unit->hz /
           1e9;
}

static void find_ceilings(struct rp_scene *scene, const struct rp_model *model)
{
    for (size_t i = 0; i < model->unit_count && scene->ceiling_count < RP_MAX_CEILINGS;
         i++) {
        const struct rp_unit *const unit = &model->units[i];
        size_t same = 0;

        if (strncmp(unit->name, "aesenc-", 7) != 0 ||
            !(unit->throughput_cycles.value > 0)) {
            continue;
        }
        const double rate = ceiling_gb_per_s(unit);
        if (!(rate > 0)) {
            continue; /* of a class without a width, or without a clock */
        }

        while (same < scene->ceiling_count &&
               fabs(rate / scene->ceilings[same].gb_per_s - 1) > 0.02) {
            same++;
        }
        struct rp_ceiling *const ceiling = &scene->ceilings[same];

        if (same == scene->ceiling_count) {
            *ceiling = (struct rp_ceiling){.gb_per_s = rate, .unit = unit};
            snprintf(ceiling->widths, sizeof ceiling->widths, "%u", unit->width_bits);
            scene->ceiling_count++;
        } else {
            const size_t length = strlen(ceiling->widths);

            snprintf(ceiling->widths + length, sizeof ceiling->widths - length, ", %u",
                     unit->width_bits);
        }
    }
}

static void add_roof(struct rp_scene *scene, const struct rp_model *model,
                     const char *mix, unsigned level, const struct rp_roof_line *look)
{
    const struct rp_bandwidth_roof *const roof = rp_model_roof(model, mix, level);
    char number[24];

    if (roof == NULL || !(roof->bytes_per_s.value > 0)) {
        return;
    }
    const double rate = roof->bytes_per_s.value * roof->bus_factor / 1e9;
    size_t at = scene->roof_count++;

    for (; at > 0 && scene->roofs[at - 1].bus_gb_per_s < rate; at--) {
        scene->roofs[at] = scene->roofs[at - 1];
    }
    scene->roofs[at] = *look;
    scene->roofs[at].roof = roof;
    scene->roofs[at].bus_gb_per_s = rate;
    snprintf(scene->roofs[at].label, sizeof scene->roofs[at].label, "%s%s  %s GB/s",
             model->run->machine.levels[level].name, look->suffix,
             rp_number_text(rate, number));
}

static void find_roofs(struct rp_scene *scene, const struct rp_model *model)
{
    static const enum rp_colour ramp[] = {RP_NEAREST, RP_NEAR, RP_FAR};
    const unsigned level_count = model->run->machine.level_count;

    if (level_count == 0) {
        return;
    }
    const unsigned memory = level_count - 1;

    for (unsigned level = 0; level < memory; level++) {
        add_roof(scene, model, "copy", level,
                 &(struct rp_roof_line){.line = ramp[level < 2 ? level : 2],
                                        .text = RP_MEMORY,
                                        .dash = RP_SOLID,
                                        .line_width = 1.8,
                                        .suffix = ""});
    }
    add_roof(scene, model, "copy", memory,
             &(struct rp_roof_line){.line = RP_MEMORY,
                                    .text = RP_MEMORY,
                                    .dash = RP_SOLID,
                                    .line_width = 2.6,
                                    .suffix = ""});
    add_roof(scene, model, "copy-nt", memory,
             &(struct rp_roof_line){.line = RP_GREEN,
                                    .text = RP_GREEN_TEXT,
                                    .dash = RP_DASHED,
                                    .line_width = 1.4,
                                    .suffix = rp_mode_look(RP_MODE_NT)->suffix});
    add_roof(scene, model, "update", memory,
             &(struct rp_roof_line){.line = RP_PURPLE,
                                    .text = RP_PURPLE_TEXT,
                                    .dash = RP_DASHED,
                                    .line_width = 1.4,
                                    .suffix = rp_mode_look(RP_MODE_INPLACE)->suffix});
}

/* A count this much off the other x is told in words: its mark would press everything
 * else together. */
static const double drawable_ratio = 8;

static double counted_x(const struct rp_counted_point *counted, double x)
{
    if (counted == NULL || !(counted->items_per_byte > 0)) {
        return 0;
    }
    const double ratio = counted->items_per_byte / x;

    return ratio <= drawable_ratio && ratio >= 1 / drawable_ratio
               ? counted->items_per_byte
               : 0;
}

static void add_spot(struct rp_scene *scene, const struct rp_model *model,
                     const struct rp_point *point)
{
    if (point == NULL || scene->spot_count == RP_MAX_SPOTS ||
        !(point->bus_bytes_per_item > 0)) {
        return;
    }
    for (size_t i = 0; i < scene->spot_count; i++) {
        if (scene->spots[i].point == point) {
            return; /* a run with few sizes: the cached one is the largest too */
        }
    }
    struct rp_spot *const spot = &scene->spots[scene->spot_count++];

    *spot = (struct rp_spot){.point = point,
                             .x = 1 / point->bus_bytes_per_item,
                             .y = point->items_per_s.value / 1e9,
                             .counted = rp_model_counted(model, point)};
    spot->counted_x = counted_x(spot->counted, spot->x);
    snprintf(spot->text, sizeof spot->text, "%s, %s%s", point->variant,
             model->run->machine.levels[point->level].name,
             rp_mode_look(point->mode)->suffix);
}

static void find_spots(struct rp_scene *scene, const struct rp_model *model)
{
    static const enum rp_mode modes[] = {RP_MODE_TEMPORAL, RP_MODE_NT, RP_MODE_INPLACE};
    const char *variants[RP_MAX_VARIANTS];
    const size_t count = rp_aes_variants(model, variants);
    const double cached = rp_aes_cached_bytes(&model->run->machine);

    for (size_t i = 0; i < count; i++) {
        if (cached > 0) {
            add_spot(scene, model,
                     rp_aes_point(model, variants[i], RP_MODE_TEMPORAL, cached));
        }
        for (size_t mode = 0; mode < sizeof modes / sizeof *modes; mode++) {
            add_spot(scene, model,
                     rp_aes_point(model, variants[i], modes[mode], RP_LARGEST));
        }
    }
}

double rp_scene_highest_ceiling(const struct rp_scene *scene)
{
    double highest = 0;

    for (size_t i = 0; i < scene->ceiling_count; i++) {
        highest = fmax(highest, scene->ceilings[i].gb_per_s);
    }
    return highest;
}

bool rp_scene_is_counted(const struct rp_scene *scene)
{
    for (size_t i = 0; i < scene->spot_count; i++) {
        if (scene->spots[i].counted_x > 0) {
            return true;
        }
    }
    return false;
}

void rp_scene_find(struct rp_scene *scene, const struct rp_model *model)
{
    find_ceilings(scene, model);
    find_roofs(scene, model);
    find_spots(scene, model);
}

static bool coincide(const struct rp_spot *a, const struct rp_spot *b,
                     const struct rp_frame *frame)
{
    const double dx = rp_axis_pixel(&frame->x, a->x) - rp_axis_pixel(&frame->x, b->x);
    const double dy = rp_axis_pixel(&frame->y, a->y) - rp_axis_pixel(&frame->y, b->y);

    return hypot(dx, dy) < 5 && strcmp(a->point->variant, b->point->variant) == 0;
}

/* Puts points of one variant that lie on each other under one label. */
static void merge_places(struct rp_scene *scene, const struct rp_frame *frame)
{
    for (size_t i = 0; i < scene->spot_count; i++) {
        struct rp_spot *const second = &scene->spots[i];

        for (size_t k = 0; k < i; k++) {
            struct rp_spot *const first = &scene->spots[k];

            if (first->text[0] != '\0' && coincide(first, second, frame)) {
                const size_t length = strlen(first->text);
                const bool same_level = first->point->level == second->point->level;
                const char *const place = same_level
                                              ? rp_mode_look(second->point->mode)->suffix
                                              : strrchr(second->text, ',') + 1;

                if (*place != '\0') { /* temporal stores go without saying */
                    snprintf(first->text + length, sizeof first->text - length, ",%s",
                             place);
                }
                first->mixed = first->mixed || first->point->mode != second->point->mode;
                second->text[0] = '\0';
                break;
            }
        }
    }
}

/* What a label says behind the variant: levels and ways of storing. */
static const char *places(const struct rp_spot *spot)
{
    return spot->text + strlen(spot->point->variant);
}

/* Different variants that lie on each other in the same places. */
static bool touch(const struct rp_spot *a, const struct rp_spot *b,
                  const struct rp_frame *frame)
{
    const double dy = rp_axis_pixel(&frame->y, a->y) - rp_axis_pixel(&frame->y, b->y);

    return a->text[0] != '\0' && b->text[0] != '\0' && fabs(dy) < 7 &&
           strcmp(places(a), places(b)) == 0;
}

/* Lets the fastest of several that touch speak for them. */
static void merge_variants(struct rp_scene *scene, const struct rp_frame *frame)
{
    for (size_t i = 0; i < scene->spot_count; i++) {
        for (size_t k = 0; k < scene->spot_count; k++) {
            struct rp_spot *const faster = &scene->spots[i];
            struct rp_spot *const slower = &scene->spots[k];

            if (i != k && faster->y >= slower->y && touch(faster, slower, frame)) {
                faster->others += slower->others + 1;
                slower->text[0] = '\0';
            }
        }
    }
    for (size_t i = 0; i < scene->spot_count; i++) {
        struct rp_spot *const spot = &scene->spots[i];

        if (spot->text[0] != '\0' && spot->others > 0) {
            char rest[sizeof spot->text];

            snprintf(rest, sizeof rest, "%s", places(spot));
            snprintf(spot->text, sizeof spot->text, "%s +%u%.60s", spot->point->variant,
                     spot->others, rest);
        }
    }
}

void rp_scene_merge(struct rp_scene *scene, const struct rp_frame *frame)
{
    merge_places(scene, frame);
    merge_variants(scene, frame);
}
