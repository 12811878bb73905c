/* SPDX-License-Identifier: MIT */
/*
 * Published vectors: NIST SP 800-38A (2001) F.2.2, F.2.4 and F.2.6 for CBC decryption,
 * and IEEE 1619-2007 annex B for XTS.
 */
#ifndef RP_KERNELS_MODES_VECTORS_H
#define RP_KERNELS_MODES_VECTORS_H

#include <stddef.h>
#include <stdint.h>

struct rp_aes_mode_vector {
    const char *name;
    size_t key_bytes;
    uint8_t key[64]; /* for XTS both, one after the other */
    uint8_t iv[16];  /* for XTS the number of the data unit */
    size_t bytes;
    const uint8_t *plain;
    const uint8_t *cipher;
};

/* The vectors for keys of this length; NULL past the last. */
const struct rp_aes_mode_vector *rp_aes_cbc_vector(size_t key_bytes, size_t index);
const struct rp_aes_mode_vector *rp_aes_xts_vector(size_t key_bytes, size_t index);

#endif
