/* SPDX-License-Identifier: MIT */
/*
 * Published GCM vectors: McGrew and Viega, "The Galois/Counter Mode of Operation",
 * revised submission to NIST (2005), appendix B, test cases 1 to 18.
 */
#ifndef RP_KERNELS_GCM_VECTORS_H
#define RP_KERNELS_GCM_VECTORS_H

#include <stddef.h>
#include <stdint.h>

struct rp_gcm_vector {
    const char *name;
    size_t key_bytes;
    const uint8_t *key;
    size_t iv_bytes;
    const uint8_t *iv;
    size_t additional_bytes;
    const uint8_t *additional;
    size_t bytes;
    const uint8_t *plain;
    uint8_t cipher[64];
    uint8_t tag[16];
};

/* The vectors for keys of this length; NULL past the last. */
const struct rp_gcm_vector *rp_gcm_vector(size_t key_bytes, size_t index);

#endif
