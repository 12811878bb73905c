/* SPDX-License-Identifier: MIT */
/*
 * Peers: the same work done by the libraries that others use, in the same run.
 *
 *   variant     library          compute with
 *   openssl     OpenSSL          EVP, libcrypto 3
 *   ipsec-mb    intel-ipsec-mb   the job interface, with its checks
 *   libgcrypt   libgcrypt        gcry_cipher
 *
 * A peer is measured as its users call it: keys and objects are made once (open), each
 * message sets its counter or nonce anew. The library chooses its code by the CPU that
 * there is; RIDGEPOINT_CPU does not reach it. Nothing but whole bytes in and out is known
 * of its work, so it has no operations. No peer stores past the caches: temporal and in
 * place are its modes.
 *
 * The libraries are optional. Each has one file, which is built where cmake finds the
 * library; a row whose library is missing says so.
 */
#ifndef RP_KERNELS_PEERS_PEERS_H
#define RP_KERNELS_PEERS_PEERS_H

#include "kernels/kernel.h"

/* What a library gives for one family. */
#define RP_PEER_DECLARE(name)                                                            \
    void *name##_open(const void *context);                                              \
    extern rp_kernel_function name

RP_PEER_DECLARE(rp_openssl_ctr); /* the length of the key is that of the context */
RP_PEER_DECLARE(rp_openssl_cbcdec);
RP_PEER_DECLARE(rp_openssl_xts);
RP_PEER_DECLARE(rp_openssl_gcm_seal);
RP_PEER_DECLARE(rp_openssl_chacha20poly1305);
bool rp_openssl_close(void *state);
const char *rp_openssl_version(void);

RP_PEER_DECLARE(rp_ipsec_mb_ctr);
RP_PEER_DECLARE(rp_ipsec_mb_cbcdec);
RP_PEER_DECLARE(rp_ipsec_mb_gcm_seal);
RP_PEER_DECLARE(rp_ipsec_mb_gcm_open);
bool rp_ipsec_mb_close(void *state);
const char *rp_ipsec_mb_version(void);

RP_PEER_DECLARE(rp_libgcrypt_ctr);
RP_PEER_DECLARE(rp_libgcrypt_cbcdec);
RP_PEER_DECLARE(rp_libgcrypt_xts);
bool rp_libgcrypt_close(void *state);
const char *rp_libgcrypt_version(void);

extern const struct rp_kernel rp_peer_kernels[];
extern const size_t rp_peer_kernel_count;

#endif
