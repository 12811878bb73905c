/* SPDX-License-Identifier: MIT */
/*
 * Vector permute: PSHUFB as sixteen look-ups at once in a table of sixteen bytes
 * (Hamburg, "Accelerating AES with vector permute instructions", CHES 2009). The tables
 * are in a register, so nothing depends on an address: constant time. About thirteen
 * shuffles a round, two blocks side by side to fill their latency.
 *
 * A byte x is written as a pair of nibbles (i, j) over the field of sixteen elements, x =
 * i u + j v, where u = 1 and v = 8 have norm 1. The field's elements are numbered as
 * polynomials in a root of y^4 + y + 1 (of the two pairs of roots, the first in the order
 * of bytes). With a = u v^16 + u^16 v and k = i + j, two shuffles and an XOR give
 *
 *   first  = 1 / (1/i + a/k) + j
 *   second = 1 / (1/j + a/k) + i
 *
 * and these are the inverses of two coordinates of 1/x: first = N / (j + (1 + a) i) and
 * second = N / (i + (1 + a) j), N being the norm of x. So the S-box, twice the S-box, and
 * either of them written as pairs again, is an XOR of two look-ups: one table for each
 * coordinate, which takes the inverse, goes back to a byte, and applies the linear part
 * of FIPS 197 (5.2). The constant 0x63 of the S-box passes MixColumns as it is and is
 * part of the round keys.
 *
 * Infinity is 0x80: PSHUFB makes 0 of it, which is its inverse. That also makes 0 of 0.
 */
#include <tmmintrin.h>

#include "kernels/aes/software.h"

#define BLOCKS 2

#define TABLE static const uint8_t __attribute__((aligned(16)))

/* A byte as a pair: the XOR of what its low and its high nibble give. */
TABLE pair_of_low[16] = {0x00, 0x10, 0x69, 0x79, 0xa1, 0xb1, 0xc8, 0xd8,
                         0x01, 0x11, 0x68, 0x78, 0xa0, 0xb0, 0xc9, 0xd9};
TABLE pair_of_high[16] = {0x00, 0x94, 0x1e, 0x8a, 0x14, 0x80, 0x0a, 0x9e,
                          0x4a, 0xde, 0x54, 0xc0, 0x5e, 0xca, 0x40, 0xd4};

/* 1/n and a/n. */
TABLE inverse[16] = {0x80, 0x01, 0x09, 0x0e, 0x0d, 0x0b, 0x07, 0x06,
                     0x0f, 0x02, 0x0c, 0x05, 0x0a, 0x04, 0x03, 0x08};
TABLE a_over[16] = {0x80, 0x04, 0x02, 0x0d, 0x01, 0x0a, 0x0f, 0x0b,
                    0x09, 0x08, 0x05, 0x07, 0x0e, 0x03, 0x0c, 0x06};

/* The S-box without its constant, as a byte; and as a pair, once and twice. */
TABLE byte_of_first[16] = {0x00, 0xd3, 0xdd, 0x47, 0xa0, 0xe9, 0x9a, 0x49,
                           0x94, 0x34, 0x73, 0xae, 0x3a, 0x7d, 0xe7, 0x0e};
TABLE byte_of_second[16] = {0x00, 0xb1, 0xc0, 0xc8, 0xf1, 0x48, 0x08, 0xb9,
                            0x79, 0x88, 0x40, 0x80, 0xf9, 0x31, 0x39, 0x71};
TABLE once_of_first[16] = {0x00, 0xb3, 0x7a, 0xcc, 0x54, 0x51, 0xb6, 0x05,
                           0x7f, 0x2b, 0xe7, 0x9d, 0xe2, 0x2e, 0x98, 0xc9};
TABLE once_of_second[16] = {0x00, 0xd0, 0x5e, 0x5f, 0xc4, 0x15, 0x01, 0xd1,
                            0x8f, 0x4b, 0x14, 0x4a, 0xc5, 0x9a, 0x9b, 0x8e};
TABLE twice_of_first[16] = {0x00, 0x70, 0x44, 0x83, 0xf8, 0x4f, 0xc7, 0xb7,
                            0xf3, 0x0b, 0x88, 0xcc, 0x3f, 0xbc, 0x7b, 0x34};
TABLE twice_of_second[16] = {0x00, 0x8f, 0xa6, 0x32, 0xc5, 0xde, 0x94, 0x1b,
                             0xbd, 0x78, 0x4a, 0xec, 0x51, 0x63, 0xf7, 0x29};

/* Row r moves r columns to the left; and one row up within each column. */
TABLE shift_rows[16] = {0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11};
TABLE next_row[16] = {1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12};

#define CONSTANT 0x63

static inline __m128i look_up(const uint8_t table[16], __m128i index)
{
    return _mm_shuffle_epi8(_mm_load_si128((const __m128i *)(const void *)table), index);
}

static inline __m128i permuted(__m128i bytes, const uint8_t order[16])
{
    return _mm_shuffle_epi8(bytes, _mm_load_si128((const __m128i *)(const void *)order));
}

static inline __m128i low_nibbles(__m128i bytes)
{
    return _mm_and_si128(bytes, _mm_set1_epi8(0x0f));
}

static inline __m128i high_nibbles(__m128i bytes)
{
    return low_nibbles(_mm_srli_epi16(bytes, 4));
}

static inline __m128i to_pairs(__m128i bytes)
{
    return _mm_xor_si128(look_up(pair_of_low, low_nibbles(bytes)),
                         look_up(pair_of_high, high_nibbles(bytes)));
}

struct coordinates {
    __m128i first;
    __m128i second;
};

/* What the tables take: the inverted coordinates of the inverse. */
static inline struct coordinates invert(__m128i pairs)
{
    const __m128i i = high_nibbles(pairs);
    const __m128i j = low_nibbles(pairs);
    const __m128i a_over_k = look_up(a_over, _mm_xor_si128(i, j));
    const __m128i for_first = _mm_xor_si128(look_up(inverse, i), a_over_k);
    const __m128i for_second = _mm_xor_si128(look_up(inverse, j), a_over_k);

    return (struct coordinates){
        .first = _mm_xor_si128(look_up(inverse, for_first), j),
        .second = _mm_xor_si128(look_up(inverse, for_second), i),
    };
}

static inline __m128i both(const struct coordinates *of, const uint8_t first[16],
                           const uint8_t second[16])
{
    return _mm_xor_si128(look_up(first, of->first), look_up(second, of->second));
}

/* All but the last: with rows s and their doubles d, MixColumns makes of each row
 * d + (d + s) of the next + s of the two after that. */
static inline __m128i middle_round(__m128i pairs, __m128i key)
{
    const struct coordinates inverted = invert(permuted(pairs, shift_rows));
    const __m128i once = both(&inverted, once_of_first, once_of_second);
    const __m128i twice = both(&inverted, twice_of_first, twice_of_second);
    const __m128i last_two = _mm_xor_si128(once, permuted(once, next_row));
    const __m128i others =
        _mm_xor_si128(_mm_xor_si128(twice, once), permuted(last_two, next_row));

    return _mm_xor_si128(_mm_xor_si128(twice, permuted(others, next_row)), key);
}

static inline __m128i last_round(__m128i pairs, __m128i key)
{
    const struct coordinates inverted = invert(permuted(pairs, shift_rows));

    return _mm_xor_si128(both(&inverted, byte_of_first, byte_of_second), key);
}

/* The round keys as the rounds want them: the first as it is, then pairs, the last
 * bytes, all of these with the constant. */
static inline void prepare_keys(__m128i keys[RP_AES_MOST_ROUNDS + 1],
                                const struct rp_aes_key *key)
{
    keys[0] = rp_aes_load(key->round_keys[0]);
    for (unsigned round = 1; round <= key->rounds; round++) {
        const __m128i with_constant =
            _mm_xor_si128(rp_aes_load(key->round_keys[round]), _mm_set1_epi8(CONSTANT));

        keys[round] = round < key->rounds ? to_pairs(with_constant) : with_constant;
    }
}

static inline void encrypt(const struct rp_aes_key *key,
                           const uint8_t counter_block[RP_AES_BLOCK_BYTES],
                           const uint8_t *source, uint8_t *destination, size_t bytes,
                           bool nt)
{
    const __m128i first = rp_aes_load(counter_block);
    __m128i keys[RP_AES_MOST_ROUNDS + 1];

    prepare_keys(keys, key);
    for (size_t done = 0; done < bytes; done += BLOCKS * RP_AES_BLOCK_BYTES) {
        const size_t index = done / RP_AES_BLOCK_BYTES;
        const size_t left = bytes - done;
        __m128i a = to_pairs(_mm_xor_si128(rp_aes_counter_block(first, index), keys[0]));
        __m128i b =
            to_pairs(_mm_xor_si128(rp_aes_counter_block(first, index + 1), keys[0]));

        for (unsigned round = 1; round < key->rounds; round++) {
            a = middle_round(a, keys[round]);
            b = middle_round(b, keys[round]);
        }
        rp_aes_put(destination + done, source + done, last_round(a, keys[key->rounds]),
                   left < RP_AES_BLOCK_BYTES ? left : RP_AES_BLOCK_BYTES, nt);
        if (left > RP_AES_BLOCK_BYTES) {
            rp_aes_put(destination + done + RP_AES_BLOCK_BYTES,
                       source + done + RP_AES_BLOCK_BYTES,
                       last_round(b, keys[key->rounds]),
                       left < BLOCKS * RP_AES_BLOCK_BYTES ? left - RP_AES_BLOCK_BYTES
                                                          : RP_AES_BLOCK_BYTES,
                       nt);
        }
    }
}

RP_AES_DEFINE_SOFTWARE(rp_aes_ctr_vector_permute, encrypt)
