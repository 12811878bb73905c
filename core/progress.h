/* SPDX-License-Identifier: MIT */
/*
 * How far a long piece of work is, on stderr: one rewritten line with the time left on a
 * terminal, a plain line every tenth elsewhere. Colour only on a terminal without
 * NO_COLOR.
 */
#ifndef RP_CORE_PROGRESS_H
#define RP_CORE_PROGRESS_H

#include <stdbool.h>

struct rp_progress {
    bool terminal;
    bool colour;
    unsigned tenths_shown;
};

void rp_progress_start(struct rp_progress *progress);
/* Shows `text`, the step that comes next, after `elapsed_seconds` and with `left_seconds`
 * expected to follow. */
void rp_progress_step(struct rp_progress *progress, double elapsed_seconds,
                      double left_seconds, const char *text);
/* Clears the line, so that what follows starts on a clean one. */
void rp_progress_end(struct rp_progress *progress);

#endif
