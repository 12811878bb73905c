/* SPDX-License-Identifier: MIT */
/*
 * The body of the XTS encryption kernels, in the vocabulary of kernels/aes/rounds.h. The
 * including file defines KEYS and TWEAKS.
 *
 * The tweak of a block is that of the block before it times x in GF(2^128). A step needs
 * the tweaks of eight vectors, and each of them times x^8, x^16 or x^32 is the one of the
 * same place in the next step: so many doublings are one shift by whole bytes, and what
 * falls out at the end comes back multiplied by x^7 + x^2 + x + 1, without carry. Shifts
 * of bits would take their place from AESENC, which this leaves alone.
 *
 * Tweaks are needed before the rounds and after them. Between the two, the states and a
 * round key leave no room for them in sixteen registers: TWEAKS_IN_MEMORY has them wait
 * there. With thirty-two, TWEAKS_IN_REGISTERS.
 */
#include <string.h>

#include "kernels/aes/rounds.h"
#include "kernels/modes/define.h"
#include "kernels/modes/modes.h"

#define ROUND      ENCRYPT_ROUND
#define LAST_ROUND ENCRYPT_LAST_ROUND

#define AT(i) (VECTOR_BYTES * (i))

/* Each lane of `v` times x^(8 * bytes); `bytes` is a constant from 1 to 8. */
#define TIMES_X8(v, bytes)                                                               \
    XOR(SHIFT_UP((v), (bytes)),                                                          \
        MULTIPLY(SHIFT_DOWN((v), RP_AES_BLOCK_BYTES - (bytes)), COUNT(0x87), 0))

#define FIRST_TWEAK(i) VECTOR tweak_##i = LOAD(tweaks + AT(i));
#define LAST_TWEAK(i)  STORE(tweaks + AT(i), tweak_##i);

#define TWEAK_IN_MEMORY(i) __asm__("" : "+m"(tweak_##i));
#define TWEAKS_IN_MEMORY   CHAINS_8(TWEAK_IN_MEMORY)
#define TWEAKS_IN_REGISTERS

#define START(i)  VECTOR state_##i = XOR(XOR(LOAD(source + AT(i)), tweak_##i), key[0]);
#define FINISH(i) state_##i = LAST_ROUND(state_##i, XOR(key[rounds], tweak_##i));
#define NEXT(i)   tweak_##i = TIMES_X8(tweak_##i, LANES);

static inline VECTOR xts_encrypt_blocks(VECTOR state, const struct rp_aes_key *key)
{
    state = XOR(state, BROADCAST(key->round_keys[0]));
    for (unsigned round = 1; round < key->rounds; round++) {
        state = ROUND(state, BROADCAST(key->round_keys[round]));
    }
    return LAST_ROUND(state, BROADCAST(key->round_keys[key->rounds]));
}

/* The tweaks of the first eight vectors: eight blocks by doubling, the others from those
 * eight blocks before. */
static inline void make_tweaks(uint8_t *tweaks, const struct rp_aes_xts *context)
{
    uint64_t halves[2];

    STORE(tweaks, xts_encrypt_blocks(BROADCAST(context->data_unit), &context->tweak_key));
    memcpy(halves, tweaks, sizeof halves);
    for (size_t block = 0; block < 8; block++) {
        const uint64_t carry = -(halves[1] >> 63) & 0x87;

        memcpy(tweaks + block * RP_AES_BLOCK_BYTES, halves, sizeof halves);
        halves[1] = halves[1] << 1 | halves[0] >> 63;
        halves[0] = halves[0] << 1 ^ carry;
    }
    for (size_t at = 8 * RP_AES_BLOCK_BYTES; at < AT(8); at += VECTOR_BYTES) {
        const VECTOR before = LOAD(tweaks + at - 8 * RP_AES_BLOCK_BYTES);

        STORE(tweaks + at, TIMES_X8(before, 1));
    }
}

/* Steals from the whole block before the destination to fill up the partial one there. */
static inline void xts_steal(const struct rp_aes_key *key, const uint8_t *tweak,
                             const uint8_t *source, uint8_t *destination, size_t partial)
{
    uint8_t *const whole = destination - RP_AES_BLOCK_BYTES;
    uint8_t stolen[VECTOR_BYTES] = {0};
    const VECTOR used = BROADCAST(tweak);

    memcpy(stolen, source, partial);
    memcpy(stolen + partial, whole + partial, RP_AES_BLOCK_BYTES - partial);
    memcpy(destination, whole, partial);
    STORE(stolen, XOR(xts_encrypt_blocks(XOR(LOAD(stolen), used), key), used));
    memcpy(whole, stolen, RP_AES_BLOCK_BYTES);
}

/* What is left past the last step: single vectors, one of fewer blocks, a partial block.
 */
static inline void xts_encrypt_end(const struct rp_aes_key *key, const uint8_t *tweak,
                                   const uint8_t *source, uint8_t *destination,
                                   size_t left)
{
    const size_t partial = left % RP_AES_BLOCK_BYTES;
    uint8_t last[VECTOR_BYTES] = {0};

    for (left -= partial; left > 0;) {
        const size_t bytes = left < VECTOR_BYTES ? left : VECTOR_BYTES;

        const VECTOR used = LOAD(tweak);

        memcpy(last, source, bytes);
        STORE(last, XOR(xts_encrypt_blocks(XOR(LOAD(last), used), key), used));
        memcpy(destination, last, bytes);
        source += bytes;
        destination += bytes;
        tweak += bytes;
        left -= bytes;
    }
    if (partial > 0) {
        xts_steal(key, tweak, source, destination, partial);
    }
}

static inline __attribute__((always_inline)) void
xts_encrypt(const struct rp_aes_xts *context, const uint8_t *source, uint8_t *destination,
            size_t left, unsigned rounds, bool nt)
{
    VECTOR round_keys[RP_AES_MOST_ROUNDS + 1];
    const VECTOR *key = round_keys;
    uint8_t tweaks[AT(8)] __attribute__((aligned(64)));

    if (left < RP_AES_BLOCK_BYTES) {
        memmove(destination, source, left);
        return;
    }
    make_tweaks(tweaks, context);
    for (unsigned i = 0; i <= rounds; i++) {
        round_keys[i] = BROADCAST(context->key.round_keys[i]);
    }
    /* clang-format off */
    CHAINS_8(FIRST_TWEAK)
    while (left >= AT(8)) {
        KEYS
        CHAINS_8(START)
        FETCH_ONLY
        if (!nt) {
            LINES(OWN)
        }
        ROUNDS_BUT_LAST
        TWEAKS
        CHAINS_8(FINISH)
        if (nt) {
            CHAINS_8(PUT_NT)
        } else {
            CHAINS_8(PUT_TEMPORAL)
        }
        TWEAKS
        CHAINS_8(NEXT)
        source += AT(8);
        destination += AT(8);
        left -= AT(8);
    }
    CHAINS_8(LAST_TWEAK)
    /* clang-format on */
    xts_encrypt_end(&context->key, tweaks, source, destination, left);
}

/* Defines the kernel rp_aes<bits>xts_<variant> and its sibling _nt. */
#define DEFINE_XTS(bits, rounds, variant)                                                \
    DEFINE_MODE(aes##bits##xts_##variant, xts_encrypt, rounds)
