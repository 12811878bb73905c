/* SPDX-License-Identifier: MIT */
/* VAES on ymm registers, VEX encoding: runs without AVX-512, on Zen 3 and Alder Lake. */
#include "kernels/aes/vector_256.h"

#include "kernels/aes/ctr_vector.h"

#include "kernels/aes/ctr_cached.h"

DEFINE_PLAIN(128, 10, vaes256_x8, CHAINS_8, 8, KEYS_IN_MEMORY, FETCH_AND_OWN, FETCH_TWICE)
DEFINE_PLAIN(192, 12, vaes256_x8, CHAINS_8, 8, KEYS_IN_MEMORY, FETCH_AND_OWN, FETCH_TWICE)
DEFINE_PLAIN(256, 14, vaes256_x8, CHAINS_8, 8, KEYS_IN_MEMORY, FETCH_AND_OWN, FETCH_TWICE)

/* From here on the table pays; measured on Golden Cove. */
#define LEAST_BYTES 6144

DEFINE_CACHED(128, 10, vaes256_cached, vaes256_x8, LEAST_BYTES, KEYS_IN_MEMORY,
              FETCH_AND_OWN, FETCH_TWICE)
DEFINE_CACHED(192, 12, vaes256_cached, vaes256_x8, LEAST_BYTES, KEYS_IN_MEMORY,
              FETCH_AND_OWN, FETCH_TWICE)
DEFINE_CACHED(256, 14, vaes256_cached, vaes256_x8, LEAST_BYTES, KEYS_IN_MEMORY,
              FETCH_AND_OWN, FETCH_TWICE)
