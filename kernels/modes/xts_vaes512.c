/* SPDX-License-Identifier: MIT */
/* XTS encryption with VAES on zmm registers, AVX-512 and VPCLMULQDQ. */
#include "kernels/aes/vector_512.h"

#define KEYS   KEYS_IN_MEMORY
#define TWEAKS TWEAKS_IN_REGISTERS
#include "kernels/modes/xts_vector.h"

DEFINE_XTS(128, 10, vaes512_x8)
DEFINE_XTS(256, 14, vaes512_x8)
