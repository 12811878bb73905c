/* SPDX-License-Identifier: MIT */
/* XTS encryption with VAES on ymm registers, VEX encoding: runs without AVX-512, with
 * VPCLMULQDQ. */
#include "kernels/aes/vector_256.h"

#define KEYS   KEYS_IN_MEMORY
#define TWEAKS TWEAKS_IN_MEMORY
#include "kernels/modes/xts_vector.h"

DEFINE_XTS(128, 10, vaes256_x8)
DEFINE_XTS(256, 14, vaes256_x8)
