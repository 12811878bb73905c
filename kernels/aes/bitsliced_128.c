/* SPDX-License-Identifier: MIT */
/* Bitsliced in xmm registers: eight blocks. Needs SSSE3 for PSHUFB. */
#include "kernels/aes/vector_128.h"

#define BITS_UP(v, n)   _mm_slli_epi64((v), (n))
#define BITS_DOWN(v, n) _mm_srli_epi64((v), (n))

#include "kernels/aes/bitsliced.h"

DEFINE_BITSLICED(rp_aes_ctr_bitsliced_128)
