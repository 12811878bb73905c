/* SPDX-License-Identifier: MIT */
/*
 * The body of the interleave kernels: steps of 1 to 16 vectors that go through the ten
 * rounds of AES-128 together, in the vocabulary of rounds.h. The including file defines
 * KEYS.
 *
 * With data, a step loads its vectors and stores them, and waits for no other step: a
 * core that looks far enough ahead starts the next one meanwhile, and so has more vectors
 * in flight than the step holds. Without (nomem), the vectors stay in their registers and
 * a step encrypts what the last one left: there, only the step's own are in flight. The
 * XOR that begins a step is part of the last round of the one before, since AESENCLAST
 * ends with one; so each step is ten rounds and nothing else.
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

#define TAKE(i)     VECTOR state_##i = XOR(LOAD(source + VECTOR_BYTES * (i)), key[0]);
#define NUMBER(i)   VECTOR state_##i = XOR(ADD32(LANE_NUMBERS, COUNT(LANES * (i))), key[0]);
#define FINISH(i)   state_##i = LAST_ROUND(state_##i, key[10]);
#define HOLD(i)     __asm__("" : "+" REGISTER(state_##i));
#define AGAIN(i)    state_##i = LAST_ROUND(state_##i, key[11]);
#define END(i)      state_##i = XOR(state_##i, key[0]);
#define NOTHING(i)

#define TEN_ROUNDS(CHAINS, BEGIN, LAST, PUT)                                             \
    {                                                                                    \
        KEYS                                                                             \
        CHAINS(BEGIN)                                                                    \
        CHAINS(ROUND_1)                                                                  \
        CHAINS(ROUND_2)                                                                  \
        MIDDLE_10(CHAINS)                                                                \
        CHAINS(LAST)                                                                     \
        CHAINS(PUT)                                                                      \
    }
/* clang-format on */

/* Those of the cipher, and the last and the first in one, of a block encrypted again. */
#define LOAD_KEYS                                                                        \
    VECTOR round_keys[12];                                                               \
    const VECTOR *key = round_keys;                                                      \
                                                                                         \
    for (int i = 0; i <= 10; i++) {                                                      \
        round_keys[i] = BROADCAST(expanded->round_keys[i]);                              \
    }                                                                                    \
    round_keys[11] = XOR(round_keys[10], round_keys[0]);

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
    TEN_ROUNDS(CHAINS_1, TAKE, FINISH, PUT_TEMPORAL)
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
        TEN_ROUNDS(CHAINS_1, TAKE, FINISH, PUT_TEMPORAL)
        source += VECTOR_BYTES;
        destination += VECTOR_BYTES;
    }
    if (left > 0) {
        encrypt_few(expanded, source, destination, left);
    }
}

/* Encrypts the first `blocks` of the chains once more and folds all of them into the
 * destination block. */
static void fold(const struct rp_aes_key *expanded, uint8_t *chains, size_t chain_bytes,
                 size_t blocks, uint8_t result[RP_BLOCK_BYTES])
{
    uint64_t halves[2] = {0};

    encrypt_end(expanded, chains, chains, RP_AES_BLOCK_BYTES * blocks);
    for (size_t i = 0; i < chain_bytes; i += RP_AES_BLOCK_BYTES) {
        uint64_t block[2];

        memcpy(block, chains + i, sizeof block);
        halves[0] ^= block[0];
        halves[1] ^= block[1];
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
                TEN_ROUNDS(CHAINS_##chains, TAKE, FINISH, PUT_TEMPORAL)                  \
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
            uint8_t destination[VECTOR_BYTES * (chains)];                                \
            size_t blocks = input->bytes / RP_AES_BLOCK_BYTES;                           \
            LOAD_KEYS                                                                    \
            CHAINS_##chains(NUMBER);                                                     \
                                                                                         \
            for (; blocks >= LANES * (chains); blocks -= LANES * (chains)) {             \
                TEN_ROUNDS(CHAINS_##chains, HOLD, AGAIN, HOLD)                           \
            }                                                                            \
            CHAINS_##chains(END);                                                        \
            CHAINS_##chains(PUT_TEMPORAL);                                               \
            fold(expanded, destination, sizeof destination, blocks, input->destination); \
        }                                                                                \
    }

#define DEFINE_INTERLEAVES(width) RP_INTERLEAVE_EACH(DEFINE_INTERLEAVE, width)
