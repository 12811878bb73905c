/* SPDX-License-Identifier: MIT */
/*
 * GCM as SP 800-38D writes it down, bit by bit: the first bit of the first byte is the
 * coefficient of x^0. Slow on purpose; everything else is compared with it, and it with
 * the published vectors.
 */
#include <string.h>

#include "kernels/gcm/gcm.h"

/* ---- GHASH ---- */

/* An element of the field: big-endian words of a block. */
struct element {
    uint64_t high;
    uint64_t low;
};

static struct element load(const uint8_t block[RP_AES_BLOCK_BYTES])
{
    uint64_t words[2];

    memcpy(words, block, sizeof words);
    return (struct element){__builtin_bswap64(words[0]), __builtin_bswap64(words[1])};
}

static void store(uint8_t block[RP_AES_BLOCK_BYTES], struct element element)
{
    const uint64_t words[] = {__builtin_bswap64(element.high),
                              __builtin_bswap64(element.low)};

    memcpy(block, words, sizeof words);
}

/* Section 6.3, algorithm 1, without a branch on the data. */
static void multiply(uint8_t product[RP_AES_BLOCK_BYTES],
                     const uint8_t factor[RP_AES_BLOCK_BYTES])
{
    struct element sum = {0};
    struct element shifted = load(product);

    for (int bit = 0; bit < 128; bit++) {
        const uint64_t taken = -(uint64_t)(factor[bit / 8] >> (7 - bit % 8) & 1);
        const uint64_t carry = -(shifted.low & 1);

        sum.high ^= shifted.high & taken;
        sum.low ^= shifted.low & taken;
        shifted.low = shifted.low >> 1 | shifted.high << 63;
        shifted.high = shifted.high >> 1 ^ (carry & UINT64_C(0xe1) << 56);
    }
    store(product, sum);
}

/* Goes on with a hash over data that are padded with zeros to whole blocks. */
static void hash_padded(const struct rp_gcm *gcm, uint8_t hash[RP_AES_BLOCK_BYTES],
                        const uint8_t *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        hash[i % RP_AES_BLOCK_BYTES] ^= data[i];
        if (i % RP_AES_BLOCK_BYTES == RP_AES_BLOCK_BYTES - 1 || i == bytes - 1) {
            multiply(hash, gcm->hash_key);
        }
    }
}

/* The last block of every hash: two lengths in bits. */
static void hash_lengths(const struct rp_gcm *gcm, uint8_t hash[RP_AES_BLOCK_BYTES],
                         uint64_t first_bytes, uint64_t second_bytes)
{
    const uint64_t bits[] = {__builtin_bswap64(8 * first_bytes),
                             __builtin_bswap64(8 * second_bytes)};

    hash_padded(gcm, hash, (const uint8_t *)bits, sizeof bits);
}

/* ---- contexts ---- */

/* Carry-less multiplication takes the bits the other way around: the block with its bytes
 * reversed, x^0 on top. The product of two such numbers lacks a bit at the bottom, which
 * shifting one of them up, that is, dividing it by x, makes good. */
static void convert_power(uint8_t converted[RP_AES_BLOCK_BYTES],
                          const uint8_t power[RP_AES_BLOCK_BYTES])
{
    const struct element element = load(power);
    const uint64_t carry = element.high >> 63;
    const uint64_t words[] = {element.low << 1 ^ carry,
                              (element.high << 1 | element.low >> 63) ^ carry * 0xc2
                                                                            << 56};

    memcpy(converted, words, sizeof words);
}

void rp_gcm_set_key(struct rp_gcm *gcm, const uint8_t *key, size_t key_bytes)
{
    uint8_t power[RP_AES_BLOCK_BYTES];

    memset(gcm, 0, sizeof *gcm);
    rp_aes_expand(&gcm->key, key, key_bytes);
    rp_aes_encrypt(&gcm->key, gcm->hash_key, gcm->hash_key);
    memcpy(power, gcm->hash_key, sizeof power);
    for (int i = RP_GCM_POWERS - 1; i >= 0; i--) {
        convert_power(gcm->powers[i], power);
        multiply(power, gcm->hash_key);
    }
}

void rp_gcm_set_iv(struct rp_gcm *gcm, const uint8_t *iv, size_t iv_bytes)
{
    memset(gcm->counter_block, 0, sizeof gcm->counter_block);
    if (iv_bytes == 12) {
        memcpy(gcm->counter_block, iv, iv_bytes);
        gcm->counter_block[15] = 1;
    } else {
        hash_padded(gcm, gcm->counter_block, iv, iv_bytes);
        hash_lengths(gcm, gcm->counter_block, 0, iv_bytes);
    }
}

void rp_gcm_set_additional(struct rp_gcm *gcm, const uint8_t *additional, size_t bytes)
{
    const size_t padding =
        (sizeof gcm->additional - bytes) / RP_AES_BLOCK_BYTES * RP_AES_BLOCK_BYTES;

    memset(gcm->additional, 0, sizeof gcm->additional);
    memcpy(gcm->additional + padding, additional, bytes);
    gcm->additional_bytes = bytes;
}

const uint8_t *rp_gcm_additional(const struct rp_gcm *gcm)
{
    return gcm->additional + (sizeof gcm->additional - gcm->additional_bytes) /
                                 RP_AES_BLOCK_BYTES * RP_AES_BLOCK_BYTES;
}

/* Divides by the hash key: multiplies by its power 2^128 - 2 (Fermat). */
static void divide(const struct rp_gcm *gcm, uint8_t quotient[RP_AES_BLOCK_BYTES])
{
    uint8_t power[RP_AES_BLOCK_BYTES];

    memcpy(power, gcm->hash_key, sizeof power);
    for (int i = 1; i < 128; i++) {
        multiply(power, power);
        multiply(quotient, power);
    }
}

/* Section 7.1, step 2, backwards, for an IV of one block. */
size_t rp_gcm_iv(const struct rp_gcm *gcm, uint8_t iv[RP_GCM_IV_BYTES])
{
    static const uint8_t first[] = {0, 0, 0, 1};

    memcpy(iv, gcm->counter_block, RP_GCM_IV_BYTES);
    if (memcmp(iv + 12, first, sizeof first) == 0) {
        return 12;
    }
    divide(gcm, iv);
    iv[RP_GCM_IV_BYTES - 1] ^= 8 * RP_GCM_IV_BYTES; /* the length, in bits */
    divide(gcm, iv);
    return RP_GCM_IV_BYTES;
}

bool rp_gcm_tags_equal(const uint8_t left[RP_GCM_TAG_BYTES],
                       const uint8_t right[RP_GCM_TAG_BYTES])
{
    volatile uint8_t difference = 0; /* lest a compiler leaves the loop early */

    for (int i = 0; i < RP_GCM_TAG_BYTES; i++) {
        difference = difference | (left[i] ^ right[i]);
    }
    return difference == 0;
}

/* ---- kernels ---- */

/* Encrypts or decrypts: section 6.5, GCTR from the counter block after J0. */
static void apply_key_stream(const struct rp_gcm *gcm,
                             const struct rp_kernel_input *input)
{
    uint8_t counter_block[RP_AES_BLOCK_BYTES];
    uint8_t key_stream[RP_AES_BLOCK_BYTES];

    memcpy(counter_block, gcm->counter_block, sizeof counter_block);
    for (size_t i = 0; i < input->bytes; i++) {
        if (i % RP_AES_BLOCK_BYTES == 0) {
            for (int j = 15; j >= 12 && ++counter_block[j] == 0; j--) {
            }
            rp_aes_encrypt(&gcm->key, counter_block, key_stream);
        }
        input->destination[i] = input->source[i] ^ key_stream[i % RP_AES_BLOCK_BYTES];
    }
}

static void make_tag(const struct rp_gcm *gcm, const uint8_t *cipher, size_t bytes,
                     uint8_t tag[RP_GCM_TAG_BYTES])
{
    uint8_t hash[RP_AES_BLOCK_BYTES] = {0};

    hash_padded(gcm, hash, gcm->additional, sizeof gcm->additional);
    hash_padded(gcm, hash, cipher, bytes);
    hash_lengths(gcm, hash, gcm->additional_bytes, bytes);
    rp_aes_encrypt(&gcm->key, gcm->counter_block, tag);
    for (int i = 0; i < RP_GCM_TAG_BYTES; i++) {
        tag[i] ^= hash[i];
    }
}

void rp_gcm_seal_reference(const struct rp_kernel_input *input, uint64_t repetitions)
{
    while (repetitions-- > 0) {
        apply_key_stream(input->context, input);
        make_tag(input->context, input->destination, input->bytes, input->result);
    }
}

void rp_gcm_open_reference(const struct rp_kernel_input *input, uint64_t repetitions)
{
    while (repetitions-- > 0) {
        make_tag(input->context, input->source, input->bytes, input->result);
        apply_key_stream(input->context, input);
    }
}
