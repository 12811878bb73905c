/* SPDX-License-Identifier: MIT */
/*
 * AES-128 in counter mode.
 *
 *   variant             blocks in flight      how
 *   ttable              1                     four 1 KiB tables; leaks through the cache
 *   aesni-x1            1 x 128 bit           AESENC, one block at a time
 *   aesni-x8-pshufb     8 x 128 bit           eight chains cover latency times throughput
 *   vaes256-x8-pshufb   16, 8 x 256 bit       the same loop on ymm registers
 *   vaes512-x8-pshufb   32, 8 x 512 bit       the same loop on zmm registers
 *
 * In the "pshufb" variants counter, byte swap and data live in vector registers
 * throughout; the names are those of the article the project grew from. All but ttable
 * run in constant time: no branch and no address depends on key or data.
 *
 * The counter is the 32-bit big-endian number in bytes 12 to 15 of the counter block, as
 * in RFC 3686: it wraps from 2^32 - 1 to 0 without touching the nonce in bytes 0 to 11. A
 * caller must not let one (key, nonce) pair wrap past where it began; nothing here stops
 * that.
 *
 * In mode nt a destination that is not aligned to the vector is stored to temporally.
 */
#ifndef RP_KERNELS_AES_H
#define RP_KERNELS_AES_H

#include "kernels/kernel.h"

#define RP_AES_BLOCK_BYTES  16
#define RP_AES128_KEY_BYTES 16
#define RP_AES128_ROUNDS    10

/* The context of every kernel of the family. */
struct rp_aes128ctr {
    uint8_t round_keys[RP_AES128_ROUNDS + 1][RP_AES_BLOCK_BYTES]
        __attribute__((aligned(64)));
    uint8_t counter_block[RP_AES_BLOCK_BYTES]; /* of the first block */
};

/* Expands `key` (FIPS 197, section 5.2) and takes over the first counter block. */
void rp_aes128ctr_init(struct rp_aes128ctr *context,
                       const uint8_t key[RP_AES128_KEY_BYTES],
                       const uint8_t counter_block[RP_AES_BLOCK_BYTES]);

/* One round of encryption, all but the last: what AESENC does. */
void rp_aes_round(uint8_t state[RP_AES_BLOCK_BYTES],
                  const uint8_t key[RP_AES_BLOCK_BYTES]);

/* The S-box (FIPS 197, figure 7), for reference and tables. */
extern const uint8_t rp_aes_sbox[256];

/* The kernels, one file each; the vector ones exist when the compiler knows the
 * instructions. */
rp_kernel_function rp_aes128ctr_reference;
rp_kernel_function rp_aes128ctr_ttable;
rp_kernel_function rp_aes128ctr_ttable_nt;
rp_kernel_function rp_aes128ctr_aesni_x1;
rp_kernel_function rp_aes128ctr_aesni_x1_nt;
rp_kernel_function rp_aes128ctr_aesni_x8;
rp_kernel_function rp_aes128ctr_aesni_x8_nt;
rp_kernel_function rp_aes128ctr_vaes256_x8;
rp_kernel_function rp_aes128ctr_vaes256_x8_nt;
rp_kernel_function rp_aes128ctr_vaes512_x8;
rp_kernel_function rp_aes128ctr_vaes512_x8_nt;

extern const struct rp_kernel rp_aes_kernels[];
extern const size_t rp_aes_kernel_count;

#endif
