/* SPDX-License-Identifier: MIT */
/*
 * The figures: a model drawn as SVG by gnuplot.
 */
#ifndef RP_PLOTS_FIGURE_H
#define RP_PLOTS_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "roofline/model.h"

struct rp_drawing;

struct rp_figure {
    const char *kind;   /* its name on the command line and of its file */
    const char *text;   /* one line: what it shows */
    const char *script; /* its gnuplot commands, embedded when the program is built */
    /* Writes everything that comes before the script. Fails with RP_USAGE when the model
     * has nothing for this figure. */
    bool (*compose)(struct rp_drawing *drawing, const struct rp_model *model,
                    struct rp_error *error);
};

/* The figures in the order of all listings; NULL past the last. */
const struct rp_figure *rp_figure_at(size_t index);

/* NULL for an unknown kind. */
const struct rp_figure *rp_figure_find(const char *kind);

/*
 * Draws `figure` into the file `path`, which is complete or not there at all. Fails with
 * RP_USAGE when the run has nothing for this figure, and with RP_UNABLE when gnuplot is
 * absent, too old or fails or the file cannot be written.
 */
bool rp_figure_draw(const struct rp_figure *figure, const struct rp_model *model,
                    const char *path, struct rp_error *error);

#endif
