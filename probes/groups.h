/* SPDX-License-Identifier: MIT */
/*
 * The counter groups for likwid: what likwid-perfctr can be asked to count on a machine,
 * as text in likwid's format. The program holds those of every architecture, so that it
 * can tell and install them with or without likwid. Facts about events and formulas stand
 * in the groups.
 */
#ifndef RP_PROBES_GROUPS_H
#define RP_PROBES_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

struct rp_counter_group {
    const char *architecture; /* likwid's short name, which is its folder's: "zen3" */
    const char *name;         /* as given to likwid-perfctr -g: "RP_L2" */
    const char *text;         /* the file */
};

/* All groups, by architecture and name; NULL past the last. */
const struct rp_counter_group *rp_counter_group_at(size_t index);

/* Writes what the group counts, in one line. */
void rp_counter_group_summary(const struct rp_counter_group *group, char *text,
                              size_t capacity);

/* Writes the first likwid release that has all events of the group, as "5.2.2", followed
   by " until " and the last one where later ones lack some. Empty when the group does not
   say. */
void rp_counter_group_likwid(const struct rp_counter_group *group, char *text,
                             size_t capacity);

/* True when a likwid of this release, such as "5.4.1", has all events of the group. */
bool rp_counter_group_fits(const struct rp_counter_group *group, const char *release);

/* What groups of one name are for, on every architecture. */
struct rp_counter_purpose {
    const char *name;
    const char *question; /* that it answers on the roofline, in one line */
    bool routine;         /* one of those that a roofline wants first */
    bool outside;         /* counts outside of the cores, for all that runs there */
    const char *better;   /* takes its place where that one can be counted; or NULL */
};

/* NULL for a name that no group has. */
const struct rp_counter_purpose *rp_counter_group_purpose(const char *name);

#endif
