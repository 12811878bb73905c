/* SPDX-License-Identifier: MIT */
/* AES-NI and PCLMULQDQ on xmm registers, legacy encoding: runs without AVX. */
#include "kernels/aes/vector_128.h"

#define ZERO             _mm_setzero_si128()
#define XOR3(a, b, c)    XOR(XOR((a), (b)), (c))
#define SWAP_HALVES(v)   _mm_shuffle_epi32((v), 0x4e)
#define FIRST_LANE(v)    (v)
#define IN_FIRST_LANE(x) (x)
#define SUM_OF_LANES(v)  (v)
#define OUTER            OUTER_16
#define INNER            INNER_16

#include "kernels/gcm/gcm_vector.h"

DEFINE_GCM_EACH(aesni)
