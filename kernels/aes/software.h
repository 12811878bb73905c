/* SPDX-License-Identifier: MIT */
/*
 * What the kernels without AES instructions share: the blocks of a counter and where a
 * block of key stream goes.
 */
#ifndef RP_KERNELS_AES_SOFTWARE_H
#define RP_KERNELS_AES_SOFTWARE_H

#include <emmintrin.h>
#include <string.h>

#include "kernels/aes/ctr.h"

static inline __m128i rp_aes_load(const void *block)
{
    return _mm_loadu_si128((const __m128i *)block);
}

/* The counter block of block `index` of a message. */
static inline __m128i rp_aes_counter_block(__m128i first, size_t index)
{
    const __m128i last_word = _mm_set_epi32(-1, 0, 0, 0);
    const uint32_t counter = __builtin_bswap32(
        (uint32_t)_mm_cvtsi128_si32(_mm_srli_si128(first, RP_AES_BLOCK_BYTES - 4)));
    const uint32_t stored = __builtin_bswap32(counter + (uint32_t)index);

    return _mm_or_si128(_mm_andnot_si128(last_word, first),
                        _mm_and_si128(last_word, _mm_set1_epi32((int)stored)));
}

/* XORs up to a block of key stream with the source; `nt` when the destination is aligned
 * and is to be stored to past the caches. */
static inline void rp_aes_put(uint8_t *destination, const uint8_t *source, __m128i stream,
                              size_t bytes, bool nt)
{
    if (bytes < RP_AES_BLOCK_BYTES) {
        uint8_t block[RP_AES_BLOCK_BYTES] = {0};

        memcpy(block, source, bytes);
        _mm_storeu_si128((__m128i *)(void *)block,
                         _mm_xor_si128(rp_aes_load(block), stream));
        memcpy(destination, block, bytes);
    } else if (nt) {
        _mm_stream_si128((__m128i *)(void *)destination,
                         _mm_xor_si128(rp_aes_load(source), stream));
    } else {
        _mm_storeu_si128((__m128i *)(void *)destination,
                         _mm_xor_si128(rp_aes_load(source), stream));
    }
}

/* Defines the kernel `name` and its sibling `name_nt` around
 * `static inline void encrypt(key, counter_block, source, destination, bytes, nt)`, of
 * which each gets a copy of its own. */
#define RP_AES_DEFINE_SOFTWARE(name, encrypt)                                            \
    static void name##_message(                                                          \
        const struct rp_aes_key *key, const uint8_t counter_block[RP_AES_BLOCK_BYTES],   \
        const uint8_t *source, uint8_t *destination, size_t bytes)                       \
    {                                                                                    \
        encrypt(key, counter_block, source, destination, bytes, false);                  \
    }                                                                                    \
                                                                                         \
    static void name##_message_nt(                                                       \
        const struct rp_aes_key *key, const uint8_t counter_block[RP_AES_BLOCK_BYTES],   \
        const uint8_t *source, uint8_t *destination, size_t bytes)                       \
    {                                                                                    \
        encrypt(key, counter_block, source, destination, bytes,                          \
                (uintptr_t)destination % RP_AES_BLOCK_BYTES == 0);                       \
    }                                                                                    \
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

#endif
