/* SPDX-License-Identifier: MIT */
/* Bitsliced AES on xmm registers, eight blocks in lockstep: logic of SSE2, and PSHUFB of
 * SSSE3 to move bytes. How it works, what it costs and where it is from: bitsliced.h. */
#include <immintrin.h>

#define LANES              1
#define VECTOR             __m128i
#define BROADCAST(pointer) _mm_loadu_si128((const __m128i *)(const void *)(pointer))
#define COUNT(n)           _mm_set_epi32(0, 0, 0, (n))
#define LANE_NUMBERS       _mm_setzero_si128()
#define LOAD               BROADCAST
#define STORE(pointer, v)  _mm_storeu_si128((__m128i *)(void *)(pointer), (v))
#define STREAM(pointer, v) _mm_stream_si128((__m128i *)(void *)(pointer), (v))
#define ADD32              _mm_add_epi32
#define SHUFFLE            _mm_shuffle_epi8
#define SHIFT_LEFT         _mm_slli_epi64
#define SHIFT_RIGHT        _mm_srli_epi64
#define FILL               _mm_set1_epi8
#define EQUAL              _mm_cmpeq_epi8

#include "kernels/aes/bitsliced.h"

DEFINE_KERNELS(rp_aes_ctr_bitsliced_sse2)
