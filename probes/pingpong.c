/* SPDX-License-Identifier: MIT */
#include "probes/pingpong.h"

#include <limits.h>

#include "core/clock.h"

#define ROUNDS           5
#define DEADLINE_SECONDS 0.01
#define OVER             UINT_MAX /* the number of no call and no answer */

/* Asking the clock at every turn would be a part of what is measured. */
#define TURNS_BETWEEN_LOOKS 1024

static uint64_t deadline_in(double seconds)
{
    return rp_clock_ns() + (uint64_t)(seconds * 1e9);
}

/* Waits until the flag is no longer `old`, and returns what it is then: still `old` at
 * the deadline. */
static unsigned await(atomic_uint *flag, unsigned old, uint64_t deadline)
{
    unsigned turns = 0;
    unsigned now = atomic_load_explicit(flag, memory_order_acquire);

    while (now == old) {
        rp_spin(&turns);
        if (turns % TURNS_BETWEEN_LOOKS == 0 && rp_clock_ns() > deadline) {
            break;
        }
        now = atomic_load_explicit(flag, memory_order_acquire);
    }
    return now;
}

/* Calls are odd, answers the even numbers that follow them. */
double rp_pingpong_lead(struct rp_pingpong *pingpong, unsigned trips)
{
    const uint64_t deadline = deadline_in(DEADLINE_SECONDS);
    unsigned call = 1;
    double shortest = 0;
    bool answered = true;

    for (unsigned round = 0; answered && round <= ROUNDS; round++) {
        const uint64_t start = rp_clock_ns();

        for (unsigned i = 0; answered && i < trips; i++, call += 2) {
            atomic_store_explicit(&pingpong->flag, call, memory_order_release);
            answered = await(&pingpong->flag, call, deadline) == call + 1;
        }
        const double way = (double)(rp_clock_ns() - start) / (2.0 * trips);
        /* In the first round the other thread may not be there yet. */
        if (round > 0 && (shortest == 0 || way < shortest)) {
            shortest = way;
        }
    }
    atomic_store_explicit(&pingpong->flag, OVER, memory_order_release);
    return answered ? shortest : 0;
}

bool rp_pingpong_follow(struct rp_pingpong *pingpong, double seconds)
{
    const uint64_t deadline = deadline_in(seconds);
    unsigned answer = 0;

    for (;;) {
        const unsigned call = await(&pingpong->flag, answer, deadline);

        if (call == OVER || call == answer) {
            return call == OVER;
        }
        answer = call + 1;
        /* Not over an OVER: the leader may have given up meanwhile. */
        unsigned expected = call;
        if (!atomic_compare_exchange_strong(&pingpong->flag, &expected, answer)) {
            return expected == OVER;
        }
    }
}

void rp_pingpong_reset(struct rp_pingpong *pingpong)
{
    atomic_store(&pingpong->flag, 0);
}
