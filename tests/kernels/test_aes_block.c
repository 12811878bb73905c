/* SPDX-License-Identifier: MIT */
/* The block cipher and its key schedule against the examples of FIPS 197 (2001). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/aes/aes.h"

/* The keys and the plaintext of appendix C. */
/* clang-format off */
#define COUNTING_KEY                                                                     \
    {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, \
     0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, \
     0x1c, 0x1d, 0x1e, 0x1f}
#define PLAIN_OF_C                                                                       \
    {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, \
     0xee, 0xff}
/* clang-format on */

static const struct {
    const char *name;
    size_t key_bytes;
    uint8_t key[RP_AES_MOST_KEY_BYTES];
    uint8_t plain[RP_AES_BLOCK_BYTES];
    uint8_t cipher[RP_AES_BLOCK_BYTES];
} examples[] = {
    {
        .name = "appendix B",
        .key_bytes = 16,
        .key = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88,
                0x09, 0xcf, 0x4f, 0x3c},
        .plain = {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2,
                  0xe0, 0x37, 0x07, 0x34},
        .cipher = {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb, 0xdc, 0x11, 0x85, 0x97,
                   0x19, 0x6a, 0x0b, 0x32},
    },
    {
        .name = "appendix C.1",
        .key_bytes = 16,
        .key = COUNTING_KEY,
        .plain = PLAIN_OF_C,
        .cipher = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80,
                   0x70, 0xb4, 0xc5, 0x5a},
    },
    {
        .name = "appendix C.2",
        .key_bytes = 24,
        .key = COUNTING_KEY,
        .plain = PLAIN_OF_C,
        .cipher = {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0,
                   0xec, 0x0d, 0x71, 0x91},
    },
    {
        .name = "appendix C.3",
        .key_bytes = 32,
        .key = COUNTING_KEY,
        .plain = PLAIN_OF_C,
        .cipher = {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90,
                   0x4b, 0x49, 0x60, 0x89},
    },
};

static void blocks_equal_the_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct rp_aes_key key;
        uint8_t block[RP_AES_BLOCK_BYTES];

        print_message("%s\n", examples[i].name);
        rp_aes_expand(&key, examples[i].key, examples[i].key_bytes);
        rp_aes_encrypt(&key, examples[i].plain, block);
        assert_memory_equal(block, examples[i].cipher, sizeof block);
        rp_aes_decrypt(&key, examples[i].cipher, block);
        assert_memory_equal(block, examples[i].plain, sizeof block);
    }
}

/* The last round key depends on every word before it. */
static void keys_expand_as_in_the_examples(void **state)
{
    static const struct {
        const char *name;
        size_t key_bytes;
        uint8_t key[RP_AES_MOST_KEY_BYTES];
        uint8_t last_round_key[RP_AES_BLOCK_BYTES];
    } rows[] = {
        {
            .name = "appendix A.1",
            .key_bytes = 16,
            .key = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15,
                    0x88, 0x09, 0xcf, 0x4f, 0x3c},
            .last_round_key = {0xd0, 0x14, 0xf9, 0xa8, 0xc9, 0xee, 0x25, 0x89, 0xe1, 0x3f,
                               0x0c, 0xc8, 0xb6, 0x63, 0x0c, 0xa6},
        },
        {
            .name = "appendix A.2",
            .key_bytes = 24,
            .key = {0x8e, 0x73, 0xb0, 0xf7, 0xda, 0x0e, 0x64, 0x52,
                    0xc8, 0x10, 0xf3, 0x2b, 0x80, 0x90, 0x79, 0xe5,
                    0x62, 0xf8, 0xea, 0xd2, 0x52, 0x2c, 0x6b, 0x7b},
            .last_round_key = {0xe9, 0x8b, 0xa0, 0x6f, 0x44, 0x8c, 0x77, 0x3c, 0x8e, 0xcc,
                               0x72, 0x04, 0x01, 0x00, 0x22, 0x02},
        },
        {
            .name = "appendix A.3",
            .key_bytes = 32,
            .key = {0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae,
                    0xf0, 0x85, 0x7d, 0x77, 0x81, 0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61,
                    0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4},
            .last_round_key = {0xfe, 0x48, 0x90, 0xd1, 0xe6, 0x18, 0x8d, 0x0b, 0x04, 0x6d,
                               0xf3, 0x44, 0x70, 0x6c, 0x63, 0x1e},
        },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rp_aes_key key;

        print_message("%s\n", rows[i].name);
        rp_aes_expand(&key, rows[i].key, rows[i].key_bytes);
        assert_int_equal(key.rounds, rows[i].key_bytes / 4 + 6);
        assert_memory_equal(key.round_keys[0], rows[i].key, RP_AES_BLOCK_BYTES);
        assert_memory_equal(key.round_keys[key.rounds], rows[i].last_round_key,
                            RP_AES_BLOCK_BYTES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_equal_the_examples),
        cmocka_unit_test(keys_expand_as_in_the_examples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
