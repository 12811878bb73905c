/* SPDX-License-Identifier: MIT */
/* VAES and VPCLMULQDQ on ymm registers, VEX encoding: runs without AVX-512. */
#include "kernels/aes/vector_256.h"

#define ZERO           _mm256_setzero_si256()
#define XOR3(a, b, c)  XOR(XOR((a), (b)), (c))
#define SWAP_HALVES(v) _mm256_shuffle_epi32((v), 0x4e)
#define FIRST_LANE     _mm256_castsi256_si128
#define IN_FIRST_LANE  _mm256_zextsi128_si256
#define SUM_OF_LANES(v)                                                                  \
    _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256((v), 1))
#define OUTER OUTER_16
#define INNER INNER_16

#include "kernels/gcm/gcm_vector.h"

DEFINE_GCM_EACH(vaes256)
