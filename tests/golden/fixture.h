/* SPDX-License-Identifier: MIT */
/*
 * Invented models for the figures' tests: an "Example Core" that no one can buy, in the
 * variations a figure has to survive.
 */
#ifndef RP_TESTS_FIXTURE_H
#define RP_TESTS_FIXTURE_H

#include "roofline/model.h"

struct fixture_options {
    const char *name;
    const char *processor; /* NULL: "Example Core (invented)" */
    bool no_l2;            /* only L1 and memory */
    bool no_l3;
    bool only_load;    /* no other bandwidth curve or roof */
    bool no_bandwidth; /* no curve and no roof at all */
    bool no_units;     /* no units record */
    bool no_vaes512;   /* its unit and variant are unavailable */
    bool no_vaes;      /* every unit is unavailable */
    bool no_latency;   /* one chain was not measured */
    bool one_variant;  /* aesni-x8-pshufb only */
    bool no_points;
    bool one_size;  /* a single working set */
    bool nt_cut;    /* the run ended before the larger sizes with nt stores */
    bool doubts;    /* flags, a measured level, and conditions for more than a line */
    bool counted;   /* by counters: every point, at various shares of what is expected */
    bool disturbed; /* every third record */
    bool above_roof;
};

struct fixture {
    struct rp_run run;
    struct rp_model model;
};

/* The variations; the name is NULL past the last. */
extern const struct fixture_options fixture_variations[];

void fixture_make(struct fixture *fixture, const struct fixture_options *options);
void fixture_free(struct fixture *fixture);

#endif
