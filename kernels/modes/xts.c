/* SPDX-License-Identifier: MIT */
/* XTS encryption around the kernels: contexts and the reference. */
#include <string.h>

#include "core/random.h"
#include "kernels/modes/modes.h"
#include "kernels/modes/vectors.h"

/* Both keys, one after the other. */
static void set_keys(struct rp_aes_xts *context, const uint8_t *keys, size_t key_bytes)
{
    rp_aes_expand(&context->key, keys, key_bytes);
    rp_aes_expand(&context->tweak_key, keys + key_bytes, key_bytes);
}

static void choose(struct rp_aes_xts *context, size_t key_bytes, uint64_t *random)
{
    uint8_t keys[2 * RP_AES_MOST_KEY_BYTES];

    rp_random_bytes(random, keys, sizeof keys);
    rp_random_bytes(random, context->data_unit, sizeof context->data_unit);
    set_keys(context, keys, key_bytes);
}

static bool next_vector(size_t index, size_t key_bytes, struct rp_aes_xts *context,
                        struct rp_vector *vector)
{
    const struct rp_aes_mode_vector *const found = rp_aes_xts_vector(key_bytes, index);

    if (found == NULL) {
        return false;
    }
    set_keys(context, found->key, key_bytes);
    memcpy(context->data_unit, found->iv, sizeof context->data_unit);
    *vector = (struct rp_vector){
        .name = found->name,
        .source = found->plain,
        .destination = found->cipher,
        .bytes = found->bytes,
    };
    return true;
}

#define DEFINE_CONTEXT(bits)                                                             \
    static void choose_##bits(void *context, uint64_t *random, bool hard)                \
    {                                                                                    \
        (void)hard;                                                                      \
        choose(context, (bits) / 8, random);                                             \
    }                                                                                    \
    static bool vector_##bits(size_t index, void *context, struct rp_vector *vector)     \
    {                                                                                    \
        return next_vector(index, (bits) / 8, context, vector);                          \
    }                                                                                    \
    const struct rp_context_kind rp_aes##bits##xts_context = {                           \
        .bytes = sizeof(struct rp_aes_xts),                                              \
        .choose = choose_##bits,                                                         \
        .vector = vector_##bits,                                                         \
    }

DEFINE_CONTEXT(128);
DEFINE_CONTEXT(256);

/* Times x in GF(2^128), byte 0 holding the lowest powers (IEEE 1619, section 5.2). */
static void times_x(uint8_t tweak[RP_AES_BLOCK_BYTES])
{
    uint8_t carry = 0;

    for (int i = 0; i < RP_AES_BLOCK_BYTES; i++) {
        const uint8_t out = tweak[i] >> 7;

        tweak[i] = (uint8_t)(tweak[i] << 1 | carry);
        carry = out;
    }
    tweak[0] ^= carry * 0x87;
}

static void encrypt_block(const struct rp_aes_xts *context,
                          uint8_t tweak[RP_AES_BLOCK_BYTES], const uint8_t *source,
                          uint8_t *destination)
{
    uint8_t block[RP_AES_BLOCK_BYTES];

    for (int i = 0; i < RP_AES_BLOCK_BYTES; i++) {
        block[i] = source[i] ^ tweak[i];
    }
    rp_aes_encrypt(&context->key, block, block);
    for (int i = 0; i < RP_AES_BLOCK_BYTES; i++) {
        destination[i] = block[i] ^ tweak[i];
    }
    times_x(tweak);
}

static void encrypt(const struct rp_aes_xts *context, const uint8_t *source,
                    uint8_t *destination, size_t bytes)
{
    const size_t partial = bytes % RP_AES_BLOCK_BYTES;
    const size_t whole = bytes - partial;
    uint8_t tweak[RP_AES_BLOCK_BYTES];
    uint8_t stolen[RP_AES_BLOCK_BYTES];

    if (bytes < RP_AES_BLOCK_BYTES) {
        memmove(destination, source, bytes);
        return;
    }
    rp_aes_encrypt(&context->tweak_key, context->data_unit, tweak);
    for (size_t at = 0; at < whole; at += RP_AES_BLOCK_BYTES) {
        encrypt_block(context, tweak, source + at, destination + at);
    }
    if (partial > 0) {
        uint8_t *const last = destination + whole - RP_AES_BLOCK_BYTES;

        memcpy(stolen, last, sizeof stolen);
        memcpy(stolen, source + whole, partial);
        memcpy(destination + whole, last, partial);
        encrypt_block(context, tweak, stolen, last);
    }
}

void rp_aes_xts_reference(const struct rp_kernel_input *input, uint64_t repetitions)
{
    while (repetitions-- > 0) {
        encrypt(input->context, input->source, input->destination, input->bytes);
    }
}
