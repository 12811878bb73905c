/* SPDX-License-Identifier: MIT */
/*
 * What the AES-NI and VAES kernels of every mode are written in: a small vocabulary that
 * vector_128.h, vector_256.h or vector_512.h gives for its width,
 *
 *   VECTOR                  the type, of LANES blocks
 *   REGISTER                the constraint of assembly that means one of its registers
 *   BROADCAST(pointer)      the 16 bytes at `pointer` in every lane
 *   COUNT(n)                n in the low 32-bit element of each lane, else 0
 *   LANE_NUMBERS            0, 1, ... in the low 32-bit element of each lane, else 0
 *   LOAD, STORE, STREAM     unaligned load, unaligned store, aligned non-temporal store
 *   XOR, ADD32, SHUFFLE     bitwise, per 32-bit element, bytes within each lane
 *   ENCRYPT_ROUND           AESENC; ENCRYPT_LAST_ROUND is AESENCLAST
 *   DECRYPT_ROUND           AESDEC; DECRYPT_LAST_ROUND is AESDECLAST
 *   SHIFT_UP, SHIFT_DOWN    each lane by whole bytes, towards its last or first one
 *   MULTIPLY                carry-less: one 64-bit half of each lane of both
 *   BLOCK_BEFORE(before, v) the blocks of `v` moved on by one, the last of `before` first
 *   LINES(DO)               DO(i) for each vector i of eight that begins a cache line
 *
 * and eight states, state_0 to state_7, that go through the rounds together. The
 * including file defines ROUND and LAST_ROUND as those of its direction.
 *
 * With eight chains and sixteen registers there is no room for round keys: KEYS_IN_MEMORY
 * makes every step read them again, once for all chains. Left to themselves, compilers
 * keep the keys in registers and spill the states, in the middle of the rounds.
 * KEYS_IN_REGISTERS is for one chain, or thirty-two registers.
 *
 * Chains and rounds are unrolled by the preprocessor: compilers unroll differently at
 * each optimisation level, and what is unrolled decides how many chains are in flight.
 */
#include "kernels/aes/aes.h"

#define VECTOR_BYTES (LANES * RP_AES_BLOCK_BYTES)

#define CHAINS_1(DO) DO(0)
#define CHAINS_8(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

#define ROUND_1(i)      state_##i = ROUND(state_##i, key[1]);
#define ROUND_2(i)      state_##i = ROUND(state_##i, key[2]);
#define ROUND_3(i)      state_##i = ROUND(state_##i, key[3]);
#define ROUND_4(i)      state_##i = ROUND(state_##i, key[4]);
#define ROUND_5(i)      state_##i = ROUND(state_##i, key[5]);
#define ROUND_6(i)      state_##i = ROUND(state_##i, key[6]);
#define ROUND_7(i)      state_##i = ROUND(state_##i, key[7]);
#define ROUND_8(i)      state_##i = ROUND(state_##i, key[8]);
#define ROUND_9(i)      state_##i = ROUND(state_##i, key[9]);
#define ROUND_10(i)     state_##i = ROUND(state_##i, key[10]);
#define ROUND_11(i)     state_##i = ROUND(state_##i, key[11]);
#define ROUND_12(i)     state_##i = ROUND(state_##i, key[12]);
#define ROUND_13(i)     state_##i = ROUND(state_##i, key[13]);
#define PUT_TEMPORAL(i) STORE(destination + VECTOR_BYTES * (i), state_##i);
#define PUT_NT(i)       STREAM(destination + VECTOR_BYTES * (i), state_##i);

/* The rounds from the third to the last but one, for each length of key. */
/* clang-format off */
#define MIDDLE_10(CHAINS)                                                                \
    CHAINS(ROUND_3) CHAINS(ROUND_4) CHAINS(ROUND_5) CHAINS(ROUND_6) CHAINS(ROUND_7)      \
    CHAINS(ROUND_8) CHAINS(ROUND_9)
#define MIDDLE_12(CHAINS) MIDDLE_10(CHAINS) CHAINS(ROUND_10) CHAINS(ROUND_11)
#define MIDDLE_14(CHAINS) MIDDLE_12(CHAINS) CHAINS(ROUND_12) CHAINS(ROUND_13)

/* All rounds but the last of eight states, where `rounds` is a constant in a function. */
#define ROUNDS_BUT_LAST                                                                  \
    CHAINS_8(ROUND_1) CHAINS_8(ROUND_2) MIDDLE_10(CHAINS_8)                              \
    if (rounds > 10) {                                                                   \
        CHAINS_8(ROUND_10) CHAINS_8(ROUND_11)                                            \
    }                                                                                    \
    if (rounds > 12) {                                                                   \
        CHAINS_8(ROUND_12) CHAINS_8(ROUND_13)                                            \
    }
/* clang-format on */

/* The rounds fill the reorder window, so that few loads and stores are in flight to
 * memory. So the source is fetched ahead, and lines to be stored temporally are asked for
 * owned (a no-operation on CPUs without PREFETCHW). Counter mode in place and what stores
 * non-temporally there and in GCM fetch twice: far ahead into the second level, which
 * waits for more lines at once than the first (48 against 16 on Golden Cove, as Intel
 * presented it), and near into the first. Of what was tried at 1 GiB there (near 1 to 4
 * KiB, far 3 to 8 KiB, each alone and both) these were the fastest: against the near
 * fetch alone 0.99 of an update in place instead of 0.85 (`ridgepoint sweep`,
 * update-avx512 beside it), and 16 % more with non-temporal stores. Where the destination
 * is elsewhere and stored temporally the far fetch gains 3 % in memory, but costs 8 %
 * where the second level ends. LINES names the vectors of eight that begin a cache line.
 */
#define FETCH_AT(bytes, hint, i)                                                         \
    _mm_prefetch((const char *)(source + VECTOR_BYTES * (i) + (bytes)), hint);
#define OWN_AT(bytes, i)                                                                 \
    __asm__ volatile("prefetchw %0" ::"m"(destination[VECTOR_BYTES * (i) + (bytes)]));
#define FETCH(i)              FETCH_AT(2048, _MM_HINT_T0, i)
#define FETCH_NEAR(i)         FETCH_AT(1024, _MM_HINT_T0, i)
#define FETCH_FAR(i)          FETCH_AT(4096, _MM_HINT_T1, i)
#define OWN(i)                OWN_AT(1024, i)
#define OWN_NEAR(i)           OWN_AT(512, i)
#define FETCH_ONLY            LINES(FETCH)
#define FETCH_TWICE           LINES(FETCH_FAR) LINES(FETCH_NEAR)
#define FETCH_AND_OWN         LINES(FETCH) LINES(OWN)
#define FETCH_AND_OWN_INPLACE FETCH_TWICE LINES(OWN_NEAR)
#define FETCH_NOTHING_INPLACE
#define FETCH_NOTHING

#define KEYS_IN_MEMORY __asm__("" : "+r"(key) : "m"(round_keys));
#define KEYS_IN_REGISTERS
