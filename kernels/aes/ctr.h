/* SPDX-License-Identifier: MIT */
/*
 * The counter-mode kernels, one file each, for the table of them; the vector ones exist
 * when the compiler knows the instructions. A name is that of the temporal and in-place
 * kernel, with _nt of the non-temporal one.
 */
#ifndef RP_KERNELS_AES_CTR_H
#define RP_KERNELS_AES_CTR_H

#include "kernels/aes/aes.h"

#define RP_AES_CTR_DECLARE(name) extern rp_kernel_function name, name##_nt

/* One kernel for every length of key. */
#define RP_AES_CTR_DECLARE_EACH(variant)                                                 \
    RP_AES_CTR_DECLARE(rp_aes128ctr_##variant);                                          \
    RP_AES_CTR_DECLARE(rp_aes192ctr_##variant);                                          \
    RP_AES_CTR_DECLARE(rp_aes256ctr_##variant)

/* These read the number of rounds from the key. */
RP_AES_CTR_DECLARE(rp_aes_ctr_naive);
RP_AES_CTR_DECLARE(rp_aes_ctr_scalar);
RP_AES_CTR_DECLARE(rp_aes_ctr_vector_permute);
RP_AES_CTR_DECLARE(rp_aes_ctr_bitsliced_sse2);
RP_AES_CTR_DECLARE(rp_aes_ctr_bitsliced_avx2);

RP_AES_CTR_DECLARE_EACH(aesni_marshalled);
RP_AES_CTR_DECLARE_EACH(aesni_marshalled_x8);
RP_AES_CTR_DECLARE_EACH(aesni_x1);
RP_AES_CTR_DECLARE_EACH(aesni_x8);
RP_AES_CTR_DECLARE_EACH(vaes256_x8);
RP_AES_CTR_DECLARE_EACH(vaes512_x8);
RP_AES_CTR_DECLARE_EACH(aesni_cached);
RP_AES_CTR_DECLARE_EACH(vaes256_cached);
RP_AES_CTR_DECLARE_EACH(vaes512_cached);

#endif
