/* SPDX-License-Identifier: MIT */
#include "roofline/counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ITEMS 1e18 /* that a run file holds */

const struct rp_record *rp_counters_find(const struct rp_run *run, const char *region)
{
    for (size_t i = 0; i < run->record_count; i++) {
        const struct rp_record *const record = &run->records[i];

        if (record->sample_count > 0 &&
            strcmp(rp_counted_region(record->job), region) == 0) {
            return record;
        }
    }
    return NULL;
}

/* Items in one call of the region. The loop of a sample that has a baseline does twice
 * what the baseline does, and `items_per_sample` is the difference. */
static double items_per_call(const struct rp_record *record)
{
    return record->items_per_sample * (record->samples[0].baseline_ns > 0 ? 2 : 1);
}

/* What is left of a job's record when nothing of how it was measured is. */
static struct rp_record describe(const struct rp_record *job)
{
    struct rp_record record = *job;

    record.id = 0;
    record.page_bytes = 0;
    record.places = 0;
    record.items_per_sample = 0;
    record.cycle_source[0] = '\0';
    record.dropped = (struct rp_dropped){0};
    record.why[0] = '\0';
    record.samples = NULL;
    record.sample_count = 0;
    snprintf(record.probe, sizeof record.probe, "counters");
    record.verdict = RP_VERDICT_COUNTED;
    return record;
}

bool rp_counters_join(struct rp_record *record, struct rp_counted *counted,
                      const struct rp_run *counting, const struct rp_run *run,
                      struct rp_error *error)
{
    const struct rp_record *const source = rp_counters_find(counting, counted->region);
    char job[sizeof record->job];

    *record = (struct rp_record){0};
    if (snprintf(job, sizeof job, "counters/%s/%s", counted->group, counted->region) >=
        (int)sizeof job) {
        return rp_fail(error, RP_USAGE,
                       "the names of the group %s and the region %s are too long "
                       "together; give the group a shorter one",
                       counted->group, counted->region);
    }
    if (rp_run_find(run, job) != NULL) {
        return rp_fail(error, RP_USAGE,
                       "the run has counts of %s in %s already; delete the line of the "
                       "job \"%s\" from it first, or import into another run",
                       counted->group, counted->region, job);
    }
    const double calls =
        counted->calls > 0 ? counted->calls : rp_record_samples_taken(source);
    const double items = calls * items_per_call(source);
    if (!(items <= MOST_ITEMS)) {
        return rp_fail(
            error, RP_USAGE,
            "%.0f calls of %s worked on more than %.0e items, which cannot be; "
            "correct the number of calls",
            calls, counted->region, MOST_ITEMS);
    }
    struct rp_counted *const owned = malloc(sizeof *owned);
    if (owned == NULL) {
        return rp_fail(error, RP_UNABLE, "not enough memory for what was counted");
    }
    *record = describe(rp_counters_find(run, counted->region));
    memcpy(record->job, job, sizeof job);
    counted->calls = calls;
    counted->items = items;
    *owned = *counted;
    *counted = (struct rp_counted){0};
    record->counted = owned;
    return true;
}
