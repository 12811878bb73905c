/* SPDX-License-Identifier: MIT */
/*
 * Published counter-mode vectors: NIST SP 800-38A (2001) F.5 and RFC 3686 (2004) section
 * 6. In none of them does the counter wrap.
 */
#ifndef RP_KERNELS_AES_VECTORS_H
#define RP_KERNELS_AES_VECTORS_H

#include <stddef.h>
#include <stdint.h>

struct rp_aes_ctr_vector {
    const char *name;
    size_t key_bytes;
    uint8_t key[32];
    uint8_t counter_block[16];
    size_t bytes;
    uint8_t plain[64];
    uint8_t cipher[64];
};

/* The vectors for keys of this length; NULL past the last. */
const struct rp_aes_ctr_vector *rp_aes_ctr_vector(size_t key_bytes, size_t index);

#endif
