/* SPDX-License-Identifier: MIT */
#include "kernels/modes/modes.h"

/* The build defines these for the files its compiler can handle (cmake/isa.cmake). */
#ifndef RP_BUILD_MODES_AESNI
#define RP_BUILD_MODES_AESNI 0
#endif
#ifndef RP_BUILD_MODES_VAES256
#define RP_BUILD_MODES_VAES256 0
#endif
#ifndef RP_BUILD_MODES_VAES512
#define RP_BUILD_MODES_VAES512 0
#endif

#if RP_BUILD_MODES_AESNI
#define AESNI(function) function
#else
#define AESNI(function) NULL
#endif
#if RP_BUILD_MODES_VAES256
#define VAES256(function) function
#else
#define VAES256(function) NULL
#endif
#if RP_BUILD_MODES_VAES512
#define VAES512(function) function
#else
#define VAES512(function) NULL
#endif

/* clang-format off */
/* What all rows share: one item is one byte, loaded once and stored once. The class of the
 * operations is that of AESENC in both directions: AESDEC runs on the same unit. The one
 * block of a data unit's number that XTS encrypts for its tweaks is not counted. */
#define ROW(FAMILY, variant, WRAP, function, class, rounds, lanes)                       \
    .name = #FAMILY "-" variant,                                                         \
    .family = #FAMILY,                                                                   \
    .streams = RP_STREAM_SOURCE | RP_STREAM_DESTINATION,                                 \
    .item = "byte",                                                                      \
    .loads = 1,                                                                          \
    .stores = 1,                                                                         \
    .modes = RP_MODE_BIT(RP_MODE_TEMPORAL) | RP_MODE_BIT(RP_MODE_NT) |                   \
             RP_MODE_BIT(RP_MODE_INPLACE),                                               \
    .context = &rp_##FAMILY##_context,                                                   \
    .operations = {{class, (double)(rounds) / ((lanes) * RP_AES_BLOCK_BYTES)}},          \
    .built = RP_BUILD_MODES_##WRAP,                                                      \
    .run = {                                                                             \
        [RP_MODE_TEMPORAL] = WRAP(rp_##FAMILY##_##function),                             \
        [RP_MODE_NT] = WRAP(rp_##FAMILY##_##function##_nt),                              \
        [RP_MODE_INPLACE] = WRAP(rp_##FAMILY##_##function),                              \
    }

#define CBC_VARIANTS(family, rounds)                                                     \
    {                                                                                    \
        ROW(family, "aesni-x8", AESNI, aesni_x8, "aesenc-128", rounds, 1),               \
        .text = "AESDEC, on the unit of AESENC, on xmm, eight blocks in flight",         \
        .needs = RP_CPU_SSSE3 | RP_CPU_AES,                                              \
        .reference = rp_aes_cbcdec_reference,                                            \
    },                                                                                   \
    {                                                                                    \
        ROW(family, "vaes256-x8", VAES256, vaes256_x8, "aesenc-256", rounds, 2),         \
        .text = "VAESDEC, on the unit of VAESENC, on ymm, sixteen blocks in flight",     \
        .needs = RP_CPU_AVX2 | RP_CPU_VAES,                                              \
        .reference = rp_aes_cbcdec_reference,                                            \
    },                                                                                   \
    {                                                                                    \
        ROW(family, "vaes512-x8", VAES512, vaes512_x8, "aesenc-512", rounds, 4),         \
        .text = "VAESDEC, on the unit of VAESENC, on zmm, thirty-two blocks in flight",  \
        .needs = RP_CPU_AVX512 | RP_CPU_VAES,                                            \
        .reference = rp_aes_cbcdec_reference,                                            \
    }

#define XTS_VARIANTS(family, rounds)                                                     \
    {                                                                                    \
        ROW(family, "aesni-x8", AESNI, aesni_x8, "aesenc-128", rounds, 1),               \
        .text = "AESENC on xmm, eight blocks in flight, tweaks by PCLMULQDQ",            \
        .needs = RP_CPU_SSSE3 | RP_CPU_AES | RP_CPU_PCLMULQDQ,                           \
        .reference = rp_aes_xts_reference,                                               \
    },                                                                                   \
    {                                                                                    \
        ROW(family, "vaes256-x8", VAES256, vaes256_x8, "aesenc-256", rounds, 2),         \
        .text = "VAESENC on ymm, sixteen blocks in flight, tweaks by VPCLMULQDQ",        \
        .needs = RP_CPU_AVX2 | RP_CPU_VAES | RP_CPU_VPCLMULQDQ,                          \
        .reference = rp_aes_xts_reference,                                               \
    },                                                                                   \
    {                                                                                    \
        ROW(family, "vaes512-x8", VAES512, vaes512_x8, "aesenc-512", rounds, 4),         \
        .text = "VAESENC on zmm, thirty-two blocks in flight, tweaks by VPCLMULQDQ",     \
        .needs = RP_CPU_AVX512 | RP_CPU_VAES | RP_CPU_VPCLMULQDQ,                        \
        .reference = rp_aes_xts_reference,                                               \
    }
/* clang-format on */

const struct rp_kernel rp_modes_kernels[] = {
    CBC_VARIANTS(aes128cbcdec, 10), CBC_VARIANTS(aes192cbcdec, 12),
    CBC_VARIANTS(aes256cbcdec, 14), XTS_VARIANTS(aes128xts, 10),
    XTS_VARIANTS(aes256xts, 14),
};
const size_t rp_modes_kernel_count = sizeof rp_modes_kernels / sizeof *rp_modes_kernels;
