/* SPDX-License-Identifier: MIT */
/* CBC decryption with VAES on ymm registers, VEX encoding: runs without AVX-512. */
#include "kernels/aes/vector_256.h"

#define KEYS KEYS_IN_MEMORY
#include "kernels/modes/cbc_vector.h"

DEFINE_CBC(128, 10, vaes256_x8)
DEFINE_CBC(192, 12, vaes256_x8)
DEFINE_CBC(256, 14, vaes256_x8)
