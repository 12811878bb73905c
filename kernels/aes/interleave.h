/* SPDX-License-Identifier: MIT */
/*
 * The body of the interleave kernels: steps of 1 to 16 vectors that go through the ten
 * rounds of AES-128 together, in the vocabulary of rounds.h. The including file defines
 * KEYS.
 *
 * With data, a step loads its vectors and stores them. Without (nomem), it numbers them
 * and folds the results into one by XOR; the numbers go on from step to step, so that no
 * step waits for another. What a core has in flight is then its own choice: it starts the
 * next step while this one waits, as far as it looks ahead.
 */
#include <string.h>

#include "kernels/aes/interleave_kernels.h"
#include "kernels/aes/rounds.h"

#define ROUND      ENCRYPT_ROUND
#define LAST_ROUND ENCRYPT_LAST_ROUND

/* clang-format off */
#define CHAINS_2(DO)  CHAINS_1(DO) DO(1)
#define CHAINS_3(DO)  CHAINS_2(DO) DO(2)
#define CHAINS_4(DO)  CHAINS_3(DO) DO(3)
#define CHAINS_5(DO)  CHAINS_4(DO) DO(4)
#define CHAINS_6(DO)  CHAINS_5(DO) DO(5)
#define CHAINS_7(DO)  CHAINS_6(DO) DO(6)
#define CHAINS_9(DO)  CHAINS_8(DO) DO(8)
#define CHAINS_10(DO) CHAINS_9(DO) DO(9)
#define CHAINS_11(DO) CHAINS_10(DO) DO(10)
#define CHAINS_12(DO) CHAINS_11(DO) DO(11)
#define CHAINS_13(DO) CHAINS_12(DO) DO(12)
#define CHAINS_14(DO) CHAINS_13(DO) DO(13)
#define CHAINS_15(DO) CHAINS_14(DO) DO(14)
#define CHAINS_16(DO) CHAINS_15(DO) DO(15)

#define TAKE(i)   VECTOR state_##i = XOR(LOAD(source + VECTOR_BYTES * (i)), key[0]);
#define NUMBER(i) VECTOR state_##i = XOR(ADD32(number, COUNT(LANES * (i))), key[0]);
#define LAST(i)   state_##i = LAST_ROUND(state_##i, key[10]);
#define FOLD(i)   sum = XOR(sum, state_##i);

#define TEN_ROUNDS(CHAINS, START, END)                                                   \
    {                                                                                    \
        KEYS                                                                             \
        CHAINS(START)                                                                    \
        CHAINS(ROUND_1)                                                                  \
        CHAINS(ROUND_2)                                                                  \
        MIDDLE_10(CHAINS)                                                                \
        CHAINS(LAST)                                                                     \
        CHAINS(END)                                                                      \
    }
/* clang-format on */

#define LOAD_KEYS                                                                        \
    VECTOR round_keys[11];                                                               \
    const VECTOR *key = round_keys;                                                      \
                                                                                         \
    for (int i = 0; i <= 10; i++) {                                                      \
        round_keys[i] = BROADCAST(expanded->round_keys[i]);                              \
    }

/* Fewer bytes than a vector: the whole blocks, and a copy of what is no block. */
static void encrypt_few(const struct rp_aes_key *expanded, const uint8_t *from,
                        uint8_t *to, size_t bytes)
{
    const size_t partial = bytes % RP_AES_BLOCK_BYTES;
    uint8_t last[VECTOR_BYTES] = {0};
    const uint8_t *const source = last;
    uint8_t *const destination = last;

    LOAD_KEYS
    memcpy(last, from, bytes - partial);
    TEN_ROUNDS(CHAINS_1, TAKE, PUT_TEMPORAL)
    memcpy(last + bytes - partial, from + bytes - partial, partial);
    memcpy(to, last, bytes);
}

/* What is less than a step goes through the rounds in single vectors, straight from
 * source to destination: the core overlaps them with each other and with the last step,
 * so that counts of vectors that do not divide the data lose little to those that do. */
static void encrypt_end(const struct rp_aes_key *expanded, const uint8_t *source,
                        uint8_t *destination, size_t left)
{
    LOAD_KEYS
    for (; left >= VECTOR_BYTES; left -= VECTOR_BYTES) {
        TEN_ROUNDS(CHAINS_1, TAKE, PUT_TEMPORAL)
        source += VECTOR_BYTES;
        destination += VECTOR_BYTES;
    }
    if (left > 0) {
        encrypt_few(expanded, source, destination, left);
    }
}

static void fold_blocks(uint64_t halves[2], const uint8_t *from, size_t blocks)
{
    for (size_t i = 0; i < blocks; i++) {
        uint64_t block[2];

        memcpy(block, from + RP_AES_BLOCK_BYTES * i, sizeof block);
        halves[0] ^= block[0];
        halves[1] ^= block[1];
    }
}

/* Folds the blocks from `number` on into `sum`, and that into the destination block. */
static void fold_end(const struct rp_aes_key *expanded, VECTOR number, VECTOR sum,
                     size_t blocks, uint8_t result[RP_BLOCK_BYTES])
{
    uint64_t halves[2] = {0};
    uint8_t last[VECTOR_BYTES];
    uint8_t *const destination = last;

    LOAD_KEYS
    for (; blocks >= LANES; blocks -= LANES) {
        TEN_ROUNDS(CHAINS_1, NUMBER, FOLD)
        number = ADD32(number, COUNT(LANES));
    }
    STORE(last, sum);
    fold_blocks(halves, last, LANES);
    if (blocks > 0) {
        TEN_ROUNDS(CHAINS_1, NUMBER, PUT_TEMPORAL)
        fold_blocks(halves, last, blocks);
    }
    memset(result, 0, RP_BLOCK_BYTES);
    memcpy(result, halves, sizeof halves);
}

/* Defines the kernels of `chains` vectors a step, with and without data. */
#define DEFINE_INTERLEAVE(width, chains)                                                 \
    void rp_aes128ecb_##width##_x##chains(const struct rp_kernel_input *input,           \
                                          uint64_t repetitions)                          \
    {                                                                                    \
        const struct rp_aes_key *const expanded = input->context;                        \
                                                                                         \
        while (repetitions-- > 0) {                                                      \
            const uint8_t *source = input->source;                                       \
            uint8_t *destination = input->destination;                                   \
            size_t left = input->bytes;                                                  \
            LOAD_KEYS                                                                    \
                                                                                         \
            while (left >= VECTOR_BYTES * (chains)) {                                    \
                TEN_ROUNDS(CHAINS_##chains, TAKE, PUT_TEMPORAL)                          \
                source += VECTOR_BYTES * (chains);                                       \
                destination += VECTOR_BYTES * (chains);                                  \
                left -= VECTOR_BYTES * (chains);                                         \
            }                                                                            \
            encrypt_end(expanded, source, destination, left);                            \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    void rp_aes128ecb_##width##_x##chains##_nomem(const struct rp_kernel_input *input,   \
                                                  uint64_t repetitions)                  \
    {                                                                                    \
        const struct rp_aes_key *const expanded = input->context;                        \
                                                                                         \
        while (repetitions-- > 0) {                                                      \
            VECTOR number = LANE_NUMBERS;                                                \
            VECTOR sum = XOR(number, number);                                            \
            size_t blocks = input->bytes / RP_AES_BLOCK_BYTES;                           \
            LOAD_KEYS                                                                    \
                                                                                         \
            while (blocks >= LANES * (chains)) {                                         \
                TEN_ROUNDS(CHAINS_##chains, NUMBER, FOLD)                                \
                number = ADD32(number, COUNT(LANES * (chains)));                         \
                blocks -= LANES * (chains);                                              \
            }                                                                            \
            fold_end(expanded, number, sum, blocks, input->destination);                 \
        }                                                                                \
    }

#define DEFINE_INTERLEAVES(width) RP_INTERLEAVE_EACH(DEFINE_INTERLEAVE, width)
