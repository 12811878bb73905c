/* SPDX-License-Identifier: MIT */
/* The vocabulary of rounds.h for ymm registers: two blocks a vector. */
#include <immintrin.h>

#define LANES  2
#define VECTOR __m256i
#define BROADCAST(pointer)                                                               \
    _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(pointer)))
#define REGISTER                "x"
#define COUNT(n)                _mm256_set_epi32(0, 0, 0, (n), 0, 0, 0, (n))
#define LANE_NUMBERS            _mm256_set_epi32(0, 0, 0, 1, 0, 0, 0, 0)
#define LOAD(pointer)           _mm256_loadu_si256((const __m256i *)(const void *)(pointer))
#define STORE(pointer, v)       _mm256_storeu_si256((__m256i *)(void *)(pointer), (v))
#define STREAM(pointer, v)      _mm256_stream_si256((__m256i *)(void *)(pointer), (v))
#define XOR                     _mm256_xor_si256
#define AND                     _mm256_and_si256
#define ADD32                   _mm256_add_epi32
#define SHUFFLE                 _mm256_shuffle_epi8
#define ENCRYPT_ROUND           _mm256_aesenc_epi128
#define ENCRYPT_LAST_ROUND      _mm256_aesenclast_epi128
#define DECRYPT_ROUND           _mm256_aesdec_epi128
#define DECRYPT_LAST_ROUND      _mm256_aesdeclast_epi128
#define SHIFT_UP                _mm256_slli_si256
#define SHIFT_DOWN              _mm256_srli_si256
#define MULTIPLY                _mm256_clmulepi64_epi128
#define BLOCK_BEFORE(before, v) _mm256_permute2x128_si256((before), (v), 0x21)
#define LINES(DO)               DO(0) DO(2) DO(4) DO(6)
