/* SPDX-License-Identifier: MIT */
#include "kernels/peers/peers.h"

#include "kernels/aes/aes.h"
#include "kernels/chacha/chacha.h"
#include "kernels/gcm/gcm.h"
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
/* What all rows share: one item is one byte, loaded once and stored once. The work is that
 * of rp_WORK_context; its name begins with that of the family. */
#define ROW(work_name, its_family, work, its_reference, variant)                         \
    .name = work_name "-" variant,                                                       \
    .family = its_family,                                                                \
    .needs = RP_CPU_SSE2,                                                                \
    .streams = RP_STREAM_SOURCE | RP_STREAM_DESTINATION,                                 \
    .item = "byte",                                                                      \
    .loads = 1,                                                                          \
    .stores = 1,                                                                         \
    .modes = RP_MODE_BIT(RP_MODE_TEMPORAL) | RP_MODE_BIT(RP_MODE_INPLACE),               \
    .reference = (its_reference),                                                        \
    .context = &rp_##work##_context

/* The row of each library, whose functions are named for `mode`. */
#define OPENSSL_ROW(name, family, work, reference, mode)                                 \
    {                                                                                    \
        ROW(name, family, work, reference, "openssl"),                                   \
        .text = "peer: OpenSSL, EVP",                                                    \
        .library = "OpenSSL",                                                            \
        OPENSSL(rp_openssl_##mode),                                                      \
    }
#define IPSEC_MB_ROW(name, family, work, reference, mode)                                \
    {                                                                                    \
        ROW(name, family, work, reference, "ipsec-mb"),                                  \
        .text = "peer: intel-ipsec-mb, checked jobs",                                    \
        .library = "ipsec-mb",                                                           \
        IPSEC_MB(rp_ipsec_mb_##mode),                                                    \
    }
#define LIBGCRYPT_ROW(name, family, work, reference, mode)                               \
    {                                                                                    \
        ROW(name, family, work, reference, "libgcrypt"),                                 \
        .text = "peer: libgcrypt",                                                       \
        .library = "libgcrypt",                                                          \
        LIBGCRYPT(rp_libgcrypt_##mode),                                                  \
    }

#define CTR_ROWS(work)                                                                   \
    OPENSSL_ROW(#work, #work, work, rp_aes_ctr_reference, ctr),                          \
    IPSEC_MB_ROW(#work, #work, work, rp_aes_ctr_reference, ctr),                         \
    LIBGCRYPT_ROW(#work, #work, work, rp_aes_ctr_reference, ctr)

#define CBCDEC_ROWS(work)                                                                \
    OPENSSL_ROW(#work, #work, work, rp_aes_cbcdec_reference, cbcdec),                    \
    IPSEC_MB_ROW(#work, #work, work, rp_aes_cbcdec_reference, cbcdec),                   \
    LIBGCRYPT_ROW(#work, #work, work, rp_aes_cbcdec_reference, cbcdec)

#define XTS_ROWS(work)                                                                   \
    OPENSSL_ROW(#work, #work, work, rp_aes_xts_reference, xts),                          \
    LIBGCRYPT_ROW(#work, #work, work, rp_aes_xts_reference, xts)

#define GCM_ROWS(family)                                                                 \
    OPENSSL_ROW(#family "-seal", #family, family##_seal, rp_gcm_seal_reference,          \
                gcm_seal),                                                               \
    IPSEC_MB_ROW(#family "-seal", #family, family##_seal, rp_gcm_seal_reference,         \
                 gcm_seal),                                                              \
    IPSEC_MB_ROW(#family "-open", #family, family##_open, rp_gcm_open_reference,         \
                 gcm_open)
/* clang-format on */

const struct rp_kernel rp_peer_kernels[] = {
    CTR_ROWS(aes128ctr),
    CTR_ROWS(aes192ctr),
    CTR_ROWS(aes256ctr),
    CBCDEC_ROWS(aes128cbcdec),
    CBCDEC_ROWS(aes192cbcdec),
    CBCDEC_ROWS(aes256cbcdec),
    XTS_ROWS(aes128xts),
    XTS_ROWS(aes256xts),
    GCM_ROWS(aes128gcm),
    GCM_ROWS(aes192gcm),
    GCM_ROWS(aes256gcm),
    OPENSSL_ROW("chacha20poly1305", "chacha20poly1305", chacha20poly1305,
                rp_chacha20poly1305_reference, chacha20poly1305),
};
const size_t rp_peer_kernel_count = sizeof rp_peer_kernels / sizeof *rp_peer_kernels;
