/* SPDX-License-Identifier: MIT */
/*
 * The body of the AES-NI and VAES counter-mode kernels, written once in a small
 * vocabulary that the including file gives for its vector width:
 *
 *   VECTOR                  the type, of LANES blocks
 *   BROADCAST(pointer)      the 16 bytes at `pointer` in every lane
 *   COUNT(n)                n in the low 32-bit element of each lane, else 0
 *   LANE_NUMBERS            0, 1, ... in the low 32-bit element of each lane, else 0
 *   LOAD, STORE, STREAM     unaligned load, unaligned store, aligned non-temporal store
 *   XOR, ADD32, SHUFFLE     bitwise, per 32-bit element, bytes within each lane
 *   ROUND, LAST_ROUND       AESENC and AESENCLAST
 *   LINES(DO)               DO(i) for each vector i of eight that begins a cache line
 *
 * Counters are kept byte-swapped, so that adding 1 to the low 32-bit element of a lane is
 * the RFC 3686 increment with its wrap, and one byte shuffle gives the block to encrypt.
 * The plaintext is XORed into the last round key rather than into the key stream: off the
 * chain of rounds, at no cost.
 *
 * With eight chains and sixteen registers there is no room for round keys: KEYS_IN_MEMORY
 * makes every step read them again, once for all chains. Left to themselves, compilers
 * keep the keys in registers and spill the states, in the middle of the rounds.
 * KEYS_IN_REGISTERS is for one chain, or thirty-two registers.
 *
 * Chains and rounds are unrolled by the preprocessor: compilers unroll differently at
 * each optimisation level, and what is unrolled decides how many chains are in flight.
 */
#include <string.h>

#include "kernels/aes/ctr.h"

#define VECTOR_BYTES (LANES * RP_AES_BLOCK_BYTES)

#define CHAINS_1(DO) DO(0)
#define CHAINS_8(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

#define COUNTER(i)  VECTOR state_##i = ADD32(counter, COUNT(LANES * (i)));
#define SWAP(i)     state_##i = SHUFFLE(state_##i, byte_swap);
#define WHITEN(i)   state_##i = XOR(state_##i, key[0]);
#define ROUND_1(i)  state_##i = ROUND(state_##i, key[1]);
#define ROUND_2(i)  state_##i = ROUND(state_##i, key[2]);
#define ROUND_3(i)  state_##i = ROUND(state_##i, key[3]);
#define ROUND_4(i)  state_##i = ROUND(state_##i, key[4]);
#define ROUND_5(i)  state_##i = ROUND(state_##i, key[5]);
#define ROUND_6(i)  state_##i = ROUND(state_##i, key[6]);
#define ROUND_7(i)  state_##i = ROUND(state_##i, key[7]);
#define ROUND_8(i)  state_##i = ROUND(state_##i, key[8]);
#define ROUND_9(i)  state_##i = ROUND(state_##i, key[9]);
#define ROUND_10(i) state_##i = ROUND(state_##i, key[10]);
#define ROUND_11(i) state_##i = ROUND(state_##i, key[11]);
#define ROUND_12(i) state_##i = ROUND(state_##i, key[12]);
#define ROUND_13(i) state_##i = ROUND(state_##i, key[13]);
#define FINISH(i)                                                                        \
    state_##i =                                                                          \
        LAST_ROUND(state_##i, XOR(key[rounds], LOAD(source + VECTOR_BYTES * (i))));
#define PUT_TEMPORAL(i) STORE(destination + VECTOR_BYTES * (i), state_##i);
#define PUT_NT(i)       STREAM(destination + VECTOR_BYTES * (i), state_##i);

/* The rounds from the third to the last but one, for each length of key. */
/* clang-format off */
#define MIDDLE_10(CHAINS)                                                                \
    CHAINS(ROUND_3) CHAINS(ROUND_4) CHAINS(ROUND_5) CHAINS(ROUND_6) CHAINS(ROUND_7)      \
    CHAINS(ROUND_8) CHAINS(ROUND_9)
#define MIDDLE_12(CHAINS) MIDDLE_10(CHAINS) CHAINS(ROUND_10) CHAINS(ROUND_11)
#define MIDDLE_14(CHAINS) MIDDLE_12(CHAINS) CHAINS(ROUND_12) CHAINS(ROUND_13)
/* clang-format on */

/* The rounds fill the reorder window, so that few loads and stores are in flight to
 * memory. So the source is fetched ahead, and lines to be stored temporally are asked for
 * owned (a no-operation on CPUs without PREFETCHW). Of these distances, their halves and
 * their doubles, these were the fastest at 1 GiB on Golden Cove, where fetching brought
 * `ridgepoint sweep` from 0.40 to 0.30 cycles a byte with non-temporal stores and from
 * 0.36 to 0.24 in place. LINES names the vectors of eight that begin a cache line. */
#define FETCH_BYTES 2048
#define OWN_BYTES   1024
#define FETCH(i)                                                                         \
    _mm_prefetch((const char *)(source + VECTOR_BYTES * (i) + FETCH_BYTES), _MM_HINT_T0);
#define OWN(i)                                                                           \
    __asm__ volatile("prefetchw %0" ::"m"(destination[VECTOR_BYTES * (i) + OWN_BYTES]));
#define FETCH_AND_OWN LINES(FETCH) LINES(OWN)
#define FETCH_ONLY    LINES(FETCH)
#define FETCH_NOTHING

/* Unrolled, so that what may be in registers is there at once: gcc makes a loop of it
 * that stores every key to load it again, which costs a short message 50 cycles. */
#define KEY(i) round_keys[i] = BROADCAST(expanded->round_keys[i]);
#define EACH_KEY_10                                                                      \
    KEY(0) KEY(1) KEY(2) KEY(3) KEY(4) KEY(5) KEY(6) KEY(7) KEY(8) KEY(9) KEY(10)
#define EACH_KEY_12          EACH_KEY_10 KEY(11) KEY(12)
#define EACH_KEY_14          EACH_KEY_12 KEY(13) KEY(14)
#define EACH_KEY(last_round) EACH_KEY_##last_round

#define KEYS_IN_MEMORY __asm__("" : "+r"(key) : "m"(round_keys));
#define KEYS_IN_REGISTERS

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
        EACH_KEY(last_round)                                                             \
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

/* Defines the public kernel `name` and its non-temporal sibling `name_nt` around two
 * messages. Non-temporal stores are aligned ones; where the message does not lie so, it
 * is stored temporally. */
#define DEFINE_KERNELS(name, message, message_nt)                                        \
    static void name##_nt_where_aligned(                                                 \
        const struct rp_aes_key *key, const uint8_t counter_block[RP_AES_BLOCK_BYTES],   \
        const uint8_t *source, uint8_t *destination, size_t bytes)                       \
    {                                                                                    \
        if ((uintptr_t)destination % VECTOR_BYTES == 0) {                                \
            message_nt(key, counter_block, source, destination, bytes);                  \
        } else {                                                                         \
            message(key, counter_block, source, destination, bytes);                     \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    void name(const struct rp_kernel_input *input, uint64_t repetitions)                 \
    {                                                                                    \
        rp_aes_ctr_messages(input, repetitions, message);                                \
    }                                                                                    \
                                                                                         \
    void name##_nt(const struct rp_kernel_input *input, uint64_t repetitions)            \
    {                                                                                    \
        rp_aes_ctr_messages(input, repetitions, name##_nt_where_aligned);                \
        _mm_sfence();                                                                    \
    }

/* Both, for one length of key. */
#define DEFINE_PLAIN(bits, rounds, variant, CHAINS, chains, KEYS, FETCHES, FETCHES_NT)   \
    DEFINE_MESSAGE(aes##bits##ctr_##variant##_message, rounds, CHAINS, chains, KEYS,     \
                   FETCHES, PUT_TEMPORAL)                                                \
    DEFINE_MESSAGE(aes##bits##ctr_##variant##_message_nt, rounds, CHAINS, chains, KEYS,  \
                   FETCHES_NT, PUT_NT)                                                   \
    DEFINE_KERNELS(rp_aes##bits##ctr_##variant, aes##bits##ctr_##variant##_message,      \
                   aes##bits##ctr_##variant##_message_nt)

static const uint8_t byte_swap_lane[RP_AES_BLOCK_BYTES] __attribute__((aligned(16))) = {
    15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
};
