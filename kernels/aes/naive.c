/* SPDX-License-Identifier: MIT */
/*
 * AES byte by byte, as FIPS 197 describes it and a first implementation looks: every byte
 * goes through a table of 256 bytes, and MixColumns multiplies each column by its matrix.
 * One block at a time. A round takes 16 look-ups and some two hundred operations on
 * single bytes, which is what the other strategies save.
 *
 * The address of a look-up depends on key and data: not constant time, though four cache
 * lines give away less than the 64 of T-tables (Bernstein, "Cache-timing attacks on AES",
 * 2005; Osvik, Shamir and Tromer 2006). For comparison only.
 */
#include <immintrin.h>
#include <string.h>

#include "kernels/aes/ctr.h"

static inline uint8_t twice(uint8_t value)
{
    return (uint8_t)((value << 1) ^ ((value >> 7) * 0x1b));
}

static inline void add_round_key(uint8_t state[RP_AES_BLOCK_BYTES],
                                 const uint8_t key[RP_AES_BLOCK_BYTES])
{
    for (int i = 0; i < RP_AES_BLOCK_BYTES; i++) {
        state[i] ^= key[i];
    }
}

/* SubBytes and ShiftRows: row r of a column comes from r columns further on. */
static inline void substitute(uint8_t shifted[RP_AES_BLOCK_BYTES],
                              const uint8_t state[RP_AES_BLOCK_BYTES])
{
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            shifted[4 * column + row] =
                rp_aes_sbox[state[4 * ((column + row) % 4) + row]];
        }
    }
}

/* MixColumns and AddRoundKey. Every byte becomes 2 of itself, 3 of the next one in its
 * column and the other two; that is, all but itself, and 2 of itself and the next one. */
static inline void mix_columns(uint8_t mixed[RP_AES_BLOCK_BYTES],
                               const uint8_t state[RP_AES_BLOCK_BYTES],
                               const uint8_t key[RP_AES_BLOCK_BYTES])
{
    for (int first = 0; first < RP_AES_BLOCK_BYTES; first += 4) {
        const uint8_t a = state[first];
        const uint8_t b = state[first + 1];
        const uint8_t c = state[first + 2];
        const uint8_t d = state[first + 3];

        mixed[first] = (uint8_t)(b ^ c ^ d ^ twice(a ^ b) ^ key[first]);
        mixed[first + 1] = (uint8_t)(a ^ c ^ d ^ twice(b ^ c) ^ key[first + 1]);
        mixed[first + 2] = (uint8_t)(a ^ b ^ d ^ twice(c ^ d) ^ key[first + 2]);
        mixed[first + 3] = (uint8_t)(a ^ b ^ c ^ twice(d ^ a) ^ key[first + 3]);
    }
}

static void encrypt_block(const struct rp_aes_key *key,
                          const uint8_t plain[RP_AES_BLOCK_BYTES],
                          uint8_t cipher[RP_AES_BLOCK_BYTES])
{
    uint8_t state[RP_AES_BLOCK_BYTES];
    uint8_t shifted[RP_AES_BLOCK_BYTES];

    memcpy(state, plain, sizeof state);
    add_round_key(state, key->round_keys[0]);
    for (unsigned round = 1; round < key->rounds; round++) {
        substitute(shifted, state);
        mix_columns(state, shifted, key->round_keys[round]);
    }
    substitute(cipher, state);
    add_round_key(cipher, key->round_keys[key->rounds]);
}

/* Called with a constant `nt`, so that each kernel gets a loop of its own. */
static inline void encrypt_message(const struct rp_aes_key *key,
                                   const uint8_t first_block[RP_AES_BLOCK_BYTES],
                                   const uint8_t *source, uint8_t *destination,
                                   size_t bytes, bool nt)
{
    uint8_t counter_block[RP_AES_BLOCK_BYTES];
    uint8_t block[RP_AES_BLOCK_BYTES];

    memcpy(counter_block, first_block, sizeof counter_block);
    for (size_t done = 0; done < bytes; done += RP_AES_BLOCK_BYTES) {
        const size_t left = bytes - done;
        const size_t count = left < RP_AES_BLOCK_BYTES ? left : RP_AES_BLOCK_BYTES;

        encrypt_block(key, counter_block, block);
        for (size_t i = 0; i < count; i++) {
            block[i] ^= source[done + i];
        }
        if (nt && count == RP_AES_BLOCK_BYTES) {
            _mm_stream_si128((__m128i *)(void *)(destination + done),
                             _mm_loadu_si128((const __m128i *)(const void *)block));
        } else {
            memcpy(destination + done, block, count);
        }
        for (int i = 15; i >= 12 && ++counter_block[i] == 0; i--) {
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

void rp_aes_ctr_naive(const struct rp_kernel_input *input, uint64_t repetitions)
{
    rp_aes_ctr_messages(input, repetitions, message);
}

void rp_aes_ctr_naive_nt(const struct rp_kernel_input *input, uint64_t repetitions)
{
    rp_aes_ctr_messages(input, repetitions, message_nt);
    _mm_sfence();
}
