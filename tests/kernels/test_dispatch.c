/* SPDX-License-Identifier: MIT */
/* Which kernels CPUs of other kinds would be given, and what is said of the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/kernel.h"

/* CPUID, as Intel's and AMD's manuals number the bits. */
#define LEAF1_ECX_SSE                                                                    \
    (1u << 1 | 1u << 9 | 1u << 19 | 1u << 25)             /* with CLMUL and AES-NI */
#define LEAF1_ECX_AVX    (1u << 12 | 1u << 27 | 1u << 28) /* with FMA, OSXSAVE */
#define LEAF1_EDX_SSE2   (1u << 26)
#define LEAF7_EBX_AVX2   (1u << 5)
#define LEAF7_EBX_AVX512 (1u << 16 | 1u << 17 | 1u << 30 | 1u << 31)
#define LEAF7_ECX_VAES   (1u << 9 | 1u << 10) /* with VPCLMULQDQ */

/* XCR0: what the operating system saves. */
#define STATE_YMM 0x07u
#define STATE_ZMM 0xe7u

struct processor {
    const char *name;
    uint32_t leaf1_ecx;
    uint32_t leaf7_ebx;
    uint32_t leaf7_ecx;
    uint64_t state;
};

static const struct processor core2 = {.name = "Core 2", .leaf1_ecx = 1u << 9};
static const struct processor westmere = {.name = "Westmere", .leaf1_ecx = LEAF1_ECX_SSE};
static const struct processor haswell = {
    .name = "Haswell",
    .leaf1_ecx = LEAF1_ECX_SSE | LEAF1_ECX_AVX,
    .leaf7_ebx = LEAF7_EBX_AVX2,
    .state = STATE_YMM,
};
static const struct processor zen3 = {
    .name = "Zen 3 or Alder Lake: VAES without AVX-512",
    .leaf1_ecx = LEAF1_ECX_SSE | LEAF1_ECX_AVX,
    .leaf7_ebx = LEAF7_EBX_AVX2,
    .leaf7_ecx = LEAF7_ECX_VAES,
    .state = STATE_YMM,
};
static const struct processor skylake_x = {
    .name = "Skylake-X: AVX-512 without VAES",
    .leaf1_ecx = LEAF1_ECX_SSE | LEAF1_ECX_AVX,
    .leaf7_ebx = LEAF7_EBX_AVX2 | LEAF7_EBX_AVX512,
    .state = STATE_ZMM,
};
static const struct processor zen4 = {
    .name = "Zen 4 or Ice Lake",
    .leaf1_ecx = LEAF1_ECX_SSE | LEAF1_ECX_AVX,
    .leaf7_ebx = LEAF7_EBX_AVX2 | LEAF7_EBX_AVX512,
    .leaf7_ecx = LEAF7_ECX_VAES,
    .state = STATE_ZMM,
};
static const struct processor zen4_without_zmm_state = {
    .name = "Zen 4 under a system that does not save zmm registers",
    .leaf1_ecx = LEAF1_ECX_SSE | LEAF1_ECX_AVX,
    .leaf7_ebx = LEAF7_EBX_AVX2 | LEAF7_EBX_AVX512,
    .leaf7_ecx = LEAF7_ECX_VAES,
    .state = STATE_YMM,
};

static void cpuid(void *context, uint32_t leaf, uint32_t subleaf, uint32_t registers[4])
{
    const struct processor *const processor = context;

    (void)subleaf;
    memset(registers, 0, 4 * sizeof *registers);
    switch (leaf) {
    case 0:
        registers[0] = 7;
        break;
    case 1:
        registers[2] = processor->leaf1_ecx;
        registers[3] = LEAF1_EDX_SSE2;
        break;
    case 7:
        registers[1] = processor->leaf7_ebx;
        registers[2] = processor->leaf7_ecx;
        break;
    default:
        break;
    }
}

static uint64_t xgetbv(void *context, uint32_t index)
{
    const struct processor *const processor = context;

    assert_int_equal(index, 0);
    return processor->state;
}

static struct rp_cpu detect(const struct processor *processor, const char *level)
{
    struct processor own = *processor;
    const struct rp_cpu_reader reader = {cpuid, xgetbv, &own};
    struct rp_error error = {0};
    struct rp_cpu cpu;

    assert_true(rp_cpu_detect(&cpu, &reader, level, &error));
    return cpu;
}

#define NO_AVX2   "this CPU has no AVX2"
#define NO_VAES   "this CPU has no VAES"
#define NO_AVX512 "this CPU has no AVX-512"
#define NO_STATE  "the operating system does not save the registers of AVX-512"

/* What each is told; "" when it is given the kernel. */
static const struct {
    const struct processor *processor;
    const char *level;
    const char *kernel;
    const char *why;
} rows[] = {
    {&core2, NULL, "copy-sse2", ""},
    {&core2, NULL, "aes128ctr-scalar", ""},
    {&core2, NULL, "aes128ctr-aesni-x8-pshufb", "this CPU has no AES-NI"},
    {&core2, NULL, "aes128ctr-aesni", "this CPU has no SSE4.1 AES-NI"},
    {&westmere, NULL, "aes256ctr-aesni-x8-cached", ""},
    {&westmere, NULL, "aes128xts-aesni-x8", ""},
    {&westmere, NULL, "copy-avx2", NO_AVX2},
    {&westmere, NULL, "aes128ctr-vaes256-x8-pshufb", "this CPU has no AVX2 VAES"},
    {&haswell, NULL, "copy-avx2", ""},
    {&haswell, NULL, "intensity-fma256-x8", ""},
    {&haswell, NULL, "aes128ctr-vaes256-x8-pshufb", NO_VAES},
    {&haswell, NULL, "aes128ctr-vaes512-x8-pshufb", "this CPU has no VAES AVX-512"},
    {&zen3, NULL, "aes128ctr-vaes256-x8-pshufb", ""},
    {&zen3, NULL, "aes192ctr-vaes256-x8-cached", ""},
    {&zen3, NULL, "aes256cbcdec-vaes256-x8", ""},
    {&zen3, NULL, "aes256xts-vaes256-x8", ""},
    {&zen3, NULL, "aes128ctr-vaes512-x8-pshufb", NO_AVX512},
    {&zen3, NULL, "copy-avx512", NO_AVX512},
    {&zen3, NULL, "intensity-aesenc256-x8", ""},
    {&zen3, NULL, "intensity-aesenc512-x8", NO_AVX512},
    {&skylake_x, NULL, "copy-avx512", ""},
    {&skylake_x, NULL, "intensity-fma512-x8", ""},
    {&skylake_x, NULL, "aes128ctr-aesni-x8-pshufb", ""},
    {&skylake_x, NULL, "aes128ctr-vaes256-x8-pshufb", NO_VAES},
    {&skylake_x, NULL, "aes128ctr-vaes512-x8-pshufb", NO_VAES},
    {&zen4, NULL, "aes256ctr-vaes512-x8-cached", ""},
    {&zen4, "vaes", "aes256ctr-vaes512-x8-cached",
     "RIDGEPOINT_CPU=vaes leaves out AVX-512"},
    {&zen4, "aesni", "aes128ctr-vaes256-x8-pshufb",
     "RIDGEPOINT_CPU=aesni leaves out AVX2 VAES"},
    {&zen4_without_zmm_state, NULL, "copy-avx2", ""},
    {&zen4_without_zmm_state, NULL, "aes128ctr-vaes256-x8-pshufb", ""},
    {&zen4_without_zmm_state, NULL, "copy-avx512", NO_STATE},
    {&zen4_without_zmm_state, NULL, "aes128ctr-vaes512-x8-pshufb", NO_STATE},
};

static void each_is_told_why(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct rp_cpu cpu = detect(rows[i].processor, rows[i].level);
        const struct rp_kernel *const found = rp_kernel_find(rows[i].kernel);
        char why[160];

        assert_non_null(found);
        struct rp_kernel kernel = *found;
        kernel.built = true; /* by a compiler that knows all */
        print_message("%s: %s\n", rows[i].processor->name, kernel.name);
        assert_int_equal(rp_kernel_available(&kernel, &cpu, why, sizeof why),
                         rows[i].why[0] == '\0');
        assert_string_equal(why, rows[i].why);
    }
}

/* No kernel of the registry is given to a CPU that lacks what it uses: a name with the
 * name of an extension needs it, and none is refused without a reason. */
static void no_kernel_is_given_to_a_cpu_without_its_instructions(void **state)
{
    static const struct processor *const processors[] = {
        &core2, &westmere, &haswell, &zen3, &skylake_x, &zen4, &zen4_without_zmm_state,
        NULL};
    static const struct {
        const char *name; /* part of a kernel's */
        uint32_t uses;
    } extensions[] = {
        {"aesni", RP_CPU_AES},
        {"avx2", RP_CPU_AVX2},
        {"avx512", RP_CPU_AVX512},
        {"vaes256", RP_CPU_VAES | RP_CPU_AVX2},
        {"vaes512", (uint32_t)RP_CPU_VAES | RP_CPU_AVX512},
    };
    const struct rp_kernel *kernel = NULL;

    (void)state;
    for (size_t i = 0; processors[i] != NULL; i++) {
        const struct rp_cpu cpu = detect(processors[i], NULL);

        for (size_t j = 0; (kernel = rp_kernel_at(j)) != NULL; j++) {
            char why[160];
            const bool given = rp_kernel_available(kernel, &cpu, why, sizeof why);

            assert_int_equal(given, why[0] == '\0');
            for (size_t k = 0; k < sizeof extensions / sizeof *extensions; k++) {
                const bool lacks = (extensions[k].uses & ~cpu.features) != 0;

                if (given && lacks && strstr(kernel->name, extensions[k].name) != NULL) {
                    fail_msg("%s is given %s", processors[i]->name, kernel->name);
                }
            }
            if (processors[i] == &zen4 && kernel->built) {
                assert_true(given);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_told_why),
        cmocka_unit_test(no_kernel_is_given_to_a_cpu_without_its_instructions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
