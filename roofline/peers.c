/* SPDX-License-Identifier: MIT */
#include "roofline/peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "roofline/model_parts.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const size_t targets[] = {16 * RP_KIB, 64 * RP_KIB, 256 * RP_KIB, RP_MIB};

/* What lies further from its target says little about it. */
static const double farthest = 1.5;

#define AES_BLOCK_BYTES 16

/* Rounds of a block, by how a family's name begins (FIPS 197). */
static const struct {
    const char *prefix;
    unsigned rounds;
} ciphers[] = {{"aes128", 10}, {"aes192", 12}, {"aes256", 14}};

bool rp_is_peer(const struct rp_point *point)
{
    return point->library[0] != '\0';
}

static double speed(const struct rp_point *point)
{
    return rp_credible_rate(&point->items_per_s, point->verdict);
}

static unsigned rounds_of(const char *family)
{
    for (size_t i = 0; i < COUNT(ciphers); i++) {
        if (strncmp(family, ciphers[i].prefix, strlen(ciphers[i].prefix)) == 0) {
            return ciphers[i].rounds;
        }
    }
    return 0;
}

/* The least cycles that a round of a block takes by any of the measured instructions. */
static double cycles_per_round(const struct rp_model *model)
{
    double least = 0;

    for (size_t i = 0; i < model->unit_count; i++) {
        const struct rp_unit *const unit = &model->units[i];
        const double blocks = unit->width_bits / (8.0 * AES_BLOCK_BYTES);

        if (strncmp(unit->name, "aesenc-", 7) == 0 && unit->step_count > 0 &&
            (least == 0 || unit->throughput_cycles.value / blocks < least)) {
            least = unit->throughput_cycles.value / blocks;
        }
    }
    return least;
}

/* How a variant begins in a family whose kernels do not all do the same. */
static const char *const directions[] = {"seal", "open"};

static const char *direction_of(const struct rp_point *point)
{
    for (size_t i = 0; i < COUNT(directions); i++) {
        const size_t length = strlen(directions[i]);

        if (strncmp(point->variant, directions[i], length) == 0 &&
            point->variant[length] == '-') {
            return directions[i];
        }
    }
    return "";
}

static bool same_work(const struct rp_point *a, const struct rp_point *b)
{
    return strcmp(a->family, b->family) == 0 &&
           strcmp(direction_of(a), direction_of(b)) == 0;
}

/* Points are ordered by kernel, whose name begins with family and direction. */
static size_t work_end(const struct rp_model *model, size_t first)
{
    size_t end = first + 1;

    while (end < model->point_count &&
           same_work(&model->points[end], &model->points[first])) {
        end++;
    }
    return end;
}

/* The working set of a peer nearest to the target; 0 when none is near. */
static size_t size_near(const struct rp_model *model, const struct rp_peer_table *table,
                        size_t target)
{
    double least = log(farthest);
    size_t nearest = 0;

    for (size_t i = table->first; i < table->end; i++) {
        const struct rp_point *const point = &model->points[i];
        const double distance =
            fabs(log((double)point->working_set_bytes / (double)target));

        if (rp_is_peer(point) && point->mode == RP_MODE_TEMPORAL && distance < least) {
            least = distance;
            nearest = point->working_set_bytes;
        }
    }
    return nearest;
}

static int fastest_first(const void *left, const void *right)
{
    const double a = speed(*(const struct rp_point *const *)left);
    const double b = speed(*(const struct rp_point *const *)right);

    return (a < b) - (a > b);
}

static void fill(const struct rp_model *model, struct rp_peer_table *table)
{
    const struct rp_point *const any = &model->points[table->first];
    const char *const direction = direction_of(any);

    snprintf(table->work, sizeof table->work, "%s%s%s", any->family,
             direction[0] != '\0' ? "-" : "", direction);
    table->count = 0;
    table->fastest_peer = table->fastest_own = NULL;
    for (size_t i = table->first; i < table->end && table->count < RP_MOST_COMPARED;
         i++) {
        const struct rp_point *const point = &model->points[i];

        if (point->mode == RP_MODE_TEMPORAL &&
            point->working_set_bytes == table->working_set_bytes) {
            table->points[table->count++] = point;
        }
    }
    qsort(table->points, table->count, sizeof *table->points, fastest_first);
    for (size_t i = table->count; i-- > 0;) {
        *(rp_is_peer(table->points[i]) ? &table->fastest_peer : &table->fastest_own) =
            table->points[i];
    }
    table->ceiling_cycles_per_byte =
        rounds_of(table->work) * cycles_per_round(model) / AES_BLOCK_BYTES;
}

bool rp_next_peer_table(const struct rp_model *model, struct rp_peer_table *table)
{
    for (;;) {
        if (table->end == 0 || table->target == COUNT(targets)) {
            if (table->end == model->point_count) {
                return false;
            }
            table->first = table->end;
            table->end = work_end(model, table->first);
            table->target = 0;
            table->working_set_bytes = 0;
        }
        const size_t bytes = size_near(model, table, targets[table->target++]);

        if (bytes >
            table->working_set_bytes) { /* one size for two targets is told once */
            table->working_set_bytes = bytes;
            fill(model, table);
            return true;
        }
    }
}
