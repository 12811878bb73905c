/* SPDX-License-Identifier: MIT */
/*
 * AES in counter mode, with keys of 128, 192 and 256 bits.
 *
 *   variant             blocks in flight      how
 *   naive               1                     byte S-box; leaks through the cache
 *   scalar              1                     four 1 KiB tables; leaks through the cache
 *   vector-permute      4 x 128 bit           PSHUFB as look-ups in registers
 *   bitsliced-sse2      8 x 128 bit           the S-box as logic between registers
 *   bitsliced-avx2      16, 8 x 256 bit       the same on ymm registers
 *   aesni, aesni-x8     1 and 8 x 128 bit     AESENC, data through integer registers
 *   aesni-x1            1 x 128 bit           AESENC, one block at a time
 *   aesni-x8-pshufb     8 x 128 bit           eight chains cover latency times throughput
 *   vaes256-x8-pshufb   16, 8 x 256 bit       the same loop on ymm registers
 *   vaes512-x8-pshufb   32, 8 x 512 bit       the same loop on zmm registers
 *   ...-x8-cached       as ...-x8-pshufb      the first two rounds come from a table of
 *                                             the message (ctr_cached.h)
 *
 * In the "pshufb" variants counter, byte swap and data live in vector registers
 * throughout; the names are those of the article the project grew from. All but naive
 * and scalar run in constant time: no branch and no address depends on key or data.
 *
 * The counter is the big-endian number in the last bytes of the counter block, of 32 bits
 * (RFC 3686, and GCM, SP 800-38D), 64 or 128 (SP 800-38A, OpenSSL's EVP): at its largest
 * value it wraps to 0 without touching the bytes before it. A caller must not let one
 * (key, nonce) pair wrap past where it began; nothing here stops that.
 *
 * In mode nt a destination that is not aligned to the vector is stored to temporally.
 */
#ifndef RP_KERNELS_AES_H
#define RP_KERNELS_AES_H

#include "kernels/kernel.h"

#define RP_AES_BLOCK_BYTES    16
#define RP_AES_MOST_KEY_BYTES 32
#define RP_AES_MOST_ROUNDS    14

/* An expanded key: one round key more than there are rounds. */
struct rp_aes_key {
    uint8_t round_keys[RP_AES_MOST_ROUNDS + 1][RP_AES_BLOCK_BYTES]
        __attribute__((aligned(64)));
    unsigned rounds; /* 10, 12 or 14 */
};

/* Expands a key of 16, 24 or 32 bytes (FIPS 197, section 5.2). */
void rp_aes_expand(struct rp_aes_key *expanded, const uint8_t *key, size_t key_bytes);

/* The key that was expanded, which is how its expansion begins, and its length. */
static inline const uint8_t *rp_aes_raw_key(const struct rp_aes_key *expanded)
{
    return expanded->round_keys[0];
}
static inline size_t rp_aes_key_bytes(const struct rp_aes_key *expanded)
{
    return 4 * (expanded->rounds - 6);
}

/* The round keys that AESDEC takes, in the order in which it takes them: those of the
 * equivalent inverse cipher (FIPS 197, section 5.3.5), each but the first and the last as
 * AESIMC makes it. */
void rp_aes_invert(struct rp_aes_key *inverse, const struct rp_aes_key *key);

/* One block (FIPS 197, sections 5.1 and 5.3); input and output may be the same. */
void rp_aes_encrypt(const struct rp_aes_key *key, const uint8_t plain[RP_AES_BLOCK_BYTES],
                    uint8_t cipher[RP_AES_BLOCK_BYTES]);
void rp_aes_decrypt(const struct rp_aes_key *key,
                    const uint8_t cipher[RP_AES_BLOCK_BYTES],
                    uint8_t plain[RP_AES_BLOCK_BYTES]);

/* One round of encryption, all but the last: what AESENC does. */
void rp_aes_round(uint8_t state[RP_AES_BLOCK_BYTES],
                  const uint8_t key[RP_AES_BLOCK_BYTES]);

/* The S-box (FIPS 197, figure 7), for reference and tables. */
extern const uint8_t rp_aes_sbox[256];

/* The context of every counter-mode kernel. */
struct rp_aes_ctr {
    struct rp_aes_key key;
    uint8_t counter_block[RP_AES_BLOCK_BYTES]; /* of the first block */
    unsigned counter_bits;                     /* 32, 64 or 128 */
};

/* One for each length of key: choose, and the published vectors. */
extern const struct rp_context_kind rp_aes128ctr_context;
extern const struct rp_context_kind rp_aes192ctr_context;
extern const struct rp_context_kind rp_aes256ctr_context;

/* Part of a message within which the last 32 bits of the counter may reach their end but
 * do not go past it: so a counter of 32 bits, or of more, is enough for whoever encrypts
 * it. */
struct rp_aes_ctr_part {
    const uint8_t *counter_block; /* of its first block: in the context, or `carried` */
    size_t at;                    /* where in the message it begins */
    size_t bytes;
    uint8_t carried[RP_AES_BLOCK_BYTES];
};

/* Goes on to the next part of the input, from a zeroed one to the first; false past the
 * last, and at once when the input is empty. */
bool rp_aes_ctr_next_part(const struct rp_kernel_input *input,
                          struct rp_aes_ctr_part *part);

/* Encrypts such a part: a kernel proper. */
typedef void rp_aes_ctr_message(const struct rp_aes_key *key,
                                const uint8_t counter_block[RP_AES_BLOCK_BYTES],
                                const uint8_t *source, uint8_t *destination,
                                size_t bytes);

/* Runs a kernel proper over the parts of the input. */
void rp_aes_ctr_messages(const struct rp_kernel_input *input, uint64_t repetitions,
                         rp_aes_ctr_message *message);

/* Block by block, with rp_aes_encrypt. */
rp_kernel_function rp_aes_ctr_reference;

extern const struct rp_kernel rp_aes_kernels[];
extern const size_t rp_aes_kernel_count;

#endif
