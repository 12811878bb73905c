/* SPDX-License-Identifier: MIT */
#include "kernels/gcm/kernels.h"

/* The build defines these for the files its compiler can handle (cmake/isa.cmake). */
#ifndef RP_BUILD_GCM_AESNI
#define RP_BUILD_GCM_AESNI 0
#endif
#ifndef RP_BUILD_GCM_VAES256
#define RP_BUILD_GCM_VAES256 0
#endif
#ifndef RP_BUILD_GCM_VAES512
#define RP_BUILD_GCM_VAES512 0
#endif

#if RP_BUILD_GCM_AESNI
#define AESNI(function) function
#else
#define AESNI(function) NULL
#endif
#if RP_BUILD_GCM_VAES256
#define VAES256(function) function
#else
#define VAES256(function) NULL
#endif
#if RP_BUILD_GCM_VAES512
#define VAES512(function) function
#else
#define VAES512(function) NULL
#endif

/* Carry-less multiplications of a step of so many vectors: four a vector, two to reduce.
 */
#define CLMUL_PER_BYTE(lanes) ((4 * 8 + 2) / (8.0 * (lanes)*RP_AES_BLOCK_BYTES))

/* clang-format off */
#define ROW(bits, direction, variant, rounds, WRAP, function, aes, clmul, lanes)         \
    .name = "aes" #bits "gcm-" #direction "-" variant,                                   \
    .family = "aes" #bits "gcm",                                                         \
    .streams = RP_STREAM_SOURCE | RP_STREAM_DESTINATION,                                 \
    .item = "byte",                                                                      \
    .loads = 1,                                                                          \
    .stores = 1,                                                                         \
    .operations = {{(aes), (double)(rounds) / ((lanes) * RP_AES_BLOCK_BYTES)},           \
                   {(clmul), CLMUL_PER_BYTE(lanes)}},                                    \
    .modes = RP_MODE_BIT(RP_MODE_TEMPORAL) | RP_MODE_BIT(RP_MODE_NT) |                   \
             RP_MODE_BIT(RP_MODE_INPLACE),                                               \
    .run = {[RP_MODE_TEMPORAL] = WRAP(rp_aes##bits##gcm_##direction##_##function),       \
            [RP_MODE_NT] = WRAP(rp_aes##bits##gcm_##direction##_##function##_nt),        \
            [RP_MODE_INPLACE] = WRAP(rp_aes##bits##gcm_##direction##_##function)},       \
    .reference = rp_gcm_##direction##_reference,                                         \
    .context = &rp_aes##bits##gcm_##direction##_context

#define VARIANTS(bits, rounds, direction)                                                \
    {                                                                                    \
        ROW(bits, direction, "aesni", rounds, AESNI, aesni, "aesenc-128", "clmul-128",   \
            1),                                                                          \
        .text = "AESENC and PCLMULQDQ on xmm, eight blocks in flight",                   \
        .needs = RP_CPU_SSSE3 | RP_CPU_AES | RP_CPU_PCLMULQDQ,                           \
        .built = RP_BUILD_GCM_AESNI,                                                     \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, direction, "vaes256", rounds, VAES256, vaes256, "aesenc-256",          \
            "clmul-256", 2),                                                             \
        .text = "VAESENC and VPCLMULQDQ on ymm, sixteen blocks in flight",               \
        .needs = RP_CPU_AVX2 | RP_CPU_VAES | RP_CPU_VPCLMULQDQ,                          \
        .built = RP_BUILD_GCM_VAES256,                                                   \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, direction, "vaes512", rounds, VAES512, vaes512, "aesenc-512",          \
            "clmul-512", 4),                                                             \
        .text = "VAESENC and VPCLMULQDQ on zmm, thirty-two blocks in flight",            \
        .needs = RP_CPU_AVX512 | RP_CPU_VAES | RP_CPU_VPCLMULQDQ,                        \
        .built = RP_BUILD_GCM_VAES512,                                                   \
    },                                                                                   \
    {                                                                                    \
        ROW(bits, direction, "vaes512-cached", (rounds)-2, VAES512, vaes512_cached,      \
            "aesenc-512", "clmul-512", 4),                                               \
        .text = "VAESENC and VPCLMULQDQ on zmm, two rounds from a table",                \
        .needs = RP_CPU_AVX512 | RP_CPU_VAES | RP_CPU_VPCLMULQDQ,                        \
        .built = RP_BUILD_GCM_VAES512,                                                   \
    }
/* clang-format on */

const struct rp_kernel rp_gcm_kernels[] = {
    VARIANTS(128, 10, seal), VARIANTS(128, 10, open), VARIANTS(192, 12, seal),
    VARIANTS(192, 12, open), VARIANTS(256, 14, seal), VARIANTS(256, 14, open),
};
const size_t rp_gcm_kernel_count = sizeof rp_gcm_kernels / sizeof *rp_gcm_kernels;

#define ENTRY(n)     [n][15] = (n),
#define ENTRIES_4(n) ENTRY(n) ENTRY((n) + 1) ENTRY((n) + 2) ENTRY((n) + 3)
#define ENTRIES_16(n)                                                                    \
    ENTRIES_4(n) ENTRIES_4((n) + 4) ENTRIES_4((n) + 8) ENTRIES_4((n) + 12)
#define ENTRIES_64(n)                                                                    \
    ENTRIES_16(n) ENTRIES_16((n) + 16) ENTRIES_16((n) + 32) ENTRIES_16((n) + 48)

const uint8_t rp_gcm_low_bytes[256][RP_AES_BLOCK_BYTES] __attribute__((aligned(64))) = {
    ENTRIES_64(0) ENTRIES_64(64) ENTRIES_64(128) ENTRIES_64(192)};
