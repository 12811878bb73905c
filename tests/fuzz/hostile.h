/* SPDX-License-Identifier: MIT */
/* Any bytes, taken for a run file. */
#ifndef RP_TESTS_FUZZ_HOSTILE_H
#define RP_TESTS_FUZZ_HOSTILE_H

#include "property.h"
#include "roofline/model.h"

struct hostile {
    struct rp_run run;
    struct rp_model model; /* of `run` */
};

/* Reads the run, and explains what went wrong if that fails. Free with rp_run_free in
 * either case. */
bool hostile_run(struct rp_run *run, const uint8_t *data, size_t size);

/* Reads the run and builds its model. False, with what went wrong explained, when there
 * is none. Free with hostile_free in either case. */
bool hostile_read(struct hostile *hostile, const uint8_t *data, size_t size);
void hostile_free(struct hostile *hostile);

#endif
