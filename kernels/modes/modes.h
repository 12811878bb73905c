/* SPDX-License-Identifier: MIT */
/*
 * Two more modes of AES that can work on many blocks at once: CBC decryption (SP 800-38A,
 * section 6.2) with keys of 128, 192 and 256 bits, and XTS encryption (IEEE 1619, SP
 * 800-38E) with two keys of 128 or two of 256 bits.
 *
 *   variant      blocks in flight
 *   aesni-x8     8 x 128 bit
 *   vaes256-x8   16, 8 x 256 bit
 *   vaes512-x8   32, 8 x 512 bit
 *
 * All run in constant time: no branch and no address depends on key or data. In mode nt
 * a destination that is not aligned to the vector is stored to temporally, and so is what
 * remains past the last eight vectors.
 *
 * A message may have any length. CBC has no partial blocks: bytes past the last whole
 * block are copied unchanged. XTS encrypts a partial last block with the one before it
 * (ciphertext stealing); a message shorter than one block, for which XTS is not defined,
 * is copied unchanged.
 *
 * A whole message is one data unit of XTS. SP 800-38E allows units of at most 2^20 blocks
 * (16 MiB); the arithmetic goes on past that, and so do these kernels: what is encrypted
 * in earnest must be cut by its caller.
 */
#ifndef RP_KERNELS_MODES_H
#define RP_KERNELS_MODES_H

#include <string.h>

#include "kernels/aes/aes.h"

/* The context of every kernel of CBC decryption. */
struct rp_aes_cbc {
    struct rp_aes_key key;     /* rp_aes_expand, for the reference */
    struct rp_aes_key inverse; /* rp_aes_invert of it, for the kernels */
    uint8_t iv[RP_AES_BLOCK_BYTES];
};

/* The context of every kernel of XTS encryption. */
struct rp_aes_xts {
    struct rp_aes_key key;                 /* of the data: the first half of an XTS key */
    struct rp_aes_key tweak_key;           /* the second half */
    uint8_t data_unit[RP_AES_BLOCK_BYTES]; /* its number, little-endian */
};

/* Both keys that were expanded, one after the other. */
static inline void rp_aes_xts_raw_keys(const struct rp_aes_xts *context,
                                       uint8_t keys[2 * RP_AES_MOST_KEY_BYTES])
{
    const size_t bytes = rp_aes_key_bytes(&context->key);

    memcpy(keys, rp_aes_raw_key(&context->key), bytes);
    memcpy(keys + bytes, rp_aes_raw_key(&context->tweak_key), bytes);
}

extern const struct rp_context_kind rp_aes128cbcdec_context;
extern const struct rp_context_kind rp_aes192cbcdec_context;
extern const struct rp_context_kind rp_aes256cbcdec_context;
extern const struct rp_context_kind rp_aes128xts_context;
extern const struct rp_context_kind rp_aes256xts_context;

/* Block by block, with rp_aes_decrypt and rp_aes_encrypt. */
rp_kernel_function rp_aes_cbcdec_reference;
rp_kernel_function rp_aes_xts_reference;

/* The kernels, for the table of them: the temporal and in-place one, and with _nt the
 * non-temporal one. They exist when the compiler knows the instructions. */
#define RP_MODES_DECLARE(family)                                                         \
    extern rp_kernel_function rp_##family##_aesni_x8, rp_##family##_aesni_x8_nt,         \
        rp_##family##_vaes256_x8, rp_##family##_vaes256_x8_nt, rp_##family##_vaes512_x8, \
        rp_##family##_vaes512_x8_nt

RP_MODES_DECLARE(aes128cbcdec);
RP_MODES_DECLARE(aes192cbcdec);
RP_MODES_DECLARE(aes256cbcdec);
RP_MODES_DECLARE(aes128xts);
RP_MODES_DECLARE(aes256xts);

extern const struct rp_kernel rp_modes_kernels[];
extern const size_t rp_modes_kernel_count;

#endif
