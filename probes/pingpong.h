/* SPDX-License-Identifier: MIT */
/*
 * How far apart two cores are: the time a cache line takes from one to the other.
 *
 * Two threads, each on its core, answer one another through one flag. The topology says
 * which cores share a cache; this says where they really are, at this moment. Known ways
 * to fool it: both threads on one CPU (nobody answers while the other one waits: the
 * deadline ends it), and an interruption, which the best of several rounds leaves out.
 */
#ifndef RP_PROBES_PINGPONG_H
#define RP_PROBES_PINGPONG_H

#include "probes/spin.h"

/* The flag between two threads, on a line of its own; start from {0}. */
struct rp_pingpong {
    _Alignas(RP_OWN_LINE) atomic_uint flag;
};

/*
 * The leading side: the time of one way in nanoseconds, the shortest of several rounds of
 * `trips` there and back. 0 when the other thread did not answer within a hundredth of a
 * second.
 */
double rp_pingpong_lead(struct rp_pingpong *pingpong, unsigned trips);

/* The following side: answers until the leader is done or has given up. Returns false
 * after `seconds` without being called. */
bool rp_pingpong_follow(struct rp_pingpong *pingpong, double seconds);

/* Makes it ready for the next time; while neither side is at work. */
void rp_pingpong_reset(struct rp_pingpong *pingpong);

#endif
