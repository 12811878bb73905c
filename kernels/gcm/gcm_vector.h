/* SPDX-License-Identifier: MIT */
/*
 * The body of the GCM kernels, written once in the vocabulary of kernels/aes/ctr_vector.h
 * and what the including file gives besides:
 *
 *   ZERO                    a vector of zeros
 *   XOR3(a, b, c)           of three
 *   MULTIPLY(a, b, halves)  the carry-less product of one half of each lane of `a` and
 * one of `b`: 0x00 low and low, 0x11 high and high, 0x10 and 0x01 the mixed ones
 *   SWAP_HALVES             of each lane
 *   FIRST_LANE(v)           as an __m128i
 *   SUM_OF_LANES(v)         as an __m128i
 *   IN_FIRST_LANE(x)        an __m128i, with zeros in the other lanes
 *   OUTER, INNER            OUTER_16 and INNER_16, or those of 32 registers
 *
 * A hash is kept in as many parts as a vector has lanes: lane j hashes every LANES-th
 * block, from block j on. So a step multiplies all lanes by the same powers of the hash
 * key, and no lane waits for another; the last multiplication, by powers that descend
 * from lane to lane, puts the parts together.
 *
 * The ciphertext of a step waits in memory and is hashed by the next step, between its
 * rounds of AES: nothing there depends on it. The additional data are what waits for the
 * first step.
 *
 * The products of a step are summed before they are reduced. Multiplication is the
 * schoolbook's: Karatsuba's would trade one of four products for a shuffle, which goes to
 * the same port, and additions.
 *
 * The counter's upper bytes and the first round key make one block, `upper_part`, which
 * changes once in 256 blocks; XORed with one from a table for the last byte, it is a
 * state before the first round. That takes one operation where adding, shuffling and
 * whitening take three, and operations are what is scarce (docs/explanation/gcm.md). In
 * the way of ctr_cached.h the table holds states after two rounds. A step that runs over
 * the end of the table, one in 256 / STEP_BLOCKS, counts instead.
 */
#include "kernels/aes/ctr_vector.h"

#include "kernels/aes/ctr_cached.h"

#include "kernels/gcm/kernels.h"

#define STEP_VECTORS       8
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
#define REDUCE_ONCE middle = XOR3(middle, SWAP_HALVES(low), MULTIPLY(low, modulus, 0x00));

#define REDUCE_TWICE XOR3(high, SWAP_HALVES(middle), MULTIPLY(middle, modulus, 0x00))

/* A pair of the vectors that wait, the hash so far being the first of all. The last one
 * has nothing to be multiplied by: the next hash does that. */
#define OUTER_32(i, j) ADD_OUTER(waiting[i], strides[i], waiting[j], strides[j])
#define INNER_32(i, j) ADD_INNER(waiting[i], strides[i], waiting[j], strides[j])

/* With sixteen registers few are left besides the states and the sums: a compiler
 * that keeps operands or sums products out of turn spills states for it. So all are read
 * again for each, and every sum is finished before the next operand is read. */
#define IN_TURN                                                                          \
    __asm__("" : "+r"(strides), "+r"(waiting), "+x"(low), "+x"(middle), "+x"(high));

/* MemorySanitizer takes a secret that assembly is given for one that leaks. */
#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#undef IN_TURN
#define IN_TURN
#endif
#endif

#define OUTER_1(i)                                                                       \
    IN_TURN                                                                              \
    low = XOR(low, MULTIPLY(waiting[i], strides[i], 0x00));                              \
    high = XOR(high, MULTIPLY(waiting[i], strides[i], 0x11));
#define INNER_1(i)                                                                       \
    IN_TURN                                                                              \
    middle = XOR(middle, MULTIPLY(waiting[i], strides[i], 0x01));                        \
    middle = XOR(middle, MULTIPLY(waiting[i], strides[i], 0x10));
#define OUTER_16(i, j) OUTER_1(i) OUTER_1(j)
#define INNER_16(i, j) INNER_1(i) INNER_1(j)

#define HASH_LAST high = waiting[STEP_VECTORS];

/* ---- steps ---- */

#define DECLARE(i) VECTOR state_##i;
#define TAKE_STATE(i)                                                                    \
    state_##i = XOR(LOAD(table[last_byte] + VECTOR_BYTES * (i)), upper_part);
#define COUNT_STATE(i)                                                                   \
    state_##i = XOR(SHUFFLE(ADD32(counter, COUNT(LANES * (i))), byte_swap), key[0]);

#define WAIT_SEAL(i) waiting[(i) + 1] = SHUFFLE(state_##i, byte_swap);
#define WAIT_OPEN(i)                                                                     \
    waiting[(i) + 1] = SHUFFLE(LOAD(source + VECTOR_BYTES * (i)), byte_swap);

#define LAST_ROUNDS_10(CHAINS)
#define LAST_ROUNDS_12(CHAINS) CHAINS(ROUND_10) CHAINS(ROUND_11)
#define LAST_ROUNDS_14(CHAINS) LAST_ROUNDS_12(CHAINS) CHAINS(ROUND_12) CHAINS(ROUND_13)

#define ADVANCE(vectors)                                                                 \
    source += VECTOR_BYTES * (vectors);                                                  \
    destination += VECTOR_BYTES * (vectors);

#define IN_MEMORY                                                                        \
    __asm__("" : "+r"(key), "+r"(strides), "+r"(waiting) : "m"(powers), "m"(vectors));

/* What each way of counting makes of a counter: its states to begin with, or those after
 * two rounds. */
#define FIRST_ROUNDS_plain
#define FIRST_ROUNDS_cached  CHAINS_8(ROUND_1) CHAINS_8(ROUND_2)
#define SECOND_ROUNDS_plain  CHAINS_8(ROUND_1) OUTER(0, 1) CHAINS_8(ROUND_2) INNER(0, 1)
#define SECOND_ROUNDS_cached OUTER(0, 1) INNER(0, 1)

/* clang-format off */
#define GCM_STEP(rounds, counting, WAIT, FETCHES, PUT)                                   \
    {                                                                                    \
        IN_MEMORY                                                                        \
        PRODUCTS                                                                         \
        HASH_LAST                                                                        \
        CHAINS_8(DECLARE)                                                                \
        if (last_byte <= TABLE_BLOCKS - STEP_BLOCKS) {                                   \
            CHAINS_8(TAKE_STATE)                                                         \
        } else {                                                                         \
            const VECTOR counter =                                                       \
                ADD32(ADD32(upper, COUNT((int)last_byte)), LANE_NUMBERS);                \
                                                                                         \
            CHAINS_8(COUNT_STATE)                                                        \
            FIRST_ROUNDS_##counting                                                      \
        }                                                                                \
        FETCHES                                                                          \
        SECOND_ROUNDS_##counting                                                         \
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
        last_byte += STEP_BLOCKS;                                                        \
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

#define TABLE_plain const uint8_t(*const table)[RP_AES_BLOCK_BYTES] = rp_gcm_low_bytes;
#define TABLE_cached                                                                     \
    uint8_t table[TABLE_BLOCKS + STEP_BLOCKS][RP_AES_BLOCK_BYTES]                        \
        __attribute__((aligned(64)));                                                    \
    const VECTOR origin = two_rounds(upper, byte_swap, key);                             \
                                                                                         \
    make_table(table[0], upper, byte_swap, key);

#define UPPER_PART_plain  XOR(SHUFFLE(upper, byte_swap), key[0])
#define UPPER_PART_cached XOR(two_rounds(upper, byte_swap, key), origin)

#define ADDITIONAL(i) SHUFFLE(LOAD(gcm->additional + VECTOR_BYTES * (i)), byte_swap)

/* The last 32 bits of the counter block after that of the tag. */
static inline uint32_t first_counter(const struct rp_gcm *gcm)
{
    uint32_t counter = 0;

    memcpy(&counter, gcm->counter_block + 12, sizeof counter);
    return __builtin_bswap32(counter) + 1;
}

/* Defines the function that makes so many steps, at least one, and returns the hash of
 * the additional data and of what it encrypted. */
#define DEFINE_STEPS(name, rounds_, counting, WAIT, FETCHES, PUT)                        \
    static VECTOR name(const struct rp_gcm *gcm, const VECTOR *key,                      \
                       const uint8_t *source, uint8_t *destination, size_t steps)        \
    {                                                                                    \
        enum { rounds = rounds_ };                                                       \
        const VECTOR byte_swap = BROADCAST(byte_swap_lane);                              \
        const VECTOR modulus = BROADCAST(modulus_lane);                                  \
        VECTOR powers[STEP_VECTORS];                                                     \
        VECTOR vectors[STEP_VECTORS + 1];                                                \
        const VECTOR *strides = powers;                                                  \
        VECTOR *waiting = vectors;                                                       \
                                                                                         \
        for (int i = 0; i < STEP_VECTORS; i++) {                                         \
            powers[i] = BROADCAST(POWERS_FROM(LANES * (STEP_VECTORS - i)));              \
            vectors[i] = ZERO;                                                           \
        }                                                                                \
        for (int i = 0; i < ADDITIONAL_VECTORS; i++) {                                   \
            vectors[STEP_VECTORS + 1 - ADDITIONAL_VECTORS + i] = ADDITIONAL(i);          \
        }                                                                                \
        size_t last_byte = first_counter(gcm) % TABLE_BLOCKS;                            \
        VECTOR upper = ADD32(SHUFFLE(BROADCAST(gcm->counter_block), byte_swap),          \
                             COUNT((int)(1 - last_byte)));                               \
        TABLE_##counting VECTOR upper_part = UPPER_PART_##counting;                      \
                                                                                         \
        for (; steps > 0; steps--) {                                                     \
            GCM_STEP(rounds_, counting, WAIT, FETCHES, PUT)                              \
            if (last_byte >= TABLE_BLOCKS) {                                             \
                last_byte -= TABLE_BLOCKS;                                               \
                upper = ADD32(upper, COUNT(TABLE_BLOCKS));                               \
                upper_part = UPPER_PART_##counting;                                      \
            }                                                                            \
        }                                                                                \
        HASH_STEP                                                                        \
        return waiting[0];                                                               \
    }

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

/* The end of a message, which is shorter than a vector, by way of memory. */
#define PARTIAL_VECTOR(rounds, seals)                                                    \
    {                                                                                    \
        uint8_t last[VECTOR_BYTES] __attribute__((aligned(64))) = {0};                   \
                                                                                         \
        memcpy(last, source, left);                                                      \
        source = last;                                                                   \
        KEY_STREAM(rounds)                                                               \
        VECTOR cipher = LOAD(last);                                                      \
        STORE(last, state_0);                                                            \
        memcpy(destination, last, left);                                                 \
        memset(last + left, 0, VECTOR_BYTES - left);                                     \
        cipher = SHUFFLE(seals ? LOAD(last) : cipher, byte_swap);                        \
        ADD_PRODUCT(cipher, LOAD(POWERS_FROM(blocks + 1)))                               \
    }

/* Defines the function that encrypts or decrypts a message and writes its tag; `seals`
 * says which side of it is the ciphertext. Blocks that no step takes are multiplied by
 * the power that each of them needs, so that all of it is reduced once. */
#define DEFINE_GCM_MESSAGE(name, take_steps, rounds_, seals, WAIT, PUT)                  \
    static void name(const struct rp_gcm *gcm, const uint8_t *source,                    \
                     uint8_t *destination, size_t bytes, uint8_t *tag)                   \
    {                                                                                    \
        enum { rounds = rounds_ };                                                       \
        const VECTOR byte_swap = BROADCAST(byte_swap_lane);                              \
        const VECTOR modulus = BROADCAST(modulus_lane);                                  \
        const size_t steps = bytes / STEP_BYTES;                                         \
        size_t left = bytes % STEP_BYTES;                                                \
        size_t blocks = (left + RP_AES_BLOCK_BYTES - 1) / RP_AES_BLOCK_BYTES;            \
        VECTOR key[rounds + 1];                                                          \
                                                                                         \
        for (int i = 0; i <= rounds; i++) {                                              \
            key[i] = BROADCAST(gcm->key.round_keys[i]);                                  \
        }                                                                                \
        VECTOR pad = BROADCAST(gcm->counter_block);                                      \
        VECTOR counter = ADD32(ADD32(SHUFFLE(pad, byte_swap), LANE_NUMBERS),             \
                               COUNT((int)(1 + steps * STEP_BLOCKS)));                   \
        PRODUCTS                                                                         \
                                                                                         \
        ENCRYPT(rounds_, pad)                                                            \
        if (steps > 0) {                                                                 \
            const VECTOR hash = take_steps(gcm, key, source, destination, steps);        \
                                                                                         \
            ADD_PRODUCT(hash, LOAD(POWERS_FROM(blocks + 1 + LANES)))                     \
            ADVANCE(steps *STEP_VECTORS)                                                 \
        } else {                                                                         \
            for (size_t i = 0; i < ADDITIONAL_VECTORS; i++) {                            \
                const size_t behind = blocks + (ADDITIONAL_VECTORS - i) * LANES;         \
                                                                                         \
                ADD_PRODUCT(ADDITIONAL(i), LOAD(POWERS_FROM(behind + 1)))                \
            }                                                                            \
        }                                                                                \
        for (; left >= VECTOR_BYTES; left -= VECTOR_BYTES) {                             \
            VECTOR waiting[2];                                                           \
                                                                                         \
            KEY_STREAM(rounds_)                                                          \
            CHAINS_1(WAIT)                                                               \
            ADD_PRODUCT(waiting[1], LOAD(POWERS_FROM(blocks + 1)))                       \
            CHAINS_1(PUT)                                                                \
            ADVANCE(1)                                                                   \
            counter = ADD32(counter, COUNT(LANES));                                      \
            blocks -= LANES;                                                             \
        }                                                                                \
        if (left > 0) {                                                                  \
            PARTIAL_VECTOR(rounds_, seals)                                               \
        }                                                                                \
        const VECTOR lengths = IN_FIRST_LANE(_mm_set_epi64x(                             \
            (long long)(8 * gcm->additional_bytes), (long long)(8 * bytes)));            \
                                                                                         \
        ADD_PRODUCT(lengths, LOAD(POWERS_FROM(1)))                                       \
        TAG(pad)                                                                         \
    }

/* Defines the public kernel `name` and its non-temporal sibling `name_nt` around what
 * makes steps, for one length of key and direction. Non-temporal stores are aligned ones;
 * where the message does not lie so, it is stored temporally. */
#define DEFINE_GCM_KERNELS(name, rounds, seals, WAIT)                                    \
    DEFINE_GCM_MESSAGE(name##_message, name##_steps, rounds, seals, WAIT, PUT_TEMPORAL)  \
    DEFINE_GCM_MESSAGE(name##_message_nt, name##_steps_nt, rounds, seals, WAIT, PUT_NT)  \
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

#define DEFINE_GCM(name, rounds, seals, WAIT)                                            \
    DEFINE_STEPS(name##_steps, rounds, plain, WAIT, FETCH_AND_OWN, PUT_TEMPORAL)         \
    DEFINE_STEPS(name##_steps_nt, rounds, plain, WAIT, FETCH_TWICE, PUT_NT)              \
    DEFINE_GCM_KERNELS(name, rounds, seals, WAIT)

/* With two rounds from a table, beside the kernel `plain` for messages of fewer than
 * `least` bytes, which do not pay for it. */
#define DEFINE_CACHED_STEPS(name, plain, rounds, least, WAIT, FETCHES, PUT)              \
    DEFINE_STEPS(name##_many, rounds, cached, WAIT, FETCHES, PUT)                        \
                                                                                         \
    static VECTOR name(const struct rp_gcm *gcm, const VECTOR *key,                      \
                       const uint8_t *source, uint8_t *destination, size_t steps)        \
    {                                                                                    \
        return steps < (least) / STEP_BYTES                                              \
                   ? plain(gcm, key, source, destination, steps)                         \
                   : name##_many(gcm, key, source, destination, steps);                  \
    }
#define DEFINE_GCM_CACHED(name, plain, rounds, least, seals, WAIT)                       \
    DEFINE_CACHED_STEPS(name##_steps, plain##_steps, rounds, least, WAIT, FETCH_AND_OWN, \
                        PUT_TEMPORAL)                                                    \
    DEFINE_CACHED_STEPS(name##_steps_nt, plain##_steps_nt, rounds, least, WAIT,          \
                        FETCH_TWICE, PUT_NT)                                             \
    DEFINE_GCM_KERNELS(name, rounds, seals, WAIT)

/* Both directions, for every length of key. */
#define DEFINE_GCM_EACH(variant)                                                         \
    DEFINE_GCM(aes128gcm_seal_##variant, 10, true, WAIT_SEAL)                            \
    DEFINE_GCM(aes128gcm_open_##variant, 10, false, WAIT_OPEN)                           \
    DEFINE_GCM(aes192gcm_seal_##variant, 12, true, WAIT_SEAL)                            \
    DEFINE_GCM(aes192gcm_open_##variant, 12, false, WAIT_OPEN)                           \
    DEFINE_GCM(aes256gcm_seal_##variant, 14, true, WAIT_SEAL)                            \
    DEFINE_GCM(aes256gcm_open_##variant, 14, false, WAIT_OPEN)
#define DEFINE_GCM_CACHED_PAIR(bits, rounds, variant, plain, least)                      \
    DEFINE_GCM_CACHED(aes##bits##gcm_seal_##variant, aes##bits##gcm_seal_##plain,        \
                      rounds, least, true, WAIT_SEAL)                                    \
    DEFINE_GCM_CACHED(aes##bits##gcm_open_##variant, aes##bits##gcm_open_##plain,        \
                      rounds, least, false, WAIT_OPEN)

static const uint64_t modulus_lane[]
    __attribute__((aligned(16))) = {UINT64_C(0xc200000000000000), 0};
