/* SPDX-License-Identifier: MIT */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/aes/aes.h"
#include "kernels/chacha/chacha.h"
#include "kernels/gcm/gcm.h"
#include "kernels/modes/modes.h"
#include "kernels/peers/peers.h"

/* EVP takes lengths as int: a longer message goes in by several calls. */
#define MOST_BYTES ((size_t)1 << 30)

#define TAG_BYTES 16

struct openssl {
    EVP_CIPHER_CTX *cipher;
    uint8_t iv[RP_GCM_IV_BYTES]; /* of GCM */
    bool refused;                /* something, some time */
};

enum direction { DECRYPT, ENCRYPT, AS_BEFORE = -1 };

/* With the key set, and no nonce; NULL when OpenSSL refuses. */
static void *open_cipher(const EVP_CIPHER *algorithm, const uint8_t *key,
                         enum direction direction)
{
    struct openssl *const openssl = calloc(1, sizeof *openssl);

    if (openssl == NULL) {
        return NULL;
    }
    openssl->cipher = EVP_CIPHER_CTX_new();
    if (openssl->cipher == NULL ||
        EVP_CipherInit_ex(openssl->cipher, algorithm, NULL, key, NULL, direction) != 1) {
        rp_openssl_close(openssl);
        return NULL;
    }
    return openssl;
}

bool rp_openssl_close(void *state)
{
    struct openssl *const openssl = state;
    const bool done = !openssl->refused;

    EVP_CIPHER_CTX_free(openssl->cipher);
    free(openssl);
    return done;
}

const char *rp_openssl_version(void)
{
    return OpenSSL_version(OPENSSL_VERSION_STRING);
}

static bool set_nonce(EVP_CIPHER_CTX *cipher, const uint8_t *nonce)
{
    return EVP_CipherInit_ex(cipher, NULL, NULL, NULL, nonce, AS_BEFORE) == 1;
}

static bool process(EVP_CIPHER_CTX *cipher, const uint8_t *source, uint8_t *destination,
                    size_t bytes)
{
    size_t part = 0;

    for (size_t done = 0; done < bytes; done += part) {
        int written = 0;

        part = bytes - done < MOST_BYTES ? bytes - done : MOST_BYTES;
        if (EVP_CipherUpdate(cipher, destination + done, &written, source + done,
                             (int)part) != 1) {
            return false;
        }
    }
    return true;
}

/* ---- counter mode ---- */

void *rp_openssl_ctr_open(const void *context)
{
    const struct rp_aes_key *const key = &((const struct rp_aes_ctr *)context)->key;
    const EVP_CIPHER *const algorithm = key->rounds == 10   ? EVP_aes_128_ctr()
                                        : key->rounds == 12 ? EVP_aes_192_ctr()
                                                            : EVP_aes_256_ctr();

    return open_cipher(algorithm, rp_aes_raw_key(key), ENCRYPT);
}

/* Its counter has 128 bits. */
void rp_openssl_ctr(const struct rp_kernel_input *input, uint64_t repetitions)
{
    struct openssl *const openssl = input->state;
    EVP_CIPHER_CTX *const cipher = openssl->cipher;

    while (repetitions-- > 0) {
        for (struct rp_aes_ctr_part part = {0}; rp_aes_ctr_next_part(input, &part);) {
            if (!set_nonce(cipher, part.counter_block) ||
                !process(cipher, input->source + part.at, input->destination + part.at,
                         part.bytes)) {
                openssl->refused = true;
            }
        }
    }
}

/* ---- CBC, decryption ---- */

void *rp_openssl_cbcdec_open(const void *context)
{
    const struct rp_aes_key *const key = &((const struct rp_aes_cbc *)context)->key;
    const EVP_CIPHER *const algorithm = key->rounds == 10   ? EVP_aes_128_cbc()
                                        : key->rounds == 12 ? EVP_aes_192_cbc()
                                                            : EVP_aes_256_cbc();
    struct openssl *const openssl = open_cipher(algorithm, rp_aes_raw_key(key), DECRYPT);

    if (openssl != NULL) {
        EVP_CIPHER_CTX_set_padding(openssl->cipher, 0);
    }
    return openssl;
}

void rp_openssl_cbcdec(const struct rp_kernel_input *input, uint64_t repetitions)
{
    const struct rp_aes_cbc *const context = input->context;
    struct openssl *const openssl = input->state;
    const size_t rest = input->bytes % RP_AES_BLOCK_BYTES;
    const size_t whole = input->bytes - rest;

    while (repetitions-- > 0) {
        if (!set_nonce(openssl->cipher, context->iv) ||
            !process(openssl->cipher, input->source, input->destination, whole)) {
            openssl->refused = true;
        }
        memmove(input->destination + whole, input->source + whole, rest);
    }
}

/* ---- XTS ---- */

void *rp_openssl_xts_open(const void *context)
{
    const struct rp_aes_xts *const xts = context;
    uint8_t keys[2 * RP_AES_MOST_KEY_BYTES];

    rp_aes_xts_raw_keys(xts, keys);
    return open_cipher(xts->key.rounds == 10 ? EVP_aes_128_xts() : EVP_aes_256_xts(),
                       keys, ENCRYPT);
}

/* Refuses units of more than 2^20 blocks. */
void rp_openssl_xts(const struct rp_kernel_input *input, uint64_t repetitions)
{
    const struct rp_aes_xts *const context = input->context;
    struct openssl *const openssl = input->state;

    while (repetitions-- > 0) {
        if (input->bytes < RP_AES_BLOCK_BYTES) {
            memmove(input->destination, input->source, input->bytes);
        } else if (!set_nonce(openssl->cipher, context->data_unit) ||
                   !process(openssl->cipher, input->source, input->destination,
                            input->bytes)) {
            openssl->refused = true;
        }
    }
}

/* ---- authenticated encryption ---- */

/* A message whose first `data_bytes` are additional data. */
static bool seal(EVP_CIPHER_CTX *cipher, const uint8_t *nonce, const uint8_t *data,
                 size_t data_bytes, const struct rp_kernel_input *input)
{
    int written = 0;

    return set_nonce(cipher, nonce) &&
           (data_bytes == 0 ||
            EVP_EncryptUpdate(cipher, NULL, &written, data, (int)data_bytes) == 1) &&
           process(cipher, input->source, input->destination, input->bytes) &&
           EVP_EncryptFinal_ex(cipher, NULL, &written) == 1 &&
           EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, TAG_BYTES, input->result) ==
               1;
}

/* OpenSSL tells no tag when it decrypts; it only compares. So there is no opening. */
void *rp_openssl_gcm_seal_open(const void *context)
{
    const struct rp_gcm *const gcm = context;
    const struct rp_aes_key *const key = &gcm->key;
    const EVP_CIPHER *const algorithm = key->rounds == 10   ? EVP_aes_128_gcm()
                                        : key->rounds == 12 ? EVP_aes_192_gcm()
                                                            : EVP_aes_256_gcm();
    struct openssl *const openssl = open_cipher(algorithm, rp_aes_raw_key(key), ENCRYPT);

    if (openssl != NULL) {
        const int iv_bytes = (int)rp_gcm_iv(gcm, openssl->iv);

        if (EVP_CIPHER_CTX_ctrl(openssl->cipher, EVP_CTRL_AEAD_SET_IVLEN, iv_bytes,
                                NULL) != 1) {
            openssl->refused = true;
        }
    }
    return openssl;
}

void rp_openssl_gcm_seal(const struct rp_kernel_input *input, uint64_t repetitions)
{
    const struct rp_gcm *const gcm = input->context;
    const uint8_t *const data = rp_gcm_additional(gcm);
    struct openssl *const openssl = input->state;

    while (repetitions-- > 0) {
        if (!seal(openssl->cipher, openssl->iv, data, gcm->additional_bytes, input)) {
            openssl->refused = true;
        }
    }
}

void *rp_openssl_chacha20poly1305_open(const void *context)
{
    const struct rp_chacha20poly1305 *const chacha = context;

    return open_cipher(EVP_chacha20_poly1305(), chacha->key, ENCRYPT);
}

void rp_openssl_chacha20poly1305(const struct rp_kernel_input *input,
                                 uint64_t repetitions)
{
    const struct rp_chacha20poly1305 *const context = input->context;
    struct openssl *const openssl = input->state;

    while (repetitions-- > 0) {
        if (!seal(openssl->cipher, context->nonce, context->data, context->data_bytes,
                  input)) {
            openssl->refused = true;
        }
    }
}
