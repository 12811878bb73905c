/* SPDX-License-Identifier: MIT */
/*
 * The checked job interface throughout: the unchecked one accepts a message that its code
 * cannot do, and returns at once.
 */
#include <intel-ipsec-mb.h>
#include <stdlib.h>

#include "kernels/aes/aes.h"
#include "kernels/peers/peers.h"

struct ipsec_mb {
    uint8_t encryption_keys[RP_AES_MOST_ROUNDS + 1][RP_AES_BLOCK_BYTES]
        __attribute__((aligned(64)));
    uint8_t decryption_keys[RP_AES_MOST_ROUNDS + 1][RP_AES_BLOCK_BYTES]
        __attribute__((aligned(64)));
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

/* Submits a job and waits for it. */
static bool finish(IMB_MGR *manager, IMB_JOB *job)
{
    const IMB_JOB *done = IMB_SUBMIT_JOB(manager);

    while (done == NULL && imb_get_errno(manager) == 0) {
        done = IMB_FLUSH_JOB(manager);
    }
    return done == job && done->status == IMB_STATUS_COMPLETED;
}

/* ---- counter mode ---- */

void *rp_ipsec_mb_ctr_open(const void *context)
{
    const struct rp_aes_key *const key = &((const struct rp_aes_ctr *)context)->key;
    struct ipsec_mb *const mb = open_manager();

    if (mb == NULL) {
        return NULL;
    }
    mb->key_bytes = rp_aes_key_bytes(key);
    switch (mb->key_bytes) {
    case 16:
        IMB_AES_KEYEXP_128(mb->manager, rp_aes_raw_key(key), mb->encryption_keys,
                           mb->decryption_keys);
        break;
    case 24:
        IMB_AES_KEYEXP_192(mb->manager, rp_aes_raw_key(key), mb->encryption_keys,
                           mb->decryption_keys);
        break;
    default:
        IMB_AES_KEYEXP_256(mb->manager, rp_aes_raw_key(key), mb->encryption_keys,
                           mb->decryption_keys);
    }
    return mb;
}

/* Its counter has 32 bits. */
static bool encrypt(const struct ipsec_mb *mb, const struct rp_aes_ctr_part *part,
                    const struct rp_kernel_input *input)
{
    IMB_JOB *const job = IMB_GET_NEXT_JOB(mb->manager);

    job->cipher_mode = IMB_CIPHER_CNTR;
    job->cipher_direction = IMB_DIR_ENCRYPT;
    job->chain_order = IMB_ORDER_CIPHER_HASH;
    job->hash_alg = IMB_AUTH_NULL;
    job->enc_keys = mb->encryption_keys;
    job->dec_keys = mb->encryption_keys;
    job->key_len_in_bytes = mb->key_bytes;
    job->iv = part->counter_block;
    job->iv_len_in_bytes = RP_AES_BLOCK_BYTES;
    job->src = input->source + part->at;
    job->dst = input->destination + part->at;
    job->cipher_start_src_offset_in_bytes = 0;
    job->msg_len_to_cipher_in_bytes = part->bytes;
    return finish(mb->manager, job);
}

void rp_ipsec_mb_ctr(const struct rp_kernel_input *input, uint64_t repetitions)
{
    struct ipsec_mb *const mb = input->state;

    while (repetitions-- > 0) {
        for (struct rp_aes_ctr_part part = {0}; rp_aes_ctr_next_part(input, &part);) {
            if (!encrypt(mb, &part, input)) {
                mb->refused = true;
            }
        }
    }
}
