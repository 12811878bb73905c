/* SPDX-License-Identifier: MIT */
/*
 * T-tables: SubBytes and MixColumns of one byte are one look-up of a 32-bit column
 * (Daemen and Rijmen, The Design of Rijndael, section 4.2). The address of each look-up
 * depends on key and data, so the cache gives the key away (Osvik, Shamir and Tromer
 * 2006): for comparison only.
 */
#include <immintrin.h>
#include <string.h>

#include "kernels/aes/ctr.h"
#include "kernels/aes/sbox.h"

#define TIMES_2(s) ((((s) << 1) ^ (((s) >> 7) * 0x1b)) & 0xff)
#define TIMES_3(s) (TIMES_2(s) ^ (s))

/* Columns as little-endian words: the byte of row 0 is the lowest. */
#define COLUMN_0(s)                                                                      \
    ((uint32_t)TIMES_2(s) | (uint32_t)(s) << 8 | (uint32_t)(s) << 16 |                   \
     (uint32_t)TIMES_3(s) << 24),
#define COLUMN_1(s)                                                                      \
    ((uint32_t)TIMES_3(s) | (uint32_t)TIMES_2(s) << 8 | (uint32_t)(s) << 16 |            \
     (uint32_t)(s) << 24),
#define COLUMN_2(s)                                                                      \
    ((uint32_t)(s) | (uint32_t)TIMES_3(s) << 8 | (uint32_t)TIMES_2(s) << 16 |            \
     (uint32_t)(s) << 24),
#define COLUMN_3(s)                                                                      \
    ((uint32_t)(s) | (uint32_t)(s) << 8 | (uint32_t)TIMES_3(s) << 16 |                   \
     (uint32_t)TIMES_2(s) << 24),

static const uint32_t columns[4][256] = {
    {RP_AES_SBOX(COLUMN_0)},
    {RP_AES_SBOX(COLUMN_1)},
    {RP_AES_SBOX(COLUMN_2)},
    {RP_AES_SBOX(COLUMN_3)},
};

/*
 * One output column of a round: row r comes from r columns further on (ShiftRows). The
 * state is four variables rather than an array, which compilers keep in memory, at three
 * times the cost.
 */
#define ROUND_COLUMN(a, b, c, d, key)                                                    \
    (columns[0][(a)&0xff] ^ columns[1][(b) >> 8 & 0xff] ^ columns[2][(c) >> 16 & 0xff] ^ \
     columns[3][(d) >> 24] ^ (key))

#define LAST_COLUMN(a, b, c, d, key)                                                     \
    (((uint32_t)rp_aes_sbox[(a)&0xff] | (uint32_t)rp_aes_sbox[(b) >> 8 & 0xff] << 8 |    \
      (uint32_t)rp_aes_sbox[(c) >> 16 & 0xff] << 16 |                                    \
      (uint32_t)rp_aes_sbox[(d) >> 24] << 24) ^                                          \
     (key))

static inline void encrypt_block(const uint32_t keys[RP_AES_MOST_ROUNDS + 1][4],
                                 unsigned rounds, const uint32_t plain[4],
                                 uint32_t cipher[4])
{
    uint32_t a = plain[0] ^ keys[0][0];
    uint32_t b = plain[1] ^ keys[0][1];
    uint32_t c = plain[2] ^ keys[0][2];
    uint32_t d = plain[3] ^ keys[0][3];

    for (unsigned round = 1; round < rounds; round++) {
        const uint32_t *const key = keys[round];
        const uint32_t next_a = ROUND_COLUMN(a, b, c, d, key[0]);
        const uint32_t next_b = ROUND_COLUMN(b, c, d, a, key[1]);
        const uint32_t next_c = ROUND_COLUMN(c, d, a, b, key[2]);
        const uint32_t next_d = ROUND_COLUMN(d, a, b, c, key[3]);

        a = next_a;
        b = next_b;
        c = next_c;
        d = next_d;
    }
    const uint32_t *const key = keys[rounds];
    cipher[0] = LAST_COLUMN(a, b, c, d, key[0]);
    cipher[1] = LAST_COLUMN(b, c, d, a, key[1]);
    cipher[2] = LAST_COLUMN(c, d, a, b, key[2]);
    cipher[3] = LAST_COLUMN(d, a, b, c, key[3]);
}

/* Called with a constant `nt`, so that each kernel gets a loop of its own. */
static inline void encrypt_message(const struct rp_aes_key *key,
                                   const uint8_t first_block[RP_AES_BLOCK_BYTES],
                                   const uint8_t *source, uint8_t *destination,
                                   size_t bytes, bool nt)
{
    uint32_t keys[RP_AES_MOST_ROUNDS + 1][4];
    uint32_t counter_block[4];
    uint32_t key_stream[4];

    memcpy(keys, key->round_keys, sizeof keys);
    memcpy(counter_block, first_block, sizeof counter_block);
    uint32_t counter = __builtin_bswap32(counter_block[3]);

    for (size_t done = 0; done < bytes; done += RP_AES_BLOCK_BYTES) {
        const size_t left = bytes - done;

        counter_block[3] = __builtin_bswap32(counter++);
        encrypt_block(keys, key->rounds, counter_block, key_stream);
        if (left < RP_AES_BLOCK_BYTES) {
            for (size_t i = 0; i < left; i++) {
                destination[done + i] =
                    source[done + i] ^ (uint8_t)(key_stream[i / 4] >> 8 * (i % 4));
            }
            break;
        }
        const __m128i cipher = _mm_xor_si128(
            _mm_loadu_si128((const __m128i *)(const void *)key_stream),
            _mm_loadu_si128((const __m128i *)(const void *)(source + done)));
        if (nt) {
            _mm_stream_si128((__m128i *)(void *)(destination + done), cipher);
        } else {
            _mm_storeu_si128((__m128i *)(void *)(destination + done), cipher);
        }
    }
}

static void message(const struct rp_aes_key *key,
                    const uint8_t counter_block[RP_AES_BLOCK_BYTES],
                    const uint8_t *source, uint8_t *destination, size_t bytes)
{
    encrypt_message(key, counter_block, source, destination, bytes, false);
}

static void message_nt(const struct rp_aes_key *key,
                       const uint8_t counter_block[RP_AES_BLOCK_BYTES],
                       const uint8_t *source, uint8_t *destination, size_t bytes)
{
    encrypt_message(key, counter_block, source, destination, bytes,
                    (uintptr_t)destination % RP_AES_BLOCK_BYTES == 0);
}

void rp_aes_ctr_scalar(const struct rp_kernel_input *input, uint64_t repetitions)
{
    rp_aes_ctr_messages(input, repetitions, message);
}

void rp_aes_ctr_scalar_nt(const struct rp_kernel_input *input, uint64_t repetitions)
{
    rp_aes_ctr_messages(input, repetitions, message_nt);
    _mm_sfence();
}
