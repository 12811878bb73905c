/* SPDX-License-Identifier: MIT */
#include "core/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLEAR_LINE "\r\033[K"

void rp_progress_start(struct rp_progress *progress)
{
    const char *const terminal = getenv("TERM");
    const char *const no_colour = getenv("NO_COLOR");
    const bool rewritable =
        isatty(STDERR_FILENO) == 1 && terminal != NULL && strcmp(terminal, "dumb") != 0;

    *progress = (struct rp_progress){
        .terminal = rewritable,
        .colour = rewritable && (no_colour == NULL || *no_colour == '\0'),
    };
}

/* "left 1:23"; empty for what no one would wait for. */
static void left_text(double left_seconds, char *text, size_t capacity)
{
    if (left_seconds < 1e6) {
        const unsigned whole_s = (unsigned)lround(fmax(left_seconds, 0));
        snprintf(text, capacity, "left %u:%02u  ", whole_s / 60, whole_s % 60);
    } else {
        snprintf(text, capacity, "%s", "");
    }
}

void rp_progress_step(struct rp_progress *progress, double elapsed_seconds,
                      double left_seconds, const char *text)
{
    char left[32];
    const double total = elapsed_seconds + left_seconds;
    const double share = total > 0 ? fmin(elapsed_seconds / total, 1) : 0;
    const unsigned tenths = (unsigned)(share * 10);

    left_text(left_seconds, left, sizeof left);
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
