/* SPDX-License-Identifier: MIT */
/*
 * What samples are worth: the limits that all measurements share, and the verdict on
 * those taken on several cores.
 */
#ifndef RP_PROBES_VERDICT_H
#define RP_PROBES_VERDICT_H

#include "core/record.h"

#define RP_FEWEST_SAMPLES  8    /* the interval of the median needs six */
#define RP_MOST_SAMPLES    200  /* enough for any interval that narrows at all */
#define RP_CLOCK_TOLERANCE 0.01 /* between the clocks before and after a sample */
#define RP_INTERVAL_TOLERANCE                                                            \
    0.01                /* half the interval of the median, of a steady one              \
                         */
#define RP_OVERTIME 2.0 /* times the budget, to collect the fewest after all */

/* By cluster of ping-pong time: steady when each cluster with enough samples is, budget
 * when one of them is not, disturbed when none has enough. For at most RP_MOST_SAMPLES
 * samples. */
enum rp_verdict rp_verdict_by_cluster(const struct rp_record *record);

/* Gives the record that verdict, or disturbed when more samples were dropped than kept,
 * and then the reason. */
void rp_verdict_give(struct rp_record *record);

#endif
