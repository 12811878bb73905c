/* SPDX-License-Identifier: MIT */
#include "kernels/aes/aes.h"

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
#define AESNI(function) function
#else
#define AESNI(function) NULL
#endif
#if RP_BUILD_VAES256
#define VAES256(function) function
#else
#define VAES256(function) NULL
#endif
#if RP_BUILD_VAES512
#define VAES512(function) function
#else
#define VAES512(function) NULL
#endif

#define ALWAYS(function) function

/* clang-format off */
/* What all rows share: one item is one byte, loaded once and stored once. */
#define AES_ROW(variant)                                                                 \
    .name = "aes128ctr-" variant,                                                        \
    .family = "aes128ctr",                                                               \
    .streams = RP_STREAM_SOURCE | RP_STREAM_DESTINATION,                                 \
    .item = "byte",                                                                      \
    .loads = 1,                                                                          \
    .stores = 1,                                                                         \
    .modes = RP_MODE_BIT(RP_MODE_TEMPORAL) | RP_MODE_BIT(RP_MODE_NT) |                   \
             RP_MODE_BIT(RP_MODE_INPLACE),                                               \
    .reference = rp_aes128ctr_reference

#define MODES(WRAP, function)                                                            \
    {                                                                                    \
        [RP_MODE_TEMPORAL] = WRAP(function),                                             \
        [RP_MODE_NT] = WRAP(function##_nt),                                              \
        [RP_MODE_INPLACE] = WRAP(function),                                              \
    }

/* Ten rounds a block, `lanes` blocks an instruction. */
#define TEN_ROUNDS(class, lanes)                                                         \
    {{(class), (double)RP_AES128_ROUNDS / ((lanes) * RP_AES_BLOCK_BYTES)}}
/* clang-format on */

const struct rp_kernel rp_aes_kernels[] = {
    {
        AES_ROW("ttable"),
        .text = "four tables of 1 KiB; leaks through the cache, for comparison only",
        .needs = RP_CPU_SSE2,
        .built = true,
        .leaks = true,
        .cycles_per_byte = 9,
        .run = MODES(ALWAYS, rp_aes128ctr_ttable),
    },
    {
        AES_ROW("aesni-x1"),
        .text = "AESENC on xmm, one block at a time",
        .needs = RP_CPU_SSSE3 | RP_CPU_AES,
        .built = RP_BUILD_AESNI,
        .operations = TEN_ROUNDS("aesenc-128", 1),
        .run = MODES(AESNI, rp_aes128ctr_aesni_x1),
    },
    {
        AES_ROW("aesni-x8-pshufb"),
        .text = "AESENC on xmm, eight blocks in flight",
        .needs = RP_CPU_SSSE3 | RP_CPU_AES,
        .built = RP_BUILD_AESNI,
        .operations = TEN_ROUNDS("aesenc-128", 1),
        .run = MODES(AESNI, rp_aes128ctr_aesni_x8),
    },
    {
        AES_ROW("vaes256-x8-pshufb"),
        .text = "VAESENC on ymm, sixteen blocks in flight",
        .needs = RP_CPU_AVX2 | RP_CPU_VAES,
        .built = RP_BUILD_VAES256,
        .operations = TEN_ROUNDS("aesenc-256", 2),
        .run = MODES(VAES256, rp_aes128ctr_vaes256_x8),
    },
    {
        AES_ROW("vaes512-x8-pshufb"),
        .text = "VAESENC on zmm, thirty-two blocks in flight",
        .needs = RP_CPU_AVX512 | RP_CPU_VAES,
        .built = RP_BUILD_VAES512,
        .operations = TEN_ROUNDS("aesenc-512", 4),
        .run = MODES(VAES512, rp_aes128ctr_vaes512_x8),
    },
};
const size_t rp_aes_kernel_count = sizeof rp_aes_kernels / sizeof *rp_aes_kernels;
