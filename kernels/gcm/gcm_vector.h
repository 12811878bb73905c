/* SPDX-License-Identifier: MIT */
/*
 * The body of the GCM kernels, written once in the vocabulary of kernels/aes/ctr_vector.h
 * and what the including file gives besides:
 *
 *   ZERO                    a vector of zeros
 *   XOR3(a, b, c)           the three of them
 *   MULTIPLY(a, b, halves)  the carry-less product of one half of each lane of `a` and
 * one of `b`: 0x00 low and low, 0x11 high and high, 0x10 and 0x01 the mixed ones
 *   SWAP_HALVES             of each lane
 *   FIRST_LANE(v)           as an __m128i
 *   SUM_OF_LANES(v)         as an __m128i
 *   IN_FIRST_LANE(x)        an __m128i, with zeros in the other lanes
 *
 * A hash is kept in as many parts as a vector has lanes: lane j hashes every LANES-th
 * block, from block j on. So a step multiplies all lanes by the same powers of the hash
 * key, and no lane waits for another; the last multiplication, by powers that descend
 * from lane to lane, puts the parts together.
 *
 * What a step has encrypted (or has decrypted: it is the ciphertext that is hashed) waits
 * in memory and is hashed by the next step between the rounds, as nothing there depends
 * on it. The additional data are what waits for the first step.
 *
 * The products of a step are summed before they are reduced, and the two mixed ones need
 * no telling apart. Schoolbook multiplication: Karatsuba's would trade one multiplication
 * for a shuffle, on the same port, and more additions.
 */
#include "kernels/aes/ctr_vector.h"

#include "kernels/gcm/kernels.h"

#define STEP_VECTORS       8
#define STEP_BYTES         (STEP_VECTORS * VECTOR_BYTES)
#define ADDITIONAL_VECTORS (RP_GCM_MOST_ADDITIONAL_BYTES / VECTOR_BYTES)

/* Where a vector of descending powers begins, the highest `power`. */
#define POWERS_FROM(power) (gcm->powers[RP_GCM_POWERS - (power)])

/* ---- multiplication ---- */

#define PRODUCTS VECTOR low = ZERO, middle = ZERO, high = ZERO;

#define ADD_OUTER(a, b, c, d)                                                            \
    low = XOR3(low, MULTIPLY(a, b, 0x00), MULTIPLY(c, d, 0x00));                         \
    high = XOR3(high, MULTIPLY(a, b, 0x11), MULTIPLY(c, d, 0x11));
#define ADD_INNER(a, b, c, d)                                                            \
    middle = XOR3(middle, MULTIPLY(a, b, 0x01), MULTIPLY(a, b, 0x10));                   \
    middle = XOR3(middle, MULTIPLY(c, d, 0x01), MULTIPLY(c, d, 0x10));
#define ADD_PRODUCT(a, b)                                                                \
    low = XOR(low, MULTIPLY(a, b, 0x00));                                                \
    middle = XOR3(middle, MULTIPLY(a, b, 0x01), MULTIPLY(a, b, 0x10));                   \
    high = XOR(high, MULTIPLY(a, b, 0x11));

/* x^128 = x^7 + x^2 + x + 1 moves the lowest quarter of a product up, twice; bits are the
 * other way around, and `modulus` is x^7 + x^2 + x of them. */
#define REDUCE_ONCE  middle = XOR3(middle, SWAP_HALVES(low), MULTIPLY(low, modulus, 0x00));
#define REDUCE_TWICE XOR3(high, SWAP_HALVES(middle), MULTIPLY(middle, modulus, 0x00))

/* A pair of the vectors that wait, the hash so far being the first of all. The last one
 * has nothing to be multiplied by: the next hash does that. */
#define OUTER(i, j) ADD_OUTER(waiting[i], strides[i], waiting[j], strides[j])
#define INNER(i, j) ADD_INNER(waiting[i], strides[i], waiting[j], strides[j])
#define HASH_LAST   high = waiting[STEP_VECTORS];

/* ---- steps ---- */

#define WAIT_SEAL(i) waiting[(i) + 1] = SHUFFLE(state_##i, byte_swap);
#define WAIT_OPEN(i)                                                                     \
    waiting[(i) + 1] = SHUFFLE(LOAD(source + VECTOR_BYTES * (i)), byte_swap);

#define LAST_ROUNDS_10(CHAINS)
#define LAST_ROUNDS_12(CHAINS) CHAINS(ROUND_10) CHAINS(ROUND_11)
#define LAST_ROUNDS_14(CHAINS) LAST_ROUNDS_12(CHAINS) CHAINS(ROUND_12) CHAINS(ROUND_13)

#define ADVANCE(vectors)                                                                 \
    counter = ADD32(counter, COUNT(LANES * (vectors)));                                  \
    source += VECTOR_BYTES * (vectors);                                                  \
    destination += VECTOR_BYTES * (vectors);                                             \
    left -= VECTOR_BYTES * (vectors);

#define IN_MEMORY                                                                        \
    __asm__(""                                                                           \
            : "+r"(key), "+r"(strides), "+r"(waiting)                                    \
            : "m"(round_keys), "m"(powers), "m"(vectors));

/* clang-format off */
#define GCM_STEP(rounds, WAIT, FETCHES, PUT)                                             \
    {                                                                                    \
        IN_MEMORY                                                                        \
        PRODUCTS                                                                         \
        HASH_LAST                                                                        \
        CHAINS_8(COUNTER)                                                                \
        CHAINS_8(SWAP)                                                                   \
        FETCHES                                                                          \
        CHAINS_8(WHITEN)                                                                 \
        CHAINS_8(ROUND_1) OUTER(0, 1)                                                    \
        CHAINS_8(ROUND_2) INNER(0, 1)                                                    \
        CHAINS_8(ROUND_3) OUTER(2, 3)                                                    \
        CHAINS_8(ROUND_4) INNER(2, 3)                                                    \
        CHAINS_8(ROUND_5) OUTER(4, 5)                                                    \
        CHAINS_8(ROUND_6) INNER(4, 5)                                                    \
        CHAINS_8(ROUND_7) OUTER(6, 7)                                                    \
        CHAINS_8(ROUND_8) INNER(6, 7)                                                    \
        CHAINS_8(ROUND_9) REDUCE_ONCE                                                    \
        LAST_ROUNDS_##rounds(CHAINS_8)                                                   \
        waiting[0] = REDUCE_TWICE;                                                       \
        CHAINS_8(FINISH)                                                                 \
        CHAINS_8(WAIT)                                                                   \
        CHAINS_8(PUT)                                                                    \
        ADVANCE(STEP_VECTORS)                                                            \
    }

/* What waits after the last step. */
#define HASH_STEP                                                                        \
    {                                                                                    \
        PRODUCTS                                                                         \
        HASH_LAST                                                                        \
        OUTER(0, 1) INNER(0, 1) OUTER(2, 3) INNER(2, 3)                                  \
        OUTER(4, 5) INNER(4, 5) OUTER(6, 7) INNER(6, 7)                                  \
        REDUCE_ONCE                                                                      \
        waiting[0] = REDUCE_TWICE;                                                       \
    }

#define ALL_BUT_LAST(rounds, CHAINS)                                                     \
    CHAINS(WHITEN) CHAINS(ROUND_1) CHAINS(ROUND_2) MIDDLE_##rounds(CHAINS)

#define ENCRYPT(rounds, blocks)                                                          \
    {                                                                                    \
        VECTOR state_0 = blocks;                                                         \
        ALL_BUT_LAST(rounds, CHAINS_1)                                                   \
        blocks = LAST_ROUND(state_0, key[rounds]);                                       \
    }

/* One vector. */
#define KEY_STREAM(rounds)                                                               \
    CHAINS_1(COUNTER) CHAINS_1(SWAP) ALL_BUT_LAST(rounds, CHAINS_1) CHAINS_1(FINISH)
/* clang-format on */

/* ---- messages ---- */

/* Writes a tag from the sum of products of all blocks and the encrypted counter block. */
#define TAG(pad)                                                                         \
    {                                                                                    \
        REDUCE_ONCE                                                                      \
        const __m128i hash = SUM_OF_LANES(REDUCE_TWICE);                                 \
                                                                                         \
        _mm_storeu_si128((__m128i *)(void *)tag,                                         \
                         _mm_xor_si128(FIRST_LANE(pad),                                  \
                                       _mm_shuffle_epi8(hash, FIRST_LANE(byte_swap))));  \
    }

/* Defines a gcm_message; `seals` says which side of it is the ciphertext. */
#define DEFINE_GCM_MESSAGE(name, last_round, seals, WAIT, FETCHES, PUT)                  \
    static void name(const struct rp_gcm *gcm, const uint8_t *source,                    \
                     uint8_t *destination, size_t bytes, uint8_t *tag)                   \
    {                                                                                    \
        enum { rounds = last_round };                                                    \
        const VECTOR byte_swap = BROADCAST(byte_swap_lane);                              \
        const VECTOR modulus = BROADCAST(modulus_lane);                                  \
        VECTOR round_keys[rounds + 1];                                                   \
        VECTOR powers[STEP_VECTORS];                                                     \
        VECTOR vectors[STEP_VECTORS + 1];                                                \
        const VECTOR *key = round_keys;                                                  \
        const VECTOR *strides = powers;                                                  \
        VECTOR *waiting = vectors;                                                       \
        size_t left = bytes;                                                             \
                                                                                         \
        for (int i = 0; i <= rounds; i++) {                                              \
            round_keys[i] = BROADCAST(gcm->key.round_keys[i]);                           \
        }                                                                                \
        for (int i = 0; i < STEP_VECTORS; i++) {                                         \
            powers[i] = BROADCAST(POWERS_FROM(LANES * (STEP_VECTORS - i)));              \
            vectors[i] = ZERO;                                                           \
        }                                                                                \
        for (int i = 0; i < ADDITIONAL_VECTORS; i++) {                                   \
            vectors[STEP_VECTORS + 1 - ADDITIONAL_VECTORS + i] =                         \
                SHUFFLE(LOAD(gcm->additional + VECTOR_BYTES * i), byte_swap);            \
        }                                                                                \
        VECTOR counter = SHUFFLE(BROADCAST(gcm->counter_block), byte_swap);              \
        VECTOR pad = BROADCAST(gcm->counter_block);                                      \
        ENCRYPT(last_round, pad)                                                         \
                                                                                         \
        counter = ADD32(ADD32(counter, COUNT(1)), LANE_NUMBERS);                         \
        while (left >= STEP_BYTES) {                                                     \
            GCM_STEP(last_round, WAIT, FETCHES, PUT)                                     \
        }                                                                                \
        HASH_STEP                                                                        \
        PRODUCTS                                                                         \
        size_t blocks = (left + RP_AES_BLOCK_BYTES - 1) / RP_AES_BLOCK_BYTES;            \
                                                                                         \
        ADD_PRODUCT(waiting[0], LOAD(POWERS_FROM(blocks + 1 + LANES)))                   \
        while (left >= VECTOR_BYTES) {                                                   \
            KEY_STREAM(last_round)                                                       \
            CHAINS_1(WAIT)                                                               \
            ADD_PRODUCT(waiting[1], LOAD(POWERS_FROM(blocks + 1)))                       \
            CHAINS_1(PUT)                                                                \
            ADVANCE(1)                                                                   \
            blocks -= LANES;                                                             \
        }                                                                                \
        if (left > 0) {                                                                  \
            uint8_t last[VECTOR_BYTES] __attribute__((aligned(64))) = {0};               \
            uint8_t *const rest = destination;                                           \
                                                                                         \
            memcpy(last, source, left);                                                  \
            source = last;                                                               \
            KEY_STREAM(last_round)                                                       \
            VECTOR cipher = LOAD(last);                                                  \
            STORE(last, state_0);                                                        \
            memcpy(rest, last, left);                                                    \
            memset(last + left, 0, VECTOR_BYTES - left);                                 \
            cipher = SHUFFLE(seals ? LOAD(last) : cipher, byte_swap);                    \
            ADD_PRODUCT(cipher, LOAD(POWERS_FROM(blocks + 1)))                           \
        }                                                                                \
        const VECTOR lengths = IN_FIRST_LANE(_mm_set_epi64x(                             \
            (long long)(8 * gcm->additional_bytes), (long long)(8 * bytes)));            \
                                                                                         \
        ADD_PRODUCT(lengths, LOAD(POWERS_FROM(1)))                                       \
        TAG(pad)                                                                         \
    }

/* Defines the public kernel `name` and its non-temporal sibling `name_nt` around two
 * messages, for one length of key and direction. Non-temporal stores are aligned ones;
 * where the message does not lie so, it is stored temporally. */
#define DEFINE_GCM(name, rounds, seals, WAIT)                                            \
    DEFINE_GCM_MESSAGE(name##_message, rounds, seals, WAIT, FETCH_AND_OWN, PUT_TEMPORAL) \
    DEFINE_GCM_MESSAGE(name##_message_nt, rounds, seals, WAIT, FETCH_ONLY, PUT_NT)       \
                                                                                         \
    void rp_##name(const struct rp_kernel_input *input, uint64_t repetitions)            \
    {                                                                                    \
        while (repetitions-- > 0) {                                                      \
            name##_message(input->context, input->source, input->destination,            \
                           input->bytes, input->result);                                 \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    void rp_##name##_nt(const struct rp_kernel_input *input, uint64_t repetitions)       \
    {                                                                                    \
        if ((uintptr_t)input->destination % VECTOR_BYTES != 0) {                         \
            rp_##name(input, repetitions);                                               \
            return;                                                                      \
        }                                                                                \
        while (repetitions-- > 0) {                                                      \
            name##_message_nt(input->context, input->source, input->destination,         \
                              input->bytes, input->result);                              \
        }                                                                                \
        _mm_sfence();                                                                    \
    }

/* All that a width has. */
#define DEFINE_GCM_EACH(variant)                                                         \
    DEFINE_GCM(aes128gcm_seal_##variant, 10, true, WAIT_SEAL)                            \
    DEFINE_GCM(aes128gcm_open_##variant, 10, false, WAIT_OPEN)                           \
    DEFINE_GCM(aes192gcm_seal_##variant, 12, true, WAIT_SEAL)                            \
    DEFINE_GCM(aes192gcm_open_##variant, 12, false, WAIT_OPEN)                           \
    DEFINE_GCM(aes256gcm_seal_##variant, 14, true, WAIT_SEAL)                            \
    DEFINE_GCM(aes256gcm_open_##variant, 14, false, WAIT_OPEN)

static const uint64_t modulus_lane[]
    __attribute__((aligned(16))) = {UINT64_C(0xc200000000000000), 0};
