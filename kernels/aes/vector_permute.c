/* SPDX-License-Identifier: MIT */
/*
 * AES by vector permutation (Hamburg, "Accelerating AES with vector permute
 * instructions", 2009): PSHUFB looks up sixteen nibbles at once in a table of sixteen
 * bytes, a register, so that no address depends on key or data. Constant time.
 *
 * An S-box on nibbles needs the inverse in GF(2^8) from inverses in GF(2^4). Let u be a
 * byte with u + u^16 = 1, so that u^2 = u + 1/a for an a of the subfield GF(16), and
 * write a byte as x = i + k u with i and k in GF(16). With j = i + k, the product of x
 * and its conjugate x^16 = j + k u is N = i j + k^2 / a, and
 *
 *   p = 1 / (j + 1 / (1/i + a/k)) = (k + a i) / (a N)
 *   q = 1 / (i + 1 / (1/j + a/k)) = (k + a j) / (a N)
 *   1 / x = (j + k u) / N = p u^2 + q (u + 1)^2
 *
 * (p + q is k / N and q + (p + q) / a is j / N; add them up.) All of this is XORs and
 * look-ups: 1/n, a/n, and at the end whatever linear map the round wants of p u^2 and
 * q (u + 1)^2. Where something is divided by 0 the result is infinity, 0x80: PSHUFB makes
 * 0 of an index with its highest bit set, whatever was added to it, and that is 1 /
 * infinity; where i = k = 0, infinity plus infinity is 0 and its inverse infinity again.
 *
 * The state stays encoded, as i and k, through all rounds: the tables at the end do the
 * linear part of the S-box's affine map and encode, once as it is and once doubled for
 * MixColumns. The constant, 0x63, is added to the round keys, which are encoded once for
 * a message. ShiftRows is put off (shift_rows.h).
 *
 * A round takes 12 shuffles, 5 in the inverse, 4 after it and 3 in MixColumns, 11 XORs
 * and 3 operations to split nibbles: 26, of which 14 wait for each other. At three a
 * cycle a block of AES-128 takes some 90 cycles, if there is something to do meanwhile:
 * four blocks go interleaved. On Golden Cove `ridgepoint sweep` has 5.9 to 6.1 cycles a
 * byte.
 */
#include <immintrin.h>
#include <string.h>

#include "kernels/aes/ctr.h"
#include "kernels/aes/shift_rows.h"
#include "kernels/aes/vector_permute_tables.h"

#define BLOCKS        4
#define STEP_BYTES    (BLOCKS * RP_AES_BLOCK_BYTES)
#define EACH_OF_4(DO) DO(0) DO(1) DO(2) DO(3)

/* Compilers leave alone what stands twice, and then keep the blocks in memory. */
#define INLINED static inline __attribute__((always_inline))

struct encoded_key {
    __m128i round_keys[RP_AES_MOST_ROUNDS + 1]; /* the last one is not encoded */
    unsigned rounds;
};

static const uint8_t byte_swap_lane[RP_AES_BLOCK_BYTES] = {
    15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
};

/* By the number of rounds modulo 4. */
static const uint8_t row_below[4][RP_AES_BLOCK_BYTES] = RP_AES_MOVES(1);
static const uint8_t row_above[4][RP_AES_BLOCK_BYTES] = RP_AES_MOVES(3);
static const uint8_t shift_rows[4][RP_AES_BLOCK_BYTES] = RP_AES_SHIFTS;
static const uint8_t unshift_rows[4][RP_AES_BLOCK_BYTES] = RP_AES_UNSHIFTS;

static inline __m128i load(const uint8_t bytes[RP_AES_BLOCK_BYTES])
{
    return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

static inline __m128i look_up(const uint8_t table[16], __m128i indices)
{
    return _mm_shuffle_epi8(load(table), indices);
}

static inline __m128i low_nibbles(__m128i bytes)
{
    return bytes & _mm_set1_epi8(0x0f);
}

static inline __m128i high_nibbles(__m128i bytes)
{
    return low_nibbles(_mm_srli_epi64(bytes, 4));
}

static inline __m128i encode(__m128i bytes)
{
    return look_up(permute_tables.encode_low, low_nibbles(bytes)) ^
           look_up(permute_tables.encode_high, high_nibbles(bytes));
}

static inline __m128i inverse(__m128i nibbles)
{
    return look_up(permute_tables.inverse, nibbles);
}

/* The inverse of each byte as 1/p and 1/q, to be looked up. */
struct inverted {
    __m128i p;
    __m128i q;
};

INLINED struct inverted invert(__m128i encoded)
{
    const __m128i k = low_nibbles(encoded);
    const __m128i i = high_nibbles(encoded);
    const __m128i j = i ^ k;
    const __m128i quotient = look_up(permute_tables.quotient, k);

    return (struct inverted){
        .p = j ^ inverse(inverse(i) ^ quotient),
        .q = i ^ inverse(inverse(j) ^ quotient),
    };
}

INLINED __m128i map(const uint8_t tables[2][16], struct inverted inverted)
{
    return look_up(tables[0], inverted.p) ^ look_up(tables[1], inverted.q);
}

/* One round. MixColumns of a column is 2 s + the s below = m, plus the m below, plus the
 * s above. */
INLINED __m128i do_round(__m128i state, __m128i key, __m128i below, __m128i above)
{
    const struct inverted inverted = invert(state);
    const __m128i once = map(permute_tables.once, inverted);
    const __m128i mixed =
        map(permute_tables.twice, inverted) ^ _mm_shuffle_epi8(once, below);

    return mixed ^ _mm_shuffle_epi8(mixed, below) ^ _mm_shuffle_epi8(once, above) ^ key;
}

/* Round key n is unshifted n times, and all but the first take the S-box constant, which
 * MixColumns leaves as it is. */
static void encode_key(struct encoded_key *encoded, const struct rp_aes_key *key)
{
    encoded->rounds = key->rounds;
    for (unsigned round = 0; round <= key->rounds; round++) {
        const __m128i constant = _mm_set1_epi8(round > 0 ? 0x63 : 0);
        const __m128i round_key = _mm_shuffle_epi8(load(key->round_keys[round]),
                                                   load(unshift_rows[round % 4])) ^
                                  constant;

        encoded->round_keys[round] = round < key->rounds ? encode(round_key) : round_key;
    }
}

#define START(i)                                                                         \
    __m128i state_##i =                                                                  \
        encode(_mm_shuffle_epi8(_mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, (i))),     \
                                byte_swap)) ^                                            \
        key->round_keys[0];
#define ROUND(i) state_##i = do_round(state_##i, round_key, below, above);
#define FINISH(i)                                                                        \
    key_stream[i] =                                                                      \
        _mm_shuffle_epi8(map(permute_tables.last, invert(state_##i)) ^ last_key, shift);

/* The key stream of one step; the counter is kept byte-swapped as in ctr_vector.h. */
static void make_key_stream(__m128i key_stream[BLOCKS], const struct encoded_key *key,
                            __m128i counter)
{
    const __m128i byte_swap = load(byte_swap_lane);
    const __m128i last_key = key->round_keys[key->rounds];
    const __m128i shift = load(shift_rows[key->rounds % 4]);

    EACH_OF_4(START)
    for (unsigned round = 1; round < key->rounds; round++) {
        const __m128i round_key = key->round_keys[round];
        const __m128i below = load(row_below[round % 4]);
        const __m128i above = load(row_above[round % 4]);

        EACH_OF_4(ROUND)
    }
    EACH_OF_4(FINISH)
}

/* Called with a constant `nt`, so that each kernel gets a loop of its own. */
INLINED void encrypt_message(const struct rp_aes_key *key,
                             const uint8_t counter_block[RP_AES_BLOCK_BYTES],
                             const uint8_t *source, uint8_t *destination, size_t left,
                             bool nt)
{
    struct encoded_key encoded;
    __m128i counter = _mm_shuffle_epi8(load(counter_block), load(byte_swap_lane));

    encode_key(&encoded, key);
    while (left > 0) {
        const size_t step_bytes = left < STEP_BYTES ? left : STEP_BYTES;
        __m128i key_stream[BLOCKS];
        size_t done = 0;

        make_key_stream(key_stream, &encoded, counter);
        counter = _mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, BLOCKS));
        for (; done + RP_AES_BLOCK_BYTES <= step_bytes; done += RP_AES_BLOCK_BYTES) {
            const __m128i cipher =
                key_stream[done / RP_AES_BLOCK_BYTES] ^ load(source + done);
            __m128i *const to = (__m128i *)(void *)(destination + done);

            if (nt) {
                _mm_stream_si128(to, cipher);
            } else {
                _mm_storeu_si128(to, cipher);
            }
        }
        for (; done < step_bytes; done++) {
            destination[done] = source[done] ^ ((const uint8_t *)key_stream)[done];
        }
        source += step_bytes;
        destination += step_bytes;
        left -= step_bytes;
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

void rp_aes_ctr_vector_permute(const struct rp_kernel_input *input, uint64_t repetitions)
{
    rp_aes_ctr_messages(input, repetitions, message);
}

void rp_aes_ctr_vector_permute_nt(const struct rp_kernel_input *input,
                                  uint64_t repetitions)
{
    rp_aes_ctr_messages(input, repetitions, message_nt);
    _mm_sfence();
}
