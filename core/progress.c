/* SPDX-License-Identifier: MIT */
#include "core/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"

#define CLEAR_LINE "\r\033[K"

void rp_progress_start(struct rp_progress *progress, double total)
{
    const char *const terminal = getenv("TERM");
    const char *const no_colour = getenv("NO_COLOR");
    const bool rewritable =
        isatty(STDERR_FILENO) == 1 && terminal != NULL && strcmp(terminal, "dumb") != 0;

    *progress = (struct rp_progress){
        .total = total,
        .start_ns = rp_clock_ns(),
        .terminal = rewritable,
        .colour = rewritable && (no_colour == NULL || *no_colour == '\0'),
    };
}

/* "left 1:23" from the pace so far; empty before there is one. */
static void left_text(const struct rp_progress *progress, char *text, size_t capacity)
{
    const double elapsed_s = (double)(rp_clock_ns() - progress->start_ns) * 1e-9;
    const double left_s =
        progress->done > 0
            ? elapsed_s * fmax(progress->total - progress->done, 0) / progress->done
            : 0;

    if (progress->done > 0 && left_s < 1e6) {
        const unsigned whole_s = (unsigned)lround(left_s);
        snprintf(text, capacity, "left %u:%02u  ", whole_s / 60, whole_s % 60);
    } else {
        snprintf(text, capacity, "%s", "");
    }
}

void rp_progress_step(struct rp_progress *progress, double amount, const char *text)
{
    char left[32];

    progress->done += amount;
    const double share =
        progress->total > 0 ? fmin(progress->done / progress->total, 1) : 0;
    const unsigned tenths = (unsigned)(share * 10);

    left_text(progress, left, sizeof left);
    if (progress->terminal) {
        fprintf(stderr, CLEAR_LINE "%s%3.0f %%%s  %s%.60s",
                progress->colour ? "\033[1m" : "", share * 100,
                progress->colour ? "\033[0m" : "", left, text);
        fflush(stderr);
    } else if (tenths > progress->tenths_shown) {
        progress->tenths_shown = tenths;
        fprintf(stderr, "%3.0f %%  %s%s\n", share * 100, left, text);
    }
}

void rp_progress_end(struct rp_progress *progress)
{
    if (progress->terminal) {
        fputs(CLEAR_LINE, stderr);
        fflush(stderr);
    }
}
