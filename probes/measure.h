/* SPDX-License-Identifier: MIT */
/*
 * The one timing loop.
 *
 * Finds a repetition count that makes a sample long enough for the clock, then takes
 * samples until the 95 % interval of their median is within 1 % of it or the budget ends.
 * Every sample is bracketed by readings of the core clock, so its cycles belong to the
 * frequency it ran at, and is dropped, with the reason counted, when the bracketing
 * clocks disagree by more than 1 %, the thread was switched out, a quota or the
 * hypervisor took the CPU, or another hardware thread worked on the same core. Samples of
 * the last kind are kept after all, and the record marked as disturbed, where nothing
 * better is to be had. A record is disturbed, too, when the core clock of its later
 * samples is another one than that of its earlier ones. For likwid every sample taken is
 * one call of the job's region (probes/regions.h).
 */
#ifndef RP_PROBES_MEASURE_H
#define RP_PROBES_MEASURE_H

#include <stdint.h>

#include "core/cycles.h"
#include "core/error.h"
#include "core/record.h"
#include "probes/company.h"
#include "probes/disturbance.h"
#include "probes/regions.h"

/* What to time. Repetitions must cost alike; nothing is warmed up here. */
struct rp_measurable {
    void (*prepare)(void *context); /* before each sample, untimed; or NULL */
    void (*run)(void *context, uint64_t repetitions);
    void (*baseline)(void *context, uint64_t repetitions); /* subtracted; or NULL */
    void *context;
};

struct rp_measure_options {
    double sample_seconds; /* a sample lasts at least this long, baseline not counted */
    double budget_seconds; /* for all samples; twice that to get the fewest that count */
    const struct rp_cycles *cycles;           /* counts cycles and tells the clock */
    const struct rp_disturbance_watch *watch; /* of the measuring thread and its CPU */
    struct rp_company *company;       /* of the core, kept up to date; NULL: do not ask */
    const struct rp_regions *regions; /* each timed run is a call of the job's; or NULL */
};

/*
 * Fills samples, verdict, dropped, why and cycle source of `record` and stores the
 * repetitions of each sample in `repetitions`. Fails only without memory, and when likwid
 * does not count on the watched CPU; a measurement that went badly is a record whose
 * verdict says so.
 */
bool rp_measure(const struct rp_measurable *measurable,
                const struct rp_measure_options *options, struct rp_record *record,
                uint64_t *repetitions, struct rp_error *error);

#endif
