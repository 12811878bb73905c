/* SPDX-License-Identifier: MIT */
#include "core/clock.h"

#include <time.h>
#include <x86intrin.h>

#include "core/stats.h"

/* Short chains and many tries: on a busy host an interruption hits some tries and spares
 * others, while one long chain never escapes. At 3 GHz the difference is 683 ns, so the
 * clock's nanosecond is 0.15 % of it. */
#define CHAIN_ADDITIONS UINT64_C(2048)
#define CHAIN_UNROLL    64u

/* No operations take a sixth of the time of as many additions, so more of them. */
#define NOPS UINT64_C(8192)

#define TRIES 24u

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

/* Of four bytes, so that the cache of decoded instructions holds the loop: it has room
 * for few in each line of code (18 in 32 bytes on Skylake), and decoding varies. */
static void run_nops(uint64_t nops)
{
    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     ".rept %c[unroll]\n\t"
                     "nopl 0(%%rax)\n\t"
                     ".endr\n\t"
                     "sub %[unroll], %[left]\n\t"
                     "ja 1b"
                     : [left] "+r"(nops)
                     : [unroll] "i"(CHAIN_UNROLL)
                     : "cc");
}

/* How long N and 2N of them took, at each try. */
struct tries {
    double ns[TRIES];
    double double_ns[TRIES];
};

static void time_both(void (*run)(uint64_t), uint64_t count, struct tries *times)
{
    for (size_t i = 0; i < TRIES; i++) {
        const uint64_t start = rp_clock_ns();
        run(count);
        const uint64_t middle = rp_clock_ns();
        run(2 * count);
        const uint64_t end = rp_clock_ns();

        times->ns[i] = (double)(middle - start);
        times->double_ns[i] = (double)(end - middle);
    }
}

/* 0 when there is no difference: no clock is zero, so a caller's check rejects it. */
static double rate(uint64_t count, double difference_ns)
{
    return difference_ns > 0 ? (double)count * 1e9 / difference_ns : 0;
}

double rp_clock_chain_hz(void)
{
    struct tries times;

    time_both(add_chain, CHAIN_ADDITIONS, &times);
    return rate(CHAIN_ADDITIONS, rp_summarize(times.double_ns, TRIES).minimum -
                                     rp_summarize(times.ns, TRIES).minimum);
}

double rp_clock_nops_hz(void)
{
    struct tries times;
    double differences_ns[TRIES];

    time_both(run_nops, NOPS, &times);
    for (size_t i = 0; i < TRIES; i++) {
        differences_ns[i] = times.double_ns[i] - times.ns[i];
    }
    return rate(NOPS, rp_summarize(differences_ns, TRIES).median);
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
