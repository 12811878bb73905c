/* SPDX-License-Identifier: MIT */
/*
 * Plateaus of a bandwidth curve, and the steps between them.
 *
 * Nothing is fitted. A plateau is a stretch of at least an octave whose rates lie close
 * together, the longest stretch first; what lies between two plateaus is the way from one
 * level to the next. Rates are running medians of three, which leave a step where it is
 * and let no single odd point make or break a plateau.
 */
#include "roofline/model_steps.h"

#include <math.h>
#include <stdlib.h>

/* Natural logarithm of largest / smallest rate on a plateau: neighbours and noise. */
static const double plateau_tolerance = 0.12;
/* Octaves from end to end of a plateau: an octave, with room for rounded sizes. The first
 * one begins before the curve does, so half of that shows it. */
static const double least_octaves = 0.95;
static const double least_first_octaves = 0.5;
/* Plateaus whose rates are closer than this are one level to every reader. */
static const double least_drop = 1.15;

enum { MAX_PLATEAUS = RP_MAX_STEPS + 1 };

/* A point of the curve that counts. */
struct sample {
    size_t bytes;
    double octave;   /* log2(bytes) */
    double log_rate; /* the running median */
    uint64_t record_id;
};

struct plateau {
    size_t first; /* indices of samples */
    size_t last;
    double log_rate; /* of its middle */
};

struct plateaus {
    const struct sample *samples;
    struct plateau list[MAX_PLATEAUS]; /* by ascending size */
    size_t count;
};

static double median_of_three(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* Disturbed points say only that it is no slower: they are left out. Returns how many
 * samples there are; their array is the caller's. */
static size_t collect(const struct rp_curve *curve, struct sample *samples)
{
    size_t count = 0;

    for (size_t i = 0; i < curve->step_count; i++) {
        const struct rp_curve_step *const step = &curve->steps[i];
        if (step->verdict != RP_VERDICT_DISTURBED) {
            samples[count++] = (struct sample){
                .bytes = step->working_set_bytes,
                .octave = log2((double)step->working_set_bytes),
                .log_rate = log(step->bytes_per_s.value),
                .record_id = step->record_id,
            };
        }
    }
    double before = count > 0 ? samples[0].log_rate : 0;
    for (size_t i = 1; i + 1 < count; i++) {
        const double own = samples[i].log_rate;
        samples[i].log_rate = median_of_three(before, own, samples[i + 1].log_rate);
        before = own;
    }
    return count;
}

/* The last sample up to `limit` that shares a plateau with `first`. */
static size_t reach(const struct sample *samples, size_t first, size_t limit)
{
    double least = samples[first].log_rate;
    double most = least;
    size_t last = first;

    while (last < limit) {
        least = fmin(least, samples[last + 1].log_rate);
        most = fmax(most, samples[last + 1].log_rate);
        if (most - least > plateau_tolerance) {
            break;
        }
        last++;
    }
    return last;
}

/* Finds the plateaus among the samples [first, end), the longest before those on both
 * sides of it. */
static void find_plateaus(struct plateaus *found, size_t first, size_t end)
{
    const struct sample *const samples = found->samples;
    struct plateau longest = {0};
    double longest_octaves = 0;

    for (size_t i = first; i < end; i++) {
        const size_t last = reach(samples, i, end - 1);
        const double octaves = samples[last].octave - samples[i].octave;
        if (octaves > longest_octaves) {
            longest = (struct plateau){
                .first = i,
                .last = last,
                .log_rate = samples[(i + last) / 2].log_rate,
            };
            longest_octaves = octaves;
        }
    }
    if (longest_octaves < (longest.first == 0 ? least_first_octaves : least_octaves)) {
        return;
    }
    find_plateaus(found, first, longest.first);
    if (found->count < MAX_PLATEAUS) {
        found->list[found->count++] = longest;
    }
    find_plateaus(found, longest.last + 1, end);
}

/* Half way down on a logarithmic axis: the last sample above it and the one after. */
static struct rp_step step_between(const struct sample *samples,
                                   const struct plateau *nearer,
                                   const struct plateau *farther)
{
    const double half_way = (nearer->log_rate + farther->log_rate) / 2;
    size_t above = nearer->first;

    for (size_t i = nearer->first; i < farther->last; i++) {
        if (samples[i].log_rate >= half_way) {
            above = i;
        }
    }
    return (struct rp_step){
        .least_bytes = samples[above].bytes,
        .most_bytes = samples[above + 1].bytes,
        .drop = exp(nearer->log_rate - farther->log_rate),
        .record_ids = {samples[above].record_id, samples[above + 1].record_id},
    };
}

bool rp_curve_steps(const struct rp_curve *curve, struct rp_steps *steps,
                    struct rp_error *error)
{
    struct sample *const samples = calloc(curve->step_count + 1, sizeof *samples);

    if (samples == NULL) {
        return rp_fail(error, RP_UNABLE, "not enough memory for the model of the run");
    }
    const size_t count = collect(curve, samples);
    struct plateaus found = {.samples = samples};

    *steps = (struct rp_steps){0};
    find_plateaus(&found, 0, count);
    for (size_t i = 1; i < found.count; i++) {
        const struct rp_step step =
            step_between(samples, &found.list[i - 1], &found.list[i]);
        if (step.drop >= least_drop) {
            steps->list[steps->count++] = step;
        }
    }
    steps->plateau_count = found.count;
    steps->end_bytes =
        found.count > 0 ? samples[found.list[found.count - 1].last].bytes : 0;
    free(samples);
    return true;
}
