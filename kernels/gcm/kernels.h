/* SPDX-License-Identifier: MIT */
/*
 * The GCM kernels, one file a width, for the table of them; they exist when the compiler
 * knows the instructions. A name is that of the temporal and in-place kernel, with _nt of
 * the non-temporal one.
 */
#ifndef RP_KERNELS_GCM_KERNELS_H
#define RP_KERNELS_GCM_KERNELS_H

#include "kernels/gcm/gcm.h"

#define RP_GCM_DECLARE(name) extern rp_kernel_function name, name##_nt

/* Both directions, for every length of key. */
#define RP_GCM_DECLARE_EACH(variant)                                                     \
    RP_GCM_DECLARE(rp_aes128gcm_seal_##variant);                                         \
    RP_GCM_DECLARE(rp_aes128gcm_open_##variant);                                         \
    RP_GCM_DECLARE(rp_aes192gcm_seal_##variant);                                         \
    RP_GCM_DECLARE(rp_aes192gcm_open_##variant);                                         \
    RP_GCM_DECLARE(rp_aes256gcm_seal_##variant);                                         \
    RP_GCM_DECLARE(rp_aes256gcm_open_##variant)

RP_GCM_DECLARE_EACH(aesni);
RP_GCM_DECLARE_EACH(vaes256);
RP_GCM_DECLARE_EACH(vaes512);
RP_GCM_DECLARE_EACH(vaes512_cached);

/* Blocks of zeros but for the last byte, which counts. */
extern const uint8_t rp_gcm_low_bytes[256][RP_AES_BLOCK_BYTES];

#endif
