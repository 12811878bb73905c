/* SPDX-License-Identifier: MIT */
/*
 * The body of the CBC decryption kernels, in the vocabulary of kernels/aes/rounds.h. The
 * including file defines KEYS.
 *
 * A block of plaintext is the decrypted block XOR the block of ciphertext before it. That
 * is read from the source a second time, one block further back than the vector: a load
 * across two lines, where there is a load to spare, instead of a shuffle. It is XORed
 * into the last round key, off the chain of rounds. In place, the block before a step has
 * been overwritten, so the last vector of every step is kept.
 */
#include <string.h>

#include "kernels/aes/rounds.h"
#include "kernels/modes/define.h"
#include "kernels/modes/modes.h"

#define ROUND      DECRYPT_ROUND
#define LAST_ROUND DECRYPT_LAST_ROUND

#define AT(i)    (VECTOR_BYTES * (i))
#define START(i) VECTOR state_##i = XOR(LOAD(source + AT(i)), key[0]);
#define BEFORE(i)                                                                        \
    ((i) == 0 ? BLOCK_BEFORE(previous, LOAD(source))                                     \
              : LOAD(source + AT(i) - RP_AES_BLOCK_BYTES))
/* Without this, a compiler keeps what it has read, and spills states for it. */
#define READ_AGAIN __asm__("" : "+r"(source));
#define FINISH(i)  state_##i = LAST_ROUND(state_##i, XOR(key[rounds], BEFORE(i)));

/* One vector, `before` being the blocks of ciphertext before its own. */
static inline VECTOR cbc_decrypt_vector(VECTOR cipher, VECTOR before,
                                        const struct rp_aes_key *key)
{
    VECTOR state = XOR(cipher, BROADCAST(key->round_keys[0]));

    for (unsigned round = 1; round < key->rounds; round++) {
        state = ROUND(state, BROADCAST(key->round_keys[round]));
    }
    return LAST_ROUND(state, XOR(BROADCAST(key->round_keys[key->rounds]), before));
}

/* What is left past the last step: single vectors, one of fewer blocks, and a copy. The
 * last block of `previous` is the one before the source. */
static inline void cbc_decrypt_end(const struct rp_aes_key *key, VECTOR previous,
                                   const uint8_t *source, uint8_t *destination,
                                   size_t left)
{
    const size_t partial = left % RP_AES_BLOCK_BYTES;
    uint8_t last[VECTOR_BYTES] = {0};

    for (; left >= VECTOR_BYTES; left -= VECTOR_BYTES) {
        const VECTOR cipher = LOAD(source);

        STORE(destination,
              cbc_decrypt_vector(cipher, BLOCK_BEFORE(previous, cipher), key));
        previous = cipher;
        source += VECTOR_BYTES;
        destination += VECTOR_BYTES;
    }
    memcpy(last, source, left - partial);
    const VECTOR cipher = LOAD(last);
    STORE(last, cbc_decrypt_vector(cipher, BLOCK_BEFORE(previous, cipher), key));
    memcpy(last + left - partial, source + left - partial, partial);
    memcpy(destination, last, left);
}

static inline __attribute__((always_inline)) void
cbc_decrypt(const struct rp_aes_cbc *context, const uint8_t *source, uint8_t *destination,
            size_t left, unsigned rounds, bool nt)
{
    VECTOR round_keys[RP_AES_MOST_ROUNDS + 1];
    const VECTOR *key = round_keys;
    VECTOR previous = BROADCAST(context->iv);

    for (unsigned i = 0; i <= rounds; i++) {
        round_keys[i] = BROADCAST(context->inverse.round_keys[i]);
    }
    /* clang-format off */
    while (left >= AT(8)) {
        KEYS
        CHAINS_8(START)
        FETCH_ONLY
        if (!nt) {
            LINES(OWN)
        }
        ROUNDS_BUT_LAST
        READ_AGAIN
        CHAINS_8(FINISH)
        previous = LOAD(source + AT(7));
        if (nt) {
            CHAINS_8(PUT_NT)
        } else {
            CHAINS_8(PUT_TEMPORAL)
        }
        source += AT(8);
        destination += AT(8);
        left -= AT(8);
    }
    /* clang-format on */
    if (left > 0) {
        cbc_decrypt_end(&context->inverse, previous, source, destination, left);
    }
}

/* Defines the kernel rp_aes<bits>cbcdec_<variant> and its sibling _nt. */
#define DEFINE_CBC(bits, rounds, variant)                                                \
    DEFINE_MODE(aes##bits##cbcdec_##variant, cbc_decrypt, rounds)
