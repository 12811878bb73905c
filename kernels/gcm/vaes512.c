/* SPDX-License-Identifier: MIT */
/* VAES and VPCLMULQDQ on zmm registers. */
#include "kernels/aes/vector_512.h"

#define ZERO           _mm512_setzero_si512()
#define SWAP_HALVES(v) _mm512_shuffle_epi32((v), _MM_PERM_BADC)
#define FIRST_LANE     _mm512_castsi512_si128
#define IN_FIRST_LANE  _mm512_zextsi128_si512
#define SUM_OF_LANES   sum_of_lanes

/* MemorySanitizer does not know VPTERNLOG and reports any secret that goes into it. */
#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#define XOR3(a, b, c) XOR(XOR((a), (b)), (c))
#endif
#endif
#ifndef XOR3
#define XOR3(a, b, c) _mm512_ternarylogic_epi64((a), (b), (c), 0x96)
#endif

#define OUTER OUTER_32
#define INNER INNER_32

#include "kernels/gcm/gcm_vector.h"

static inline __m128i sum_of_lanes(__m512i v)
{
    const __m256i halves =
        _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));

    return _mm_xor_si128(_mm256_castsi256_si128(halves),
                         _mm256_extracti128_si256(halves, 1));
}

DEFINE_GCM_EACH(vaes512)

/* From here on the table pays on Golden Cove. */
#define LEAST_BYTES 16384

DEFINE_GCM_CACHED_PAIR(128, 10, vaes512_cached, vaes512, LEAST_BYTES)
DEFINE_GCM_CACHED_PAIR(192, 12, vaes512_cached, vaes512, LEAST_BYTES)
DEFINE_GCM_CACHED_PAIR(256, 14, vaes512_cached, vaes512, LEAST_BYTES)
