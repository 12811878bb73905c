/* SPDX-License-Identifier: MIT */
/* Bitsliced AES on ymm registers, two times eight blocks in lockstep. How it works, what
 * it costs and where it is from: bitsliced.h. */
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
#define ADD32              _mm256_add_epi32
#define SHUFFLE            _mm256_shuffle_epi8
#define SHIFT_LEFT         _mm256_slli_epi64
#define SHIFT_RIGHT        _mm256_srli_epi64
#define FILL               _mm256_set1_epi8
#define EQUAL              _mm256_cmpeq_epi8

#include "kernels/aes/bitsliced.h"

DEFINE_KERNELS(rp_aes_ctr_bitsliced_avx2)
