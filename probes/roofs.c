/* SPDX-License-Identifier: MIT */
/*
 * Question: are the roofs right? Trick: kernels that load and compute in a known ratio,
 * from almost loads alone to almost computation alone, have to run along the roofline
 * that other measurements predict. Known ways to fool it: a working set near a capacity,
 * where the bandwidth is no plateau; a narrower unit than the one the roof is of.
 */
#include <math.h>
#include <stdio.h>

#include "core/text.h"
#include "probes/probe.h"

/* Each operation at its widths, the widest first, and its operations per line. */
static const char *const widths[][3] = {
    {"aesenc512", "aesenc256", "aesenc128"},
    {"fma512", "fma256", "fma128"},
};
static const unsigned intensities[] = {1, 2, 4, 8, 16, 32};

#define PAGE_BYTES (4 * RP_KIB)

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct rp_kernel *kernel_of(const char *width, unsigned intensity)
{
    char name[40];

    snprintf(name, sizeof name, "intensity-%s-x%u", width, intensity);
    return rp_kernel_find(name);
}

/* The widest that can run here; the narrowest, which says why not, when none can. */
static const char *widest(const char *const names[3], const struct rp_cpu *cpu)
{
    char why[160];

    for (size_t i = 0; i < 2; i++) {
        if (rp_kernel_available(kernel_of(names[i], 1), cpu, why, sizeof why)) {
            return names[i];
        }
    }
    return names[2];
}

/* In the middle of the second cache, where there is one: its bandwidth is far below that
 * of the nearest, so that the roofs of load and unit cross within the intensities there
 * are, and it belongs to this core alone more often than those further out. */
static size_t working_set(const struct rp_machine *machine)
{
    const size_t spendable = rp_machine_spendable_bytes(machine);
    const unsigned level = machine->level_count > 2 ? 1 : 0;
    const size_t size = machine->levels[level].size_bytes;
    size_t least = 0;
    size_t most = 0;

    if (machine->level_count == 1) { /* memory alone */
        return RP_LEAST_MEMORY_SET < spendable ? RP_LEAST_MEMORY_SET : spendable;
    }
    rp_machine_level_range(machine, level, &least, &most);
    if (level == 0) {
        least = size / 2;
    } else if (least > most) { /* two caches of nearly the same size */
        least = machine->levels[0].size_bytes;
        most = size;
    }
    return (size_t)ceil(sqrt((double)least * (double)most) / PAGE_BYTES) * PAGE_BYTES;
}

bool rp_probe_roofs(const struct rp_machine *machine, double budget_seconds,
                    struct rp_job_list *jobs, struct rp_error *error)
{
    const size_t set = working_set(machine);

    for (size_t i = 0; i < COUNT(widths); i++) {
        const char *const width = widest(widths[i], &machine->cpu);

        for (size_t j = 0; j < COUNT(intensities); j++) {
            if (!rp_job_list_add_kernel(jobs, "roofs", kernel_of(width, intensities[j]),
                                        RP_MODE_NONE, "", set, budget_seconds,
                                        &machine->cpu, error)) {
                return false;
            }
        }
    }
    return true;
}
