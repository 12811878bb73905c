/* SPDX-License-Identifier: MIT */
#include <gcrypt.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/modes/modes.h"
#include "kernels/peers/peers.h"

struct libgcrypt {
    gcry_cipher_hd_t cipher;
    bool refused; /* something, some time */
};

/* The library wants to be told, before anything else, that nobody sets it up further. It
 * knows by itself whether that was done. */
static bool initialize(void)
{
    if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P) != 0) {
        return true;
    }
    return gcry_check_version(GCRYPT_VERSION) != NULL &&
           gcry_control(GCRYCTL_DISABLE_SECMEM, 0) == 0 &&
           gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0) == 0;
}

bool rp_libgcrypt_close(void *state)
{
    struct libgcrypt *const libgcrypt = state;
    const bool done = !libgcrypt->refused;

    gcry_cipher_close(libgcrypt->cipher);
    free(libgcrypt);
    return done;
}

const char *rp_libgcrypt_version(void)
{
    return gcry_check_version(NULL);
}

/* With the key set, and no nonce; NULL when the library refuses. */
static void *open_cipher(int algorithm, int mode, const uint8_t *key, size_t key_bytes)
{
    struct libgcrypt *const libgcrypt =
        initialize() ? calloc(1, sizeof *libgcrypt) : NULL;

    if (libgcrypt == NULL) {
        return NULL;
    }
    if (gcry_cipher_open(&libgcrypt->cipher, algorithm, mode, 0) != 0 ||
        gcry_cipher_setkey(libgcrypt->cipher, key, key_bytes) != 0) {
        rp_libgcrypt_close(libgcrypt);
        return NULL;
    }
    return libgcrypt;
}

static int algorithm_of(const struct rp_aes_key *key)
{
    return key->rounds == 10   ? GCRY_CIPHER_AES128
           : key->rounds == 12 ? GCRY_CIPHER_AES192
                               : GCRY_CIPHER_AES256;
}

/* In place has a form of its own. */
typedef gcry_error_t cipher_function(gcry_cipher_hd_t cipher, void *destination,
                                     size_t destination_bytes, const void *source,
                                     size_t source_bytes);

static bool process(gcry_cipher_hd_t cipher, cipher_function *function,
                    const uint8_t *source, uint8_t *destination, size_t bytes)
{
    const bool in_place = source == destination;

    return function(cipher, destination, bytes, in_place ? NULL : source,
                    in_place ? 0 : bytes) == 0;
}

/* ---- counter mode ---- */

void *rp_libgcrypt_ctr_open(const void *context)
{
    const struct rp_aes_key *const key = &((const struct rp_aes_ctr *)context)->key;

    return open_cipher(algorithm_of(key), GCRY_CIPHER_MODE_CTR, rp_aes_raw_key(key),
                       rp_aes_key_bytes(key));
}

/* Its counter has 128 bits. */
void rp_libgcrypt_ctr(const struct rp_kernel_input *input, uint64_t repetitions)
{
    struct libgcrypt *const libgcrypt = input->state;
    const gcry_cipher_hd_t cipher = libgcrypt->cipher;

    while (repetitions-- > 0) {
        for (struct rp_aes_ctr_part part = {0}; rp_aes_ctr_next_part(input, &part);) {
            if (gcry_cipher_setctr(cipher, part.counter_block, RP_AES_BLOCK_BYTES) != 0 ||
                !process(cipher, gcry_cipher_encrypt, input->source + part.at,
                         input->destination + part.at, part.bytes)) {
                libgcrypt->refused = true;
            }
        }
    }
}

/* ---- CBC, decryption ---- */

void *rp_libgcrypt_cbcdec_open(const void *context)
{
    const struct rp_aes_key *const key = &((const struct rp_aes_cbc *)context)->key;

    return open_cipher(algorithm_of(key), GCRY_CIPHER_MODE_CBC, rp_aes_raw_key(key),
                       rp_aes_key_bytes(key));
}

void rp_libgcrypt_cbcdec(const struct rp_kernel_input *input, uint64_t repetitions)
{
    const struct rp_aes_cbc *const context = input->context;
    struct libgcrypt *const libgcrypt = input->state;
    const size_t rest = input->bytes % RP_AES_BLOCK_BYTES;
    const size_t whole = input->bytes - rest;

    while (repetitions-- > 0) {
        if (gcry_cipher_setiv(libgcrypt->cipher, context->iv, RP_AES_BLOCK_BYTES) != 0 ||
            !process(libgcrypt->cipher, gcry_cipher_decrypt, input->source,
                     input->destination, whole)) {
            libgcrypt->refused = true;
        }
        memmove(input->destination + whole, input->source + whole, rest);
    }
}

/* ---- XTS ---- */

void *rp_libgcrypt_xts_open(const void *context)
{
    const struct rp_aes_xts *const xts = context;
    uint8_t keys[2 * RP_AES_MOST_KEY_BYTES];

    rp_aes_xts_raw_keys(xts, keys);
    return open_cipher(algorithm_of(&xts->key), GCRY_CIPHER_MODE_XTS, keys,
                       2 * rp_aes_key_bytes(&xts->key));
}

/* Refuses units of more than 2^20 blocks. */
void rp_libgcrypt_xts(const struct rp_kernel_input *input, uint64_t repetitions)
{
    const struct rp_aes_xts *const context = input->context;
    struct libgcrypt *const libgcrypt = input->state;

    while (repetitions-- > 0) {
        if (input->bytes < RP_AES_BLOCK_BYTES) {
            memmove(input->destination, input->source, input->bytes);
        } else if (gcry_cipher_setiv(libgcrypt->cipher, context->data_unit,
                                     RP_AES_BLOCK_BYTES) != 0 ||
                   !process(libgcrypt->cipher, gcry_cipher_encrypt, input->source,
                            input->destination, input->bytes)) {
            libgcrypt->refused = true;
        }
    }
}
