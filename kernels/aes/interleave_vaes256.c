/* SPDX-License-Identifier: MIT */
/* Interleaving in ymm registers. */
#include "kernels/aes/vector_256.h"

#define KEYS KEYS_IN_MEMORY

#include "kernels/aes/interleave.h"

DEFINE_INTERLEAVES(vaes256)
