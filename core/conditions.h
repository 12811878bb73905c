/* SPDX-License-Identifier: MIT */
#ifndef RP_CORE_CONDITIONS_H
#define RP_CORE_CONDITIONS_H

#include "core/machine.h"

/* rp_machine_find_conditions for the system laid out below `root`. */
void rp_conditions_find(struct rp_machine *machine, const char *root);

#endif
