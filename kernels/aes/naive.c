/* SPDX-License-Identifier: MIT */
/*
 * Naive: every step of every round as FIPS 197 writes it down, a byte at a time, sixteen
 * look-ups in the S-box a round among them. What code costs that was written from the
 * standard. The address of each look-up depends on key and data, so it leaks as the
 * T-tables do, if less (four lines instead of sixty-four): for comparison only.
 */
#include "kernels/aes/software.h"

static inline void encrypt(const struct rp_aes_key *key,
                           const uint8_t counter_block[RP_AES_BLOCK_BYTES],
                           const uint8_t *source, uint8_t *destination, size_t bytes,
                           bool nt)
{
    const __m128i first = rp_aes_load(counter_block);

    for (size_t done = 0; done < bytes; done += RP_AES_BLOCK_BYTES) {
        const size_t left = bytes - done;
        uint8_t stream[RP_AES_BLOCK_BYTES];

        _mm_storeu_si128((__m128i *)(void *)stream,
                         rp_aes_counter_block(first, done / RP_AES_BLOCK_BYTES));
        rp_aes_encrypt(key, stream, stream);
        rp_aes_put(destination + done, source + done, rp_aes_load(stream),
                   left < RP_AES_BLOCK_BYTES ? left : RP_AES_BLOCK_BYTES, nt);
    }
}

RP_AES_DEFINE_SOFTWARE(rp_aes_ctr_naive, encrypt)
