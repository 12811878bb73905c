/* SPDX-License-Identifier: MIT */
/* The vectors of RFC 8439 (2018) for ChaCha20-Poly1305: section 2.8.2, appendix A.5. */
#ifndef RP_KERNELS_CHACHA_VECTORS_H
#define RP_KERNELS_CHACHA_VECTORS_H

#include "kernels/chacha/chacha.h"

struct rp_chacha_vector {
    struct rp_chacha20poly1305 context;
    struct rp_vector vector;
};

#define RP_CHACHA_VECTORS 2
extern const struct rp_chacha_vector rp_chacha_vectors[RP_CHACHA_VECTORS];

#endif
