/* SPDX-License-Identifier: MIT */
/* CBC decryption with AES-NI on xmm registers, legacy encoding: runs on every CPU with
 * AES-NI. */
#include "kernels/aes/vector_128.h"

#define KEYS KEYS_IN_MEMORY
#include "kernels/modes/cbc_vector.h"

DEFINE_CBC(128, 10, aesni_x8)
DEFINE_CBC(192, 12, aesni_x8)
DEFINE_CBC(256, 14, aesni_x8)
