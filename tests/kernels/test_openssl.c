/* SPDX-License-Identifier: MIT */
/*
 * The reference, which every kernel is compared with, against an implementation of other
 * hands. OpenSSL's counter is 128 bits wide and ours 32, so a message that wraps is given
 * to OpenSSL in two parts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/evp.h>

#include "core/random.h"
#include "kernels/aes/aes.h"

#define MOST_BYTES 5000

static void openssl_ctr(const uint8_t key[16], const uint8_t counter_block[16],
                        const uint8_t *source, uint8_t *destination, size_t bytes)
{
    EVP_CIPHER_CTX *const context = EVP_CIPHER_CTX_new();
    int length = 0;

    assert_non_null(context);
    assert_int_equal(
        EVP_EncryptInit_ex(context, EVP_aes_128_ctr(), NULL, key, counter_block), 1);
    assert_int_equal(EVP_EncryptUpdate(context, destination, &length, source, (int)bytes),
                     1);
    assert_int_equal(length, bytes);
    EVP_CIPHER_CTX_free(context);
}

static void expect(const uint8_t key[16], const uint8_t counter_block[16],
                   const uint8_t *source, uint8_t *destination, size_t bytes)
{
    const uint64_t counter = (uint64_t)counter_block[12] << 24 | counter_block[13] << 16 |
                             counter_block[14] << 8 | counter_block[15];
    const uint64_t until_wrap = ((UINT64_C(1) << 32) - counter) * RP_AES_BLOCK_BYTES;

    if (bytes <= until_wrap) {
        openssl_ctr(key, counter_block, source, destination, bytes);
        return;
    }
    uint8_t wrapped[16];
    memcpy(wrapped, counter_block, sizeof wrapped);
    memset(wrapped + 12, 0, 4);
    openssl_ctr(key, counter_block, source, destination, until_wrap);
    openssl_ctr(key, wrapped, source + until_wrap, destination + until_wrap,
                bytes - until_wrap);
}

static void reference_equals_openssl(void **state)
{
    static uint8_t source[MOST_BYTES];
    static uint8_t actual[MOST_BYTES];
    static uint8_t expected[MOST_BYTES];
    uint64_t random = 3686;

    (void)state;
    for (int round = 0; round < 400; round++) {
        struct rp_aes128ctr aes;
        uint8_t key[16];
        uint8_t counter_block[16];
        const size_t bytes = 1 + rp_random_below(&random, MOST_BYTES);
        const struct rp_kernel_input input = {
            .destination = actual, .source = source, .bytes = bytes, .context = &aes};

        for (size_t i = 0; i < sizeof key; i++) {
            key[i] = (uint8_t)rp_random(&random);
            counter_block[i] = (uint8_t)rp_random(&random);
        }
        for (size_t i = 0; i < bytes; i++) {
            source[i] = (uint8_t)rp_random(&random);
        }
        if (round % 2 == 0) {
            memset(counter_block + 12, 0xff, 3);
        }
        rp_aes128ctr_init(&aes, key, counter_block);
        rp_aes128ctr_reference(&input, 1);
        expect(key, counter_block, source, expected, bytes);
        assert_memory_equal(actual, expected, bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_equals_openssl),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
