/* SPDX-License-Identifier: MIT */
/* Interleaving in xmm registers. */
#include "kernels/aes/vector_128.h"

#define KEYS KEYS_IN_MEMORY

#include "kernels/aes/interleave.h"

DEFINE_INTERLEAVES(aesni)
