/* SPDX-License-Identifier: MIT */
/* The figures' own parts, one file each; see struct rp_figure. */
#ifndef RP_PLOTS_COMPOSE_H
#define RP_PLOTS_COMPOSE_H

#include "plots/emit.h"

bool rp_compose_roofline_aes(struct rp_drawing *drawing, const struct rp_model *model,
                             struct rp_error *error);
bool rp_compose_bandwidth(struct rp_drawing *drawing, const struct rp_model *model,
                          struct rp_error *error);
bool rp_compose_aes_unit(struct rp_drawing *drawing, const struct rp_model *model,
                         struct rp_error *error);
bool rp_compose_aes_sweep(struct rp_drawing *drawing, const struct rp_model *model,
                          struct rp_error *error);

#endif
