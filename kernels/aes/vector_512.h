/* SPDX-License-Identifier: MIT */
/* The vocabulary of rounds.h for zmm registers: four blocks a vector. */
#include <immintrin.h>

#define LANES  4
#define VECTOR __m512i
#define BROADCAST(pointer)                                                               \
    _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)(pointer)))
#define REGISTER                "v"
#define COUNT(n)                _mm512_set4_epi32(0, 0, 0, (n))
#define LANE_NUMBERS            _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0)
#define LOAD(pointer)           _mm512_loadu_si512(pointer)
#define STORE(pointer, v)       _mm512_storeu_si512((pointer), (v))
#define STREAM(pointer, v)      _mm512_stream_si512((void *)(pointer), (v))
#define XOR                     _mm512_xor_si512
#define AND                     _mm512_and_si512
#define ADD32                   _mm512_add_epi32
#define SHUFFLE                 _mm512_shuffle_epi8
#define ENCRYPT_ROUND           _mm512_aesenc_epi128
#define ENCRYPT_LAST_ROUND      _mm512_aesenclast_epi128
#define DECRYPT_ROUND           _mm512_aesdec_epi128
#define DECRYPT_LAST_ROUND      _mm512_aesdeclast_epi128
#define SHIFT_UP                _mm512_bslli_epi128
#define SHIFT_DOWN              _mm512_bsrli_epi128
#define MULTIPLY                _mm512_clmulepi64_epi128
#define BLOCK_BEFORE(before, v) _mm512_alignr_epi32((v), (before), 12)
#define LINES(DO)               CHAINS_8(DO)
