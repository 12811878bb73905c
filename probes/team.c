/* SPDX-License-Identifier: MIT */
#include "probes/team.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/counted.h"
#include "core/place.h"
#include "probes/team_session.h"
#include "probes/verdict.h"

/* Twice what one thread needs: threads do not start and end at the same instant. */
#define SAMPLE_SECONDS 0.0005

static bool is_leader(const struct rp_team_member *member)
{
    return member->index == 0;
}

/* ---- getting ready ---- */

static bool settle(struct rp_team_member *member)
{
    const struct rp_team_session *const session = member->session;
    const struct rp_team_options *const options = session->options;
    struct rp_team_part *const part = member->part;
    const uint64_t seed = options->seed + member->index;
    const unsigned pu = options->pus[member->index];

    if (part->pu != pu) {
        rp_buffer_free(&part->buffer);
        part->pu = pu;
    }
    if (!rp_place_thread(options->topology, pu, &member->error) ||
        !rp_regions_register(options->regions, session->region, pu, &member->error) ||
        (part->buffer.data == NULL &&
         !rp_buffer_allocate(&part->buffer, session->part_bytes, seed, &member->error))) {
        return false;
    }
    rp_disturbance_watch(&member->watch, "", pu);
    rp_buffer_fill(part->pattern, sizeof part->pattern, seed);
    const struct rp_walk_memory memory = {
        .data = part->buffer.data,
        .pattern = part->pattern,
        .result = part->result,
        .tag = part->tag,
        .context = options->context,
    };
    member->walk =
        rp_walk_prepare(options->kernel, options->mode,
                        options->working_set_bytes / options->threads, &memory);
    return true;
}

/* Makes a pass, at the same time as all the others, since what one of them gets alone
 * says little. The slowest tells how long it took. */
static bool pass_together(struct rp_team_member *member, double *seconds)
{
    struct rp_team_session *const session = member->session;

    if (!rp_barrier_wait(&session->barrier)) {
        return false;
    }
    member->pass_seconds = rp_walk_seconds(&member->walk);
    if (!rp_barrier_wait(&session->barrier)) {
        return false;
    }
    *seconds = 0;
    for (unsigned i = 0; i < session->options->threads; i++) {
        *seconds = fmax(*seconds, session->members[i].pass_seconds);
    }
    return true;
}

/* Passes until the caches are as they will be, and so that all threads cut the walk
 * alike; a short pass once more, as rp_walk_warm_up does. */
static bool warm_up(struct rp_team_member *member)
{
    const double sample_seconds = member->session->sample_seconds;
    double seconds = 0;
    double again = 0;

    if (!pass_together(member, &seconds)) {
        return false;
    }
    if (seconds < 100 * sample_seconds) {
        if (!pass_together(member, &again)) {
            return false;
        }
        seconds = fmin(seconds, again);
    }
    rp_walk_cut(&member->walk, seconds, sample_seconds);
    if (is_leader(member)) {
        member->session->repetitions =
            seconds < sample_seconds ? (uint64_t)ceil(sample_seconds / seconds) : 1;
    }
    return true;
}

/* ---- sampling ---- */

/* The region begins before the threads meet, since likwid lets them go at times far
 * apart; whoever waits for the others meanwhile may have let likwid's daemon have the
 * CPU. */
static bool sample(struct rp_team_member *member)
{
    struct rp_team_session *const session = member->session;
    const struct rp_regions *const regions = session->options->regions;

    member->before = rp_disturbance_read(&member->watch);
    rp_regions_start(regions, session->region);
    if (!rp_barrier_wait(&session->barrier)) {
        return false;
    }
    if (rp_regions_are_open(regions)) {
        member->likwid_switches = rp_disturbance_switches() - member->before.switches;
    }
    member->start_ns = rp_clock_ns();
    rp_walk_run(&member->walk, session->repetitions);
    member->end_ns = rp_clock_ns();
    member->likwid_switches += rp_regions_stop(regions, session->region);
    member->after = rp_disturbance_read(&member->watch);
    return true;
}

static void *work(void *context)
{
    struct rp_team_member *const member = context;
    struct rp_team_session *const session = member->session;

    pthread_mutex_lock(&session->beginning);
    pthread_mutex_unlock(&session->beginning);
    if (!settle(member)) {
        member->failed = true;
        rp_barrier_break(&session->barrier);
        return NULL;
    }
    bool going = warm_up(member);
    if (going && is_leader(member)) {
        session->started_ns = rp_clock_ns();
    }
    while (going && rp_team_bracket(member)) {
        if (is_leader(member)) {
            rp_team_judge_sample(session);
        }
        going = rp_barrier_wait(&session->barrier) && !session->over && sample(member);
    }
    return NULL;
}

/* Starts the threads and waits for their end. None binds itself before all are there:
 * likwid-pin and likwid-perfctr have each bound elsewhere, too, once it was started. */
static bool run(struct rp_team_session *session, struct rp_error *error)
{
    const unsigned threads = session->options->threads;
    unsigned started = 0;
    int refusal = 0;

    pthread_mutex_lock(&session->beginning);
    while (started < threads && refusal == 0) {
        struct rp_team_member *const member = &session->members[started];

        refusal = pthread_create(&member->thread, NULL, work, member);
        started += refusal == 0;
    }
    if (refusal != 0) {
        rp_barrier_break(&session->barrier);
    }
    pthread_mutex_unlock(&session->beginning);
    bool ok = refusal == 0 || rp_fail(error, RP_UNABLE,
                                      "cannot start thread %u of %u: %s; raise the limit "
                                      "of processes",
                                      started + 1, threads, strerror(refusal));
    for (unsigned i = 0; i < started; i++) {
        pthread_join(session->members[i].thread, NULL);
        if (ok && session->members[i].failed) {
            *error = session->members[i].error;
            ok = false;
        }
    }
    return ok;
}

/* Parts for these threads and this much memory each: the ones there are, or new ones,
 * which each thread fills itself. */
static bool prepare_parts(struct rp_team *team, unsigned threads, size_t part_bytes,
                          struct rp_error *error)
{
    if (team->part_count == threads && team->part_bytes >= part_bytes) {
        return true;
    }
    rp_team_close(team);
    team->parts =
        aligned_alloc(_Alignof(struct rp_team_part), threads * sizeof *team->parts);
    if (team->parts == NULL) {
        return rp_fail(error, RP_UNABLE, "no memory for %u threads", threads);
    }
    memset(team->parts, 0, threads * sizeof *team->parts);
    team->part_count = threads;
    team->part_bytes = part_bytes;
    return true;
}

static struct rp_team_member *make_members(struct rp_team_session *session,
                                           struct rp_team *team)
{
    const size_t bytes = team->part_count * sizeof(struct rp_team_member);
    struct rp_team_member *const members =
        aligned_alloc(_Alignof(struct rp_team_member), bytes);

    if (members != NULL) {
        memset(members, 0, bytes);
        for (unsigned i = 0; i < team->part_count; i++) {
            members[i].session = session;
            members[i].index = i;
            members[i].part = &team->parts[i];
        }
    }
    return members;
}

bool rp_team_measure(struct rp_team *team, const struct rp_team_options *options,
                     struct rp_record *record, struct rp_error *error)
{
    const unsigned threads = options->threads;

    if (!prepare_parts(team, threads,
                       rp_walk_memory_bytes(options->working_set_bytes / threads),
                       error)) {
        return false;
    }
    struct rp_team_session session = {
        .options = options,
        .part_bytes = team->part_bytes,
        .record = record,
        .region = rp_counted_region(record->job),
        .beginning = PTHREAD_MUTEX_INITIALIZER,
        .sample_seconds =
            fmax(SAMPLE_SECONDS, rp_regions_least_seconds(options->regions)),
        .barrier = {.count = threads},
    };
    session.members = make_members(&session, team);
    record->samples = calloc(RP_MOST_SAMPLES, sizeof *record->samples);
    if (session.members == NULL || record->samples == NULL) {
        free(session.members);
        return rp_fail(error, RP_UNABLE, "no memory for the samples of %s", record->job);
    }
    const bool ok = run(&session, error);
    if (ok) {
        const struct rp_walk *const walk = &session.members[0].walk;
        const size_t share = options->working_set_bytes / threads;

        rp_verdict_give(record);
        record->items_per_sample =
            (double)walk->slice_bytes * (double)session.repetitions * threads;
        record->working_set_bytes =
            share / walk->input.bytes * walk->input.bytes * threads;
        record->page_bytes = team->parts[0].buffer.page_bytes;
        snprintf(record->cycle_source, sizeof record->cycle_source, "%s",
                 RP_CYCLE_SOURCE_CHAIN);
    }
    free(session.members);
    return ok;
}

void rp_team_close(struct rp_team *team)
{
    for (unsigned i = 0; i < team->part_count; i++) {
        rp_buffer_free(&team->parts[i].buffer);
    }
    free(team->parts);
    *team = (struct rp_team){0};
}
