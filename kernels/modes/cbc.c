/* SPDX-License-Identifier: MIT */
/* CBC decryption around the kernels: contexts and the reference. */
#include <string.h>

#include "core/random.h"
#include "kernels/modes/modes.h"
#include "kernels/modes/vectors.h"

static void set_key(struct rp_aes_cbc *context, const uint8_t *key, size_t key_bytes)
{
    rp_aes_expand(&context->key, key, key_bytes);
    rp_aes_invert(&context->inverse, &context->key);
}

static void choose(struct rp_aes_cbc *context, size_t key_bytes, uint64_t *random)
{
    uint8_t key[RP_AES_MOST_KEY_BYTES];

    rp_random_bytes(random, key, sizeof key);
    rp_random_bytes(random, context->iv, sizeof context->iv);
    set_key(context, key, key_bytes);
}

static bool next_vector(size_t index, size_t key_bytes, struct rp_aes_cbc *context,
                        struct rp_vector *vector)
{
    const struct rp_aes_mode_vector *const found = rp_aes_cbc_vector(key_bytes, index);

    if (found == NULL) {
        return false;
    }
    set_key(context, found->key, key_bytes);
    memcpy(context->iv, found->iv, sizeof context->iv);
    *vector = (struct rp_vector){
        .name = found->name,
        .source = found->cipher,
        .destination = found->plain,
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
    const struct rp_context_kind rp_aes##bits##cbcdec_context = {                        \
        .bytes = sizeof(struct rp_aes_cbc),                                              \
        .choose = choose_##bits,                                                         \
        .vector = vector_##bits,                                                         \
    }

DEFINE_CONTEXT(128);
DEFINE_CONTEXT(192);
DEFINE_CONTEXT(256);

static void decrypt(const struct rp_aes_cbc *context, const uint8_t *source,
                    uint8_t *destination, size_t bytes)
{
    uint8_t before[RP_AES_BLOCK_BYTES];

    memcpy(before, context->iv, sizeof before);
    for (; bytes >= RP_AES_BLOCK_BYTES; bytes -= RP_AES_BLOCK_BYTES) {
        uint8_t cipher[RP_AES_BLOCK_BYTES];

        memcpy(cipher, source, sizeof cipher);
        rp_aes_decrypt(&context->key, cipher, destination);
        for (int i = 0; i < RP_AES_BLOCK_BYTES; i++) {
            destination[i] ^= before[i];
        }
        memcpy(before, cipher, sizeof before);
        source += RP_AES_BLOCK_BYTES;
        destination += RP_AES_BLOCK_BYTES;
    }
    memmove(destination, source, bytes);
}

void rp_aes_cbcdec_reference(const struct rp_kernel_input *input, uint64_t repetitions)
{
    while (repetitions-- > 0) {
        decrypt(input->context, input->source, input->destination, input->bytes);
    }
}
