/* SPDX-License-Identifier: MIT */
/* Counter mode around the kernels: contexts, counters, the reference. */
#include <string.h>

#include "core/random.h"
#include "kernels/aes/aes.h"
#include "kernels/aes/vectors.h"

/* ---- contexts ---- */

static void choose(struct rp_aes_ctr *context, size_t key_bytes, uint64_t *random,
                   bool hard)
{
    static const unsigned widths[] = {32, 64, 128};
    uint8_t key[RP_AES_MOST_KEY_BYTES];

    rp_random_bytes(random, key, sizeof key);
    rp_random_bytes(random, context->counter_block, RP_AES_BLOCK_BYTES);
    rp_aes_expand(&context->key, key, key_bytes);
    context->counter_bits = 32;
    if (hard) {
        context->counter_bits = widths[rp_random_below(random, 3)];
        /* All ones down to a byte that soon runs over: each carry, up to the longest. */
        const size_t ones = rp_random_below(random, RP_AES_BLOCK_BYTES);

        memset(context->counter_block + RP_AES_BLOCK_BYTES - ones, 0xff, ones);
        context->counter_block[15] = (uint8_t)(0xff - rp_random_below(random, 70));
    }
}

static bool next_vector(size_t index, size_t key_bytes, struct rp_aes_ctr *context,
                        struct rp_vector *vector)
{
    const struct rp_aes_ctr_vector *const found = rp_aes_ctr_vector(key_bytes, index);

    if (found == NULL) {
        return false;
    }
    rp_aes_expand(&context->key, found->key, key_bytes);
    memcpy(context->counter_block, found->counter_block, RP_AES_BLOCK_BYTES);
    context->counter_bits = 32;
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
        choose(context, (bits) / 8, random, hard);                                       \
    }                                                                                    \
    static bool vector_##bits(size_t index, void *context, struct rp_vector *vector)     \
    {                                                                                    \
        return next_vector(index, (bits) / 8, context, vector);                          \
    }                                                                                    \
    const struct rp_context_kind rp_aes##bits##ctr_context = {                           \
        .bytes = sizeof(struct rp_aes_ctr),                                              \
        .choose = choose_##bits,                                                         \
        .vector = vector_##bits,                                                         \
    }

DEFINE_CONTEXT(128);
DEFINE_CONTEXT(192);
DEFINE_CONTEXT(256);

/* ---- counters ---- */

/* Adds one to the big-endian number in the bytes from `first` up to `last`. */
static void increment(uint8_t counter_block[RP_AES_BLOCK_BYTES], unsigned first,
                      unsigned last)
{
    for (unsigned i = last; i > first && ++counter_block[i - 1] == 0; i--) {
    }
}

static unsigned first_byte(const struct rp_aes_ctr *context)
{
    return RP_AES_BLOCK_BYTES - context->counter_bits / 8;
}

/* The first part takes the counter from where it is: a copy just written in words would
 * hold the kernel's load of the whole block up until all earlier stores are done. */
bool rp_aes_ctr_next_part(const struct rp_kernel_input *input,
                          struct rp_aes_ctr_part *part)
{
    const struct rp_aes_ctr *const context = input->context;
    uint32_t counter = 0;

    if (part->counter_block == NULL) {
        part->counter_block = context->counter_block;
    } else {
        memmove(part->carried, part->counter_block, 12);
        memset(part->carried + 12, 0, 4);
        increment(part->carried, first_byte(context), 12);
        part->counter_block = part->carried;
    }
    part->at += part->bytes;
    const size_t left = input->bytes - part->at;

    memcpy(&counter, part->counter_block + 12, sizeof counter);
    part->bytes = ((UINT64_C(1) << 32) - __builtin_bswap32(counter)) * RP_AES_BLOCK_BYTES;
    if (part->bytes > left) {
        part->bytes = left;
    }
    return left > 0;
}

void rp_aes_ctr_messages(const struct rp_kernel_input *input, uint64_t repetitions,
                         rp_aes_ctr_message *message)
{
    const struct rp_aes_ctr *const context = input->context;

    while (repetitions-- > 0) {
        for (struct rp_aes_ctr_part part = {0}; rp_aes_ctr_next_part(input, &part);) {
            message(&context->key, part.counter_block, input->source + part.at,
                    input->destination + part.at, part.bytes);
        }
    }
}

/* ---- reference ---- */

void rp_aes_ctr_reference(const struct rp_kernel_input *input, uint64_t repetitions)
{
    const struct rp_aes_ctr *const context = input->context;

    while (repetitions-- > 0) {
        uint8_t counter_block[RP_AES_BLOCK_BYTES];
        uint8_t key_stream[RP_AES_BLOCK_BYTES];

        memcpy(counter_block, context->counter_block, sizeof counter_block);
        for (size_t i = 0; i < input->bytes; i++) {
            if (i % RP_AES_BLOCK_BYTES == 0) {
                rp_aes_encrypt(&context->key, counter_block, key_stream);
                increment(counter_block, first_byte(context), RP_AES_BLOCK_BYTES);
            }
            input->destination[i] = input->source[i] ^ key_stream[i % RP_AES_BLOCK_BYTES];
        }
    }
}
