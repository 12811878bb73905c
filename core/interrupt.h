/* SPDX-License-Identifier: MIT */
/*
 * Ending at a clean point when SIGINT or SIGTERM arrives.
 *
 * The signals are held back and asked for between two pieces of work, so that there is no
 * handler, no shared state and no call that they could cut short. What is started
 * meanwhile inherits the hold: release before starting a program.
 */
#ifndef RP_CORE_INTERRUPT_H
#define RP_CORE_INTERRUPT_H

#include <signal.h>

#include "core/error.h"

struct rp_interrupt {
    sigset_t before; /* the thread's signal mask */
};

/* Holds SIGINT and SIGTERM back from the calling thread and those it starts; one that the
 * caller of the program chose to ignore (nohup, a background job) stays ignored. */
void rp_interrupt_hold(struct rp_interrupt *interrupt);

/* RP_INTERRUPTED or RP_TERMINATED when the signal has arrived, else RP_OK. */
enum rp_status rp_interrupt_status(void);

/* Ends the hold. Signals that arrived during it are taken as dealt with. */
void rp_interrupt_release(const struct rp_interrupt *interrupt);

#endif
