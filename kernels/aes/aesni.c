/* SPDX-License-Identifier: MIT */
/* AES-NI on xmm registers, legacy encoding: runs on every CPU with AES-NI and SSSE3. */
#include "kernels/aes/vector_128.h"

#include "kernels/aes/ctr_vector.h"

#include "kernels/aes/ctr_cached.h"

DEFINE_PLAIN(128, 10, aesni_x1, CHAINS_1, 1, KEYS_IN_REGISTERS, FETCH_NOTHING,
             FETCH_NOTHING)
DEFINE_PLAIN(128, 10, aesni_x8, CHAINS_8, 8, KEYS_IN_MEMORY, FETCH_AND_OWN, FETCH_TWICE)
DEFINE_PLAIN(192, 12, aesni_x1, CHAINS_1, 1, KEYS_IN_REGISTERS, FETCH_NOTHING,
             FETCH_NOTHING)
DEFINE_PLAIN(192, 12, aesni_x8, CHAINS_8, 8, KEYS_IN_MEMORY, FETCH_AND_OWN, FETCH_TWICE)
DEFINE_PLAIN(256, 14, aesni_x1, CHAINS_1, 1, KEYS_IN_REGISTERS, FETCH_NOTHING,
             FETCH_NOTHING)
DEFINE_PLAIN(256, 14, aesni_x8, CHAINS_8, 8, KEYS_IN_MEMORY, FETCH_AND_OWN, FETCH_TWICE)

/* From here on the table pays; measured on Golden Cove. */
#define LEAST_BYTES 5120

DEFINE_CACHED(128, 10, aesni_cached, aesni_x8, LEAST_BYTES, KEYS_IN_MEMORY, FETCH_AND_OWN,
              FETCH_TWICE)
DEFINE_CACHED(192, 12, aesni_cached, aesni_x8, LEAST_BYTES, KEYS_IN_MEMORY, FETCH_AND_OWN,
              FETCH_TWICE)
DEFINE_CACHED(256, 14, aesni_cached, aesni_x8, LEAST_BYTES, KEYS_IN_MEMORY, FETCH_AND_OWN,
              FETCH_TWICE)
