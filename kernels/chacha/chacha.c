/* SPDX-License-Identifier: MIT */
#include "kernels/chacha/chacha.h"

#include <string.h>

#include "core/random.h"
#include "kernels/chacha/vectors.h"

static uint32_t load_32(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static void store_32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
}

/* ---- ChaCha20 (section 2.3) ---- */

#define BLOCK_BYTES 64

static uint32_t rotate(uint32_t value, unsigned bits)
{
    return value << bits | value >> (32 - bits);
}

static void quarter_round(uint32_t state[16], int a, int b, int c, int d)
{
    state[a] += state[b];
    state[d] = rotate(state[d] ^ state[a], 16);
    state[c] += state[d];
    state[b] = rotate(state[b] ^ state[c], 12);
    state[a] += state[b];
    state[d] = rotate(state[d] ^ state[a], 8);
    state[c] += state[d];
    state[b] = rotate(state[b] ^ state[c], 7);
}

/* One block of key stream. */
static void chacha20_block(const struct rp_chacha20poly1305 *context, uint32_t counter,
                           uint8_t block[BLOCK_BYTES])
{
    static const uint8_t constant[] = "expand 32-byte k";
    uint32_t start[16];
    uint32_t state[16];

    for (int i = 0; i < 4; i++) {
        start[i] = load_32(constant + 4 * i);
    }
    for (int i = 0; i < 8; i++) {
        start[4 + i] = load_32(context->key + 4 * i);
    }
    start[12] = counter;
    for (int i = 0; i < 3; i++) {
        start[13 + i] = load_32(context->nonce + 4 * i);
    }
    memcpy(state, start, sizeof state);
    for (int i = 0; i < 10; i++) {
        for (int column = 0; column < 4; column++) {
            quarter_round(state, column, 4 + column, 8 + column, 12 + column);
        }
        for (int column = 0; column < 4; column++) {
            quarter_round(state, column, 4 + (column + 1) % 4, 8 + (column + 2) % 4,
                          12 + (column + 3) % 4);
        }
    }
    for (int i = 0; i < 16; i++) {
        store_32(block + 4 * i, state[i] + start[i]);
    }
}

/* ---- Poly1305 (section 2.5) ---- */

#define LIMBS     5 /* of 26 bits */
#define LIMB_MASK 0x3ffffffu

struct poly1305 {
    uint32_t factor[LIMBS];
    uint32_t sum[LIMBS]; /* below 2^130 and a little */
    uint8_t key[32];     /* the factor, and what is added in the end */
};

/* 16 bytes and a bit above them, as limbs. */
static void load_limbs(uint32_t limbs[LIMBS], const uint8_t bytes[16], uint32_t top_bit)
{
    limbs[0] = load_32(bytes) & LIMB_MASK;
    limbs[1] = load_32(bytes + 3) >> 2 & LIMB_MASK;
    limbs[2] = load_32(bytes + 6) >> 4 & LIMB_MASK;
    limbs[3] = load_32(bytes + 9) >> 6;
    limbs[4] = load_32(bytes + 12) >> 8 | top_bit << 24;
}

static void start(struct poly1305 *poly, const uint8_t key[32])
{
    *poly = (struct poly1305){0};
    memcpy(poly->key, key, sizeof poly->key);
    for (int i = 3; i < 16; i += 4) {
        poly->key[i] &= 0x0f;
    }
    for (int i = 4; i < 16; i += 4) {
        poly->key[i] &= 0xfc;
    }
    load_limbs(poly->factor, poly->key, 0);
}

/* Adds a block and multiplies by the factor, modulo 2^130 - 5: what lies above 2^130
 * counts five times below it. */
static void add_block(struct poly1305 *poly, const uint8_t block[16])
{
    uint32_t limbs[LIMBS];
    uint64_t product[LIMBS] = {0};
    uint64_t carry = 0;

    load_limbs(limbs, block, 1);
    for (int i = 0; i < LIMBS; i++) {
        for (int j = 0; j < LIMBS; j++) {
            const uint64_t times = i + j < LIMBS ? 1 : 5;

            product[(i + j) % LIMBS] +=
                times * poly->factor[j] * (poly->sum[i] + limbs[i]);
        }
    }
    for (int i = 0; i < LIMBS; i++) {
        product[i] += carry;
        carry = product[i] >> 26;
        poly->sum[i] = (uint32_t)product[i] & LIMB_MASK;
    }
    carry = poly->sum[0] + 5 * carry;
    poly->sum[0] = (uint32_t)carry & LIMB_MASK;
    poly->sum[1] += (uint32_t)(carry >> 26);
}

/* Bytes, filled up with zeros to whole blocks. */
static void add_padded(struct poly1305 *poly, const uint8_t *bytes, size_t count)
{
    for (size_t done = 0; done < count; done += 16) {
        uint8_t block[16] = {0};

        memcpy(block, bytes + done, count - done < 16 ? count - done : 16);
        add_block(poly, block);
    }
}

/* sum = sum + addend in limbs; returns what runs over 2^130. */
static uint32_t carry_through(uint32_t sum[LIMBS], uint32_t addend)
{
    for (int i = 0; i < LIMBS; i++) {
        const uint32_t limb = sum[i] + addend;

        sum[i] = limb & LIMB_MASK;
        addend = limb >> 26;
    }
    return addend;
}

static void end(struct poly1305 *poly, uint8_t tag[RP_POLY1305_TAG_BYTES])
{
    uint32_t reduced[LIMBS];
    uint64_t carry = 0;

    carry_through(poly->sum, 5 * carry_through(poly->sum, 0));
    memcpy(reduced, poly->sum, sizeof reduced);
    /* From 2^130 - 5 up, adding 5 runs over: then that is the remainder. */
    const uint32_t *const sum = carry_through(reduced, 5) != 0 ? reduced : poly->sum;
    const uint32_t words[] = {
        sum[0] | sum[1] << 26,
        sum[1] >> 6 | sum[2] << 20,
        sum[2] >> 12 | sum[3] << 14,
        sum[3] >> 18 | sum[4] << 8,
    };

    for (int i = 0; i < 4; i++) {
        carry += (uint64_t)words[i] + load_32(poly->key + 16 + 4 * i);
        store_32(tag + 4 * i, (uint32_t)carry);
        carry >>= 32;
    }
}

/* ---- both (section 2.8) ---- */

static void encrypt(const struct rp_chacha20poly1305 *context, const uint8_t *source,
                    uint8_t *destination, size_t bytes)
{
    uint8_t block[BLOCK_BYTES];

    for (size_t i = 0; i < bytes; i++) {
        if (i % BLOCK_BYTES == 0) {
            chacha20_block(context, (uint32_t)(1 + i / BLOCK_BYTES), block);
        }
        destination[i] = source[i] ^ block[i % BLOCK_BYTES];
    }
}

static void authenticate(const struct rp_chacha20poly1305 *context, const uint8_t *cipher,
                         size_t bytes, uint8_t tag[RP_POLY1305_TAG_BYTES])
{
    uint8_t key[BLOCK_BYTES];
    uint8_t lengths[16] = {0};
    struct poly1305 poly;

    chacha20_block(context, 0, key);
    start(&poly, key);
    add_padded(&poly, context->data, context->data_bytes);
    add_padded(&poly, cipher, bytes);
    for (int i = 0; i < 8; i++) {
        lengths[i] = (uint8_t)((uint64_t)context->data_bytes >> 8 * i);
        lengths[8 + i] = (uint8_t)((uint64_t)bytes >> 8 * i);
    }
    add_block(&poly, lengths);
    end(&poly, tag);
}

void rp_chacha20poly1305_reference(const struct rp_kernel_input *input,
                                   uint64_t repetitions)
{
    while (repetitions-- > 0) {
        encrypt(input->context, input->source, input->destination, input->bytes);
        authenticate(input->context, input->destination, input->bytes, input->result);
    }
}

/* ---- contexts ---- */

static void choose(void *its_context, uint64_t *random, bool hard)
{
    struct rp_chacha20poly1305 *const context = its_context;

    rp_random_bytes(random, context->key, sizeof context->key);
    rp_random_bytes(random, context->nonce, sizeof context->nonce);
    rp_random_bytes(random, context->data, sizeof context->data);
    context->data_bytes = hard ? rp_random_below(random, sizeof context->data + 1) : 5;
}

static bool vector(size_t index, void *its_context, struct rp_vector *vector)
{
    struct rp_chacha20poly1305 *const context = its_context;

    if (index >= RP_CHACHA_VECTORS) {
        return false;
    }
    *context = rp_chacha_vectors[index].context;
    *vector = rp_chacha_vectors[index].vector;
    return true;
}

const struct rp_context_kind rp_chacha20poly1305_context = {
    .bytes = sizeof(struct rp_chacha20poly1305),
    .result_bytes = RP_POLY1305_TAG_BYTES,
    .choose = choose,
    .vector = vector,
};
