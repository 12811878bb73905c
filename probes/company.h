/* SPDX-License-Identifier: MIT */
/*
 * Whether another hardware thread works on the core that measures.
 *
 * Judged by how many no operations a cycle the core passes (core/clock.h), against the
 * most it has passed for a while: what one reading says may be an accident, in both
 * directions, since it is the ratio of two measurements.
 */
#ifndef RP_PROBES_COMPANY_H
#define RP_PROBES_COMPANY_H

#include <stdbool.h>

#define RP_COMPANY_READINGS 8

/* What one core has shown. Start from {0}. */
struct rp_company {
    double latest[RP_COMPANY_READINGS]; /* no operations a cycle */
    unsigned readings;
    double alone; /* the most that as many readings in a row all reached; 0 before that */
};

/* Takes note of a reading; 0 stands for one too disturbed to count. */
void rp_company_note(struct rp_company *company, double nops_per_cycle);

/* True when a reading is so low that another thread must have had its share. */
bool rp_company_is_there(const struct rp_company *company, double nops_per_cycle);

#endif
