/* SPDX-License-Identifier: MIT */
/*
 * AES as FIPS 197 writes it down: byte S-box, ShiftRows and MixColumns spelled out. Slow
 * on purpose; everything else is compared with it, and it with the published vectors.
 */
#include <string.h>

#include "kernels/aes/aes.h"
#include "kernels/aes/sbox.h"

#define ENTRY(value) value,
const uint8_t rp_aes_sbox[256] = {RP_AES_SBOX(ENTRY)};

static uint8_t times_x(uint8_t value)
{
    return (uint8_t)((value << 1) ^ ((value >> 7) * 0x1b));
}

void rp_aes_expand(struct rp_aes_key *expanded, const uint8_t *key, size_t key_bytes)
{
    uint8_t(*const words)[4] = (uint8_t(*)[4])expanded->round_keys;
    const size_t key_words = key_bytes / 4;
    uint8_t round_constant = 1;

    expanded->rounds = (unsigned)key_words + 6;
    memcpy(words, key, key_bytes);
    for (size_t i = key_words; i < 4 * ((size_t)expanded->rounds + 1); i++) {
        const uint8_t *const previous = words[i - 1];
        const bool substitutes =
            i % key_words == 0 || (key_words > 6 && i % key_words == 4);
        const size_t turn = i % key_words == 0 ? 1 : 0;

        for (size_t j = 0; j < 4; j++) {
            const uint8_t byte = previous[(j + turn) % 4];

            words[i][j] =
                words[i - key_words][j] ^ (substitutes ? rp_aes_sbox[byte] : byte);
        }
        if (i % key_words == 0) {
            words[i][0] ^= round_constant;
            round_constant = times_x(round_constant);
        }
    }
}

static void add_round_key(uint8_t state[RP_AES_BLOCK_BYTES],
                          const uint8_t key[RP_AES_BLOCK_BYTES])
{
    for (int i = 0; i < RP_AES_BLOCK_BYTES; i++) {
        state[i] ^= key[i];
    }
}

/* SubBytes and ShiftRows: row r of the column-major state moves r columns to the left. */
static void substitute_and_shift(uint8_t state[RP_AES_BLOCK_BYTES])
{
    uint8_t shifted[RP_AES_BLOCK_BYTES];

    for (int i = 0; i < RP_AES_BLOCK_BYTES; i++) {
        const int row = i % 4;
        const int column = (i / 4 + row) % 4;

        shifted[i] = rp_aes_sbox[state[4 * column + row]];
    }
    memcpy(state, shifted, sizeof shifted);
}

static void mix_columns(uint8_t state[RP_AES_BLOCK_BYTES])
{
    for (uint8_t *column = state; column < state + RP_AES_BLOCK_BYTES; column += 4) {
        const uint8_t first = column[0];
        const uint8_t all = column[0] ^ column[1] ^ column[2] ^ column[3];

        for (int i = 0; i < 3; i++) {
            column[i] ^= all ^ times_x(column[i] ^ column[i + 1]);
        }
        column[3] ^= all ^ times_x(column[3] ^ first);
    }
}

void rp_aes_round(uint8_t state[RP_AES_BLOCK_BYTES],
                  const uint8_t key[RP_AES_BLOCK_BYTES])
{
    substitute_and_shift(state);
    mix_columns(state);
    add_round_key(state, key);
}

void rp_aes_encrypt(const struct rp_aes_key *key, const uint8_t plain[RP_AES_BLOCK_BYTES],
                    uint8_t cipher[RP_AES_BLOCK_BYTES])
{
    memmove(cipher, plain, RP_AES_BLOCK_BYTES);
    add_round_key(cipher, key->round_keys[0]);
    for (unsigned round = 1; round < key->rounds; round++) {
        rp_aes_round(cipher, key->round_keys[round]);
    }
    substitute_and_shift(cipher);
    add_round_key(cipher, key->round_keys[key->rounds]);
}

/* ---- back ---- */

struct inverse {
    uint8_t of[256]; /* the S-box */
};

static void invert_sbox(struct inverse *inverse)
{
    for (int i = 0; i < 256; i++) {
        inverse->of[rp_aes_sbox[i]] = (uint8_t)i;
    }
}

static void unsubstitute_and_unshift(uint8_t state[RP_AES_BLOCK_BYTES],
                                     const struct inverse *inverse)
{
    uint8_t from[RP_AES_BLOCK_BYTES];

    for (int i = 0; i < RP_AES_BLOCK_BYTES; i++) {
        const int row = i % 4;
        const int column = (i / 4 + row) % 4;

        from[4 * column + row] = inverse->of[state[i]];
    }
    memcpy(state, from, sizeof from);
}

/* MixColumns has order four: three more times undo it. */
static void unmix_columns(uint8_t state[RP_AES_BLOCK_BYTES])
{
    for (int i = 0; i < 3; i++) {
        mix_columns(state);
    }
}

void rp_aes_invert(struct rp_aes_key *inverse, const struct rp_aes_key *key)
{
    inverse->rounds = key->rounds;
    for (unsigned round = 0; round <= key->rounds; round++) {
        uint8_t *const round_key = inverse->round_keys[key->rounds - round];

        memcpy(round_key, key->round_keys[round], RP_AES_BLOCK_BYTES);
        if (round > 0 && round < key->rounds) {
            unmix_columns(round_key);
        }
    }
}

void rp_aes_decrypt(const struct rp_aes_key *key,
                    const uint8_t cipher[RP_AES_BLOCK_BYTES],
                    uint8_t plain[RP_AES_BLOCK_BYTES])
{
    struct inverse inverse;

    invert_sbox(&inverse);
    memmove(plain, cipher, RP_AES_BLOCK_BYTES);
    add_round_key(plain, key->round_keys[key->rounds]);
    unsubstitute_and_unshift(plain, &inverse);
    for (unsigned round = key->rounds - 1; round > 0; round--) {
        add_round_key(plain, key->round_keys[round]);
        unmix_columns(plain);
        unsubstitute_and_unshift(plain, &inverse);
    }
    add_round_key(plain, key->round_keys[0]);
}
