/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/random.h"
#include "kernels/gcm/gcm.h"
#include "kernels/gcm/vectors.h"

#define MOST_IV_BYTES 64

/* When hard, IVs of other lengths, whose counter begins anywhere; one in four next to its
 * wrap, as no IV of a known key comes to it at will. */
static void choose(struct rp_gcm *gcm, size_t key_bytes, uint64_t *random, bool hard)
{
    uint8_t key[RP_AES_MOST_KEY_BYTES];
    uint8_t iv[MOST_IV_BYTES];
    uint8_t additional[RP_GCM_MOST_ADDITIONAL_BYTES];

    rp_random_bytes(random, key, sizeof key);
    rp_random_bytes(random, iv, sizeof iv);
    rp_random_bytes(random, additional, sizeof additional);
    rp_gcm_set_key(gcm, key, key_bytes);
    if (!hard) {
        rp_gcm_set_iv(gcm, iv, 12);
        rp_gcm_set_additional(gcm, additional, 16);
        return;
    }
    rp_gcm_set_iv(gcm, iv, 1 + rp_random_below(random, MOST_IV_BYTES));
    rp_gcm_set_additional(gcm, additional,
                          rp_random_below(random, sizeof additional + 1));
    if (rp_random_below(random, 4) == 0) {
        memset(gcm->counter_block + 12, 0xff, 3);
        gcm->counter_block[15] = (uint8_t)(0xff - rp_random_below(random, 70));
    }
}

static bool next_vector(size_t index, size_t key_bytes, struct rp_gcm *gcm, bool seals,
                        struct rp_vector *vector)
{
    const struct rp_gcm_vector *const found = rp_gcm_vector(key_bytes, index);

    if (found == NULL) {
        return false;
    }
    rp_gcm_set_key(gcm, found->key, key_bytes);
    rp_gcm_set_iv(gcm, found->iv, found->iv_bytes);
    rp_gcm_set_additional(gcm, found->additional, found->additional_bytes);
    *vector = (struct rp_vector){
        .name = found->name,
        .source = seals ? found->plain : found->cipher,
        .destination = seals ? found->cipher : found->plain,
        .bytes = found->bytes,
        .result = found->tag,
    };
    return true;
}

#define DEFINE_DIRECTION(bits, direction, seals)                                         \
    static bool vector_##bits##_##direction(size_t index, void *context,                 \
                                            struct rp_vector *vector)                    \
    {                                                                                    \
        return next_vector(index, (bits) / 8, context, seals, vector);                   \
    }                                                                                    \
    const struct rp_context_kind rp_aes##bits##gcm_##direction##_context = {             \
        .bytes = sizeof(struct rp_gcm),                                                  \
        .result_bytes = RP_GCM_TAG_BYTES,                                                \
        .choose = choose_##bits,                                                         \
        .vector = vector_##bits##_##direction,                                           \
    };

#define DEFINE_CONTEXTS(bits)                                                            \
    static void choose_##bits(void *context, uint64_t *random, bool hard)                \
    {                                                                                    \
        choose(context, (bits) / 8, random, hard);                                       \
    }                                                                                    \
    DEFINE_DIRECTION(bits, seal, true)                                                   \
    DEFINE_DIRECTION(bits, open, false)

DEFINE_CONTEXTS(128)
DEFINE_CONTEXTS(192)
DEFINE_CONTEXTS(256)

_Static_assert(sizeof(struct rp_gcm) <= RP_CONTEXT_BYTES, "a context has no room");
