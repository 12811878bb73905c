/* SPDX-License-Identifier: MIT */
/*
 * Where a bandwidth curve leaves the plateau of one level for that of the next.
 */
#ifndef RP_ROOFLINE_MODEL_STEPS_H
#define RP_ROOFLINE_MODEL_STEPS_H

#include "roofline/model.h"

#define RP_MAX_STEPS 15

/*
 * From one plateau to a lower one. Half way down, on a logarithmic axis, lies between two
 * neighbouring working sets of the curve: no curve tells it finer than its sizes are. It
 * is reached at the capacity where a cache throws out what it used least recently, and at
 * up to 1.3 times the capacity where it throws out at random: of a working set of w
 * capacities, walked in a circle, a share m with m = 1 - exp(-m w) is then missing.
 */
struct rp_step {
    size_t least_bytes;
    size_t most_bytes;
    double drop; /* rate before / rate after: at least 1.15 */
    uint64_t record_ids[2];
};

struct rp_steps {
    struct rp_step list[RP_MAX_STEPS]; /* by ascending size */
    size_t count;
    size_t plateau_count;
    size_t end_bytes; /* where the last plateau ends; 0 when there is none */
};

/* Finds a curve's steps. Fails only when memory runs out. */
bool rp_curve_steps(const struct rp_curve *curve, struct rp_steps *steps,
                    struct rp_error *error);

#endif
