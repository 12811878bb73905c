/* SPDX-License-Identifier: MIT */
/*
 * AES against the test vectors of Project Wycheproof, which look for what implementations
 * get wrong: counters that wrap, nonces of odd lengths, changed tags, bad padding. The
 * modes are spelled out here, block by block, and every kernel has to do the same; for
 * GCM those of counter mode, which it is but for the tag.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/modes/modes.h"
#include "wycheproof.h"

static void xor_block(uint8_t block[RP_AES_BLOCK_BYTES],
                      const uint8_t other[RP_AES_BLOCK_BYTES])
{
    for (int i = 0; i < RP_AES_BLOCK_BYTES; i++) {
        block[i] ^= other[i];
    }
}

#define expect_equal(vector, actual, expected, bytes)                                    \
    do {                                                                                 \
        if (memcmp((actual), (expected), (bytes)) != 0) {                                \
            fail_msg("vector %u (%s): %s is wrong", (vector)->id, (vector)->comment,     \
                     #actual);                                                           \
        }                                                                                \
    } while (0)

struct expectation {
    const char *mode; /* of operation: the end of a family's name */
    size_t key_bytes;
    const void *context;
    const struct wycheproof_bytes *source;
    const uint8_t *destination;
    const uint8_t *tag; /* NULL for a family without */
};

static void expect_of_run(const struct wycheproof_vector *vector,
                          const struct rp_kernel *kernel, rp_kernel_function *run,
                          bool in_place, const struct expectation *expected)
{
    static uint8_t actual[WYCHEPROOF_MOST_BYTES];
    uint8_t tag[RP_BLOCK_BYTES];
    const size_t bytes = expected->source->count;
    struct rp_kernel_input input = {
        .destination = actual,
        .source = in_place ? actual : expected->source->data,
        .bytes = bytes,
        .context = expected->context,
        .result = tag,
    };
    struct rp_error error;

    memcpy(actual, expected->source->data, bytes);
    if (!rp_kernel_open(kernel, expected->context, &input.state, &error)) {
        assert_non_null(kernel->library); /* refuses the key: two halves that are alike */
        return;
    }
    run(&input, 1);
    assert_true(rp_kernel_close(kernel, input.state, &error));
    if (memcmp(actual, expected->destination, bytes) != 0 ||
        (expected->tag != NULL &&
         memcmp(tag, expected->tag, kernel->context->result_bytes) != 0)) {
        fail_msg("vector %u (%s): %s%s is wrong", vector->id, vector->comment,
                 kernel->name, run == kernel->reference ? "'s reference" : "");
    }
}

/* Runs all kernels of a family that this CPU has, in all their modes, and its reference;
 * how many there are. */
static unsigned expect_of_kernels(const struct wycheproof_vector *vector,
                                  const struct expectation *expected)
{
    const struct rp_kernel *kernel = NULL;
    struct rp_error error;
    struct rp_cpu cpu;
    char why[160];
    char family[24];
    unsigned kernels = 0;

    snprintf(family, sizeof family, "aes%zu%s", 8 * expected->key_bytes, expected->mode);
    assert_true(rp_cpu_detect(&cpu, &rp_cpu_native, getenv("RIDGEPOINT_CPU"), &error));
    for (size_t i = 0; (kernel = rp_kernel_at(i)) != NULL; i++) {
        if (strcmp(kernel->family, family) != 0) {
            continue;
        }
        expect_of_run(vector, kernel, kernel->reference, false, expected);
        if (!rp_kernel_available(kernel, &cpu, why, sizeof why)) {
            continue;
        }
        for (int mode = 0; mode < RP_MODE_COUNT; mode++) {
            if (rp_kernel_has_mode(kernel, (enum rp_mode)mode)) {
                expect_of_run(vector, kernel, kernel->run[mode], mode == RP_MODE_INPLACE,
                              expected);
            }
        }
        kernels++;
    }
    return kernels;
}

/* ---- GCM (SP 800-38D) ---- */

/* Multiplies by `factor` in GCM's field, where the first bit is that of x^0. */
static void multiply(uint8_t block[RP_AES_BLOCK_BYTES],
                     const uint8_t factor[RP_AES_BLOCK_BYTES])
{
    uint8_t product[RP_AES_BLOCK_BYTES] = {0};
    uint8_t shifted[RP_AES_BLOCK_BYTES];

    memcpy(shifted, factor, sizeof shifted);
    for (int bit = 0; bit < 128; bit++) {
        const bool carry = (shifted[15] & 1) != 0;

        if ((block[bit / 8] & 0x80 >> bit % 8) != 0) {
            xor_block(product, shifted);
        }
        for (int i = 15; i > 0; i--) {
            shifted[i] = (uint8_t)(shifted[i] >> 1 | shifted[i - 1] << 7);
        }
        shifted[0] = (uint8_t)(shifted[0] >> 1 ^ (carry ? 0xe1 : 0));
    }
    memcpy(block, product, sizeof product);
}

/* Takes in data, padded with zeros to whole blocks. */
static void hash(uint8_t state[RP_AES_BLOCK_BYTES],
                 const uint8_t hash_key[RP_AES_BLOCK_BYTES], const uint8_t *data,
                 size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        state[i % RP_AES_BLOCK_BYTES] ^= data[i];
        if (i % RP_AES_BLOCK_BYTES == RP_AES_BLOCK_BYTES - 1 || i == bytes - 1) {
            multiply(state, hash_key);
        }
    }
}

static void hash_lengths(uint8_t state[RP_AES_BLOCK_BYTES],
                         const uint8_t hash_key[RP_AES_BLOCK_BYTES], uint64_t first_bytes,
                         uint64_t second_bytes)
{
    uint8_t lengths[RP_AES_BLOCK_BYTES];

    for (int i = 0; i < 8; i++) {
        lengths[i] = (uint8_t)(8 * first_bytes >> (56 - 8 * i));
        lengths[8 + i] = (uint8_t)(8 * second_bytes >> (56 - 8 * i));
    }
    hash(state, hash_key, lengths, sizeof lengths);
}

static void check_gcm(const struct wycheproof_vector *vector)
{
    struct rp_aes_ctr context = {.counter_bits = 32};
    uint8_t *const counter_block = context.counter_block;
    uint8_t hash_key[RP_AES_BLOCK_BYTES] = {0};
    uint8_t tag[RP_AES_BLOCK_BYTES] = {0};
    uint8_t mask[RP_AES_BLOCK_BYTES];
    uint32_t counter = 0;

    if (vector->nonce.count == 0) { /* GCM forbids it: there is nothing to compute */
        assert_false(vector->valid);
        return;
    }
    rp_aes_expand(&context.key, vector->key.data, vector->key.count);
    rp_aes_encrypt(&context.key, hash_key, hash_key);
    if (vector->nonce.count == 12) {
        memcpy(counter_block, vector->nonce.data, 12);
        counter_block[15] = 1;
    } else {
        hash(counter_block, hash_key, vector->nonce.data, vector->nonce.count);
        hash_lengths(counter_block, hash_key, 0, vector->nonce.count);
    }
    rp_aes_encrypt(&context.key, counter_block, mask);

    hash(tag, hash_key, vector->additional.data, vector->additional.count);
    hash(tag, hash_key, vector->cipher.data, vector->cipher.count);
    hash_lengths(tag, hash_key, vector->additional.count, vector->cipher.count);
    xor_block(tag, mask);
    assert_int_equal(vector->tag.count, sizeof tag);
    if (!vector->valid) {
        assert_memory_not_equal(tag, vector->tag.data, sizeof tag);
        return;
    }
    expect_equal(vector, tag, vector->tag.data, sizeof tag);

    memcpy(&counter, counter_block + 12, sizeof counter);
    counter = __builtin_bswap32(__builtin_bswap32(counter) + 1);
    memcpy(counter_block + 12, &counter, sizeof counter);
    const struct expectation expected = {
        .mode = "ctr",
        .key_bytes = vector->key.count,
        .context = &context,
        .source = &vector->plain,
        .destination = vector->cipher.data,
    };
    assert_true(expect_of_kernels(vector, &expected) > 0);
}

static void gcm(void **state)
{
    (void)state;
    wycheproof_each("aes_gcm_test.json", 316, check_gcm);
}

/* ---- CBC with the padding of PKCS #5 (SP 800-38A, RFC 5652 section 6.3) ---- */

/* The length without padding; false when it is not as it should be. */
static bool unpad(const uint8_t *padded, size_t bytes, size_t *unpadded)
{
    const size_t padding = bytes == 0 ? 0 : padded[bytes - 1];

    if (padding == 0 || padding > RP_AES_BLOCK_BYTES) {
        return false;
    }
    for (size_t i = 1; i <= padding; i++) {
        if (padded[bytes - i] != padding) {
            return false;
        }
    }
    *unpadded = bytes - padding;
    return true;
}

static void check_cbc(const struct wycheproof_vector *vector)
{
    static uint8_t plain[WYCHEPROOF_MOST_BYTES];
    static uint8_t cipher[WYCHEPROOF_MOST_BYTES];
    const uint8_t *before = vector->nonce.data;
    struct rp_aes_cbc context = {.key.rounds = 0};
    const struct rp_aes_key *const key = &context.key;
    size_t bytes = 0;

    assert_int_equal(vector->cipher.count % RP_AES_BLOCK_BYTES, 0);
    rp_aes_expand(&context.key, vector->key.data, vector->key.count);
    for (size_t i = 0; i < vector->cipher.count; i += RP_AES_BLOCK_BYTES) {
        rp_aes_decrypt(key, vector->cipher.data + i, plain + i);
        xor_block(plain + i, before);
        before = vector->cipher.data + i;
    }
    rp_aes_invert(&context.inverse, key);
    memcpy(context.iv, vector->nonce.data, sizeof context.iv);
    const struct expectation expected = {
        .mode = "cbcdec",
        .key_bytes = vector->key.count,
        .context = &context,
        .source = &vector->cipher,
        .destination = plain,
    };
    assert_true(expect_of_kernels(vector, &expected) > 0);
    const bool padded = unpad(plain, vector->cipher.count, &bytes);
    if (!vector->valid) { /* unpadded, or with a padding that gives another message */
        assert_false(padded && bytes == vector->plain.count &&
                     memcmp(plain, vector->plain.data, bytes) == 0);
        return;
    }
    assert_true(padded);
    assert_int_equal(bytes, vector->plain.count);
    expect_equal(vector, plain, vector->plain.data, bytes);

    before = vector->nonce.data;
    for (size_t i = 0; i < vector->cipher.count; i += RP_AES_BLOCK_BYTES) {
        memcpy(cipher + i, plain + i, RP_AES_BLOCK_BYTES);
        xor_block(cipher + i, before);
        rp_aes_encrypt(key, cipher + i, cipher + i);
        before = cipher + i;
    }
    expect_equal(vector, cipher, vector->cipher.data, vector->cipher.count);
}

static void cbc(void **state)
{
    (void)state;
    wycheproof_each("aes_cbc_pkcs5_test.json", 216, check_cbc);
}

/* ---- XTS (IEEE 1619-2018, SP 800-38E) ---- */

/* Multiplies a tweak by x; here the first byte is the lowest. */
static void next_tweak(uint8_t tweak[RP_AES_BLOCK_BYTES])
{
    const bool carry = (tweak[15] & 0x80) != 0;

    for (int i = 15; i > 0; i--) {
        tweak[i] = (uint8_t)(tweak[i] << 1 | tweak[i - 1] >> 7);
    }
    tweak[0] = (uint8_t)(tweak[0] << 1 ^ (carry ? 0x87 : 0));
}

static void encrypt_tweaked(const struct rp_aes_key *key, uint8_t *block,
                            const uint8_t tweak[RP_AES_BLOCK_BYTES])
{
    xor_block(block, tweak);
    rp_aes_encrypt(key, block, block);
    xor_block(block, tweak);
}

static void check_xts(const struct wycheproof_vector *vector)
{
    static uint8_t cipher[WYCHEPROOF_MOST_BYTES];
    const size_t key_bytes = vector->key.count / 2;
    const size_t bytes = vector->plain.count;
    const size_t rest = bytes % RP_AES_BLOCK_BYTES;
    struct rp_aes_xts context = {.key.rounds = 0};
    uint8_t tweak[RP_AES_BLOCK_BYTES];

    assert_true(vector->valid && bytes >= RP_AES_BLOCK_BYTES);
    rp_aes_expand(&context.key, vector->key.data, key_bytes);
    rp_aes_expand(&context.tweak_key, vector->key.data + key_bytes, key_bytes);
    /* zeros follow a short one */
    memcpy(context.data_unit, vector->nonce.data, vector->nonce.count);
    rp_aes_encrypt(&context.tweak_key, context.data_unit, tweak);
    memcpy(cipher, vector->plain.data, bytes);
    for (size_t i = 0; i < bytes - rest; i += RP_AES_BLOCK_BYTES) {
        encrypt_tweaked(&context.key, cipher + i, tweak);
        next_tweak(tweak);
    }
    if (rest > 0) { /* ciphertext stealing */
        uint8_t *const last_whole = cipher + bytes - rest - RP_AES_BLOCK_BYTES;

        for (size_t i = 0; i < rest; i++) {
            const uint8_t stolen = last_whole[i];

            last_whole[i] = last_whole[RP_AES_BLOCK_BYTES + i];
            last_whole[RP_AES_BLOCK_BYTES + i] = stolen;
        }
        encrypt_tweaked(&context.key, last_whole, tweak);
    }
    expect_equal(vector, cipher, vector->cipher.data, bytes);

    const struct expectation expected = {
        .mode = "xts",
        .key_bytes = key_bytes,
        .context = &context,
        .source = &vector->plain,
        .destination = cipher,
    };
    /* SP 800-38E has no XTS with keys of 192 bits, nor are there kernels for it. */
    assert_int_equal(expect_of_kernels(vector, &expected) > 0, key_bytes != 24);
}

static void xts(void **state)
{
    (void)state;
    wycheproof_each("aes_xts_test.json", 123, check_xts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gcm),
        cmocka_unit_test(cbc),
        cmocka_unit_test(xts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
