/* SPDX-License-Identifier: MIT */
#include "core/cycles.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/stats.h"

#define TOLERANCE       0.02 /* of the chain's cycles */
#define CLOCK_TOLERANCE 0.01 /* between the two readings of the chain around a window */
#define WINDOWS         5
#define WINDOW_NS       UINT64_C(1000000) /* shorter than a turn on a busy CPU */
#define ATTEMPTS        50 /* to get that many windows which nothing disturbed */

#define MSR_MPERF 0xe7u
#define MSR_APERF 0xe8u

/* Why a source may not open; a list ends with the row of number 0, for all others. */
struct failure {
    int number; /* errno */
    const char *what_to_do;
};

/* The functions that read return what is wrong in words, or NULL. */
typedef const char *read_function(const struct rp_cycle_system *system, int descriptor,
                                  uint64_t *value);

struct source {
    const char *name;
    int (*open)(const struct rp_cycle_system *system, unsigned cpu);
    const struct failure *failures;
    read_function *read;    /* NULL: nothing to open and to read */
    read_function *witness; /* a second count that must grow as well; or NULL */
};

static int open_perf(const struct rp_cycle_system *system, unsigned cpu)
{
    (void)cpu;
    return system->perf_open(system->context);
}

static const char *read_perf(const struct rp_cycle_system *system, int descriptor,
                             uint64_t *value)
{
    struct rp_perf_count count;

    if (!system->perf_read(system->context, descriptor, &count)) {
        return "cannot be read: another program, such as a profiler, holds the counters; "
               "stop it";
    }
    *value = count.value;
    return count.enabled_ns > 0 && count.running_ns == count.enabled_ns
               ? NULL
               : "counts only a part of the time: another program, such as a profiler, "
                 "shares the counters; stop it";
}

static const struct failure perf_failures[] = {
    {EACCES, "set /proc/sys/kernel/perf_event_paranoid to 2 or less"},
    {EPERM, "allow perf_event_open in the container or sandbox"},
    {EMFILE, "raise the limit of open files"},
    {EBUSY, "another program has the counters, as likwid when it counts regions"},
    {ENOSYS, "the kernel was built without it"},
    {0, "this CPU or its hypervisor offers no counter of cycles"},
};

static int open_msr(const struct rp_cycle_system *system, unsigned cpu)
{
    return system->msr_open(system->context, cpu);
}

static const char *read_aperf(const struct rp_cycle_system *system, int descriptor,
                              uint64_t *value)
{
    return system->msr_read(system->context, descriptor, MSR_APERF, value)
               ? NULL
               : "cannot be read: this CPU or its hypervisor has no APERF";
}

static const char *read_mperf(const struct rp_cycle_system *system, int descriptor,
                              uint64_t *value)
{
    return system->msr_read(system->context, descriptor, MSR_MPERF, value)
               ? NULL
               : "cannot be read: this CPU or its hypervisor has no MPERF";
}

static const struct failure msr_failures[] = {
    {EACCES, "run as root"},
    {EPERM, "it takes CAP_SYS_RAWIO and a kernel that is not locked down"},
    {EMFILE, "raise the limit of open files"},
    {0, "load the driver of /dev/cpu/*/msr, as root: modprobe msr"},
};

static const struct source sources[RP_CYCLE_SOURCES] = {
    {.name = "perf-event",
     .open = open_perf,
     .failures = perf_failures,
     .read = read_perf},
    {.name = "aperf-mperf",
     .open = open_msr,
     .failures = msr_failures,
     .read = read_aperf,
     .witness = read_mperf},
    {.name = RP_CYCLE_SOURCE_CHAIN},
};

/* One look at a source. */
struct look {
    uint64_t cycles;
    uint64_t witness;
};

static const char *look_at(const struct source *source,
                           const struct rp_cycle_system *system, int descriptor,
                           struct look *look)
{
    const char *const wrong = source->read(system, descriptor, &look->cycles);

    return wrong == NULL && source->witness != NULL
               ? source->witness(system, descriptor, &look->witness)
               : wrong;
}

/* Holds the source against the chain over one window: returns what is wrong with it, or
 * NULL and the `ratio` of their cycles, which is 0 when something disturbed the window.
 */
static const char *compare_once(const struct source *source,
                                const struct rp_cycle_system *system, int descriptor,
                                double *ratio)
{
    void *const context = system->context;
    struct look before = {0};
    struct look after = {0};

    *ratio = 0;
    const double hz_before = system->chain_hz(context);
    const char *wrong = look_at(source, system, descriptor, &before);
    const uint64_t start_ns = system->now_ns(context);
    const bool whole = system->spin(context, WINDOW_NS);
    const double ns = (double)(system->now_ns(context) - start_ns);
    if (wrong == NULL) {
        wrong = look_at(source, system, descriptor, &after);
    }
    const double hz_after = system->chain_hz(context);

    if (wrong != NULL) {
        return wrong;
    }
    if (after.cycles <= before.cycles) {
        return "its count stands still while the core works";
    }
    if (source->witness != NULL && after.witness <= before.witness) {
        return "MPERF stands still while the core works";
    }
    if (whole && hz_before > 0 &&
        fabs(hz_after - hz_before) <= CLOCK_TOLERANCE * hz_before) {
        *ratio = (double)(after.cycles - before.cycles) /
                 (ns * (hz_before + hz_after) / 2 / 1e9);
    }
    return NULL;
}

static const char *compare(const struct source *source,
                           const struct rp_cycle_system *system, int descriptor,
                           double *ratio)
{
    double ratios[WINDOWS];
    size_t count = 0;

    for (int i = 0; i < ATTEMPTS && count < WINDOWS; i++) {
        const char *const wrong =
            compare_once(source, system, descriptor, &ratios[count]);

        if (wrong != NULL) {
            return wrong;
        }
        count += ratios[count] > 0;
    }
    if (count < WINDOWS) {
        return "cannot be compared with the addition chain on this busy CPU; stop what "
               "else runs on it";
    }
    *ratio = rp_summarize(ratios, count).median;
    return NULL;
}

static void explain_failure(const struct source *source, int number, char *text,
                            size_t capacity)
{
    const struct failure *failure = source->failures;

    while (failure->number != 0 && failure->number != number) {
        failure++;
    }
    snprintf(text, capacity, "cannot open: %s; %s", strerror(number),
             failure->what_to_do);
}

/* Fills the trial of a source. Returns its descriptor when it is accepted, else -1. */
static int try_source(const struct source *source, const struct rp_cycle_system *system,
                      unsigned cpu, struct rp_cycle_trial *trial)
{
    if (source->read == NULL) {
        trial->accepted = true;
        return -1;
    }
    const int descriptor = source->open(system, cpu);
    if (descriptor < 0) {
        explain_failure(source, -descriptor, trial->text, sizeof trial->text);
        return -1;
    }
    const char *const wrong = compare(source, system, descriptor, &trial->ratio);
    trial->accepted = wrong == NULL && fabs(trial->ratio - 1) <= TOLERANCE;
    if (trial->accepted) {
        return descriptor;
    }
    if (wrong != NULL) {
        snprintf(trial->text, sizeof trial->text, "%s", wrong);
    } else {
        snprintf(
            trial->text, sizeof trial->text,
            "counts %.4g times the cycles of the addition chain (%.0f %% is allowed)",
            trial->ratio, 100 * TOLERANCE);
    }
    system->close(system->context, descriptor);
    return -1;
}

/* Finds the source that is asked for; RP_CYCLE_SOURCES when none is. */
static bool find_forced(const char *forced, unsigned *index, struct rp_error *error)
{
    *index = RP_CYCLE_SOURCES;
    if (forced == NULL || *forced == '\0') {
        return true;
    }
    for (unsigned i = 0; i < RP_CYCLE_SOURCES; i++) {
        if (strcmp(forced, sources[i].name) == 0) {
            *index = i;
            return true;
        }
    }
    return rp_fail(
        error, RP_USAGE,
        "RIDGEPOINT_CYCLES=%s is no cycle source; use %s, %s or %s, or unset it", forced,
        sources[0].name, sources[1].name, sources[2].name);
}

bool rp_cycles_open(struct rp_cycles *cycles, const struct rp_cycle_system *system,
                    unsigned cpu, const char *forced, struct rp_error *error)
{
    unsigned only = 0;

    *cycles = (struct rp_cycles){
        .system = system, .source = RP_CYCLE_SOURCES, .descriptor = -1};
    if (!find_forced(forced, &only, error)) {
        return false;
    }
    for (unsigned i = 0; i < RP_CYCLE_SOURCES; i++) {
        struct rp_cycle_trial *const trial = &cycles->trials[i];

        snprintf(trial->name, sizeof trial->name, "%s", sources[i].name);
        if (only < RP_CYCLE_SOURCES && i != only) {
            snprintf(trial->text, sizeof trial->text, "RIDGEPOINT_CYCLES asks for %s",
                     forced);
            continue;
        }
        const int descriptor = try_source(&sources[i], system, cpu, trial);
        if (trial->accepted && cycles->source == RP_CYCLE_SOURCES) {
            trial->used = true;
            cycles->source = i;
            cycles->descriptor = descriptor;
        } else if (descriptor >= 0) {
            system->close(system->context, descriptor);
        }
    }
    return cycles->source < RP_CYCLE_SOURCES ||
           rp_fail(
               error, RP_UNABLE,
               "RIDGEPOINT_CYCLES=%s cannot be used here: %s; unset the variable to get "
               "the best source that works",
               forced, cycles->trials[only].text);
}

void rp_cycles_close(struct rp_cycles *cycles)
{
    if (cycles->system != NULL && cycles->descriptor >= 0) {
        cycles->system->close(cycles->system->context, cycles->descriptor);
    }
    cycles->system = NULL;
}

const char *rp_cycles_name(const struct rp_cycles *cycles)
{
    return sources[cycles->source].name;
}

bool rp_cycles_counted(const struct rp_cycles *cycles)
{
    return sources[cycles->source].read != NULL;
}

bool rp_cycles_read(const struct rp_cycles *cycles, uint64_t *count)
{
    const struct source *const source = &sources[cycles->source];

    *count = 0;
    return source->read == NULL ||
           source->read(cycles->system, cycles->descriptor, count) == NULL;
}
