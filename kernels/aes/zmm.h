/* SPDX-License-Identifier: MIT */
/* The vocabulary of ctr_vector.h on zmm registers. */
#ifndef RP_KERNELS_AES_ZMM_H
#define RP_KERNELS_AES_ZMM_H

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

#endif
