/* SPDX-License-Identifier: MIT */
/* VAES on ymm registers, VEX encoding: runs without AVX-512, on Zen 3 and Alder Lake. */
#include <immintrin.h>

#define LANES  2
#define VECTOR __m256i
#define BROADCAST(pointer)                                                               \
    _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(pointer)))
#define COUNT(n)           _mm256_set_epi32(0, 0, 0, (n), 0, 0, 0, (n))
#define LANE_NUMBERS       _mm256_set_epi32(0, 0, 0, 1, 0, 0, 0, 0)
#define LOAD(pointer)      _mm256_loadu_si256((const __m256i *)(const void *)(pointer))
#define STORE(pointer, v)  _mm256_storeu_si256((__m256i *)(void *)(pointer), (v))
#define STREAM(pointer, v) _mm256_stream_si256((__m256i *)(void *)(pointer), (v))
#define XOR                _mm256_xor_si256
#define AND                _mm256_and_si256
#define ADD32              _mm256_add_epi32
#define SHUFFLE            _mm256_shuffle_epi8
#define ROUND              _mm256_aesenc_epi128
#define LAST_ROUND         _mm256_aesenclast_epi128
#define LINES(DO)          DO(0) DO(2) DO(4) DO(6)

#include "kernels/aes/ctr_vector.h"

#include "kernels/aes/ctr_cached.h"

DEFINE_PLAIN(128, 10, vaes256_x8, CHAINS_8, 8, KEYS_IN_MEMORY, FETCH_AND_OWN, FETCH_ONLY)
DEFINE_PLAIN(192, 12, vaes256_x8, CHAINS_8, 8, KEYS_IN_MEMORY, FETCH_AND_OWN, FETCH_ONLY)
DEFINE_PLAIN(256, 14, vaes256_x8, CHAINS_8, 8, KEYS_IN_MEMORY, FETCH_AND_OWN, FETCH_ONLY)

/* From here on the table pays; measured on Golden Cove. */
#define LEAST_BYTES 6144

DEFINE_CACHED(128, 10, vaes256_cached, vaes256_x8, LEAST_BYTES, KEYS_IN_MEMORY,
              FETCH_AND_OWN, FETCH_ONLY)
DEFINE_CACHED(192, 12, vaes256_cached, vaes256_x8, LEAST_BYTES, KEYS_IN_MEMORY,
              FETCH_AND_OWN, FETCH_ONLY)
DEFINE_CACHED(256, 14, vaes256_cached, vaes256_x8, LEAST_BYTES, KEYS_IN_MEMORY,
              FETCH_AND_OWN, FETCH_ONLY)
