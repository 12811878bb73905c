/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "core/conditions_parts.h"
#include "core/core_kinds.h"

/* Kinds that were taken for one, where the system tells more than one frequency. */
static void tell_frequencies(struct rp_machine *machine, const struct rp_core_list *list)
{
    for (unsigned k = 0; k < list->kind_count; k++) {
        double least = INFINITY;
        double most = 0;

        for (unsigned i = 0; i < list->count; i++) {
            const double mhz = list->cores[i].mhz;

            if (list->cores[i].kind == k && mhz > 0) {
                least = fmin(least, mhz);
                most = fmax(most, mhz);
            }
        }
        if (least < most) {
            rp_condition_found(
                machine, RP_SEVERITY_NOTE,
                "narrow the CPU mask (taskset) to measure another of them",
                "%u cores taken for one kind are made for %.0f to %.0f MHz",
                machine->kinds[k].core_count, least, most);
        }
    }
}

void rp_condition_kinds(struct rp_machine *machine, const struct rp_core_list *list)
{
    char names[RP_MAX_CORE_KINDS * 32] = "";
    size_t length = 0;

    for (unsigned k = 0; k < list->kind_count; k++) {
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%u %s",
                                   k > 0 ? ", " : "", machine->kinds[k].core_count,
                                   machine->kinds[k].name);
    }
    if (list->kind_count > 1) {
        rp_condition_found(machine, RP_SEVERITY_NOTE,
                           "compare only figures of the same kind of core",
                           "the cores are of %u kinds: %s", list->kind_count, names);
    }
    if (list->found > list->kind_count) {
        rp_condition_found(machine, RP_SEVERITY_WARN,
                           "do not take its figures for those of the whole kind",
                           "%u kinds of core are more than are told apart: \"%s\" holds "
                           "the slowest %u",
                           list->found, machine->kinds[list->kind_count - 1].name,
                           list->found - list->kind_count + 1);
    }
    tell_frequencies(machine, list);
}
