/* SPDX-License-Identifier: MIT */
/* VAES on zmm registers: states, round keys and constants all fit into the 32 of them. */
#include <immintrin.h>

#define LANES  4
#define VECTOR __m512i
#define BROADCAST(pointer)                                                               \
    _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)(pointer)))
#define COUNT(n)           _mm512_set4_epi32(0, 0, 0, (n))
#define LANE_NUMBERS       _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0)
#define LOAD(pointer)      _mm512_loadu_si512(pointer)
#define STORE(pointer, v)  _mm512_storeu_si512((pointer), (v))
#define STREAM(pointer, v) _mm512_stream_si512((void *)(pointer), (v))
#define XOR                _mm512_xor_si512
#define AND                _mm512_and_si512
#define ADD32              _mm512_add_epi32
#define SHUFFLE            _mm512_shuffle_epi8
#define ROUND              _mm512_aesenc_epi128
#define LAST_ROUND         _mm512_aesenclast_epi128
#define LINES(DO)          CHAINS_8(DO)

#include "kernels/aes/ctr_vector.h"

#include "kernels/aes/ctr_cached.h"

DEFINE_PLAIN(128, 10, vaes512_x8, CHAINS_8, 8, KEYS_IN_REGISTERS, FETCH_AND_OWN,
             FETCH_ONLY)
DEFINE_PLAIN(192, 12, vaes512_x8, CHAINS_8, 8, KEYS_IN_REGISTERS, FETCH_AND_OWN,
             FETCH_ONLY)
DEFINE_PLAIN(256, 14, vaes512_x8, CHAINS_8, 8, KEYS_IN_REGISTERS, FETCH_AND_OWN,
             FETCH_ONLY)

/* From here on the table pays; measured on Golden Cove. */
#define LEAST_BYTES 5120

DEFINE_CACHED(128, 10, vaes512_cached, vaes512_x8, LEAST_BYTES, KEYS_IN_REGISTERS,
              FETCH_AND_OWN, FETCH_ONLY)
DEFINE_CACHED(192, 12, vaes512_cached, vaes512_x8, LEAST_BYTES, KEYS_IN_REGISTERS,
              FETCH_AND_OWN, FETCH_ONLY)
DEFINE_CACHED(256, 14, vaes512_cached, vaes512_x8, LEAST_BYTES, KEYS_IN_REGISTERS,
              FETCH_AND_OWN, FETCH_ONLY)
