/* SPDX-License-Identifier: MIT */
/*
 * T-tables: SubBytes and MixColumns of one byte are one look-up of a 32-bit column
 * (Daemen and Rijmen, The Design of Rijndael, section 4.2). The address of each look-up
 * depends on key and data, so the cache gives the key away (Osvik, Shamir and Tromer
 * 2006): for comparison only.
 */
#include <immintrin.h>
#include <string.h>

#include "kernels/aes/aes.h"
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

static inline void encrypt_block(const uint32_t keys[RP_AES128_ROUNDS + 1][4],
                                 const uint32_t plain[4], uint32_t cipher[4])
{
    uint32_t a = plain[0] ^ keys[0][0];
    uint32_t b = plain[1] ^ keys[0][1];
    uint32_t c = plain[2] ^ keys[0][2];
    uint32_t d = plain[3] ^ keys[0][3];

    for (int round = 1; round < RP_AES128_ROUNDS; round++) {
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
    const uint32_t *const key = keys[RP_AES128_ROUNDS];
    cipher[0] = LAST_COLUMN(a, b, c, d, key[0]);
    cipher[1] = LAST_COLUMN(b, c, d, a, key[1]);
    cipher[2] = LAST_COLUMN(c, d, a, b, key[2]);
    cipher[3] = LAST_COLUMN(d, a, b, c, key[3]);
}

/* Called with a constant `nt`, so that each kernel gets a loop of its own. */
static inline void encrypt_message(const struct rp_kernel_input *input, bool nt)
{
    const struct rp_aes128ctr *const context = input->context;
    uint32_t keys[RP_AES128_ROUNDS + 1][4];
    uint32_t counter_block[4];
    uint32_t key_stream[4];

    memcpy(keys, context->round_keys, sizeof keys);
    memcpy(counter_block, context->counter_block, sizeof counter_block);
    uint32_t counter = __builtin_bswap32(counter_block[3]);

    for (size_t done = 0; done < input->bytes; done += RP_AES_BLOCK_BYTES) {
        const size_t left = input->bytes - done;
        uint8_t *const destination = input->destination + done;

        counter_block[3] = __builtin_bswap32(counter++);
        encrypt_block(keys, counter_block, key_stream);
        if (left < RP_AES_BLOCK_BYTES) {
            for (size_t i = 0; i < left; i++) {
                destination[i] =
                    input->source[done + i] ^ (uint8_t)(key_stream[i / 4] >> 8 * (i % 4));
            }
            break;
        }
        const __m128i cipher = _mm_xor_si128(
            _mm_loadu_si128((const __m128i *)(const void *)key_stream),
            _mm_loadu_si128((const __m128i *)(const void *)(input->source + done)));
        if (nt) {
            _mm_stream_si128((__m128i *)(void *)destination, cipher);
        } else {
            _mm_storeu_si128((__m128i *)(void *)destination, cipher);
        }
    }
}

void rp_aes128ctr_ttable(const struct rp_kernel_input *input, uint64_t repetitions)
{
    while (repetitions-- > 0) {
        encrypt_message(input, false);
    }
}

void rp_aes128ctr_ttable_nt(const struct rp_kernel_input *input, uint64_t repetitions)
{
    if ((uintptr_t)input->destination % RP_AES_BLOCK_BYTES != 0) {
        rp_aes128ctr_ttable(input, repetitions);
        return;
    }
    while (repetitions-- > 0) {
        encrypt_message(input, true);
    }
    _mm_sfence();
}
