/* SPDX-License-Identifier: MIT */
/*
 * What gnuplot cannot say in SVG: a title and a description that mean something, one font
 * stack, a halo around text, and a dark theme. No script.
 */
#ifndef RP_PLOTS_DRESS_H
#define RP_PLOTS_DRESS_H

#include "core/text.h"

/*
 * Appends gnuplot's `svg` to `dressed` with title and description set (plain text,
 * escaped here), made accessible and styled, and without gnuplot's empty groups and
 * placeholder titles. `kind` makes the ids unique among figures of one page. False when
 * `svg` is not what gnuplot's svg terminal writes.
 */
bool rp_dress(struct rp_text *dressed, const char *svg, const char *kind,
              const char *title, const char *description);

#endif
