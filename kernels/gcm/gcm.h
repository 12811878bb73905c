/* SPDX-License-Identifier: MIT */
/*
 * AES in Galois/counter mode (NIST SP 800-38D), with keys of 128, 192 and 256 bits:
 * counter mode with a tag over additional data and ciphertext. Each variant exists as
 * seal, which encrypts, and as open, which decrypts; both write the tag of what they saw.
 *
 *   variant          blocks a step      how
 *   aesni            8, 8 x 128 bit     AESENC and PCLMULQDQ
 *   vaes256          16, 8 x 256 bit    VAESENC and VPCLMULQDQ on ymm, no AVX-512
 *   vaes512          32, 8 x 512 bit    the same on zmm registers, with VPTERNLOG
 *   vaes512-cached   32, 8 x 512 bit    and two rounds of AES from a table
 *
 * docs/explanation/gcm.md says how they work and what binds them. All run in constant
 * time: no branch and no address depends on key or data.
 *
 * Opening is the kernel's half of decryption only: whether the tag is the right one, and
 * that nobody sees the plaintext when it is not, is the caller's business
 * (rp_gcm_tags_equal). So is never to use a nonce twice with one key.
 */
#ifndef RP_KERNELS_GCM_H
#define RP_KERNELS_GCM_H

#include "kernels/aes/aes.h"

#define RP_GCM_TAG_BYTES             16
#define RP_GCM_MOST_ADDITIONAL_BYTES 64

/* The highest power of the hash key that a kernel multiplies by: the blocks of the
 * longest step, the block of the lengths, and the blocks of a vector. */
#define RP_GCM_POWERS (32 + 1 + 4)

/* The context of every GCM kernel. */
struct rp_gcm {
    struct rp_aes_key key;

    /* The powers of the hash key, highest first, the first power last, as GHASH by
     * carry-less multiplication wants them: bytes reversed, bits shifted up by one in the
     * field. Three zero blocks follow, so that a vector of four may begin at any power.
     */
    uint8_t powers[RP_GCM_POWERS + 3][RP_AES_BLOCK_BYTES] __attribute__((aligned(64)));

    /* In whole blocks, the last one padded with zeros, and zero blocks before them, which
     * GHASH does not see. */
    uint8_t additional[RP_GCM_MOST_ADDITIONAL_BYTES];
    size_t additional_bytes;

    uint8_t hash_key[RP_AES_BLOCK_BYTES]; /* H of SP 800-38D */
    uint8_t
        counter_block[RP_AES_BLOCK_BYTES]; /* J0: that of the tag; the data's follow */
};

/* Makes a context from a key of 16, 24 or 32 bytes, without additional data; then the
 * parts that differ from message to message. The IV is at least a byte long, 12 bytes
 * usually. The additional data are RP_GCM_MOST_ADDITIONAL_BYTES at most. */
void rp_gcm_set_key(struct rp_gcm *gcm, const uint8_t *key, size_t key_bytes);
void rp_gcm_set_iv(struct rp_gcm *gcm, const uint8_t *iv, size_t iv_bytes);
void rp_gcm_set_additional(struct rp_gcm *gcm, const uint8_t *additional, size_t bytes);

/* What was set, for who makes another context of it: the additional data, and an IV that
 * gives the counter block. That has 12 bytes where there is one, else 16. */
#define RP_GCM_IV_BYTES 16
const uint8_t *rp_gcm_additional(const struct rp_gcm *gcm);
size_t rp_gcm_iv(const struct rp_gcm *gcm, uint8_t iv[RP_GCM_IV_BYTES]);

/* Compares in constant time. */
bool rp_gcm_tags_equal(const uint8_t left[RP_GCM_TAG_BYTES],
                       const uint8_t right[RP_GCM_TAG_BYTES]);

/* Bit by bit, with rp_aes_encrypt. */
rp_kernel_function rp_gcm_seal_reference;
rp_kernel_function rp_gcm_open_reference;

/* One for each direction and length of key: choose, and the published vectors. */
extern const struct rp_context_kind rp_aes128gcm_seal_context, rp_aes128gcm_open_context;
extern const struct rp_context_kind rp_aes192gcm_seal_context, rp_aes192gcm_open_context;
extern const struct rp_context_kind rp_aes256gcm_seal_context, rp_aes256gcm_open_context;

extern const struct rp_kernel rp_gcm_kernels[];
extern const size_t rp_gcm_kernel_count;

#endif
