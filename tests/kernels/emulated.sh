#!/bin/sh
# SPDX-License-Identifier: MIT
# The program on CPUs that this one is not, emulated by QEMU: what they cannot run says so, and
# what they can is right. Nothing is dispatched by a cap here, so an instruction too many is an
# illegal one. Up to AVX2: QEMU has no AVX-512, and 7.2 computes both halves of VAESENC on ymm
# from the lower one. Not CBC: its reference takes too long there. Argument: the program ridgepoint
set -u

command -v qemu-x86_64 >/dev/null || {
    echo "skipped: qemu-x86_64 is not installed (package qemu-user)"
    exit 77
}
program=$1
unset RIDGEPOINT_CPU
failures=0

# says MODEL KERNEL TEXT: asked to check KERNEL, an emulated MODEL prints TEXT.
says() {
    printed=$(timeout 60 qemu-x86_64 -cpu "$1" "$program" check --seed 1 "$2" 2>&1)
    if ! echo "$printed" | grep -q "^$2 .*$3"; then
        echo "$1: $2 should say '$3'; it says:"
        echo "$printed"
        failures=$((failures + 1))
    fi
}

can() {
    model=$1
    shift
    for kernel; do
        says "$model" "$kernel" "right in [0-9]* cases"
    done
}

can Nehalem copy-sse2 load-sse2 update-sse2 aes128ctr-scalar
says Nehalem aes128ctr-aesni "unavailable: this CPU has no AES-NI"
says Nehalem copy-avx2 "unavailable: this CPU has no AVX2"

can Westmere aes128ctr-aesni aes192ctr-aesni-x8 aes256ctr-aesni-x1 aes128ctr-aesni-x8-pshufb \
    aes256ctr-aesni-x8-cached aes128xts-aesni-x8 intensity-aesenc128-x8
says Westmere copy-avx2 "unavailable: this CPU has no AVX2"
says Westmere intensity-fma128-x8 "unavailable: this CPU has no FMA"

can Haswell copy-avx2 store-avx2-prefetchw intensity-fma256-x8 aes128ctr-aesni-x8-pshufb
says Haswell aes128ctr-vaes256-x8-pshufb "unavailable: this CPU has no VAES"
says Haswell aes128ctr-vaes512-x8-cached "unavailable: this CPU has no VAES AVX-512"
says Haswell copy-avx512 "unavailable: this CPU has no AVX-512"

[ "$failures" -eq 0 ] && echo "kernels up to AVX2 are right on the CPUs that QEMU emulates"
exit $((failures > 0))
