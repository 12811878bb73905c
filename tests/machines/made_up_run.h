/* SPDX-License-Identifier: MIT */
/*
 * A run that a machine could have given: a record for every job of a small sweep, with
 * numbers from a simple formula instead of a measurement.
 */
#ifndef RP_TESTS_MADE_UP_RUN_H
#define RP_TESTS_MADE_UP_RUN_H

#include "core/record.h"

/* Fills `run`, for each kind of core of the machine. Free with rp_run_free. Fails as the
 * sweep does. */
bool made_up_run(struct rp_run *run, const struct rp_machine *machine,
                 struct rp_error *error);

#endif
