/* SPDX-License-Identifier: MIT */
/* VAES on zmm registers: states, round keys and constants all fit into the 32 of them. */
#include "kernels/aes/vector_512.h"

#include "kernels/aes/ctr_vector.h"

#include "kernels/aes/ctr_cached.h"

DEFINE_PLAIN(128, 10, vaes512_x8, CHAINS_8, 8, KEYS_IN_REGISTERS, FETCH_AND_OWN,
             FETCH_TWICE)
DEFINE_PLAIN(192, 12, vaes512_x8, CHAINS_8, 8, KEYS_IN_REGISTERS, FETCH_AND_OWN,
             FETCH_TWICE)
DEFINE_PLAIN(256, 14, vaes512_x8, CHAINS_8, 8, KEYS_IN_REGISTERS, FETCH_AND_OWN,
             FETCH_TWICE)

/* From here on the table pays; measured on Golden Cove. */
#define LEAST_BYTES 5120

DEFINE_CACHED(128, 10, vaes512_cached, vaes512_x8, LEAST_BYTES, KEYS_IN_REGISTERS,
              FETCH_AND_OWN, FETCH_TWICE)
DEFINE_CACHED(192, 12, vaes512_cached, vaes512_x8, LEAST_BYTES, KEYS_IN_REGISTERS,
              FETCH_AND_OWN, FETCH_TWICE)
DEFINE_CACHED(256, 14, vaes512_cached, vaes512_x8, LEAST_BYTES, KEYS_IN_REGISTERS,
              FETCH_AND_OWN, FETCH_TWICE)
