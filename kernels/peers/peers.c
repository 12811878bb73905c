/* SPDX-License-Identifier: MIT */
#include "kernels/peers/peers.h"

#include "kernels/aes/aes.h"
#include "kernels/chacha/chacha.h"
#include "kernels/modes/modes.h"

/* What a row says of its library: that it is there, or how to have it. */
#ifdef RP_LEAVE_OUT_PEERS
#define UNBUILT(library, package)                                                        \
    "this build leaves other libraries out; build again with RIDGEPOINT_PEERS=ON"
#else
#define UNBUILT(library, package)                                                        \
    "this build has no " library "; install " package " and build again"
#endif

#define PRESENT(library_version, library_close)                                          \
    .built = true, .version = library_version, .close = library_close
#define ABSENT(library, package) .built = false, .unbuilt = UNBUILT(library, package)

#define RUN(function)                                                                    \
    .open = function##_open,                                                             \
    .run = {[RP_MODE_TEMPORAL] = (function), [RP_MODE_INPLACE] = (function)}
#define NO_RUN(function) .open = NULL

#ifdef RP_BUILD_OPENSSL
#define OPENSSL(function) PRESENT(rp_openssl_version, rp_openssl_close), RUN(function)
#else
#define OPENSSL(function) ABSENT("OpenSSL 3", "libssl-dev"), NO_RUN(function)
#endif
#ifdef RP_BUILD_IPSEC_MB
#define IPSEC_MB(function) PRESENT(rp_ipsec_mb_version, rp_ipsec_mb_close), RUN(function)
#else
#define IPSEC_MB(function) ABSENT("intel-ipsec-mb", "libipsec-mb-dev"), NO_RUN(function)
#endif
#ifdef RP_BUILD_LIBGCRYPT
#define LIBGCRYPT(function)                                                              \
    PRESENT(rp_libgcrypt_version, rp_libgcrypt_close), RUN(function)
#else
#define LIBGCRYPT(function) ABSENT("libgcrypt", "libgcrypt20-dev"), NO_RUN(function)
#endif

/* clang-format off */
/* What all rows share: one item is one byte, loaded once and stored once. */
#define ROW(its_family, variant)                                                         \
    .name = its_family "-" variant,                                                      \
    .family = its_family,                                                                \
    .needs = RP_CPU_SSE2,                                                                \
    .streams = RP_STREAM_SOURCE | RP_STREAM_DESTINATION,                                 \
    .item = "byte",                                                                      \
    .loads = 1,                                                                          \
    .stores = 1,                                                                         \
    .modes = RP_MODE_BIT(RP_MODE_TEMPORAL) | RP_MODE_BIT(RP_MODE_INPLACE)

/* A family's row of each library, whose functions are named for `mode`. */
#define OPENSSL_ROW(its_family, mode, its_reference)                                     \
    {                                                                                    \
        ROW(#its_family, "openssl"),                                                     \
        .text = "peer: OpenSSL, EVP",                                                    \
        .library = "OpenSSL",                                                            \
        .reference = (its_reference),                                                    \
        .context = &rp_##its_family##_context,                                           \
        OPENSSL(rp_openssl_##mode),                                                      \
    }
#define IPSEC_MB_ROW(its_family, mode, its_reference)                                    \
    {                                                                                    \
        ROW(#its_family, "ipsec-mb"),                                                    \
        .text = "peer: intel-ipsec-mb, checked jobs",                                    \
        .library = "ipsec-mb",                                                           \
        .reference = (its_reference),                                                    \
        .context = &rp_##its_family##_context,                                           \
        IPSEC_MB(rp_ipsec_mb_##mode),                                                    \
    }
#define LIBGCRYPT_ROW(its_family, mode, its_reference)                                   \
    {                                                                                    \
        ROW(#its_family, "libgcrypt"),                                                   \
        .text = "peer: libgcrypt",                                                       \
        .library = "libgcrypt",                                                          \
        .reference = (its_reference),                                                    \
        .context = &rp_##its_family##_context,                                           \
        LIBGCRYPT(rp_libgcrypt_##mode),                                                  \
    }
/* clang-format on */

#define ALL_ROWS(family, mode, reference)                                                \
    OPENSSL_ROW(family, mode, reference), IPSEC_MB_ROW(family, mode, reference),         \
        LIBGCRYPT_ROW(family, mode, reference)

const struct rp_kernel rp_peer_kernels[] = {
    ALL_ROWS(aes128ctr, ctr, rp_aes_ctr_reference),
    ALL_ROWS(aes192ctr, ctr, rp_aes_ctr_reference),
    ALL_ROWS(aes256ctr, ctr, rp_aes_ctr_reference),
    ALL_ROWS(aes128cbcdec, cbcdec, rp_aes_cbcdec_reference),
    ALL_ROWS(aes192cbcdec, cbcdec, rp_aes_cbcdec_reference),
    ALL_ROWS(aes256cbcdec, cbcdec, rp_aes_cbcdec_reference),
    OPENSSL_ROW(aes128xts, xts, rp_aes_xts_reference),
    LIBGCRYPT_ROW(aes128xts, xts, rp_aes_xts_reference),
    OPENSSL_ROW(aes256xts, xts, rp_aes_xts_reference),
    LIBGCRYPT_ROW(aes256xts, xts, rp_aes_xts_reference),
    OPENSSL_ROW(chacha20poly1305, chacha20poly1305, rp_chacha20poly1305_reference),
};
const size_t rp_peer_kernel_count = sizeof rp_peer_kernels / sizeof *rp_peer_kernels;
