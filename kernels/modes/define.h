/* SPDX-License-Identifier: MIT */
/* Public kernels around the body of a mode. */
#include <stdint.h>

#include "kernels/kernel.h"

/* Defines the kernel rp_<name> and its non-temporal sibling rp_<name>_nt around
 * crypt(context, source, destination, bytes, rounds, nt). */
#define DEFINE_MODE(name, crypt, rounds)                                                 \
    void rp_##name(const struct rp_kernel_input *input, uint64_t repetitions)            \
    {                                                                                    \
        while (repetitions-- > 0) {                                                      \
            crypt(input->context, input->source, input->destination, input->bytes,       \
                  rounds, false);                                                        \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    void rp_##name##_nt(const struct rp_kernel_input *input, uint64_t repetitions)       \
    {                                                                                    \
        if ((uintptr_t)input->destination % VECTOR_BYTES != 0) {                         \
            rp_##name(input, repetitions);                                               \
            return;                                                                      \
        }                                                                                \
        while (repetitions-- > 0) {                                                      \
            crypt(input->context, input->source, input->destination, input->bytes,       \
                  rounds, true);                                                         \
        }                                                                                \
        _mm_sfence();                                                                    \
    }
