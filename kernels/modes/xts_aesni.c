/* SPDX-License-Identifier: MIT */
/* XTS encryption with AES-NI on xmm registers, legacy encoding: runs on every CPU with
 * AES-NI and PCLMULQDQ. */
#include "kernels/aes/vector_128.h"

#define KEYS   KEYS_IN_MEMORY
#define TWEAKS TWEAKS_IN_MEMORY
#include "kernels/modes/xts_vector.h"

DEFINE_XTS(128, 10, aesni_x8)
DEFINE_XTS(256, 14, aesni_x8)
