/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/random.h"
#include "kernels/aes/interleave_kernels.h"

/* The build defines these for the files its compiler can handle (cmake/isa.cmake). */
#ifndef RP_BUILD_AESNI
#define RP_BUILD_AESNI 0
#endif
#ifndef RP_BUILD_VAES256
#define RP_BUILD_VAES256 0
#endif
#ifndef RP_BUILD_VAES512
#define RP_BUILD_VAES512 0
#endif

#if RP_BUILD_AESNI
#define FUNCTION_aesni(function) function
#else
#define FUNCTION_aesni(function) NULL
#endif
#if RP_BUILD_VAES256
#define FUNCTION_vaes256(function) function
#else
#define FUNCTION_vaes256(function) NULL
#endif
#if RP_BUILD_VAES512
#define FUNCTION_vaes512(function) function
#else
#define FUNCTION_vaes512(function) NULL
#endif

static void choose(void *context, uint64_t *random, bool hard)
{
    uint8_t key[16];

    (void)hard; /* no block is harder than another */
    rp_random_bytes(random, key, sizeof key);
    rp_aes_expand(context, key, sizeof key);
}

static const struct rp_context_kind aes128_context = {
    .bytes = sizeof(struct rp_aes_key),
    .choose = choose,
};

static void encrypt_blocks(const struct rp_kernel_input *input, uint64_t repetitions)
{
    const size_t whole = input->bytes - input->bytes % RP_AES_BLOCK_BYTES;

    while (repetitions-- > 0) {
        for (size_t i = 0; i < whole; i += RP_AES_BLOCK_BYTES) {
            rp_aes_encrypt(input->context, input->source + i, input->destination + i);
        }
        memmove(input->destination + whole, input->source + whole, input->bytes - whole);
    }
}

#define MOST_CHAIN_BLOCKS (16 * 4)

/* The kernel without data, for a number of blocks that are encrypted in turn. */
static void encrypt_chains(const struct rp_kernel_input *input, size_t chain_blocks)
{
    uint8_t chains[RP_AES_BLOCK_BYTES * MOST_CHAIN_BLOCKS] = {0};

    for (uint32_t i = 0; i < chain_blocks; i++) {
        memcpy(chains + RP_AES_BLOCK_BYTES * i, &i, sizeof i);
    }
    for (size_t i = 0; i < input->bytes / RP_AES_BLOCK_BYTES; i++) {
        uint8_t *const block = chains + RP_AES_BLOCK_BYTES * (i % chain_blocks);

        rp_aes_encrypt(input->context, block, block);
    }
    memset(input->destination, 0, RP_BLOCK_BYTES);
    for (size_t i = 0; i < RP_AES_BLOCK_BYTES * chain_blocks; i++) {
        input->destination[i % RP_AES_BLOCK_BYTES] ^= chains[i];
    }
}

#define LANES_aesni   1
#define LANES_vaes256 2
#define LANES_vaes512 4
#define DEFINE_REFERENCE(width, chains)                                                  \
    static void encrypt_chains_##width##_x##chains(const struct rp_kernel_input *input,  \
                                                   uint64_t repetitions)                 \
    {                                                                                    \
        (void)repetitions; /* each leaves the same */                                    \
        encrypt_chains(input, LANES_##width *(chains));                                  \
    }
RP_INTERLEAVE_EACH(DEFINE_REFERENCE, aesni)
RP_INTERLEAVE_EACH(DEFINE_REFERENCE, vaes256)
RP_INTERLEAVE_EACH(DEFINE_REFERENCE, vaes512)

#define NEEDS_aesni   (RP_CPU_SSSE3 | RP_CPU_AES)
#define NEEDS_vaes256 (RP_CPU_AVX2 | RP_CPU_VAES)
#define NEEDS_vaes512 (RP_CPU_AVX512 | RP_CPU_VAES)
#define BUILT_aesni   RP_BUILD_AESNI
#define BUILT_vaes256 RP_BUILD_VAES256
#define BUILT_vaes512 RP_BUILD_VAES512
#define UNIT_aesni                                                                       \
    {                                                                                    \
        {                                                                                \
            "aesenc-128", 10.0 / 16                                                      \
        }                                                                                \
    }
#define UNIT_vaes256                                                                     \
    {                                                                                    \
        {                                                                                \
            "aesenc-256", 10.0 / 32                                                      \
        }                                                                                \
    }
#define UNIT_vaes512                                                                     \
    {                                                                                    \
        {                                                                                \
            "aesenc-512", 10.0 / 64                                                      \
        }                                                                                \
    }

/* clang-format off */
#define BOTH(width, variant, words)                                                      \
    .name = "aes128ecb-" #width "-" variant,                                             \
    .family = "aes128ecb",                                                               \
    .text = words,                                                                       \
    .needs = NEEDS_##width,                                                              \
    .built = BUILT_##width,                                                              \
    .item = "byte",                                                                      \
    .operations = UNIT_##width,                                                          \
    .context = &aes128_context

#define ROWS(width, chains)                                                              \
    {                                                                                    \
        BOTH(width, "x" #chains, "ten rounds of " #chains " vectors in flight, to measure"), \
        .streams = RP_STREAM_SOURCE | RP_STREAM_DESTINATION,                             \
        .loads = 1,                                                                      \
        .stores = 1,                                                                     \
        .modes = RP_MODE_BIT(RP_MODE_TEMPORAL) | RP_MODE_BIT(RP_MODE_INPLACE),           \
        .run = {[RP_MODE_TEMPORAL] =                                                     \
                    FUNCTION_##width(rp_aes128ecb_##width##_x##chains),                  \
                [RP_MODE_INPLACE] =                                                      \
                    FUNCTION_##width(rp_aes128ecb_##width##_x##chains)},                 \
        .reference = encrypt_blocks,                                                     \
    },                                                                                   \
    {                                                                                    \
        BOTH(width, "x" #chains "-nomem",                                                \
             "the same without data: each step encrypts what the last one left"),                     \
        .modes = RP_MODE_BIT(RP_MODE_NONE),                                              \
        .run = {[RP_MODE_NONE] =                                                         \
                    FUNCTION_##width(rp_aes128ecb_##width##_x##chains##_nomem)},         \
        .reference = encrypt_chains_##width##_x##chains,                                 \
    },
/* clang-format on */

const struct rp_kernel rp_interleave_kernels[] = {RP_INTERLEAVE_EACH(
    ROWS, aesni) RP_INTERLEAVE_EACH(ROWS, vaes256) RP_INTERLEAVE_EACH(ROWS, vaes512)};
const size_t rp_interleave_kernel_count =
    sizeof rp_interleave_kernels / sizeof *rp_interleave_kernels;
