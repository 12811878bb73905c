/* SPDX-License-Identifier: MIT */
/* CBC decryption with VAES on zmm registers, AVX-512. */
#include "kernels/aes/vector_512.h"

#define KEYS KEYS_IN_REGISTERS
#include "kernels/modes/cbc_vector.h"

DEFINE_CBC(128, 10, vaes512_x8)
DEFINE_CBC(192, 12, vaes512_x8)
DEFINE_CBC(256, 14, vaes512_x8)
