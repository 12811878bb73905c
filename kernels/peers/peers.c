/* SPDX-License-Identifier: MIT */
#include "kernels/peers/peers.h"

#include "kernels/aes/aes.h"
#include "kernels/chacha/chacha.h"

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

#define CTR(bits)                                                                        \
    {                                                                                    \
        ROW("aes" #bits "ctr", "openssl"),                                               \
        .text = "peer: OpenSSL, EVP",                                                    \
        .library = "OpenSSL",                                                            \
        .reference = rp_aes_ctr_reference,                                               \
        .context = &rp_aes##bits##ctr_context,                                           \
        OPENSSL(rp_openssl_ctr),                                                         \
    },                                                                                   \
    {                                                                                    \
        ROW("aes" #bits "ctr", "ipsec-mb"),                                              \
        .text = "peer: intel-ipsec-mb, checked jobs",                                    \
        .library = "ipsec-mb",                                                           \
        .reference = rp_aes_ctr_reference,                                               \
        .context = &rp_aes##bits##ctr_context,                                           \
        IPSEC_MB(rp_ipsec_mb_ctr),                                                       \
    },                                                                                   \
    {                                                                                    \
        ROW("aes" #bits "ctr", "libgcrypt"),                                             \
        .text = "peer: libgcrypt",                                                       \
        .library = "libgcrypt",                                                          \
        .reference = rp_aes_ctr_reference,                                               \
        .context = &rp_aes##bits##ctr_context,                                           \
        LIBGCRYPT(rp_libgcrypt_ctr),                                                     \
    }
/* clang-format on */

const struct rp_kernel rp_peer_kernels[] = {
    CTR(128),
    CTR(192),
    CTR(256),
    {
        ROW("chacha20poly1305", "openssl"),
        .text = "peer: OpenSSL, EVP",
        .library = "OpenSSL",
        .cycles_per_byte = 1.5,
        .reference = rp_chacha20poly1305_reference,
        .context = &rp_chacha20poly1305_context,
        OPENSSL(rp_openssl_chacha20poly1305),
    },
};
const size_t rp_peer_kernel_count = sizeof rp_peer_kernels / sizeof *rp_peer_kernels;
