/* SPDX-License-Identifier: MIT */
#include "core/clock.h"

#include <time.h>
#include <x86intrin.h>

/* Short chains and many tries: on a busy host an interruption hits some tries and spares
 * others, while one long chain never escapes. At 3 GHz the difference is 683 ns, so the
 * clock's nanosecond is 0.15 % of it. */
#define CHAIN_ADDITIONS UINT64_C(2048)
#define CHAIN_UNROLL    64u
#define CHAIN_TRIES     24

/* Long enough that the difference is as good although four chains take a third of the
 * time. */
#define FOUR_CHAINS_ADDITIONS 8192u
#define FOUR_CHAINS_TRIES     8

uint64_t rp_clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Register operands on purpose: recent cores (Golden Cove) fold additions of small
 * constants away at rename and would seem to run at six times their clock. */
static void add_chain(uint64_t additions)
{
    uint64_t sum = 1;
    const uint64_t addend = 3;

    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     ".rept %c[unroll]\n\t"
                     "add %[addend], %[sum]\n\t"
                     ".endr\n\t"
                     "sub %[unroll], %[left]\n\t"
                     "ja 1b"
                     : [sum] "+r"(sum), [left] "+r"(additions)
                     : [addend] "r"(addend), [unroll] "i"(CHAIN_UNROLL)
                     : "cc");
}

static void add_four_chains(uint64_t additions)
{
    uint64_t sums[4] = {1, 2, 3, 4};
    const uint64_t addend = 3;

    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     ".rept %c[unroll] / 4\n\t"
                     "add %[addend], %[a]\n\t"
                     "add %[addend], %[b]\n\t"
                     "add %[addend], %[c]\n\t"
                     "add %[addend], %[d]\n\t"
                     ".endr\n\t"
                     "sub %[unroll], %[left]\n\t"
                     "ja 1b"
                     : [a] "+r"(sums[0]), [b] "+r"(sums[1]), [c] "+r"(sums[2]),
                       [d] "+r"(sums[3]), [left] "+r"(additions)
                     : [addend] "r"(addend), [unroll] "i"(CHAIN_UNROLL)
                     : "cc");
}

/* Additions a second: the difference of N and 2N, each the shortest of `tries`. */
static double rate_of(void (*add)(uint64_t), uint64_t additions, int tries)
{
    uint64_t shortest_ns = UINT64_MAX;
    uint64_t shortest_double_ns = UINT64_MAX;

    for (int i = 0; i < tries; i++) {
        const uint64_t start = rp_clock_ns();
        add(additions);
        const uint64_t middle = rp_clock_ns();
        add(2 * additions);
        const uint64_t end = rp_clock_ns();

        if (middle - start < shortest_ns) {
            shortest_ns = middle - start;
        }
        if (end - middle < shortest_double_ns) {
            shortest_double_ns = end - middle;
        }
    }
    if (shortest_double_ns <= shortest_ns) {
        return 0; /* no clock is zero, so a caller's check rejects it */
    }
    return (double)additions * 1e9 / (double)(shortest_double_ns - shortest_ns);
}

double rp_clock_chain_hz(void)
{
    return rate_of(add_chain, CHAIN_ADDITIONS, CHAIN_TRIES);
}

double rp_clock_four_chains_hz(void)
{
    return rate_of(add_four_chains, FOUR_CHAINS_ADDITIONS, FOUR_CHAINS_TRIES);
}

double rp_clock_tsc_hz(void)
{
    const uint64_t window_ns = 20000000;
    const uint64_t start_ns = rp_clock_ns();
    const uint64_t start_ticks = __rdtsc();
    uint64_t now_ns = start_ns;

    while (now_ns - start_ns < window_ns) {
        now_ns = rp_clock_ns();
    }
    return (double)(__rdtsc() - start_ticks) * 1e9 / (double)(now_ns - start_ns);
}
