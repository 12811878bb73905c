/* SPDX-License-Identifier: MIT */
/*
 * The checked job interface throughout: the unchecked one accepts a message that its code
 * cannot do, and returns at once.
 */
#include <intel-ipsec-mb.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/gcm/gcm.h"
#include "kernels/modes/modes.h"
#include "kernels/peers/peers.h"

struct ipsec_mb {
    uint8_t encryption_keys[RP_AES_MOST_ROUNDS + 1][RP_AES_BLOCK_BYTES]
        __attribute__((aligned(64)));
    uint8_t decryption_keys[RP_AES_MOST_ROUNDS + 1][RP_AES_BLOCK_BYTES]
        __attribute__((aligned(64)));
    struct gcm_key_data gcm_key;
    uint8_t gcm_iv[RP_GCM_IV_BYTES];
    size_t gcm_iv_bytes;
    size_t key_bytes;
    IMB_MGR *manager;
    bool refused; /* something, some time */
};

static struct ipsec_mb *open_manager(void)
{
    struct ipsec_mb *const mb = aligned_alloc(64, sizeof *mb);

    if (mb == NULL) {
        return NULL;
    }
    mb->manager = alloc_mb_mgr(0);
    mb->refused = false;
    if (mb->manager == NULL) {
        free(mb);
        return NULL;
    }
    init_mb_mgr_auto(mb->manager, NULL);
    if (imb_get_errno(mb->manager) != 0) {
        rp_ipsec_mb_close(mb);
        return NULL;
    }
    return mb;
}

bool rp_ipsec_mb_close(void *state)
{
    struct ipsec_mb *const mb = state;
    const bool done = !mb->refused;

    free_mb_mgr(mb->manager);
    free(mb);
    return done;
}

const char *rp_ipsec_mb_version(void)
{
    return imb_get_version_str();
}

/* A manager with both expansions of a key. */
static void *open_with_key(const struct rp_aes_key *key)
{
    const uint8_t *const raw = rp_aes_raw_key(key);
    struct ipsec_mb *const mb = open_manager();

    if (mb == NULL) {
        return NULL;
    }
    mb->key_bytes = rp_aes_key_bytes(key);
    if (mb->key_bytes == 16) {
        IMB_AES_KEYEXP_128(mb->manager, raw, mb->encryption_keys, mb->decryption_keys);
    } else if (mb->key_bytes == 24) {
        IMB_AES_KEYEXP_192(mb->manager, raw, mb->encryption_keys, mb->decryption_keys);
    } else {
        IMB_AES_KEYEXP_256(mb->manager, raw, mb->encryption_keys, mb->decryption_keys);
    }
    return mb;
}

/* Submits a job and waits for it. */
static bool finish(IMB_MGR *manager, const IMB_JOB *job)
{
    const IMB_JOB *done = IMB_SUBMIT_JOB(manager);

    while (done == NULL && imb_get_errno(manager) == 0) {
        done = IMB_FLUSH_JOB(manager);
    }
    return done == job && done->status == IMB_STATUS_COMPLETED;
}

/* A message without authentication. */
struct message {
    IMB_CIPHER_MODE mode;
    IMB_CIPHER_DIRECTION direction;
    const uint8_t *nonce;
    const uint8_t *source;
    uint8_t *destination;
    size_t bytes;
};

static bool process(const struct ipsec_mb *mb, const struct message *message)
{
    IMB_MGR *const manager = mb->manager;
    IMB_JOB *const job = IMB_GET_NEXT_JOB(manager);

    job->cipher_mode = message->mode;
    job->cipher_direction = message->direction;
    job->chain_order = IMB_ORDER_CIPHER_HASH;
    job->hash_alg = IMB_AUTH_NULL;
    job->enc_keys = mb->encryption_keys;
    job->dec_keys = mb->decryption_keys;
    job->key_len_in_bytes = mb->key_bytes;
    job->iv = message->nonce;
    job->iv_len_in_bytes = RP_AES_BLOCK_BYTES;
    job->src = message->source;
    job->dst = message->destination;
    job->cipher_start_src_offset_in_bytes = 0;
    job->msg_len_to_cipher_in_bytes = message->bytes;

    return finish(manager, job);
}

/* ---- counter mode ---- */

void *rp_ipsec_mb_ctr_open(const void *context)
{
    return open_with_key(&((const struct rp_aes_ctr *)context)->key);
}

/* Its counter has 32 bits. */
void rp_ipsec_mb_ctr(const struct rp_kernel_input *input, uint64_t repetitions)
{
    struct ipsec_mb *const mb = input->state;

    while (repetitions-- > 0) {
        for (struct rp_aes_ctr_part part = {0}; rp_aes_ctr_next_part(input, &part);) {
            const struct message message = {
                .mode = IMB_CIPHER_CNTR,
                .direction = IMB_DIR_ENCRYPT,
                .nonce = part.counter_block,
                .source = input->source + part.at,
                .destination = input->destination + part.at,
                .bytes = part.bytes,
            };

            if (!process(mb, &message)) {
                mb->refused = true;
            }
        }
    }
}

/* ---- CBC, decryption ---- */

void *rp_ipsec_mb_cbcdec_open(const void *context)
{
    return open_with_key(&((const struct rp_aes_cbc *)context)->key);
}

void rp_ipsec_mb_cbcdec(const struct rp_kernel_input *input, uint64_t repetitions)
{
    struct ipsec_mb *const mb = input->state;
    const size_t rest = input->bytes % RP_AES_BLOCK_BYTES;
    const struct message message = {
        .mode = IMB_CIPHER_CBC,
        .direction = IMB_DIR_DECRYPT,
        .nonce = ((const struct rp_aes_cbc *)input->context)->iv,
        .source = input->source,
        .destination = input->destination,
        .bytes = input->bytes - rest,
    };

    while (repetitions-- > 0) {
        if (message.bytes > 0 && !process(mb, &message)) { /* it refuses none at all */
            mb->refused = true;
        }
        memmove(input->destination + message.bytes, input->source + message.bytes, rest);
    }
}

/* ---- GCM ---- */

static void *open_gcm(const struct rp_gcm *gcm)
{
    const uint8_t *const raw = rp_aes_raw_key(&gcm->key);
    struct ipsec_mb *const mb = open_manager();

    if (mb == NULL) {
        return NULL;
    }
    mb->key_bytes = rp_aes_key_bytes(&gcm->key);
    mb->gcm_iv_bytes = rp_gcm_iv(gcm, mb->gcm_iv);
    if (mb->key_bytes == 16) {
        IMB_AES128_GCM_PRE(mb->manager, raw, &mb->gcm_key);
    } else if (mb->key_bytes == 24) {
        IMB_AES192_GCM_PRE(mb->manager, raw, &mb->gcm_key);
    } else {
        IMB_AES256_GCM_PRE(mb->manager, raw, &mb->gcm_key);
    }
    return mb;
}

static bool process_gcm(const struct ipsec_mb *mb, IMB_CIPHER_DIRECTION direction,
                        const struct rp_kernel_input *input)
{
    const struct rp_gcm *const gcm = input->context;
    IMB_JOB *const job = IMB_GET_NEXT_JOB(mb->manager);

    job->cipher_mode = IMB_CIPHER_GCM;
    job->hash_alg = IMB_AUTH_AES_GMAC;
    job->cipher_direction = direction;
    job->chain_order =
        direction == IMB_DIR_ENCRYPT ? IMB_ORDER_CIPHER_HASH : IMB_ORDER_HASH_CIPHER;
    job->enc_keys = &mb->gcm_key;
    job->dec_keys = &mb->gcm_key;
    job->key_len_in_bytes = mb->key_bytes;
    job->iv = mb->gcm_iv;
    job->iv_len_in_bytes = mb->gcm_iv_bytes;
    job->u.GCM.aad = rp_gcm_additional(gcm);
    job->u.GCM.aad_len_in_bytes = gcm->additional_bytes;
    job->src = input->source;
    job->dst = input->destination;
    job->cipher_start_src_offset_in_bytes = 0;
    job->msg_len_to_cipher_in_bytes = input->bytes;
    job->hash_start_src_offset_in_bytes = 0;
    job->msg_len_to_hash_in_bytes = input->bytes;
    job->auth_tag_output = input->result;
    job->auth_tag_output_len_in_bytes = RP_GCM_TAG_BYTES;
    return finish(mb->manager, job);
}

static void run_gcm(const struct rp_kernel_input *input, uint64_t repetitions,
                    IMB_CIPHER_DIRECTION direction)
{
    struct ipsec_mb *const mb = input->state;

    while (repetitions-- > 0) {
        if (!process_gcm(mb, direction, input)) {
            mb->refused = true;
        }
    }
}

void *rp_ipsec_mb_gcm_seal_open(const void *context)
{
    return open_gcm(context);
}

void rp_ipsec_mb_gcm_seal(const struct rp_kernel_input *input, uint64_t repetitions)
{
    run_gcm(input, repetitions, IMB_DIR_ENCRYPT);
}

void *rp_ipsec_mb_gcm_open_open(const void *context)
{
    return open_gcm(context);
}

void rp_ipsec_mb_gcm_open(const struct rp_kernel_input *input, uint64_t repetitions)
{
    run_gcm(input, repetitions, IMB_DIR_DECRYPT);
}
