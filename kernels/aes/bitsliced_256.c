/* SPDX-License-Identifier: MIT */
/* Bitsliced in ymm registers: sixteen blocks, eight in each half. Needs AVX2. */
#include "kernels/aes/vector_256.h"

#define BITS_UP(v, n)   _mm256_slli_epi64((v), (n))
#define BITS_DOWN(v, n) _mm256_srli_epi64((v), (n))

#include "kernels/aes/bitsliced.h"

DEFINE_BITSLICED(rp_aes_ctr_bitsliced_256)
