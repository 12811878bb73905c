/* SPDX-License-Identifier: MIT */
#include <gcrypt.h>
#include <stdlib.h>

#include "kernels/aes/aes.h"
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

void *rp_libgcrypt_ctr_open(const void *context)
{
    const struct rp_aes_key *const key = &((const struct rp_aes_ctr *)context)->key;
    const int algorithm = key->rounds == 10   ? GCRY_CIPHER_AES128
                          : key->rounds == 12 ? GCRY_CIPHER_AES192
                                              : GCRY_CIPHER_AES256;
    struct libgcrypt *const libgcrypt =
        initialize() ? calloc(1, sizeof *libgcrypt) : NULL;

    if (libgcrypt == NULL) {
        return NULL;
    }
    if (gcry_cipher_open(&libgcrypt->cipher, algorithm, GCRY_CIPHER_MODE_CTR, 0) != 0 ||
        gcry_cipher_setkey(libgcrypt->cipher, rp_aes_raw_key(key),
                           rp_aes_key_bytes(key)) != 0) {
        rp_libgcrypt_close(libgcrypt);
        return NULL;
    }
    return libgcrypt;
}

/* Its counter has 128 bits. In place has a form of its own. */
static bool encrypt(gcry_cipher_hd_t cipher, const struct rp_aes_ctr_part *part,
                    const struct rp_kernel_input *input)
{
    const bool in_place = input->source == input->destination;

    return gcry_cipher_setctr(cipher, part->counter_block, RP_AES_BLOCK_BYTES) == 0 &&
           gcry_cipher_encrypt(cipher, input->destination + part->at, part->bytes,
                               in_place ? NULL : input->source + part->at,
                               in_place ? 0 : part->bytes) == 0;
}

void rp_libgcrypt_ctr(const struct rp_kernel_input *input, uint64_t repetitions)
{
    struct libgcrypt *const libgcrypt = input->state;

    while (repetitions-- > 0) {
        for (struct rp_aes_ctr_part part = {0}; rp_aes_ctr_next_part(input, &part);) {
            if (!encrypt(libgcrypt->cipher, &part, input)) {
                libgcrypt->refused = true;
            }
        }
    }
}
