/* SPDX-License-Identifier: MIT */
#include "probes/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/counted.h"
#include "core/stats.h"
#include "probes/verdict.h"

#define DRIFT_TOLERANCE     0.02
#define LARGEST_REPETITIONS ((uint64_t)1 << 40)

/* What brackets a sample. */
struct reading {
    double hz;
    double nops_per_cycle; /* 0 when not asked for */
    struct rp_disturbance disturbance;
};

/* How long something took. */
struct span {
    double ns;
    double cycles; /* counted; 0 when the source of cycles does not count */
    bool lost;     /* the counter has gone */
};

struct session {
    const struct rp_measurable *measurable;
    const struct rp_measure_options *options;
    struct rp_record *record;
    const char *region; /* of likwid, that the timed runs are */
    uint64_t repetitions;
    struct reading latest;
    struct rp_sample shared[RP_MOST_SAMPLES]; /* taken while the core was shared */
    size_t shared_count;
};

enum outcome { KEPT, SHARED, DROPPED };

static double timed_ns(void (*run)(void *, uint64_t), void *context, uint64_t repetitions)
{
    const uint64_t start = rp_clock_ns();
    run(context, repetitions);
    return (double)(rp_clock_ns() - start);
}

static struct span timed(const struct session *session, void (*run)(void *, uint64_t))
{
    const struct rp_cycles *const cycles = session->options->cycles;
    uint64_t start = 0;
    uint64_t end = 0;
    const bool started = rp_cycles_read(cycles, &start);
    const double ns = timed_ns(run, session->measurable->context, session->repetitions);
    const bool ended = rp_cycles_read(cycles, &end);

    return (struct span){
        .ns = ns, .cycles = (double)(end - start), .lost = !started || !ended};
}

/* Grows the count geometrically; the last trial is long enough, so it is also the
 * warm-up. */
static uint64_t find_repetitions(const struct rp_measurable *measurable, double sample_ns)
{
    uint64_t repetitions = 1;

    for (;;) {
        double ns = timed_ns(measurable->run, measurable->context, repetitions);

        /* Once more: an interruption would leave the samples too short. */
        if (ns >= sample_ns) {
            ns = fmin(ns, timed_ns(measurable->run, measurable->context, repetitions));
        }
        if (ns >= sample_ns || repetitions >= LARGEST_REPETITIONS) {
            return repetitions;
        }
        const double growth = fmin(10, 1.2 * sample_ns / fmax(ns, 1));
        repetitions = (uint64_t)ceil((double)repetitions * growth);
    }
}

static struct reading read_clocks(const struct rp_measure_options *options)
{
    const struct rp_cycle_system *const system = options->cycles->system;
    struct reading reading = {.hz = system->chain_hz(system->context)};

    if (options->company != NULL && reading.hz > 0) {
        reading.nops_per_cycle = rp_clock_nops_hz() / reading.hz;
        rp_company_note(options->company, reading.nops_per_cycle);
    }
    reading.disturbance = rp_disturbance_read(options->watch);
    return reading;
}

static bool agree(double before, double after, double tolerance)
{
    return before > 0 && after > 0 && fabs(after - before) <= tolerance * before;
}

static bool core_is_shared(const struct rp_measure_options *options,
                           const struct reading *before, const struct reading *after)
{
    return options->company != NULL &&
           rp_company_is_there(options->company,
                               fmin(before->nops_per_cycle, after->nops_per_cycle));
}

/* The count that a sample between these readings falls to; NULL when it is good.
 * `switches` of those between them were not its own. */
static unsigned *reason_to_drop(struct rp_dropped *dropped, const struct reading *before,
                                const struct reading *after, uint64_t switches)
{
    const struct rp_disturbance *const then = &before->disturbance;
    const struct rp_disturbance *const now = &after->disturbance;

    if (now->throttled != then->throttled) {
        return &dropped->throttled;
    }
    if (now->stolen_ticks != then->stolen_ticks) {
        return &dropped->stolen;
    }
    if (now->switches != then->switches + switches) {
        return &dropped->preempted;
    }
    return agree(before->hz, after->hz, RP_CLOCK_TOLERANCE) ? NULL : &dropped->clock;
}

/* Takes one sample and says what it is worth; the reason for dropping one is counted. */
static enum outcome take_sample(struct session *session, struct rp_sample *sample)
{
    const struct rp_measure_options *const options = session->options;
    struct rp_dropped *const dropped = &session->record->dropped;
    struct span baseline = {0};

    if (session->measurable->prepare != NULL) {
        session->measurable->prepare(session->measurable->context);
        session->latest = read_clocks(options); /* what came before is over */
    }
    const struct reading before = session->latest;
    if (session->measurable->baseline != NULL) {
        baseline = timed(session, session->measurable->baseline);
    }
    uint64_t switches = rp_regions_start(options->regions, session->region);
    const struct span span = timed(session, session->measurable->run);
    switches += rp_regions_stop(options->regions, session->region);
    const struct reading after = session->latest = read_clocks(options);
    unsigned *const reason = span.lost || baseline.lost
                                 ? &dropped->clock
                                 : reason_to_drop(dropped, &before, &after, switches);
    if (reason != NULL) {
        ++*reason;
        return DROPPED;
    }
    const double cycles_per_ns = (before.hz + after.hz) / 2 / 1e9;
    const bool counted = rp_cycles_counted(options->cycles);
    *sample = (struct rp_sample){
        .ns = span.ns,
        .cycles = counted ? span.cycles : span.ns * cycles_per_ns,
        .baseline_ns = baseline.ns,
        .baseline_cycles = counted ? baseline.cycles : baseline.ns * cycles_per_ns,
    };
    return core_is_shared(options, &before, &after) ? SHARED : KEPT;
}

static bool interval_is_narrow(const struct rp_record *record)
{
    double cycles[RP_MOST_SAMPLES];

    for (size_t i = 0; i < record->sample_count; i++) {
        cycles[i] = record->samples[i].cycles - record->samples[i].baseline_cycles;
    }
    const struct rp_summary summary = rp_summarize(cycles, record->sample_count);
    return (summary.high - summary.low) / 2 <= RP_INTERVAL_TOLERANCE * summary.median;
}

/* The median core clock of some samples. */
static double median_hz(const struct rp_sample *samples, size_t count)
{
    double hz[RP_MOST_SAMPLES];

    for (size_t i = 0; i < count; i++) {
        hz[i] = samples[i].cycles / samples[i].ns * 1e9;
    }
    return rp_summarize(hz, count).median;
}

static void judge(struct rp_record *record)
{
    const struct rp_dropped *const dropped = &record->dropped;
    const unsigned lost =
        dropped->clock + dropped->preempted + dropped->stolen + dropped->throttled;
    const size_t half = record->sample_count / 2;

    if (record->sample_count < RP_FEWEST_SAMPLES || lost > record->sample_count) {
        record->verdict = RP_VERDICT_DISTURBED;
        snprintf(record->why, sizeof record->why,
                 "%zu samples kept, %u dropped (core clock changed: %u, switched out: "
                 "%u, CPU stolen: %u, throttled: %u)",
                 record->sample_count, lost, dropped->clock, dropped->preempted,
                 dropped->stolen, dropped->throttled);
        return;
    }
    const double early_hz = median_hz(record->samples, half);
    const double late_hz = median_hz(record->samples + half, record->sample_count - half);
    if (!agree(early_hz, late_hz, DRIFT_TOLERANCE)) {
        record->verdict = RP_VERDICT_DISTURBED;
        snprintf(record->why, sizeof record->why,
                 "the core clock moved from %.3f to %.3f GHz", early_hz / 1e9,
                 late_hz / 1e9);
        return;
    }
    record->verdict = interval_is_narrow(record) ? RP_VERDICT_STEADY : RP_VERDICT_BUDGET;
}

/* Too few samples had the core to themselves: the others are better than none. */
static void accept_shared(struct session *session)
{
    struct rp_record *const record = session->record;
    const size_t alone = record->sample_count;
    size_t accepted = 0;

    while (accepted < session->shared_count && record->sample_count < RP_MOST_SAMPLES) {
        record->samples[record->sample_count++] = session->shared[accepted++];
    }
    record->dropped.shared = (unsigned)(session->shared_count - accepted);
    record->verdict = RP_VERDICT_DISTURBED;
    snprintf(record->why, sizeof record->why,
             "another hardware thread worked on the same core during %zu of %zu samples",
             record->sample_count - alone, record->sample_count);
}

/* One at least, whatever the first clock reading took: a record without any would have no
 * reason for that. */
static void take_samples(struct session *session)
{
    struct rp_record *const record = session->record;
    const uint64_t start = rp_clock_ns();
    double spent = 0; /* of the budget */

    session->latest = read_clocks(session->options);
    while (record->sample_count < RP_MOST_SAMPLES &&
           session->shared_count < RP_MOST_SAMPLES &&
           spent <= (record->sample_count < RP_FEWEST_SAMPLES ? RP_OVERTIME : 1)) {
        struct rp_sample *const sample = &record->samples[record->sample_count];
        const enum outcome outcome = take_sample(session, sample);
        if (outcome == SHARED) {
            session->shared[session->shared_count++] = *sample;
        } else if (outcome == KEPT && ++record->sample_count >= RP_FEWEST_SAMPLES &&
                   interval_is_narrow(record)) {
            break;
        }
        spent = (double)(rp_clock_ns() - start) / 1e9 / session->options->budget_seconds;
    }
}

bool rp_measure(const struct rp_measurable *measurable,
                const struct rp_measure_options *options, struct rp_record *record,
                uint64_t *repetitions, struct rp_error *error)
{
    struct session session = {
        .measurable = measurable,
        .options = options,
        .record = record,
        .region = rp_counted_region(record->job),
    };

    record->samples = calloc(RP_MOST_SAMPLES, sizeof *record->samples);
    if (record->samples == NULL) {
        return rp_fail(error, RP_UNABLE, "no memory for the samples of %s", record->job);
    }
    if (!rp_regions_register(options->regions, session.region, options->watch->cpu,
                             error)) {
        return false;
    }
    session.repetitions = find_repetitions(measurable, options->sample_seconds * 1e9);
    take_samples(&session);
    if (record->sample_count < RP_FEWEST_SAMPLES && session.shared_count > 0) {
        accept_shared(&session);
    } else {
        record->dropped.shared = (unsigned)session.shared_count;
        judge(record);
    }
    snprintf(record->cycle_source, sizeof record->cycle_source, "%s",
             rp_cycles_name(options->cycles));
    *repetitions = session.repetitions;
    return true;
}
