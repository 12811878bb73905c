/* SPDX-License-Identifier: MIT */
#include "probes/team_session.h"

#include <math.h>

#include "core/clock.h"
#include "core/cluster.h"
#include "probes/verdict.h"

/* There and back; about a millisecond for all the others together, before each sample. */
#define TRIPS        400
#define FEWEST_TRIPS 20

/* How long a thread may wait for its turn: the others get as many deadlines. */
#define TURN_SECONDS 0.1

/* The longest way from the first core to another one; 0 when one did not answer. */
static double lead_pingpong(struct rp_team_session *session)
{
    const unsigned others = session->options->threads - 1;
    const unsigned trips = others * FEWEST_TRIPS < TRIPS ? TRIPS / others : FEWEST_TRIPS;
    double longest = 0;

    for (unsigned i = 1; i <= others; i++) {
        const double way = rp_pingpong_lead(&session->members[i].pingpong, trips);

        if (!(way > 0)) {
            return 0;
        }
        longest = fmax(longest, way);
    }
    return longest;
}

bool rp_team_bracket(struct rp_team_member *member)
{
    struct rp_team_session *const session = member->session;
    const unsigned threads = session->options->threads;

    member->hz_before = member->hz_after;
    member->hz_after = rp_clock_chain_hz();
    if (!rp_barrier_wait(&session->barrier)) {
        return false;
    }
    if (threads > 1 && member->index == 0) {
        session->pingpong_before = session->pingpong_after;
        session->pingpong_after = lead_pingpong(session);
    } else if (threads > 1) {
        rp_pingpong_follow(&member->pingpong, TURN_SECONDS * threads);
    }
    return rp_barrier_wait(&session->barrier);
}

static bool all_clocks_agree(const struct rp_team_session *session)
{
    bool agree = true;

    for (unsigned i = 0; i < session->options->threads; i++) {
        const double before = session->members[i].hz_before;
        const double after = session->members[i].hz_after;

        agree = agree && before > 0 && after > 0 &&
                fabs(after - before) <= RP_CLOCK_TOLERANCE * before;
    }
    return agree;
}

/* Whether the latest sample is worth nothing; the reason is counted. */
static bool drop_sample(const struct rp_team_session *session)
{
    struct rp_dropped *const dropped = &session->record->dropped;
    const double before = session->pingpong_before;
    const double after = session->pingpong_after;
    bool throttled = false;
    bool stolen = false;
    bool switched = session->options->threads > 1 && !(before > 0 && after > 0);

    for (unsigned i = 0; i < session->options->threads; i++) {
        const struct rp_team_member *const member = &session->members[i];

        throttled = throttled || member->after.throttled != member->before.throttled;
        stolen = stolen || member->after.stolen_ticks != member->before.stolen_ticks;
        switched = switched || member->after.switches !=
                                   member->before.switches + member->likwid_switches;
    }
    const bool unsteady = !all_clocks_agree(session);
    const bool moved = fmax(before, after) > RP_CLUSTERS_APART * fmin(before, after);

    if (throttled) {
        dropped->throttled++;
    } else if (stolen) {
        dropped->stolen++;
    } else if (switched) {
        dropped->preempted++;
    } else if (unsteady) {
        dropped->clock++;
    } else if (moved) {
        dropped->moved++;
    }
    return throttled || stolen || switched || unsteady || moved;
}

static void keep_sample(struct rp_team_session *session)
{
    struct rp_record *const record = session->record;
    uint64_t start_ns = UINT64_MAX;
    uint64_t end_ns = 0;
    double hz = 0;

    for (unsigned i = 0; i < session->options->threads; i++) {
        const struct rp_team_member *const member = &session->members[i];

        start_ns = member->start_ns < start_ns ? member->start_ns : start_ns;
        end_ns = member->end_ns > end_ns ? member->end_ns : end_ns;
        hz += (member->hz_before + member->hz_after) / 2 / session->options->threads;
    }
    const double ns = (double)(end_ns - start_ns);
    record->samples[record->sample_count++] = (struct rp_sample){
        .ns = ns,
        .cycles = ns * hz / 1e9,
        .pingpong_ns = (session->pingpong_before + session->pingpong_after) / 2,
    };
}

/* Whether the sampling ends, by the samples so far and the time they took. */
static bool enough(const struct rp_team_session *session)
{
    const struct rp_record *const record = session->record;
    const double spent = (double)(rp_clock_ns() - session->started_ns) / 1e9 /
                         session->options->budget_seconds;

    return record->sample_count >= RP_MOST_SAMPLES ||
           spent > (record->sample_count < RP_FEWEST_SAMPLES ? RP_OVERTIME : 1) ||
           (record->sample_count >= RP_FEWEST_SAMPLES &&
            rp_verdict_by_cluster(record) == RP_VERDICT_STEADY);
}

void rp_team_judge_sample(struct rp_team_session *session)
{
    if (session->sampled && !drop_sample(session)) {
        keep_sample(session);
    }
    session->over = session->sampled && enough(session);
    session->sampled = true;
    for (unsigned i = 1; i < session->options->threads; i++) {
        rp_pingpong_reset(&session->members[i].pingpong);
    }
}
