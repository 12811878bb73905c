/* SPDX-License-Identifier: MIT */
/*
 * GCM against an implementation of other hands: the reference, the published vectors, and
 * every kernel that this CPU can run, in both directions.
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
#include "kernels/gcm/gcm.h"
#include "kernels/gcm/vectors.h"

#define SHORT_BYTES 300
#define MOST_BYTES  70000
#define MOST_IV     64

/* The messages of one test: what OpenSSL makes of them, and the context for it. */
struct message {
    uint8_t key[RP_AES_MOST_KEY_BYTES];
    size_t key_bytes;
    uint8_t iv[MOST_IV];
    size_t iv_bytes;
    uint8_t additional[RP_GCM_MOST_ADDITIONAL_BYTES];
    size_t additional_bytes;
    uint8_t plain[MOST_BYTES];
    size_t bytes;
    uint8_t cipher[MOST_BYTES];
    uint8_t tag[RP_GCM_TAG_BYTES];
};

static const EVP_CIPHER *openssl_cipher(size_t key_bytes)
{
    return key_bytes == 16   ? EVP_aes_128_gcm()
           : key_bytes == 24 ? EVP_aes_192_gcm()
                             : EVP_aes_256_gcm();
}

static void openssl_seal(struct message *message)
{
    EVP_CIPHER_CTX *const context = EVP_CIPHER_CTX_new();
    const EVP_CIPHER *const cipher = openssl_cipher(message->key_bytes);
    int length = 0;

    assert_non_null(context);
    assert_int_equal(EVP_EncryptInit_ex(context, cipher, NULL, NULL, NULL), 1);
    assert_int_equal(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_IVLEN,
                                         (int)message->iv_bytes, NULL),
                     1);
    assert_int_equal(EVP_EncryptInit_ex(context, NULL, NULL, message->key, message->iv),
                     1);
    assert_int_equal(EVP_EncryptUpdate(context, NULL, &length, message->additional,
                                       (int)message->additional_bytes),
                     1);
    assert_int_equal(EVP_EncryptUpdate(context, message->cipher, &length, message->plain,
                                       (int)message->bytes),
                     1);
    assert_int_equal(length, message->bytes);
    assert_int_equal(EVP_EncryptFinal_ex(context, message->cipher + length, &length), 1);
    assert_int_equal(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, RP_GCM_TAG_BYTES,
                                         message->tag),
                     1);
    EVP_CIPHER_CTX_free(context);
}

static void set_context(struct rp_gcm *gcm, const struct message *message)
{
    rp_gcm_set_key(gcm, message->key, message->key_bytes);
    rp_gcm_set_iv(gcm, message->iv, message->iv_bytes);
    rp_gcm_set_additional(gcm, message->additional, message->additional_bytes);
}

/* Runs one direction and compares it with OpenSSL's message. */
static void expect(const char *name, rp_kernel_function *run, bool seals,
                   const struct rp_gcm *gcm, const struct message *message)
{
    static uint8_t destination[MOST_BYTES];
    uint8_t tag[RP_BLOCK_BYTES] = {0};
    const struct rp_kernel_input input = {
        .source = seals ? message->plain : message->cipher,
        .destination = destination,
        .bytes = message->bytes,
        .context = gcm,
        .result = tag,
    };

    run(&input, 1);
    if (memcmp(destination, seals ? message->cipher : message->plain, message->bytes) !=
            0 ||
        !rp_gcm_tags_equal(tag, message->tag)) {
        fail_msg("%s differs from OpenSSL (%zu bytes, key %zu, IV %zu, additional %zu)",
                 name, message->bytes, message->key_bytes, message->iv_bytes,
                 message->additional_bytes);
    }
}

/* The kernels for this length of key that this CPU can run. */
static void expect_of_kernels(const struct rp_cpu *cpu, const struct rp_gcm *gcm,
                              const struct message *message)
{
    for (size_t i = 0; i < rp_gcm_kernel_count; i++) {
        const struct rp_kernel *const kernel = &rp_gcm_kernels[i];
        const size_t key_bytes = (size_t)atoi(kernel->family + strlen("aes")) / 8;
        char why[160];

        if (key_bytes == message->key_bytes &&
            rp_kernel_available(kernel, cpu, why, sizeof why)) {
            expect(kernel->name, kernel->run[RP_MODE_TEMPORAL],
                   strstr(kernel->name, "-seal-") != NULL, gcm, message);
        }
    }
}

static void choose(struct message *message, size_t bytes, size_t index, uint64_t *random)
{
    static const size_t iv_sizes[] = {12, 1, 16, 60};
    static const size_t additional_sizes[] = {0, 1, 15, 16, 17, 20, 48, 63, 64};

    message->key_bytes = 16 + 8 * (index % 3);
    message->iv_bytes = iv_sizes[rp_random_below(random, 4)];
    message->additional_bytes = additional_sizes[rp_random_below(random, 9)];
    message->bytes = bytes;
    rp_random_bytes(random, message->key, sizeof message->key);
    rp_random_bytes(random, message->iv, sizeof message->iv);
    rp_random_bytes(random, message->additional, sizeof message->additional);
    rp_random_bytes(random, message->plain, bytes);
}

static void everything_equals_openssl(void **state)
{
    static const size_t large[] = {511, 512, 513, 1024, 4095, 4096, 16384, MOST_BYTES};
    static struct message message;
    static struct rp_gcm gcm;
    const size_t large_count = sizeof large / sizeof *large;
    uint64_t random = 38;
    struct rp_cpu cpu;
    struct rp_error error;

    (void)state;
    assert_true(rp_cpu_detect(&cpu, &rp_cpu_native, getenv("RIDGEPOINT_CPU"), &error));
    for (size_t i = 0; i < 3 * (SHORT_BYTES + 1 + large_count); i++) {
        const size_t length = i / 3;

        choose(&message, length <= SHORT_BYTES ? length : large[length - SHORT_BYTES - 1],
               i, &random);
        openssl_seal(&message);
        set_context(&gcm, &message);
        expect("the reference", rp_gcm_seal_reference, true, &gcm, &message);
        expect("the reference", rp_gcm_open_reference, false, &gcm, &message);
        expect_of_kernels(&cpu, &gcm, &message);
    }
}

static void vectors_equal_openssl(void **state)
{
    static struct message message;
    unsigned count = 0;

    (void)state;
    for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 8) {
        const struct rp_gcm_vector *vector = NULL;

        for (size_t i = 0; (vector = rp_gcm_vector(key_bytes, i)) != NULL; i++) {
            message = (struct message){.key_bytes = key_bytes,
                                       .iv_bytes = vector->iv_bytes,
                                       .additional_bytes = vector->additional_bytes,
                                       .bytes = vector->bytes};
            memcpy(message.key, vector->key, key_bytes);
            memcpy(message.iv, vector->iv, vector->iv_bytes);
            memcpy(message.additional, vector->additional, vector->additional_bytes);
            memcpy(message.plain, vector->plain, vector->bytes);
            openssl_seal(&message);
            assert_memory_equal(message.cipher, vector->cipher, vector->bytes);
            assert_memory_equal(message.tag, vector->tag, RP_GCM_TAG_BYTES);
            count++;
        }
    }
    assert_int_equal(count, 18);
}

/* What was tampered with has another tag. */
static void tampering_shows(void **state)
{
    static struct message message;
    static struct rp_gcm gcm;
    static uint8_t plain[SHORT_BYTES];
    uint8_t tag[RP_BLOCK_BYTES];
    uint64_t random = 1;

    (void)state;
    choose(&message, SHORT_BYTES, 0, &random);
    openssl_seal(&message);
    for (size_t i = 0; i < 8 * (size_t)SHORT_BYTES; i += 7) {
        const struct rp_kernel_input input = {.source = message.cipher,
                                              .destination = plain,
                                              .bytes = SHORT_BYTES,
                                              .context = &gcm,
                                              .result = tag};

        set_context(&gcm, &message);
        message.cipher[i / 8] ^= (uint8_t)(1 << i % 8);
        rp_gcm_open_reference(&input, 1);
        assert_false(rp_gcm_tags_equal(tag, message.tag));
        message.cipher[i / 8] ^= (uint8_t)(1 << i % 8);
        rp_gcm_open_reference(&input, 1);
        assert_true(rp_gcm_tags_equal(tag, message.tag));
    }
}

static void tags_differ_in_any_bit(void **state)
{
    uint8_t left[RP_GCM_TAG_BYTES] = {0};
    uint8_t right[RP_GCM_TAG_BYTES] = {0};

    (void)state;
    assert_true(rp_gcm_tags_equal(left, right));
    for (int i = 0; i < 8 * RP_GCM_TAG_BYTES; i++) {
        right[i / 8] ^= (uint8_t)(1 << i % 8);
        assert_false(rp_gcm_tags_equal(left, right));
        left[i / 8] ^= (uint8_t)(1 << i % 8);
        assert_true(rp_gcm_tags_equal(left, right));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_equals_openssl),
        cmocka_unit_test(vectors_equal_openssl),
        cmocka_unit_test(tampering_shows),
        cmocka_unit_test(tags_differ_in_any_bit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
