/* SPDX-License-Identifier: MIT */
/*
 * How far a long piece of work is, on stderr: one rewritten line with the time left on a
 * terminal, a plain line every tenth elsewhere. Colour only on a terminal without
 * NO_COLOR.
 */
#ifndef RP_CORE_PROGRESS_H
#define RP_CORE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_progress {
    double total; /* expected seconds of all steps, or their number: any additive unit */
    double done;
    uint64_t start_ns;
    bool terminal;
    bool colour;
    unsigned tenths_shown;
};

void rp_progress_start(struct rp_progress *progress, double total);
/* Adds `amount` of the total as done and shows `text`, the step that comes next. */
void rp_progress_step(struct rp_progress *progress, double amount, const char *text);
/* Clears the line, so that what follows starts on a clean one. */
void rp_progress_end(struct rp_progress *progress);

#endif
