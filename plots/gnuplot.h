/* SPDX-License-Identifier: MIT */
/*
 * The one place that runs gnuplot.
 */
#ifndef RP_PLOTS_GNUPLOT_H
#define RP_PLOTS_GNUPLOT_H

#include "core/error.h"
#include "core/text.h"

/*
 * Runs gnuplot on `script` and appends what it writes to its output to `svg`. Fails with
 * RP_UNABLE when gnuplot is absent, older than 5.4, without svg terminal, or rejects the
 * script; the sentence names `kind`, the figure that could not be drawn.
 */
bool rp_gnuplot(struct rp_text *svg, const struct rp_text *script, const char *kind,
                struct rp_error *error);

#endif
