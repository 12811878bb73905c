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

double rp_clock_chain_hz(void)
{
    uint64_t shortest_ns = UINT64_MAX;
    uint64_t shortest_double_ns = UINT64_MAX;

    for (int i = 0; i < CHAIN_TRIES; i++) {
        const uint64_t start = rp_clock_ns();
        add_chain(CHAIN_ADDITIONS);
        const uint64_t middle = rp_clock_ns();
        add_chain(2 * CHAIN_ADDITIONS);
        const uint64_t end = rp_clock_ns();

        if (middle - start < shortest_ns) {
            shortest_ns = middle - start;
        }
        if (end - middle < shortest_double_ns) {
            shortest_double_ns = end - middle;
        }
    }
    if (shortest_double_ns <= shortest_ns) {
        return 0; /* disturbed beyond use */
    }
    return (double)CHAIN_ADDITIONS * 1e9 / (double)(shortest_double_ns - shortest_ns);
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
