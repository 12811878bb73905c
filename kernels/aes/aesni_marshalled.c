/* SPDX-License-Identifier: MIT */
/*
 * AES-NI with the data marshalled through integer registers, as code does that sees AES
 * as a function of two 64-bit words: each counter block is put together from integers,
 * and the key stream taken apart again to be XORed with the message. Two moves between
 * the register files each way, and none of the eight chains' work on 128 bits at once:
 * slow on purpose, a rung of the article the project grew from.
 */
#include <immintrin.h>
#include <string.h>

#include "kernels/aes/ctr.h"

#define CHAINS_1(DO) DO(0)
#define CHAINS_8(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

/* What keeps a compiler from doing it in vector registers after all. Not there for
 * MemorySanitizer, which takes any assembly for a place where data must not be secret. */
#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#define IN_INTEGER_REGISTER(value)
#endif
#endif
#ifndef IN_INTEGER_REGISTER
#define IN_INTEGER_REGISTER(value) __asm__("" : "+r"(value))
#endif

static inline uint64_t load_word(const uint8_t *bytes)
{
    uint64_t word = 0;

    memcpy(&word, bytes, sizeof word);
    return word;
}

static inline void store_word(uint8_t *bytes, uint64_t word, bool nt)
{
    if (nt) {
        _mm_stream_si64((long long *)(void *)bytes, (long long)word);
    } else {
        memcpy(bytes, &word, sizeof word);
    }
}

/* The second word of a counter block: bytes 8 to 11 as they are, then the counter. */
static inline uint64_t second_word(uint64_t fixed, uint32_t counter)
{
    uint64_t word = fixed | (uint64_t)__builtin_bswap32(counter) << 32;

    IN_INTEGER_REGISTER(word);
    return word;
}

static inline void put_block(uint8_t *destination, const uint8_t *source, __m128i stream,
                             bool nt)
{
    uint64_t first = (uint64_t)_mm_cvtsi128_si64(stream);
    uint64_t second = (uint64_t)_mm_extract_epi64(stream, 1);

    IN_INTEGER_REGISTER(first);
    IN_INTEGER_REGISTER(second);
    store_word(destination, first ^ load_word(source), nt);
    store_word(destination + 8, second ^ load_word(source + 8), nt);
}

#define START(i)                                                                         \
    __m128i state_##i =                                                                  \
        _mm_xor_si128(_mm_set_epi64x((long long)second_word(fixed, counter + (i)),       \
                                     (long long)first_word),                             \
                      key[0]);
#define ROUND(i)  state_##i = _mm_aesenc_si128(state_##i, key[round]);
#define FINISH(i) state_##i = _mm_aesenclast_si128(state_##i, key[rounds]);
#define PUT(i)    put_block(destination + 16 * (i), source + 16 * (i), state_##i, nt);

#define STEP(CHAINS, chains)                                                             \
    {                                                                                    \
        CHAINS(START)                                                                    \
        for (unsigned round = 1; round < rounds; round++) {                              \
            CHAINS(ROUND)                                                                \
        }                                                                                \
        CHAINS(FINISH)                                                                   \
        CHAINS(PUT)                                                                      \
        counter += (chains);                                                             \
        source += (chains)*RP_AES_BLOCK_BYTES;                                           \
        destination += (chains)*RP_AES_BLOCK_BYTES;                                      \
        left -= (chains)*RP_AES_BLOCK_BYTES;                                             \
    }

/* Called with constants, so that each kernel gets a loop of its own. */
static inline __attribute__((always_inline)) void
encrypt_message(const struct rp_aes_key *expanded,
                const uint8_t counter_block[RP_AES_BLOCK_BYTES], const uint8_t *source,
                uint8_t *destination, size_t left, unsigned rounds, bool eight, bool nt)
{
    const __m128i *const key = (const __m128i *)(const void *)expanded->round_keys;
    const uint64_t first_word = load_word(counter_block);
    const uint64_t fixed = load_word(counter_block + 8) & UINT32_MAX;
    uint32_t counter = __builtin_bswap32((uint32_t)(load_word(counter_block + 8) >> 32));

    while (eight && left >= 8 * RP_AES_BLOCK_BYTES) {
        STEP(CHAINS_8, 8)
    }
    while (left >= RP_AES_BLOCK_BYTES) {
        STEP(CHAINS_1, 1)
    }
    if (left > 0) {
        uint8_t last[RP_AES_BLOCK_BYTES] = {0};
        uint8_t *const rest = destination;
        const size_t rest_bytes = left;

        memcpy(last, source, rest_bytes);
        source = destination = last;
        left = RP_AES_BLOCK_BYTES;
        nt = false;
        STEP(CHAINS_1, 1)
        memcpy(rest, last, rest_bytes);
    }
}

#define DEFINE_MESSAGE(name, rounds, eight, nt)                                          \
    static void name(const struct rp_aes_key *key,                                       \
                     const uint8_t counter_block[RP_AES_BLOCK_BYTES],                    \
                     const uint8_t *source, uint8_t *destination, size_t bytes)          \
    {                                                                                    \
        encrypt_message(key, counter_block, source, destination, bytes, rounds, eight,   \
                        nt);                                                             \
    }

/* MOVNTI needs no alignment. */
#define DEFINE_KERNELS(name, rounds, eight)                                              \
    DEFINE_MESSAGE(name##_message, rounds, eight, false)                                 \
    DEFINE_MESSAGE(name##_message_nt, rounds, eight, true)                               \
                                                                                         \
    void name(const struct rp_kernel_input *input, uint64_t repetitions)                 \
    {                                                                                    \
        rp_aes_ctr_messages(input, repetitions, name##_message);                         \
    }                                                                                    \
                                                                                         \
    void name##_nt(const struct rp_kernel_input *input, uint64_t repetitions)            \
    {                                                                                    \
        rp_aes_ctr_messages(input, repetitions, name##_message_nt);                      \
        _mm_sfence();                                                                    \
    }

DEFINE_KERNELS(rp_aes128ctr_aesni_marshalled, 10, false)
DEFINE_KERNELS(rp_aes192ctr_aesni_marshalled, 12, false)
DEFINE_KERNELS(rp_aes256ctr_aesni_marshalled, 14, false)
DEFINE_KERNELS(rp_aes128ctr_aesni_marshalled_x8, 10, true)
DEFINE_KERNELS(rp_aes192ctr_aesni_marshalled_x8, 12, true)
DEFINE_KERNELS(rp_aes256ctr_aesni_marshalled_x8, 14, true)
