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
 * Additions per second of four independent chains, timed in the same way, in some 25
 * microseconds. A core makes several a cycle when this thread has it to itself, and fewer
 * while another hardware thread works on it, which a single chain hardly notices. 0 when
 * the tries were disturbed beyond use.
 */
double rp_clock_four_chains_hz(void);

/* Ticks per second of the time stamp counter, timed over about 20 ms. Not the core clock.
 */
double rp_clock_tsc_hz(void);

#endif
