/* SPDX-License-Identifier: MIT */
/*
 * The body of the AES-NI and VAES counter-mode kernels, written once in the vocabulary
 * of rounds.h.
 *
 * Counters are kept byte-swapped, so that adding 1 to the low 32-bit element of a lane is
 * the RFC 3686 increment with its wrap, and one byte shuffle gives the block to encrypt.
 * The plaintext is XORed into the last round key rather than into the key stream: off the
 * chain of rounds, at no cost.
 */
#include <string.h>

#include "kernels/aes/ctr.h"
#include "kernels/aes/rounds.h"

#define ROUND      ENCRYPT_ROUND
#define LAST_ROUND ENCRYPT_LAST_ROUND

#define COUNTER(i) VECTOR state_##i = ADD32(counter, COUNT(LANES * (i)));
#define SWAP(i)    state_##i = SHUFFLE(state_##i, byte_swap);
#define WHITEN(i)  state_##i = XOR(state_##i, key[0]);
#define FINISH(i)                                                                        \
    state_##i =                                                                          \
        LAST_ROUND(state_##i, XOR(key[rounds], LOAD(source + VECTOR_BYTES * (i))));

/* One step of `chains` vectors: CHAINS is CHAINS_1 or CHAINS_8, the rest as above. */
/* clang-format off */
#define STEP(rounds, CHAINS, chains, KEYS, FETCHES, PUT)                                 \
    {                                                                                    \
        KEYS                                                                             \
        CHAINS(COUNTER)                                                                  \
        CHAINS(SWAP)                                                                     \
        FETCHES                                                                          \
        CHAINS(WHITEN)                                                                   \
        CHAINS(ROUND_1)                                                                  \
        CHAINS(ROUND_2)                                                                  \
        MIDDLE_##rounds(CHAINS)                                                          \
        CHAINS(FINISH)                                                                   \
        CHAINS(PUT)                                                                      \
        counter = ADD32(counter, COUNT(LANES * (chains)));                               \
        source += VECTOR_BYTES * (chains);                                               \
        destination += VECTOR_BYTES * (chains);                                          \
        left -= VECTOR_BYTES * (chains);                                                 \
    }
/* clang-format on */

/* Defines the rp_aes_ctr_message `name`, for keys of so many rounds. */
#define DEFINE_MESSAGE(name, last_round, CHAINS, chains, KEYS, FETCHES, PUT)             \
    static void name(const struct rp_aes_key *expanded,                                  \
                     const uint8_t counter_block[RP_AES_BLOCK_BYTES],                    \
                     const uint8_t *source, uint8_t *destination, size_t left)           \
    {                                                                                    \
        enum { rounds = last_round };                                                    \
        const VECTOR byte_swap = BROADCAST(byte_swap_lane);                              \
        VECTOR round_keys[rounds + 1];                                                   \
        const VECTOR *key = round_keys;                                                  \
                                                                                         \
        for (int i = 0; i <= rounds; i++) {                                              \
            round_keys[i] = BROADCAST(expanded->round_keys[i]);                          \
        }                                                                                \
        VECTOR counter =                                                                 \
            ADD32(SHUFFLE(BROADCAST(counter_block), byte_swap), LANE_NUMBERS);           \
        while (left >= VECTOR_BYTES * (chains)) {                                        \
            STEP(last_round, CHAINS, chains, KEYS, FETCHES, PUT)                         \
        }                                                                                \
        while (left >= VECTOR_BYTES) {                                                   \
            STEP(last_round, CHAINS_1, 1, KEYS_IN_REGISTERS, FETCH_NOTHING, PUT)         \
        }                                                                                \
        if (left > 0) {                                                                  \
            uint8_t last[VECTOR_BYTES] __attribute__((aligned(64))) = {0};               \
            uint8_t *const rest = destination;                                           \
            const size_t rest_bytes = left;                                              \
                                                                                         \
            memcpy(last, source, rest_bytes);                                            \
            source = last;                                                               \
            destination = last;                                                          \
            left = VECTOR_BYTES;                                                         \
            STEP(last_round, CHAINS_1, 1, KEYS_IN_REGISTERS, FETCH_NOTHING,              \
                 PUT_TEMPORAL)                                                           \
            memcpy(rest, last, rest_bytes);                                              \
        }                                                                                \
    }

/* Defines the public kernel `name` and its non-temporal sibling `name_nt` around three
 * messages: `message`, and with the endings _inplace and _nt. Non-temporal stores are
 * aligned ones; where the message does not lie so, it is stored temporally. */
#define DEFINE_KERNELS(name, message)                                                    \
    static void name##_nt_where_aligned(                                                 \
        const struct rp_aes_key *key, const uint8_t counter_block[RP_AES_BLOCK_BYTES],   \
        const uint8_t *source, uint8_t *destination, size_t bytes)                       \
    {                                                                                    \
        if ((uintptr_t)destination % VECTOR_BYTES == 0) {                                \
            message##_nt(key, counter_block, source, destination, bytes);                \
        } else {                                                                         \
            message(key, counter_block, source, destination, bytes);                     \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    void name(const struct rp_kernel_input *input, uint64_t repetitions)                 \
    {                                                                                    \
        rp_aes_ctr_messages(input, repetitions,                                          \
                            input->source == input->destination ? message##_inplace      \
                                                                : message);              \
    }                                                                                    \
                                                                                         \
    void name##_nt(const struct rp_kernel_input *input, uint64_t repetitions)            \
    {                                                                                    \
        rp_aes_ctr_messages(input, repetitions, name##_nt_where_aligned);                \
        _mm_sfence();                                                                    \
    }

/* All of them, for one length of key. */
#define DEFINE_PLAIN(bits, rounds, variant, CHAINS, chains, KEYS, FETCHES, FETCHES_NT)   \
    DEFINE_MESSAGE(aes##bits##ctr_##variant##_message, rounds, CHAINS, chains, KEYS,     \
                   FETCHES, PUT_TEMPORAL)                                                \
    DEFINE_MESSAGE(aes##bits##ctr_##variant##_message_inplace, rounds, CHAINS, chains,   \
                   KEYS, FETCHES##_INPLACE, PUT_TEMPORAL)                                \
    DEFINE_MESSAGE(aes##bits##ctr_##variant##_message_nt, rounds, CHAINS, chains, KEYS,  \
                   FETCHES_NT, PUT_NT)                                                   \
    DEFINE_KERNELS(rp_aes##bits##ctr_##variant, aes##bits##ctr_##variant##_message)

static const uint8_t byte_swap_lane[RP_AES_BLOCK_BYTES] __attribute__((aligned(16))) = {
    15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
};
