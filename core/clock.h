/* SPDX-License-Identifier: MIT */
/*
 * Time and core cycles.
 *
 * Seconds come from CLOCK_MONOTONIC_RAW. Core cycles come from a chain of dependent
 * additions: every x86 core retires one such addition a cycle, so the chain's rate is the
 * core clock at that moment - with no PMU, no MSR and no assumption about the TSC, which
 * counts at a fixed rate of its own and is never called a cycle here.
 */
#ifndef RP_CORE_CLOCK_H
#define RP_CORE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define RP_CYCLE_SOURCE_CHAIN "calibrated-chain"

/* Nanoseconds of CLOCK_MONOTONIC_RAW, which no time daemon bends. */
uint64_t rp_clock_ns(void);

/*
 * The core clock now, in Hz, from a chain of N additions timed against one of 2N: the
 * difference leaves the timer's and the loop's own cost out. The shortest of several
 * tries, since an interruption can only lengthen one. Takes about 50 microseconds at 3
 * GHz. 0 when the tries were disturbed beyond use.
 */
double rp_clock_chain_hz(void);

/*
 * No operations (NOP) a second, timed against twice as many, in some 40 microseconds.
 * They take nothing but room at the front of the core, where recent ones pass six a
 * cycle. A thread that has the core to itself finds the same rate within 1 %; one that
 * shares it with another hardware thread finds about half, since the two take turns there
 * whatever the other runs, which a chain of additions does not notice. The median of
 * several tries, since company that comes and goes spares some. 0 when the tries were
 * disturbed beyond use.
 */
double rp_clock_nops_hz(void);

/* Ticks per second of the time stamp counter, timed over about 20 ms. Not the core clock.
 */
double rp_clock_tsc_hz(void);

#endif
