/* SPDX-License-Identifier: MIT */
/* The vocabulary of ctr_vector.h on ymm registers. */
#ifndef RP_KERNELS_AES_YMM_H
#define RP_KERNELS_AES_YMM_H

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

#endif
