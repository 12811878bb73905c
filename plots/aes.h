/* SPDX-License-Identifier: MIT */
/* The AES-CTR part of a model, as the two AES figures look at it. */
#ifndef RP_PLOTS_AES_H
#define RP_PLOTS_AES_H

#include "core/text.h"
#include "plots/palette.h"
#include "roofline/model.h"

#define RP_MAX_VARIANTS 12

/* Asks rp_aes_point for the largest working set there is. */
#define RP_LARGEST 0x1p63

/* How a mode is written and drawn, in every figure. */
struct rp_mode_look {
    const char *suffix; /* after a level or a name: "", " nt", " in place" */
    enum rp_colour line;
    enum rp_colour text;
    int marker; /* gnuplot's point types, so that colour is not all that tells modes apart
                 */
    int hollow;
};

const struct rp_mode_look *rp_mode_look(enum rp_mode mode);

/* A step of the ladder from tables to the widest vectors. */
struct rp_variant_look {
    enum rp_colour line;
    enum rp_colour text;
};

const struct rp_variant_look *rp_variant_look(const char *variant);

bool rp_is_aes(const struct rp_point *point);

/* Distinct AES variants in the model's order; returns how many. */
size_t rp_aes_variants(const struct rp_model *model,
                       const char *variants[RP_MAX_VARIANTS]);

/* The point whose working set is nearest to `bytes`, by ratio; NULL when there is none.
 */
const struct rp_point *rp_aes_point(const struct rp_model *model, const char *variant,
                                    enum rp_mode mode, double bytes);

/* The fastest temporal point at the working set nearest to `bytes`; among those within 2
 * % of each other, which noise alone may order, the last of the ladder. NULL when there
 * is none. */
const struct rp_point *rp_aes_best(const struct rp_model *model, double bytes);

/* A working set well inside the second cache level, or half of the only one; 0 when the
 * machine shows no cache. */
double rp_aes_cached_bytes(const struct rp_machine *machine);

#endif
