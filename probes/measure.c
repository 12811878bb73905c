/* SPDX-License-Identifier: MIT */
#include "probes/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/stats.h"
#include "probes/disturbance.h"

#define MINIMUM_SAMPLES     8   /* the interval of the median needs six */
#define MAXIMUM_SAMPLES     200 /* enough for any interval that narrows at all */
#define CLOCK_TOLERANCE     0.01
#define INTERVAL_TOLERANCE  0.01
#define OVERTIME            3.0 /* times the budget, to collect the minimum after all */
#define LARGEST_REPETITIONS ((uint64_t)1 << 40)

struct session {
    const struct rp_measurable *measurable;
    const struct rp_measure_options *options;
    struct rp_record *record;
    uint64_t repetitions;
    double clock_hz; /* latest reading of the core clock */
};

static double timed_ns(void (*run)(void *, uint64_t), void *context, uint64_t repetitions)
{
    const uint64_t start = rp_clock_ns();
    run(context, repetitions);
    return (double)(rp_clock_ns() - start);
}

/* Grows the count geometrically; the last trial is long enough, so it is also the
 * warm-up. */
static uint64_t find_repetitions(const struct rp_measurable *measurable, double sample_ns)
{
    uint64_t repetitions = 1;

    for (;;) {
        double ns = timed_ns(measurable->run, measurable->context, repetitions);

        if (ns >=
            sample_ns) { /* once more: an interruption would leave samples too short */
            ns = fmin(ns, timed_ns(measurable->run, measurable->context, repetitions));
        }
        if (ns >= sample_ns || repetitions >= LARGEST_REPETITIONS) {
            return repetitions;
        }
        const double growth = fmin(10, 1.2 * sample_ns / fmax(ns, 1));
        repetitions = (uint64_t)ceil((double)repetitions * growth);
    }
}

static bool clocks_agree(double before_hz, double after_hz)
{
    return before_hz > 0 && after_hz > 0 &&
           fabs(after_hz - before_hz) <= CLOCK_TOLERANCE * before_hz;
}

/* Takes one sample. False when it has to be dropped; the reason is then counted. */
static bool take_sample(struct session *session, struct rp_sample *sample)
{
    const struct rp_measurable *const measurable = session->measurable;
    struct rp_dropped *const dropped = &session->record->dropped;
    const unsigned cpu = session->options->cpu;
    const double before_hz = session->clock_hz;
    const struct rp_disturbance before = rp_disturbance_read(cpu);

    *sample = (struct rp_sample){0};
    if (measurable->baseline != NULL) {
        sample->baseline_ns =
            timed_ns(measurable->baseline, measurable->context, session->repetitions);
    }
    sample->ns = timed_ns(measurable->run, measurable->context, session->repetitions);
    const double after_hz = session->clock_hz = rp_clock_chain_hz();
    const struct rp_disturbance after = rp_disturbance_read(cpu);

    if (after.stolen_ticks != before.stolen_ticks) {
        dropped->stolen++;
        return false;
    }
    if (after.switches != before.switches) {
        dropped->preempted++;
        return false;
    }
    if (!clocks_agree(before_hz, after_hz)) {
        dropped->clock++;
        return false;
    }
    const double cycles_per_ns = (before_hz + after_hz) / 2 / 1e9;
    sample->cycles = sample->ns * cycles_per_ns;
    sample->baseline_cycles = sample->baseline_ns * cycles_per_ns;
    return true;
}

static bool interval_is_narrow(const struct rp_record *record)
{
    double cycles[MAXIMUM_SAMPLES];

    for (size_t i = 0; i < record->sample_count; i++) {
        cycles[i] = record->samples[i].cycles - record->samples[i].baseline_cycles;
    }
    const struct rp_summary summary = rp_summarize(cycles, record->sample_count);
    return (summary.high - summary.low) / 2 <= INTERVAL_TOLERANCE * summary.median;
}

static void judge(struct rp_record *record)
{
    const struct rp_dropped *const dropped = &record->dropped;
    const unsigned lost = dropped->clock + dropped->preempted + dropped->stolen;

    if (record->sample_count >= MINIMUM_SAMPLES && lost <= record->sample_count) {
        record->verdict =
            interval_is_narrow(record) ? RP_VERDICT_STEADY : RP_VERDICT_BUDGET;
        return;
    }
    record->verdict = RP_VERDICT_DISTURBED;
    snprintf(
        record->why, sizeof record->why,
        "%zu samples kept, %u dropped (core clock changed: %u, switched out: %u, CPU "
        "stolen: %u)",
        record->sample_count, lost, dropped->clock, dropped->preempted, dropped->stolen);
}

bool rp_measure(const struct rp_measurable *measurable,
                const struct rp_measure_options *options, struct rp_record *record,
                uint64_t *repetitions, struct rp_error *error)
{
    const uint64_t start = rp_clock_ns();
    struct session session = {
        .measurable = measurable, .options = options, .record = record};

    record->samples = calloc(MAXIMUM_SAMPLES, sizeof *record->samples);
    if (record->samples == NULL) {
        return rp_fail(error, RP_UNABLE, "no memory for the samples of %s", record->job);
    }
    session.repetitions = find_repetitions(measurable, options->sample_seconds * 1e9);
    session.clock_hz = rp_clock_chain_hz();
    while (record->sample_count < MAXIMUM_SAMPLES) {
        const double spent =
            (double)(rp_clock_ns() - start) / 1e9 / options->budget_seconds;

        if (spent > (record->sample_count < MINIMUM_SAMPLES ? OVERTIME : 1)) {
            break;
        }
        if (take_sample(&session, &record->samples[record->sample_count]) &&
            ++record->sample_count >= MINIMUM_SAMPLES && interval_is_narrow(record)) {
            break;
        }
    }
    snprintf(record->cycle_source, sizeof record->cycle_source, "%s",
             RP_CYCLE_SOURCE_CHAIN);
    judge(record);
    *repetitions = session.repetitions;
    return true;
}
