/* SPDX-License-Identifier: MIT */
/* The vocabulary of rounds.h for xmm registers: one block a vector. */
#include <immintrin.h>

#define LANES                   1
#define VECTOR                  __m128i
#define BROADCAST(pointer)      _mm_loadu_si128((const __m128i *)(const void *)(pointer))
#define REGISTER                "x"
#define COUNT(n)                _mm_set_epi32(0, 0, 0, (n))
#define LANE_NUMBERS            _mm_setzero_si128()
#define LOAD(pointer)           _mm_loadu_si128((const __m128i *)(const void *)(pointer))
#define STORE(pointer, v)       _mm_storeu_si128((__m128i *)(void *)(pointer), (v))
#define STREAM(pointer, v)      _mm_stream_si128((__m128i *)(void *)(pointer), (v))
#define XOR                     _mm_xor_si128
#define AND                     _mm_and_si128
#define ADD32                   _mm_add_epi32
#define SHUFFLE                 _mm_shuffle_epi8
#define ENCRYPT_ROUND           _mm_aesenc_si128
#define ENCRYPT_LAST_ROUND      _mm_aesenclast_si128
#define DECRYPT_ROUND           _mm_aesdec_si128
#define DECRYPT_LAST_ROUND      _mm_aesdeclast_si128
#define SHIFT_UP                _mm_slli_si128
#define SHIFT_DOWN              _mm_srli_si128
#define MULTIPLY                _mm_clmulepi64_si128
#define BLOCK_BEFORE(before, v) (before)
#define LINES(DO)               DO(0) DO(4)
