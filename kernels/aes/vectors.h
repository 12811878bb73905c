/* SPDX-License-Identifier: MIT */
/*
 * Published AES-128 counter-mode vectors: NIST SP 800-38A (2001) F.5.1 and RFC 3686
 * (2004) section 6, test vectors 1 to 3.
 */
#ifndef RP_KERNELS_AES_VECTORS_H
#define RP_KERNELS_AES_VECTORS_H

#include <stddef.h>
#include <stdint.h>

struct rp_aes_vector {
    const char *name;
    uint8_t key[16];
    uint8_t counter_block[16];
    size_t bytes;
    uint8_t plain[64];
    uint8_t cipher[64];
};

/* The vectors; NULL past the last. */
const struct rp_aes_vector *rp_aes128ctr_vector(size_t index);

#endif
