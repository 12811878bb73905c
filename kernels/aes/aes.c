/* SPDX-License-Identifier: MIT */
#include "kernels/aes/ctr.h"

/* The build defines these for the files its compiler can handle (cmake/isa.cmake). */
#ifndef RP_BUILD_SSSE3
#define RP_BUILD_SSSE3 0
#endif
#ifndef RP_BUILD_AVX2
#define RP_BUILD_AVX2 0
#endif
#ifndef RP_BUILD_AESNI
#define RP_BUILD_AESNI 0
#endif
#ifndef RP_BUILD_VAES256
#define RP_BUILD_VAES256 0
#endif
#ifndef RP_BUILD_VAES512
#define RP_BUILD_VAES512 0
#endif

#if RP_BUILD_SSSE3
#define SSSE3(function) function
#else
#define SSSE3(function) NULL
#endif
#if RP_BUILD_AVX2
#define AVX2(function) function
#else
#define AVX2(function) NULL
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
#define ROW(bits, variant)                                                               \
    .name = "aes" #bits "ctr-" variant,                                                  \
    .family = "aes" #bits "ctr",                                                         \
    .streams = RP_STREAM_SOURCE | RP_STREAM_DESTINATION,                                 \
    .item = "byte",                                                                      \
    .loads = 1,                                                                          \
    .stores = 1,                                                                         \
    .modes = RP_MODE_BIT(RP_MODE_TEMPORAL) | RP_MODE_BIT(RP_MODE_NT) |                   \
             RP_MODE_BIT(RP_MODE_INPLACE),                                               \
    .reference = rp_aes_ctr_reference,                                                   \
    .context = &rp_aes##bits##ctr_context

#define MODES(WRAP, function)                                                            \
    {                                                                                    \
        [RP_MODE_TEMPORAL] = WRAP(function),                                             \
        [RP_MODE_NT] = WRAP(function##_nt),                                              \
        [RP_MODE_INPLACE] = WRAP(function),                                              \
    }

/* So many rounds a block, `lanes` blocks an instruction. */
#define ROUNDS(class, rounds, lanes)                                                     \
    {{(class), (double)(rounds) / ((lanes) * RP_AES_BLOCK_BYTES)}}

/* The variants for keys of `bits`, which take so many rounds. */
#define VARIANTS(bits, rounds)                                                           \
    {                                                                                    \
        ROW(bits, "naive"),                                                              \
        .text = "one table of 256 bytes, byte by byte; leaks through the cache",         \
        .needs = RP_CPU_SSE2,                                                            \
        .built = true,                                                                   \
        .leaks = true,                                                                   \
        .cycles_per_byte = 4 * (rounds),                                                 \
        .run = MODES(ALWAYS, rp_aes_ctr_naive),                                          \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, "scalar"),                                                             \
        .text = "four tables of 1 KiB; leaks through the cache, for comparison only",    \
        .needs = RP_CPU_SSE2,                                                            \
        .built = true,                                                                   \
        .leaks = true,                                                                   \
        .cycles_per_byte = 0.9 * (rounds),                                               \
        .run = MODES(ALWAYS, rp_aes_ctr_scalar),                                         \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, "vector-permute"),                                                     \
        .text = "PSHUFB as a table of nibbles on xmm, four blocks; constant time",       \
        .needs = RP_CPU_SSSE3,                                                           \
        .built = RP_BUILD_SSSE3,                                                         \
        .cycles_per_byte = 0.6 * (rounds),                                               \
        .run = MODES(SSSE3, rp_aes_ctr_vector_permute),                                  \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, "bitsliced-sse2"),                                                     \
        .text = "logic on xmm, eight blocks in lockstep as bits; constant time",         \
        .needs = RP_CPU_SSSE3,                                                           \
        .built = RP_BUILD_SSSE3,                                                         \
        .cycles_per_byte = 0.57 * (rounds),                                              \
        .run = MODES(SSSE3, rp_aes_ctr_bitsliced_sse2),                                  \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, "bitsliced-avx2"),                                                     \
        .text = "logic on ymm, sixteen blocks in lockstep as bits; constant time",       \
        .needs = RP_CPU_AVX2,                                                            \
        .built = RP_BUILD_AVX2,                                                          \
        .cycles_per_byte = 0.28 * (rounds),                                              \
        .run = MODES(AVX2, rp_aes_ctr_bitsliced_avx2),                                   \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, "aesni"),                                                              \
        .text = "AESENC on xmm, one block at a time, through integer registers",         \
        .needs = RP_CPU_SSE41 | RP_CPU_AES,                                              \
        .built = RP_BUILD_AESNI,                                                         \
        .operations = ROUNDS("aesenc-128", rounds, 1),                                   \
        .run = MODES(AESNI, rp_aes##bits##ctr_aesni_marshalled),                         \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, "aesni-x8"),                                                           \
        .text = "AESENC on xmm, eight blocks in flight, through integer registers",      \
        .needs = RP_CPU_SSE41 | RP_CPU_AES,                                              \
        .built = RP_BUILD_AESNI,                                                         \
        .operations = ROUNDS("aesenc-128", rounds, 1),                                   \
        .run = MODES(AESNI, rp_aes##bits##ctr_aesni_marshalled_x8),                      \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, "aesni-x1"),                                                           \
        .text = "AESENC on xmm, one block at a time",                                    \
        .needs = RP_CPU_SSSE3 | RP_CPU_AES,                                              \
        .built = RP_BUILD_AESNI,                                                         \
        .operations = ROUNDS("aesenc-128", rounds, 1),                                   \
        .run = MODES(AESNI, rp_aes##bits##ctr_aesni_x1),                                 \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, "aesni-x8-pshufb"),                                                    \
        .text = "AESENC on xmm, eight blocks in flight",                                 \
        .needs = RP_CPU_SSSE3 | RP_CPU_AES,                                              \
        .built = RP_BUILD_AESNI,                                                         \
        .operations = ROUNDS("aesenc-128", rounds, 1),                                   \
        .run = MODES(AESNI, rp_aes##bits##ctr_aesni_x8),                                 \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, "vaes256-x8-pshufb"),                                                  \
        .text = "VAESENC on ymm, sixteen blocks in flight",                              \
        .needs = RP_CPU_AVX2 | RP_CPU_VAES,                                              \
        .built = RP_BUILD_VAES256,                                                       \
        .operations = ROUNDS("aesenc-256", rounds, 2),                                   \
        .run = MODES(VAES256, rp_aes##bits##ctr_vaes256_x8),                             \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, "vaes512-x8-pshufb"),                                                  \
        .text = "VAESENC on zmm, thirty-two blocks in flight",                           \
        .needs = RP_CPU_AVX512 | RP_CPU_VAES,                                            \
        .built = RP_BUILD_VAES512,                                                       \
        .operations = ROUNDS("aesenc-512", rounds, 4),                                   \
        .run = MODES(VAES512, rp_aes##bits##ctr_vaes512_x8),                             \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, "aesni-x8-cached"),                                                    \
        .text = "AESENC on xmm, eight blocks in flight, two rounds from a table",        \
        .needs = RP_CPU_SSSE3 | RP_CPU_AES,                                              \
        .built = RP_BUILD_AESNI,                                                         \
        .operations = ROUNDS("aesenc-128", (rounds)-2, 1),                               \
        .run = MODES(AESNI, rp_aes##bits##ctr_aesni_cached),                             \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, "vaes256-x8-cached"),                                                  \
        .text = "VAESENC on ymm, sixteen in flight, two rounds from a table",            \
        .needs = RP_CPU_AVX2 | RP_CPU_VAES,                                              \
        .built = RP_BUILD_VAES256,                                                       \
        .operations = ROUNDS("aesenc-256", (rounds)-2, 2),                               \
        .run = MODES(VAES256, rp_aes##bits##ctr_vaes256_cached),                         \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, "vaes512-x8-cached"),                                                  \
        .text = "VAESENC on zmm, thirty-two in flight, two rounds from a table",         \
        .needs = RP_CPU_AVX512 | RP_CPU_VAES,                                            \
        .built = RP_BUILD_VAES512,                                                       \
        .operations = ROUNDS("aesenc-512", (rounds)-2, 4),                               \
        .run = MODES(VAES512, rp_aes##bits##ctr_vaes512_cached),                         \
    }
/* clang-format on */

const struct rp_kernel rp_aes_kernels[] = {
    VARIANTS(128, 10),
    VARIANTS(192, 12),
    VARIANTS(256, 14),
};
const size_t rp_aes_kernel_count = sizeof rp_aes_kernels / sizeof *rp_aes_kernels;
