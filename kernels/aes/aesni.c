/* SPDX-License-Identifier: MIT */
/* AES-NI on xmm registers, legacy encoding: runs on every CPU with AES-NI and SSSE3. */
#include <immintrin.h>

#define LANES              1
#define VECTOR             __m128i
#define BROADCAST(pointer) _mm_loadu_si128((const __m128i *)(const void *)(pointer))
#define COUNT(n)           _mm_set_epi32(0, 0, 0, (n))
#define LANE_NUMBERS       _mm_setzero_si128()
#define LOAD(pointer)      _mm_loadu_si128((const __m128i *)(const void *)(pointer))
#define STORE(pointer, v)  _mm_storeu_si128((__m128i *)(void *)(pointer), (v))
#define STREAM(pointer, v) _mm_stream_si128((__m128i *)(void *)(pointer), (v))
#define XOR                _mm_xor_si128
#define AND                _mm_and_si128
#define ADD32              _mm_add_epi32
#define SHUFFLE            _mm_shuffle_epi8
#define ROUND              _mm_aesenc_si128
#define LAST_ROUND         _mm_aesenclast_si128
#define LINES(DO)          DO(0) DO(4)

#include "kernels/aes/ctr_vector.h"

#include "kernels/aes/ctr_cached.h"

DEFINE_PLAIN(128, 10, aesni_x1, CHAINS_1, 1, KEYS_IN_REGISTERS, FETCH_NOTHING,
             FETCH_NOTHING)
DEFINE_PLAIN(128, 10, aesni_x8, CHAINS_8, 8, KEYS_IN_MEMORY, FETCH_AND_OWN, FETCH_ONLY)
DEFINE_PLAIN(192, 12, aesni_x1, CHAINS_1, 1, KEYS_IN_REGISTERS, FETCH_NOTHING,
             FETCH_NOTHING)
DEFINE_PLAIN(192, 12, aesni_x8, CHAINS_8, 8, KEYS_IN_MEMORY, FETCH_AND_OWN, FETCH_ONLY)
DEFINE_PLAIN(256, 14, aesni_x1, CHAINS_1, 1, KEYS_IN_REGISTERS, FETCH_NOTHING,
             FETCH_NOTHING)
DEFINE_PLAIN(256, 14, aesni_x8, CHAINS_8, 8, KEYS_IN_MEMORY, FETCH_AND_OWN, FETCH_ONLY)

/* From here on the table pays; measured on Golden Cove. */
#define LEAST_BYTES 5120

DEFINE_CACHED(128, 10, aesni_cached, aesni_x8, LEAST_BYTES, KEYS_IN_MEMORY, FETCH_AND_OWN,
              FETCH_ONLY)
DEFINE_CACHED(192, 12, aesni_cached, aesni_x8, LEAST_BYTES, KEYS_IN_MEMORY, FETCH_AND_OWN,
              FETCH_ONLY)
DEFINE_CACHED(256, 14, aesni_cached, aesni_x8, LEAST_BYTES, KEYS_IN_MEMORY, FETCH_AND_OWN,
              FETCH_ONLY)
