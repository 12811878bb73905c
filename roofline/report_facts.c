/* SPDX-License-Identifier: MIT */
#include "roofline/report_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "roofline/model_parts.h"
#include "roofline/peers.h"

/* Distinct sizes that the ladder looks at; a sweep has far fewer in its window. */
#define MOST_SIZES 64

/* A kernel this close to its bound has nothing left to gain but noise. */
static const double close_to_bound = 0.9;
/* Non-temporal stores that gain less than this are not worth advising. */
static const double worthwhile_gain = 1.05;

bool rp_is_cipher(const struct rp_point *point)
{
    /* Blocks by themselves (aes128ecb) are encrypted to measure interleaving. */
    return strcmp(point->family, "stream") != 0 &&
           strcmp(point->family, "aes128ecb") != 0 && !rp_is_peer(point);
}

static bool in_ladder(const struct rp_point *point)
{
    return rp_is_cipher(point) && point->mode == RP_MODE_TEMPORAL &&
           point->working_set_bytes >= RP_LADDER_LEAST_BYTES &&
           point->working_set_bytes <= RP_LADDER_MOST_BYTES;
}

static int by_size(const void *left, const void *right)
{
    const size_t a = *(const size_t *)left;
    const size_t b = *(const size_t *)right;

    return (a > b) - (a < b);
}

static bool holds(const size_t *sizes, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        if (sizes[i] == size) {
            return true;
        }
    }
    return false;
}

size_t rp_ladder_bytes(const struct rp_model *model)
{
    size_t sizes[MOST_SIZES];
    size_t count = 0;

    for (size_t i = 0; i < model->point_count && count < MOST_SIZES; i++) {
        const size_t size = model->points[i].working_set_bytes;
        if (in_ladder(&model->points[i]) && !holds(sizes, count, size)) {
            sizes[count++] = size;
        }
    }
    if (count == 0) {
        return 0;
    }
    qsort(sizes, count, sizeof *sizes, by_size);
    return sizes[(count - 1) / 2];
}

static double distance(const struct rp_point *point, size_t bytes)
{
    return fabs(log((double)point->working_set_bytes / (double)bytes));
}

static int slowest_first(const void *left, const void *right)
{
    const double a = (*(const struct rp_point *const *)left)->items_per_s.value;
    const double b = (*(const struct rp_point *const *)right)->items_per_s.value;

    return (a > b) - (a < b);
}

size_t rp_ladder(const struct rp_model *model, const struct rp_point **points,
                 size_t capacity)
{
    const size_t bytes = rp_ladder_bytes(model);
    size_t count = 0;

    /* Points are ordered by kernel, so those of one kernel follow each other. */
    for (size_t i = 0; i < model->point_count; i++) {
        const struct rp_point *const point = &model->points[i];
        if (!in_ladder(point)) {
            continue;
        }
        if (count > 0 && strcmp(points[count - 1]->kernel, point->kernel) == 0) {
            if (distance(point, bytes) < distance(points[count - 1], bytes)) {
                points[count - 1] = point;
            }
        } else if (count < capacity) {
            points[count++] = point;
        }
    }
    if (count > 0) {
        qsort(points, count, sizeof(const struct rp_point *), slowest_first);
    }
    return count;
}

const struct rp_point *rp_best_in_level(const struct rp_model *model, unsigned level)
{
    const struct rp_point *best = NULL;

    for (size_t i = 0; i < model->point_count; i++) {
        const struct rp_point *const point = &model->points[i];
        if (rp_is_cipher(point) && point->level == level &&
            (best == NULL || rp_credible_rate(&point->items_per_s, point->verdict) >
                                 rp_credible_rate(&best->items_per_s, best->verdict))) {
            best = point;
        }
    }
    return best;
}

static const struct rp_point *point_at(const struct rp_model *model, const char *kernel,
                                       enum rp_mode mode, size_t working_set_bytes)
{
    for (size_t i = 0; i < model->point_count; i++) {
        const struct rp_point *const point = &model->points[i];
        if (point->mode == mode && point->working_set_bytes == working_set_bytes &&
            strcmp(point->kernel, kernel) == 0) {
            return point;
        }
    }
    return NULL;
}

struct rp_memory_fact rp_memory_fact(const struct rp_model *model, const char *kernel)
{
    const unsigned memory = model->run->machine.level_count - 1;
    struct rp_memory_fact fact = {0};

    /* Points of one kernel and mode are ordered by size: the last pair is the largest. */
    for (size_t i = 0; i < model->point_count; i++) {
        const struct rp_point *const nt = &model->points[i];
        if (nt->mode != RP_MODE_NT || nt->level != memory ||
            strcmp(nt->kernel, kernel) != 0) {
            continue;
        }
        const size_t bytes = nt->working_set_bytes;
        const struct rp_point *const temporal =
            point_at(model, kernel, RP_MODE_TEMPORAL, bytes);
        if (temporal != NULL) {
            fact = (struct rp_memory_fact){
                .temporal = temporal,
                .nt = nt,
                .inplace = point_at(model, kernel, RP_MODE_INPLACE, bytes),
            };
        }
    }
    return fact;
}

const struct rp_point *rp_best_ceiling(const struct rp_model *model)
{
    const struct rp_point *best = NULL;

    for (size_t i = 0; i < model->point_count; i++) {
        const struct rp_point *const point = &model->points[i];
        if (rp_is_cipher(point) && point->unit_cycles_per_item > 0 &&
            (best == NULL || point->unit_cycles_per_item < best->unit_cycles_per_item)) {
            best = point;
        }
    }
    return best;
}

/* Rounds of a block by the length of the key (FIPS 197, section 5). */
static double rounds_of(const char *family)
{
    static const struct {
        const char *prefix;
        double rounds;
    } keys[] = {{"aes128", 10}, {"aes192", 12}, {"aes256", 14}};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strncmp(family, keys[i].prefix, strlen(keys[i].prefix)) == 0) {
            return keys[i].rounds;
        }
    }
    return 0;
}

/* The AES unit that a record's kernel uses; NULL when there is none or was not measured.
 */
static const struct rp_unit *aes_unit(const struct rp_model *model, uint64_t record_id)
{
    for (size_t i = 0; i < model->run->record_count; i++) {
        const struct rp_record *const record = &model->run->records[i];

        for (int j = 0; record->id == record_id && j < RP_MAX_OPERATIONS; j++) {
            const char *const name = record->operations[j].class_name;

            if (strncmp(name, "aesenc-", strlen("aesenc-")) == 0) {
                return rp_model_unit(model, name);
            }
        }
    }
    return NULL;
}

double rp_all_rounds_cycles(const struct rp_model *model, const struct rp_point *point)
{
    const struct rp_unit *const unit = aes_unit(model, point->record_id);

    if (unit == NULL || unit->width_bits == 0) {
        return 0;
    }
    return rounds_of(point->family) / (unit->width_bits / 8.0) *
           unit->throughput_cycles.value;
}

bool rp_is_set_by_aes(const struct rp_point *point)
{
    return strncmp(point->unit, "aesenc-", strlen("aesenc-")) == 0 &&
           strchr(point->unit, ' ') == NULL;
}

static double gib(double bytes)
{
    return bytes / (double)RP_GIB;
}

/* What the binding roof of a point is, for a sentence. */
static void print_binding(const struct rp_point *point, struct rp_text *text)
{
    if (point->bound_kind == RP_BOUND_UNKNOWN) {
        rp_text_print(text, "; the run holds no roof to hold it against");
    } else if (point->bound_kind == RP_BOUND_UNIT) {
        rp_text_print(text,
                      rp_is_set_by_aes(point) ? ". The AES unit (%s) binds it"
                                              : ". The execution units (%s) bind it",
                      point->bound);
    } else {
        rp_text_print(text, ". Bandwidth (%s) binds it, of which it attains %.0f %%",
                      point->bound, 100 * point->attained);
    }
}

/* The ladder's window is small, but a machine may show no cache that holds it. */
static void answer_small(const struct rp_model *model, const struct rp_point *fastest,
                         struct rp_text *text)
{
    const struct rp_machine *const machine = &model->run->machine;
    const bool cached = fastest->level + 1 < machine->level_count;
    const double cycles = fastest->cycles_per_item.value;
    char size[RP_SIZE_TEXT];

    rp_text_print(text, "%s%s, %s is the fastest: %.2f GiB/s",
                  cached ? "In " : "On a small working set",
                  cached ? machine->levels[fastest->level].name : "", fastest->kernel,
                  gib(fastest->items_per_s.value));
    if (cycles > 0) {
        rp_text_print(text, " (%.4f cycles/byte)", cycles);
    }
    rp_text_print(text, " at %s of source and destination",
                  rp_size_text(fastest->working_set_bytes, size));
    if (fastest->verdict == RP_VERDICT_DISTURBED) {
        rp_text_print(text, " (a disturbed measurement)");
    }
    if (rp_model_flag(model, fastest->record_id) != NULL) {
        rp_text_print(text, " (hard to believe: see how far to trust the numbers)");
    }
    if (fastest->unit_cycles_per_item > 0 && cycles > 0) {
        rp_text_print(text, ", %.0f %% of what the %s at its width",
                      100 * fastest->unit_cycles_per_item / cycles,
                      rp_is_set_by_aes(fastest) ? "AES unit allows"
                                                : "execution units allow");
    }
    print_binding(fastest, text);
    rp_text_print(text, ". ");
    if (fastest->bound_kind == RP_BOUND_UNKNOWN) {
        return;
    }
    if (fastest->attained < close_to_bound) {
        rp_text_print(text, "Better code could still gain up to %.2f x there. ",
                      1 / fastest->attained);
    } else if (fastest->bound_kind == RP_BOUND_UNIT) {
        rp_text_print(text, "Only %s or a higher clock would help there. ",
                      rp_is_set_by_aes(fastest) ? "a wider or faster AES unit"
                                                : "wider or faster units");
    } else {
        rp_text_print(text, "Only data closer to the core would help there. ");
    }
}

/* What counters have to say of the plain stores that the sentence before is about, and
 * whether they read their lines as it takes for granted. */
static void print_witness(const struct rp_model *model, const struct rp_point *temporal,
                          bool granted, struct rp_text *text)
{
    const struct rp_counted_point *const counted = rp_model_counted(model, temporal);

    if (counted != NULL && counted->finding != RP_TRAFFIC_UNKNOWN) {
        const bool avoided = counted->finding == RP_TRAFFIC_AVOIDED ||
                             counted->finding == RP_TRAFFIC_PARTLY_AVOIDED;

        rp_text_print(text, " %s plain stores counters saw ",
                      granted && avoided ? "But with" : "With");
        rp_print_counted(counted, text);
        rp_text_print(text, ".");
    }
}

static void answer_memory(const struct rp_model *model, const struct rp_point *fastest,
                          struct rp_text *text)
{
    const struct rp_memory_fact fact = rp_memory_fact(model, fastest->kernel);
    char size[RP_SIZE_TEXT];

    if (fact.nt == NULL) {
        rp_text_print(text, "The run holds no measurement of it in memory with plain and "
                            "non-temporal stores.");
        return;
    }
    const double gain = fact.nt->items_per_s.value / fact.temporal->items_per_s.value;
    rp_text_print(
        text,
        "From memory (%s) it reaches %.2f GiB/s with plain stores and %.2f GiB/s "
        "with non-temporal ones, %.2f x: ",
        rp_size_text(fact.nt->working_set_bytes, size),
        gib(fact.temporal->items_per_s.value), gib(fact.nt->items_per_s.value), gain);
    if (gain >= worthwhile_gain) {
        rp_text_print(text,
                      "a plain store first reads the line it overwrites (%.0f bytes "
                      "moved for each byte encrypted instead of %.0f), so non-temporal "
                      "stores are what helps there.",
                      fact.temporal->bus_bytes_per_item, fact.nt->bus_bytes_per_item);
    } else {
        rp_text_print(text, "non-temporal stores do not help on this machine.");
    }
    print_witness(model, fact.temporal, gain >= worthwhile_gain, text);
    if (fact.inplace != NULL) {
        rp_text_print(text, " In place it reaches %.2f GiB/s.",
                      gib(fact.inplace->items_per_s.value));
    }
    if (fact.nt->bound_kind == RP_BOUND_BANDWIDTH) {
        rp_text_print(
            text,
            " With non-temporal stores its bound is memory bandwidth (%s), of which "
            "it attains %.0f %%%s.",
            fact.nt->bound, 100 * fact.nt->attained,
            fact.nt->attained >= close_to_bound ? ": a faster cipher would not help"
                                                : "");
    }
}

void rp_answer(const struct rp_model *model, struct rp_text *text)
{
    const struct rp_point *ladder[MOST_SIZES];
    const size_t count = rp_ladder(model, ladder, MOST_SIZES);

    if (count == 0) {
        rp_text_print(
            text, "This run measured no cipher on a small working set with plain "
                  "stores, so it cannot say which one is the fastest; the tables below "
                  "hold what it did measure.");
        return;
    }
    const struct rp_point *const fastest = ladder[count - 1];
    answer_small(model, fastest, text);
    answer_memory(model, fastest, text);
}
