/* SPDX-License-Identifier: MIT */
/*
 * Where core cycles come from, best source first:
 *
 *   perf-event        the kernel's counter of core cycles (PERF_COUNT_HW_CPU_CYCLES), of
 *                     this thread in user mode, pinned to the CPU's counters: either it
 *                     counts all of the time or it is not used (perf_event_open(2))
 *   aperf-mperf       APERF, MSR E8h, which counts the core's own cycles while it is not
 *                     idle, while MPERF, MSR E7h, grows too; through /dev/cpu/N/msr.
 *                     (AMD APM vol. 2 ch. 17; Intel SDM vol. 3, "P-State Hardware
 *                     Coordination", which defines no more than the ratio of the two)
 *   calibrated-chain  nanoseconds times the clock that a chain of additions shows
 *                     (core/clock.h): needs nothing and is always there
 *
 * None is believed for its name. A hypervisor may offer a counter that stands still or
 * ticks at the rate of the time stamp counter, and others may hold it at times. Each is
 * tried: over a few short windows of busy work its cycles are held against the chain, and
 * it is rejected, with the reason in words, when the median differs by more than 2 %.
 *
 * All contact with the system goes through a struct that can be replaced, so that any
 * source can be tested where it does not exist.
 */
#ifndef RP_CORE_CYCLES_H
#define RP_CORE_CYCLES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

#define RP_CYCLE_SOURCES 3

/* What became of one source. */
struct rp_cycle_trial {
    char name[24];
    bool accepted; /* agrees with the chain, or is the chain */
    bool used;     /* the best of those accepted: where the cycles of records come from */
    double ratio;  /* its cycles over those of the chain, median; 0 when not compared */
    char text[160]; /* why it is rejected or was not tried; "" when accepted */
};

/* What read(2) of a perf event gives. */
struct rp_perf_count {
    uint64_t value;
    uint64_t enabled_ns; /* time for which it should have counted */
    uint64_t running_ns; /* time for which it did */
};

/* Opening returns a descriptor, or a negative errno value; reading, whether it worked. */
struct rp_cycle_system {
    int (*perf_open)(void *context); /* counts the calling thread from now on */
    bool (*perf_read)(void *context, int descriptor, struct rp_perf_count *count);
    int (*msr_open)(void *context, unsigned cpu);
    bool (*msr_read)(void *context, int descriptor, uint32_t address, uint64_t *value);
    void (*close)(void *context, int descriptor);
    double (*chain_hz)(void *context); /* as rp_clock_chain_hz */
    uint64_t (*now_ns)(void *context);
    /* Keeps the core busy in user mode; false when the thread was switched out. */
    bool (*spin)(void *context, uint64_t ns);
    void *context;
};

extern const struct rp_cycle_system rp_cycle_native;

/* A chosen source, and the trials that led to it, in order of preference. */
struct rp_cycles {
    struct rp_cycle_trial trials[RP_CYCLE_SOURCES];
    const struct rp_cycle_system *system;
    unsigned source; /* index of the one used */
    int descriptor;  /* -1 when it has none */
};

/*
 * Tries the sources and keeps the best one that is accepted; takes some 10 ms for each
 * that can be opened, more on a busy CPU. The calling thread must be bound to `cpu`, stay
 * there, and be the one that is measured. `forced` is the value of RIDGEPOINT_CYCLES,
 * NULL or "" for none: only the source it names is tried. An unknown name fails with
 * RP_USAGE, a source that is rejected with RP_UNABLE and the reason: whoever asks for a
 * source is not given another, and no one is given a wrong count. `system` must outlive
 * `cycles`. Close also after a failure; closing one that is {0} does nothing.
 */
bool rp_cycles_open(struct rp_cycles *cycles, const struct rp_cycle_system *system,
                    unsigned cpu, const char *forced, struct rp_error *error);
void rp_cycles_close(struct rp_cycles *cycles);

/* The name of the source used, for the record. */
const char *rp_cycles_name(const struct rp_cycles *cycles);

/* Whether the source counts: cycles are then the difference of two readings, else they
 * are nanoseconds times the core clock. */
bool rp_cycles_counted(const struct rp_cycles *cycles);

/*
 * Reads the counter, 0 where the source has none. False when it cannot be read any more
 * or no longer counts all of the time; what was measured since the last reading then has
 * no cycles. A reading takes a system call, which aperf-mperf counts as well and
 * perf-event does not.
 */
bool rp_cycles_read(const struct rp_cycles *cycles, uint64_t *count);

/* Trials as a JSON array and back. The value is new; NULL when out of memory. Absent
 * (NULL), as in the runs of older programs, reads as none. */
json_t *rp_cycle_trials_to_json(const struct rp_cycle_trial *trials, unsigned count);
bool rp_cycle_trials_from_json(struct rp_cycle_trial trials[RP_CYCLE_SOURCES],
                               unsigned *count, const json_t *json,
                               struct rp_error *error);

#endif
