/* SPDX-License-Identifier: MIT */
/*
 * The conditions of a system: what hurts or colours a measurement there.
 * docs/reference/conditions.md lists all of them.
 */
#ifndef RP_CORE_CONDITIONS_H
#define RP_CORE_CONDITIONS_H

#include "core/machine.h"
#include "core/system.h"

/* Checks everything and appends what was found to the machine, which is described but
 * for that. */
void rp_conditions_find(struct rp_machine *machine, const struct rp_system *system);

#endif
