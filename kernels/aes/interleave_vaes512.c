/* SPDX-License-Identifier: MIT */
/* Interleaving in zmm registers. */
#include "kernels/aes/vector_512.h"

#define KEYS KEYS_IN_REGISTERS

#include "kernels/aes/interleave.h"

DEFINE_INTERLEAVES(vaes512)
