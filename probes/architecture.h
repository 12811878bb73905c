/* SPDX-License-Identifier: MIT */
/*
 * What likwid calls the architecture of a processor. Its folders of counter groups have
 * these names.
 */
#ifndef RP_PROBES_ARCHITECTURE_H
#define RP_PROBES_ARCHITECTURE_H

#include "core/cpu.h"

/* likwid's short name, such as "zen3" or "ICX" ("CPU short" of `likwid-perfctr -i`); NULL
 * for one that there are no groups for (probes/groups.h). */
const char *rp_likwid_architecture(const struct rp_cpu *cpu);

#endif
