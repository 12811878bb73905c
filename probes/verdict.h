/* SPDX-License-Identifier: MIT */
/*
 * What the samples of a measurement on several cores are worth.
 */
#ifndef RP_PROBES_VERDICT_H
#define RP_PROBES_VERDICT_H

#include "core/record.h"

#define RP_FEWEST_SAMPLES 8   /* of a cluster, for it to say something */
#define RP_MOST_SAMPLES   200 /* enough for any interval that narrows at all */

/* By cluster of ping-pong time: steady when each cluster with enough samples is, budget
 * when one of them is not, disturbed when none has enough. For at most RP_MOST_SAMPLES
 * samples. */
enum rp_verdict rp_verdict_by_cluster(const struct rp_record *record);

/* Gives the record that verdict, or disturbed when more samples were dropped than kept,
 * and then the reason. */
void rp_verdict_give(struct rp_record *record);

#endif
