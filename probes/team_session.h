/* SPDX-License-Identifier: MIT */
/*
 * What the files of a team share with each other and with nobody else.
 */
#ifndef RP_PROBES_TEAM_SESSION_H
#define RP_PROBES_TEAM_SESSION_H

#include <pthread.h>

#include "core/buffer.h"
#include "probes/disturbance.h"
#include "probes/pingpong.h"
#include "probes/team.h"
#include "probes/walk.h"

struct rp_team_part {
    uint8_t result[RP_BLOCK_BYTES] __attribute__((aligned(RP_OWN_LINE)));
    uint8_t tag[RP_BLOCK_BYTES];
    uint8_t pattern[RP_BLOCK_BYTES] __attribute__((aligned(64)));
    struct rp_buffer buffer;
    unsigned pu; /* whose thread touched it first */
};

/* A thread, and what it saw of the latest sample. */
struct rp_team_member {
    struct rp_pingpong pingpong; /* between the first one and this one */
    struct rp_team_session *session;
    struct rp_team_part *part;
    pthread_t thread;
    struct rp_walk walk;
    double pass_seconds;
    struct rp_disturbance_watch watch;
    struct rp_disturbance before;
    struct rp_disturbance after;
    uint64_t likwid_switches; /* of those between before and after */
    double hz_before;
    double hz_after;
    uint64_t start_ns;
    uint64_t end_ns;
    struct rp_error error;
    unsigned index; /* the first one leads */
    bool failed;
};

/* What the threads share. All but the barrier is written by the leader, while the others
 * wait for it. */
struct rp_team_session {
    struct rp_barrier barrier;
    const struct rp_team_options *options;
    struct rp_team_member *members;
    struct rp_record *record;
    const char *region;        /* of likwid, that the threads' parts of samples are */
    pthread_mutex_t beginning; /* held by whoever starts the threads, until all are */
    size_t part_bytes;
    double sample_seconds;
    uint64_t repetitions;
    uint64_t started_ns; /* the sampling */
    double pingpong_before;
    double pingpong_after;
    bool sampled; /* there is a sample to judge */
    bool over;
};

/* Reads a member's clock, all members at once, and then the ways between the cores, one
 * by one: what ends a sample and begins the next. False when somebody will not come. */
bool rp_team_bracket(struct rp_team_member *member);

/* Keeps or drops the latest sample, decides whether it was the last one and makes ready
 * for the next. The leader's, while the others wait. */
void rp_team_judge_sample(struct rp_team_session *session);

#endif
