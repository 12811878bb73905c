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

void rp_aes128ctr_init(struct rp_aes128ctr *context,
                       const uint8_t key[RP_AES128_KEY_BYTES],
                       const uint8_t counter_block[RP_AES_BLOCK_BYTES])
{
    uint8_t(*const keys)[RP_AES_BLOCK_BYTES] = context->round_keys;
    uint8_t round_constant = 1;

    memcpy(keys[0], key, RP_AES128_KEY_BYTES);
    for (int round = 1; round <= RP_AES128_ROUNDS; round++) {
        const uint8_t *const previous = keys[round - 1];

        for (int i = 0; i < 4; i++) {
            keys[round][i] = previous[i] ^ rp_aes_sbox[previous[12 + (i + 1) % 4]];
        }
        keys[round][0] ^= round_constant;
        for (int i = 4; i < RP_AES_BLOCK_BYTES; i++) {
            keys[round][i] = previous[i] ^ keys[round][i - 4];
        }
        round_constant = times_x(round_constant);
    }
    memcpy(context->counter_block, counter_block, RP_AES_BLOCK_BYTES);
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

static void encrypt_block(const struct rp_aes128ctr *context,
                          const uint8_t plain[RP_AES_BLOCK_BYTES],
                          uint8_t state[RP_AES_BLOCK_BYTES])
{
    memcpy(state, plain, RP_AES_BLOCK_BYTES);
    add_round_key(state, context->round_keys[0]);
    for (int round = 1; round < RP_AES128_ROUNDS; round++) {
        rp_aes_round(state, context->round_keys[round]);
    }
    substitute_and_shift(state);
    add_round_key(state, context->round_keys[RP_AES128_ROUNDS]);
}

static void increment(uint8_t counter_block[RP_AES_BLOCK_BYTES])
{
    for (int i = RP_AES_BLOCK_BYTES - 1; i >= 12; i--) {
        if (++counter_block[i] != 0) {
            break;
        }
    }
}

static void encrypt_message(const struct rp_kernel_input *input)
{
    const struct rp_aes128ctr *const context = input->context;
    uint8_t counter_block[RP_AES_BLOCK_BYTES];
    uint8_t key_stream[RP_AES_BLOCK_BYTES];

    memcpy(counter_block, context->counter_block, sizeof counter_block);
    for (size_t i = 0; i < input->bytes; i++) {
        if (i % RP_AES_BLOCK_BYTES == 0) {
            encrypt_block(context, counter_block, key_stream);
            increment(counter_block);
        }
        input->destination[i] = input->source[i] ^ key_stream[i % RP_AES_BLOCK_BYTES];
    }
}

void rp_aes128ctr_reference(const struct rp_kernel_input *input, uint64_t repetitions)
{
    while (repetitions-- > 0) {
        encrypt_message(input);
    }
}
