/* SPDX-License-Identifier: MIT */
/*
 * Reproducible pseudo-random numbers for test data: SplitMix64 (Steele, Lea and Flood,
 * OOPSLA 2014). Never for keys that must stay secret.
 */
#ifndef RP_CORE_RANDOM_H
#define RP_CORE_RANDOM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The next number; `state` starts as the seed, any value. */
static inline uint64_t rp_random(uint64_t *state)
{
    uint64_t mixed = *state += 0x9e3779b97f4a7c15u;

    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

/* A number from 0 to `bound` - 1; the bias is below 2^-32 for the small bounds of tests.
 */
static inline uint64_t rp_random_below(uint64_t *state, uint32_t bound)
{
    return (rp_random(state) >> 32) * bound >> 32;
}

static inline void rp_random_bytes(uint64_t *state, uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i += 8) {
        const uint64_t value = rp_random(state);

        memcpy(bytes + i, &value, count - i < 8 ? count - i : 8);
    }
}

#endif
