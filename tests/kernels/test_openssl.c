/* SPDX-License-Identifier: MIT */
/*
 * The reference, which every kernel is compared with, against an implementation of other
 * hands; and the kernels where a counter carries.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/evp.h>

#include "core/random.h"
#include "kernels/aes/aes.h"

#define MOST_BYTES 5000
#define CARRY_BYTES                                                                      \
    (16 * 1024 + 5) /* the cached kernels make their table from 8 KiB on */

static const EVP_CIPHER *openssl_cipher(size_t key_bytes)
{
    return key_bytes == 16   ? EVP_aes_128_ctr()
           : key_bytes == 24 ? EVP_aes_192_ctr()
                             : EVP_aes_256_ctr();
}

static void openssl_ctr(const uint8_t *key, size_t key_bytes,
                        const uint8_t counter_block[16], const uint8_t *source,
                        uint8_t *destination, size_t bytes)
{
    EVP_CIPHER_CTX *const context = EVP_CIPHER_CTX_new();
    int length = 0;

    assert_non_null(context);
    assert_int_equal(
        EVP_EncryptInit_ex(context, openssl_cipher(key_bytes), NULL, key, counter_block),
        1);
    assert_int_equal(EVP_EncryptUpdate(context, destination, &length, source, (int)bytes),
                     1);
    assert_int_equal(length, bytes);
    EVP_CIPHER_CTX_free(context);
}

/* OpenSSL's counter has 128 bits: where a shorter one wraps, the message is cut. */
static void expect(const uint8_t *key, size_t key_bytes, const struct rp_aes_ctr *context,
                   const uint8_t *source, uint8_t *destination, size_t bytes)
{
    const size_t counter_bytes = context->counter_bits / 8;
    const uint8_t *const block = context->counter_block;
    uint64_t until_wrap = 0;
    bool wraps = counter_bytes < 16;

    for (size_t i = 16 - counter_bytes; i < 12 && wraps; i++) {
        wraps = block[i] == 0xff;
    }
    until_wrap = (UINT64_C(1) << 32) - ((uint64_t)block[12] << 24 | block[13] << 16 |
                                        block[14] << 8 | block[15]);
    until_wrap *= RP_AES_BLOCK_BYTES;
    if (!wraps || bytes <= until_wrap) {
        openssl_ctr(key, key_bytes, block, source, destination, bytes);
        return;
    }
    uint8_t wrapped[16];
    memcpy(wrapped, block, sizeof wrapped);
    memset(wrapped + 16 - counter_bytes, 0, counter_bytes);
    openssl_ctr(key, key_bytes, block, source, destination, until_wrap);
    openssl_ctr(key, key_bytes, wrapped, source + until_wrap, destination + until_wrap,
                bytes - until_wrap);
}

static void reference_equals_openssl(void **state)
{
    static const size_t key_sizes[] = {16, 24, 32};
    static const unsigned widths[] = {32, 64, 128};
    static uint8_t source[MOST_BYTES];
    static uint8_t actual[MOST_BYTES];
    static uint8_t expected[MOST_BYTES];
    uint64_t random = 3686;

    (void)state;
    for (unsigned round = 0; round < 900; round++) {
        const size_t key_bytes = key_sizes[round % 3];
        struct rp_aes_ctr context = {.counter_bits = widths[round / 3 % 3]};
        uint8_t key[RP_AES_MOST_KEY_BYTES];
        const size_t bytes = 1 + rp_random_below(&random, MOST_BYTES);
        const struct rp_kernel_input input = {
            .destination = actual, .source = source, .bytes = bytes, .context = &context};

        rp_random_bytes(&random, key, sizeof key);
        rp_random_bytes(&random, context.counter_block, RP_AES_BLOCK_BYTES);
        rp_random_bytes(&random, source, bytes);
        if (round % 2 == 0) { /* about to carry, through all of the bytes or some */
            const size_t ones = 3 + rp_random_below(&random, 13);

            memset(context.counter_block + 15 - ones, 0xff, ones);
        }
        rp_aes_expand(&context.key, key, key_bytes);
        rp_aes_ctr_reference(&input, 1);
        expect(key, key_bytes, &context, source, expected, bytes);
        assert_memory_equal(actual, expected, bytes);
    }
}

/*
 * Made-up counter blocks, five blocks before a carry: out of each 32-bit word, up to the
 * end of the counter block, and out of bytes where a signed or a short counter would err.
 */
static const uint8_t carries[][RP_AES_BLOCK_BYTES] = {
    {[15] = 0xfb},
    {[14] = 0x7f, [15] = 0xfb},
    {[12] = 0x7f, 0xff, 0xff, 0xfb},
    {[12] = 0xff, 0xff, 0xff, 0xfb},
    {[8] = 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfb},
    {[8] = 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfb},
    {[4] = 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfb},
    {0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
     0xff, 0xfb},
    {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
     0xff, 0xfb},
};

static void kernel_carries(const struct rp_kernel *kernel, size_t key_bytes)
{
    static const unsigned widths[] = {32, 64, 128};
    static uint8_t source[CARRY_BYTES];
    static uint8_t actual[CARRY_BYTES];
    static uint8_t expected[CARRY_BYTES];
    uint64_t random = 1916;
    uint8_t key[RP_AES_MOST_KEY_BYTES];

    rp_random_bytes(&random, key, sizeof key);
    rp_random_bytes(&random, source, sizeof source);
    for (size_t i = 0; i < 3 * sizeof carries / sizeof *carries; i++) {
        struct rp_aes_ctr context = {.counter_bits = widths[i % 3]};
        const struct rp_kernel_input input = {.destination = actual,
                                              .source = source,
                                              .bytes = sizeof source,
                                              .context = &context};

        memcpy(context.counter_block, carries[i / 3], RP_AES_BLOCK_BYTES);
        rp_aes_expand(&context.key, key, key_bytes);
        kernel->run[RP_MODE_TEMPORAL](&input, 1);
        expect(key, key_bytes, &context, source, expected, sizeof source);
        if (memcmp(actual, expected, sizeof source) != 0) {
            fail_msg("%s, counter of %u bits: carry %zu differs from OpenSSL",
                     kernel->name, context.counter_bits, i / 3);
        }
    }
}

static void carries_equal_openssl(void **state)
{
    static const struct {
        const char *family;
        size_t key_bytes;
    } families[] = {{"aes128ctr", 16}, {"aes192ctr", 24}, {"aes256ctr", 32}};
    const struct rp_kernel *kernel = NULL;
    struct rp_error error;
    struct rp_cpu cpu;
    char why[160];

    (void)state;
    assert_true(rp_cpu_detect(&cpu, &rp_cpu_native, getenv("RIDGEPOINT_CPU"), &error));
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        unsigned kernels = 0;

        for (size_t j = 0; (kernel = rp_kernel_at(j)) != NULL; j++) {
            if (strcmp(kernel->family, families[i].family) == 0 && kernel->open == NULL &&
                rp_kernel_available(kernel, &cpu, why, sizeof why)) {
                kernel_carries(kernel, families[i].key_bytes);
                kernels++;
            }
        }
        assert_true(kernels > 0);
    }
}

static void blocks_equal_openssl(void **state)
{
    static const EVP_CIPHER *(*const ciphers[])(void) = {EVP_aes_128_ecb, EVP_aes_192_ecb,
                                                         EVP_aes_256_ecb};
    uint64_t random = 197;

    (void)state;
    for (int round = 0; round < 90; round++) {
        EVP_CIPHER_CTX *const context = EVP_CIPHER_CTX_new();
        struct rp_aes_key expanded;
        uint8_t key[RP_AES_MOST_KEY_BYTES];
        uint8_t plain[RP_AES_BLOCK_BYTES];
        uint8_t block[RP_AES_BLOCK_BYTES];
        uint8_t expected[RP_AES_BLOCK_BYTES];
        int length = 0;

        rp_random_bytes(&random, key, sizeof key);
        rp_random_bytes(&random, plain, sizeof plain);
        assert_int_equal(
            EVP_EncryptInit_ex(context, ciphers[round % 3](), NULL, key, NULL), 1);
        assert_int_equal(
            EVP_EncryptUpdate(context, expected, &length, plain, sizeof plain), 1);
        EVP_CIPHER_CTX_free(context);
        rp_aes_expand(&expanded, key, 16 + 8 * ((size_t)round % 3));
        rp_aes_encrypt(&expanded, plain, block);
        assert_memory_equal(block, expected, sizeof block);
        rp_aes_decrypt(&expanded, block, block);
        assert_memory_equal(block, plain, sizeof block);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_equal_openssl),
        cmocka_unit_test(reference_equals_openssl),
        cmocka_unit_test(carries_equal_openssl),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
