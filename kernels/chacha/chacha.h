/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 (RFC 8439): encryption with a tag, which is the result of its
 * kernels. The reference, for peers; there is no kernel of our own.
 */
#ifndef RP_KERNELS_CHACHA_CHACHA_H
#define RP_KERNELS_CHACHA_CHACHA_H

#include "kernels/kernel.h"

#define RP_CHACHA20_KEY_BYTES   32
#define RP_CHACHA20_NONCE_BYTES 12
#define RP_POLY1305_TAG_BYTES   16

struct rp_chacha20poly1305 {
    uint8_t key[RP_CHACHA20_KEY_BYTES];
    uint8_t nonce[RP_CHACHA20_NONCE_BYTES];
    uint8_t data[32]; /* additional: authenticated, not encrypted */
    size_t data_bytes;
};

/* Not hard: a record of TLS 1.3, whose additional data are 5 bytes. */
extern const struct rp_context_kind rp_chacha20poly1305_context;

/* Byte by byte and in numbers of 26 bits; it leaks nothing and takes its time. */
rp_kernel_function rp_chacha20poly1305_reference;

#endif
