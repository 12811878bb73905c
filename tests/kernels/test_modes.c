/* SPDX-License-Identifier: MIT */
/*
 * The other modes, references and kernels, against an implementation of other hands; and
 * the published vectors, in which a slip of the pen would otherwise stay.
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
#include "kernels/modes/modes.h"
#include "kernels/modes/vectors.h"

#define ALL_BYTES  400 /* every length up to this, and these: */
#define MOST_BYTES (64 * 1024 + 13)

static const size_t large_lengths[] = {511, 512, 1024 + 17, 4096, 65536 - 1, MOST_BYTES};

struct room {
    uint8_t source[MOST_BYTES] __attribute__((aligned(64)));
    uint8_t expected[MOST_BYTES] __attribute__((aligned(64)));
    uint8_t actual[MOST_BYTES] __attribute__((aligned(64)));
};

/* What is tested: one length of key of one mode. */
struct family {
    const char *name;
    size_t key_bytes;
    const EVP_CIPHER *(*cipher)(void);
    bool encrypt;
    rp_kernel_function *reference;
};

static const struct family families[] = {
    {"aes128cbcdec", 16, EVP_aes_128_cbc, false, rp_aes_cbcdec_reference},
    {"aes192cbcdec", 24, EVP_aes_192_cbc, false, rp_aes_cbcdec_reference},
    {"aes256cbcdec", 32, EVP_aes_256_cbc, false, rp_aes_cbcdec_reference},
    {"aes128xts", 16, EVP_aes_128_xts, true, rp_aes_xts_reference},
    {"aes256xts", 32, EVP_aes_256_xts, true, rp_aes_xts_reference},
};

#define FAMILY_COUNT (sizeof families / sizeof *families)

static void openssl(const EVP_CIPHER *cipher, bool encrypt, const uint8_t *key,
                    const uint8_t *iv, const uint8_t *source, uint8_t *destination,
                    size_t bytes)
{
    EVP_CIPHER_CTX *const context = EVP_CIPHER_CTX_new();
    int length = 0;

    assert_non_null(context);
    assert_int_equal(EVP_CipherInit_ex(context, cipher, NULL, key, iv, encrypt), 1);
    EVP_CIPHER_CTX_set_padding(context, 0);
    assert_int_equal(EVP_CipherUpdate(context, destination, &length, source, (int)bytes),
                     1);
    assert_int_equal(length, bytes);
    EVP_CIPHER_CTX_free(context);
}

/* What our header says about any length, by means of OpenSSL. */
static void expect(const struct family *family, const uint8_t *key, const uint8_t *iv,
                   struct room *room, size_t bytes)
{
    size_t crypted = bytes;

    if (!family->encrypt) {
        crypted -= bytes % RP_AES_BLOCK_BYTES;
    } else if (bytes < RP_AES_BLOCK_BYTES) {
        crypted = 0;
    }
    memcpy(room->expected, room->source, bytes);
    if (crypted > 0) {
        openssl(family->cipher(), family->encrypt, key, iv, room->source, room->expected,
                crypted);
    }
}

/* A context of either kind, and the key and first block it is made of. */
struct chosen {
    union {
        struct rp_aes_cbc cbc;
        struct rp_aes_xts xts;
    } context;
    uint8_t key[2 * RP_AES_MOST_KEY_BYTES];
    uint8_t iv[RP_AES_BLOCK_BYTES];
};

static void choose(const struct family *family, struct chosen *chosen, uint64_t *random)
{
    rp_random_bytes(random, chosen->key, sizeof chosen->key);
    rp_random_bytes(random, chosen->iv, sizeof chosen->iv);
    if (family->encrypt) {
        struct rp_aes_xts *const xts = &chosen->context.xts;

        rp_aes_expand(&xts->key, chosen->key, family->key_bytes);
        rp_aes_expand(&xts->tweak_key, chosen->key + family->key_bytes,
                      family->key_bytes);
        memcpy(xts->data_unit, chosen->iv, sizeof xts->data_unit);
    } else {
        struct rp_aes_cbc *const cbc = &chosen->context.cbc;

        rp_aes_expand(&cbc->key, chosen->key, family->key_bytes);
        rp_aes_invert(&cbc->inverse, &cbc->key);
        memcpy(cbc->iv, chosen->iv, sizeof cbc->iv);
    }
}

static void compare(const struct family *family, rp_kernel_function *run, bool in_place,
                    struct room *room, size_t bytes, uint64_t *random)
{
    struct chosen chosen;
    const struct rp_kernel_input input = {
        .destination = room->actual,
        .source = in_place ? room->actual : room->source,
        .bytes = bytes,
        .context = &chosen.context,
    };

    choose(family, &chosen, random);
    rp_random_bytes(random, room->source, bytes);
    expect(family, chosen.key, chosen.iv, room, bytes);
    if (in_place) {
        memcpy(room->actual, room->source, bytes);
    } else {
        memset(room->actual, 0, bytes);
    }
    run(&input, 1);
    assert_memory_equal(room->actual, room->expected, bytes);
}

static void compare_lengths(const struct family *family, rp_kernel_function *run,
                            bool in_place)
{
    struct room *const room = aligned_alloc(64, sizeof *room + 64 - sizeof *room % 64);
    uint64_t random = 1619;

    assert_non_null(room);
    for (size_t bytes = 0; bytes <= ALL_BYTES; bytes++) {
        compare(family, run, in_place, room, bytes, &random);
    }
    for (size_t i = 0; i < sizeof large_lengths / sizeof *large_lengths; i++) {
        compare(family, run, in_place, room, large_lengths[i], &random);
    }
    free(room);
}

static void references_equal_openssl(void **state)
{
    (void)state;
    for (size_t i = 0; i < FAMILY_COUNT; i++) {
        compare_lengths(&families[i], families[i].reference, false);
        compare_lengths(&families[i], families[i].reference, true);
    }
}

static void kernels_equal_openssl(void **state)
{
    struct rp_cpu cpu;
    struct rp_error error;

    (void)state;
    assert_true(rp_cpu_detect(&cpu, &rp_cpu_native, getenv("RIDGEPOINT_CPU"), &error));
    for (size_t i = 0; i < rp_modes_kernel_count; i++) {
        const struct rp_kernel *const kernel = &rp_modes_kernels[i];
        const struct family *family = families;
        char why[160];

        while (strcmp(family->name, kernel->family) != 0) {
            family++;
            assert_true(family < families + FAMILY_COUNT);
        }
        if (!rp_kernel_available(kernel, &cpu, why, sizeof why)) {
            print_message("%s unavailable: %s\n", kernel->name, why);
            continue;
        }
        compare_lengths(family, kernel->run[RP_MODE_TEMPORAL], false);
        compare_lengths(family, kernel->run[RP_MODE_NT], false);
        compare_lengths(family, kernel->run[RP_MODE_INPLACE], true);
    }
}

/* By decryption, for OpenSSL refuses to encrypt with the two equal keys of vector 1. */
static void vectors_equal_openssl(void **state)
{
    size_t checked = 0;

    (void)state;
    for (size_t i = 0; i < FAMILY_COUNT; i++) {
        const struct family *const family = &families[i];
        const struct rp_aes_mode_vector *vector = NULL;

        for (size_t index = 0;; index++, checked++) {
            uint8_t plain[512];

            vector = family->encrypt ? rp_aes_xts_vector(family->key_bytes, index)
                                     : rp_aes_cbc_vector(family->key_bytes, index);
            if (vector == NULL) {
                break;
            }
            assert_true(vector->bytes <= sizeof plain);
            openssl(family->cipher(), false, vector->key, vector->iv, vector->cipher,
                    plain, vector->bytes);
            assert_memory_equal(plain, vector->plain, vector->bytes);
        }
        assert_true(checked > i); /* at least one each */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_equal_openssl),
        cmocka_unit_test(references_equal_openssl),
        cmocka_unit_test(kernels_equal_openssl),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
