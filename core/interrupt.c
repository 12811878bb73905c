/* SPDX-License-Identifier: MIT */
#include "core/interrupt.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

static const struct {
    int signal;
    enum rp_status status;
} held[] = {
    {SIGINT, RP_INTERRUPTED},
    {SIGTERM, RP_TERMINATED},
};

#define HELD (sizeof held / sizeof *held)

/* A signal that is blocked is kept even when it is ignored, so ask first. */
static bool is_ignored(int signal)
{
    struct sigaction action;

    return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void rp_interrupt_hold(struct rp_interrupt *interrupt)
{
    sigset_t hold;

    sigemptyset(&hold);
    for (size_t i = 0; i < HELD; i++) {
        if (!is_ignored(held[i].signal)) {
            sigaddset(&hold, held[i].signal);
        }
    }
    pthread_sigmask(SIG_BLOCK, &hold, &interrupt->before);
}

enum rp_status rp_interrupt_status(void)
{
    sigset_t pending;

    sigemptyset(&pending);
    sigpending(&pending);
    for (size_t i = 0; i < HELD; i++) {
        if (sigismember(&pending, held[i].signal) == 1) {
            return held[i].status;
        }
    }
    return RP_OK;
}

void rp_interrupt_release(const struct rp_interrupt *interrupt)
{
    const struct timespec at_once = {0};
    sigset_t taken;

    sigemptyset(&taken);
    for (size_t i = 0; i < HELD; i++) {
        if (sigismember(&interrupt->before, held[i].signal) == 0) {
            sigaddset(&taken, held[i].signal);
        }
    }
    while (sigtimedwait(&taken, NULL, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
}
