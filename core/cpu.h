/* SPDX-License-Identifier: MIT */
/*
 * What this CPU and operating system let a kernel use.
 *
 * Feature bits come from CPUID and XGETBV (Intel SDM vol. 2A "CPUID", vol. 1 13.3; AMD
 * APM vol. 3 appendix E): a vector width counts only when the operating system saves its
 * state. The reader is replaceable, so that any CPU can be tested on any other.
 */
#ifndef RP_CORE_CPU_H
#define RP_CORE_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

enum rp_cpu_feature {
    RP_CPU_SSE2 = 1u << 0,
    RP_CPU_SSSE3 = 1u << 1,
    RP_CPU_SSE41 = 1u << 2,
    RP_CPU_AES = 1u << 3,
    RP_CPU_AVX2 = 1u << 4,   /* with AVX and the operating system's ymm state */
    RP_CPU_VAES = 1u << 5,   /* with ymm state; says nothing about AVX-512 */
    RP_CPU_AVX512 = 1u << 6, /* F, VL, BW and DQ together, with zmm state */
    RP_CPU_FMA = 1u << 7,    /* three operands, with ymm state */
    RP_CPU_PCLMULQDQ = 1u << 8,
    RP_CPU_VPCLMULQDQ = 1u << 9, /* with ymm state; says nothing about AVX-512 */
};

struct rp_cpu {
    uint32_t features; /* usable: present and not above the level asked for */
    uint32_t present;  /* what CPU and operating system offer */
    uint32_t
        unsaved; /* what the CPU has and the operating system does not save state for */
    char vendor[13];
    char brand[49];
    unsigned family;
    unsigned model;
    unsigned stepping;
    bool hypervisor;
    char hypervisor_signature[13]; /* as it signs itself: "KVMKVMKVM"; "" when it does
                                      not. Not part of a run file */
    const char *level;             /* the cap in force: a name from rp_cpu_level_name */
};

struct rp_cpu_reader {
    void (*cpuid)(void *context, uint32_t leaf, uint32_t subleaf, uint32_t registers[4]);
    uint64_t (*xgetbv)(void *context,
                       uint32_t index); /* called only when OSXSAVE is set */
    void *context;
};

/* The CPU the program runs on. */
extern const struct rp_cpu_reader rp_cpu_native;

/*
 * Reads the CPU. `level` caps what may be used (the program passes the environment
 * variable RIDGEPOINT_CPU); NULL or "" means no cap. Fails with RP_USAGE for an unknown
 * level.
 */
bool rp_cpu_detect(struct rp_cpu *cpu, const struct rp_cpu_reader *reader,
                   const char *level, struct rp_error *error);

/* The levels from lowest to highest, "sse2" to "avx512"; NULL past the last. */
const char *rp_cpu_level_name(unsigned index);

/* One line for people: which of `needs` is missing and why ("this CPU has no VAES", "the
 * operating system does not save the registers of AVX-512", "RIDGEPOINT_CPU=avx2 leaves
 * out VAES"): the first of these reasons that applies. Empty when nothing is missing.
 * Returns `text`. */
const char *rp_cpu_missing(const struct rp_cpu *cpu, uint32_t needs, char *text,
                           unsigned capacity);

/* Names of the set bits, separated by spaces. Returns `text`. */
const char *rp_cpu_feature_names(uint32_t features, char *text, unsigned capacity);

#endif
