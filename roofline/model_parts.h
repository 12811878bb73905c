/* SPDX-License-Identifier: MIT */
/*
 * What the files of this folder share beyond the model itself: the quantities of a
 * record, estimates of them, and the stages of building a model.
 */
#ifndef RP_ROOFLINE_MODEL_PARTS_H
#define RP_ROOFLINE_MODEL_PARTS_H

#include "roofline/model.h"

/* A model under construction. */
struct rp_model_builder {
    struct rp_model *model;
    const struct rp_run *run;
    double *scratch; /* room for the samples of the longest record */
    struct rp_error *error;
};

/* A number that every sample of a record gives; not above zero when the sample cannot
 * say. */
typedef double rp_quantity(const struct rp_record *record,
                           const struct rp_sample *sample);

rp_quantity rp_sample_hz;
rp_quantity rp_sample_items_per_s;
rp_quantity rp_sample_payload_bytes_per_s;
rp_quantity rp_sample_cycles_per_item;

/* Summarises a quantity over a record's samples; all zero when no sample gives it.
 * `scratch` has room for as many as there are. */
struct rp_summary rp_summarize_record(const struct rp_record *record,
                                      rp_quantity *quantity, double *scratch);
struct rp_estimate rp_estimate_record(const struct rp_record *record,
                                      rp_quantity *quantity, double *scratch);
struct rp_estimate rp_estimate_of(const struct rp_summary *summary);

/* numerator / estimate: what was the fast end becomes the slow one. Zero stays zero. */
struct rp_estimate rp_estimate_inverse(const struct rp_estimate *estimate,
                                       double numerator);
struct rp_estimate rp_estimate_scaled(const struct rp_estimate *estimate, double factor);

/* True when a record was measured and is about this probe. */
bool rp_record_measured(const struct rp_record *record, const char *probe);
/* The same for the sweep, where a record needs a working set to stand somewhere. */
bool rp_record_swept(const struct rp_record *record);

/*
 * What a rate counts for when the best is chosen: its median; of a disturbed record the
 * low end of its interval. A disturbance only makes work take longer, so the undisturbed
 * rate is no lower than that, and no more is taken for granted: a disturbed record wins
 * only where it is faster beyond doubt. Leaving it out instead would make a slow variant
 * the roof wherever only the fast one was disturbed.
 */
double rp_credible_rate(const struct rp_estimate *rate, enum rp_verdict verdict);

/* Bus bytes per payload byte at a level. The nearest cache allocates a line for a store
 * only once, so what stays in it moves no more than the payload. */
double rp_bus_factor(const struct rp_machine *machine, unsigned level,
                     const struct rp_traffic *traffic);

/* Room for one more element behind the `count` there are; it is zeroed. NULL, with the
 * old array untouched and the error set, when memory ran out. */
void *rp_grow(void *array, size_t count, size_t element_bytes, struct rp_error *error);

/* Copies a name, cut to the room there is. */
#define RP_COPY_NAME(destination, name)                                                  \
    rp_copy_name(destination, sizeof(destination), name)
void rp_copy_name(char *destination, size_t capacity, const char *name);

/* What the execution units alone need for one item, and what of them sets that. */
struct rp_unit_time {
    struct rp_estimate cycles; /* all zero when the kernel uses no measured class */
    char name[RP_UNIT_NAME];
};

/*
 * The longest of what each of a kernel's classes takes alone and what two of them take
 * together by the measured mix of both.
 *
 * Let a and b be the cycles of one instruction of either class alone, and M those of a
 * mix of p and q of them. An item has x of the one and y of the other, and takes T(x, y).
 * Units work on one thing after the other as well as on both at once, so doing two things
 * takes no longer than the sum of doing each: T(u) + T(v) >= T(u + v). With k = max(x /
 * p, y / q) mixes, which hold the item and a surplus of one of the classes,
 *
 *     T(x, y) >= k M - (k p - x) a - (k q - y) b
 *
 * where one of the surpluses is zero. That is the most that the three figures prove:
 *  - pipes of their own, M = max(p a, q b): never more than max(x a, y b);
 *  - one shared pipe, M = p a + q b: x a + y b, for any x and y;
 *  - anything between: exact at the measured mix; an item with less of the first class
 *    pays for each of the second what that adds to the first in the mix.
 * Noise shares no pipe: the mix counts only when its best step is steady and when that
 * exceeds the slowest class by more than measurements of the same thing differ, even at
 * the low end of the intervals and of all steps. A run without the mix is bounded by the
 * slowest class.
 */
struct rp_unit_time rp_model_unit_time(const struct rp_model *model,
                                       const struct rp_record *record);

/* The point that a record is, with what bounds it; false when no sample gives a rate. */
bool rp_model_make_point(const struct rp_model_builder *builder,
                         const struct rp_record *record, struct rp_point *point);

/* The stages, in the order in which they build on each other. */
bool rp_model_add_units(struct rp_model_builder *builder);
bool rp_model_add_curves(struct rp_model_builder *builder);
bool rp_model_add_levels(struct rp_model_builder *builder);
bool rp_model_add_roofs(struct rp_model_builder *builder);
bool rp_model_add_points(struct rp_model_builder *builder);
bool rp_model_add_counted(struct rp_model_builder *builder);
bool rp_model_add_scaling(struct rp_model_builder *builder);
bool rp_model_add_validation(struct rp_model_builder *builder);
bool rp_model_add_flags(struct rp_model_builder *builder);

#endif
