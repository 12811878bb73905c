/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <string.h>

#include "core/cpu.h"

/* CPUID bits, as Intel's and AMD's manuals number them. */
#define SSSE3   (1u << 9)
#define FMA     (1u << 12)
#define SSE41   (1u << 19)
#define AESNI   (1u << 25)
#define OSXSAVE (1u << 27)
#define AVX     (1u << 28)
#define GUEST   (1u << 31)
#define SSE2    (1u << 26)
#define AVX2    (1u << 5)
#define F       (1u << 16)
#define DQ      (1u << 17)
#define BW      (1u << 30)
#define VL      (1u << 31)
#define VAES    (1u << 9)
#define CLMUL   (1u << 1)
#define VCLMUL  (1u << 10)

#define XMM_ONLY 0x03u
#define YMM      0x07u
#define ZMM      0xe7u

#define EVERY_SSE (SSSE3 | SSE41 | AESNI)
#define EVERY_AVX (OSXSAVE | AVX | FMA)
#define EVERY_512 (AVX2 | F | DQ | BW | VL)

#define FEATURES_SSE                                                                     \
    ((uint32_t)RP_CPU_SSE2 | RP_CPU_SSSE3 | RP_CPU_SSE41 | (uint32_t)RP_CPU_AES)

#define FEATURES_AVX2 (FEATURES_SSE | RP_CPU_AVX2 | RP_CPU_FMA)

#define FEATURES_CLMUL ((uint32_t)RP_CPU_PCLMULQDQ | (uint32_t)RP_CPU_VPCLMULQDQ)

struct fake_cpu {
    const char *vendor;
    const char *brand;
    uint32_t last_leaf;
    uint32_t signature;
    uint32_t leaf1_ecx;
    uint32_t leaf1_edx;
    uint32_t leaf7_ebx;
    uint32_t leaf7_ecx;
    uint64_t xcr0;
    unsigned family;
    unsigned model;
    unsigned stepping;
    uint32_t present;
};

static void fake_cpuid(void *context, uint32_t leaf, uint32_t subleaf,
                       uint32_t registers[4])
{
    const struct fake_cpu *const cpu = context;
    char brand[48] = {0};

    assert_int_equal(subleaf, 0);
    memset(registers, 0, 16);
    switch (leaf) {
    case 0:
        registers[0] = cpu->last_leaf;
        memcpy(&registers[1], cpu->vendor, 4);
        memcpy(&registers[3], cpu->vendor + 4, 4);
        memcpy(&registers[2], cpu->vendor + 8, 4);
        break;
    case 1:
        registers[0] = cpu->signature;
        registers[2] = cpu->leaf1_ecx;
        registers[3] = cpu->leaf1_edx;
        break;
    case 7:
        registers[1] = cpu->leaf7_ebx;
        registers[2] = cpu->leaf7_ecx;
        break;
    case 0x40000000u:
        assert_true((cpu->leaf1_ecx & GUEST) != 0); /* reserved otherwise */
        memcpy(&registers[1], "KVMKVMKVM\0\0\0", 12);
        break;
    case 0x80000000u:
        registers[0] = cpu->brand != NULL ? 0x80000004u : 0x80000001u;
        break;
    case 0x80000002u:
    case 0x80000003u:
    case 0x80000004u:
        memcpy(brand, cpu->brand, strlen(cpu->brand));
        memcpy(registers, brand + (size_t)16 * (leaf - 0x80000002u), 16);
        break;
    default:
        fail_msg("leaf 0x%x is past the last one", leaf);
    }
}

static uint64_t fake_xgetbv(void *context, uint32_t index)
{
    const struct fake_cpu *const cpu = context;

    assert_true((cpu->leaf1_ecx & OSXSAVE) != 0); /* would trap on a real CPU */
    assert_int_equal(index, 0);
    return cpu->xcr0;
}

static const struct fake_cpu cpus[] = {
    {
        .vendor = "AuthenticAMD", /* Zen 4 server */
        .brand = "AMD EPYC 9R14 96-Core Processor                ",
        .last_leaf = 0x10,
        .signature = 0x00a10f11,
        .leaf1_ecx = EVERY_SSE | EVERY_AVX | CLMUL | GUEST,
        .leaf1_edx = SSE2,
        .leaf7_ebx = EVERY_512,
        .leaf7_ecx = VAES | VCLMUL,
        .xcr0 = ZMM,
        .family = 25,
        .model = 17,
        .stepping = 1,
        .present = FEATURES_AVX2 | FEATURES_CLMUL | RP_CPU_VAES | RP_CPU_AVX512,
    },
    {
        .vendor = "GenuineIntel", /* Golden Cove server */
        .brand = "Intel(R) Xeon(R) Platinum 8488C",
        .last_leaf = 0x1f,
        .signature = 0x000806f8,
        .leaf1_ecx = EVERY_SSE | EVERY_AVX,
        .leaf1_edx = SSE2,
        .leaf7_ebx = EVERY_512,
        .leaf7_ecx = VAES,
        .xcr0 = ZMM,
        .family = 6,
        .model = 143,
        .stepping = 8,
        .present = FEATURES_AVX2 | RP_CPU_VAES | RP_CPU_AVX512,
    },
    {
        .vendor = "GenuineIntel", /* Skylake-X: AVX-512 without VAES */
        .brand = "Intel(R) Xeon(R) Platinum 8124M CPU @ 3.00GHz",
        .last_leaf = 0xd,
        .signature = 0x00050654,
        .leaf1_ecx = EVERY_SSE | EVERY_AVX,
        .leaf1_edx = SSE2,
        .leaf7_ebx = EVERY_512,
        .xcr0 = ZMM,
        .family = 6,
        .model = 85,
        .stepping = 4,
        .present = FEATURES_AVX2 | RP_CPU_AVX512,
    },
    {
        .vendor = "GenuineIntel", /* Alder Lake: VAES without AVX-512 */
        .brand = "12th Gen Intel(R) Core(TM) i7-12700K",
        .last_leaf = 0x20,
        .signature = 0x00090672,
        .leaf1_ecx = EVERY_SSE | EVERY_AVX,
        .leaf1_edx = SSE2,
        .leaf7_ebx = AVX2,
        .leaf7_ecx = VAES,
        .xcr0 = YMM,
        .family = 6,
        .model = 151,
        .stepping = 2,
        .present = FEATURES_AVX2 | RP_CPU_VAES,
    },
    {
        .vendor = "GenuineIntel", /* an operating system that saves no zmm state */
        .brand = "Intel(R) Xeon(R) Platinum 8488C",
        .last_leaf = 0x1f,
        .signature = 0x000806f8,
        .leaf1_ecx = EVERY_SSE | EVERY_AVX,
        .leaf1_edx = SSE2,
        .leaf7_ebx = EVERY_512,
        .leaf7_ecx = VAES,
        .xcr0 = YMM,
        .family = 6,
        .model = 143,
        .stepping = 8,
        .present = FEATURES_AVX2 | RP_CPU_VAES,
    },
    {
        .vendor = "GenuineIntel", /* nor ymm state */
        .brand = "Intel(R) Xeon(R) Platinum 8488C",
        .last_leaf = 0x1f,
        .signature = 0x000806f8,
        .leaf1_ecx = EVERY_SSE | EVERY_AVX,
        .leaf1_edx = SSE2,
        .leaf7_ebx = EVERY_512,
        .leaf7_ecx = VAES,
        .xcr0 = XMM_ONLY,
        .family = 6,
        .model = 143,
        .stepping = 8,
        .present = FEATURES_SSE,
    },
    {
        .vendor = "GenuineIntel", /* AVX-512 without VL: a part is not the level */
        .brand = "Intel(R) Xeon Phi(TM) CPU 7210 @ 1.30GHz",
        .last_leaf = 0xd,
        .signature = 0x00050671,
        .leaf1_ecx = EVERY_SSE | EVERY_AVX,
        .leaf1_edx = SSE2,
        .leaf7_ebx = AVX2 | F,
        .xcr0 = ZMM,
        .family = 6,
        .model = 87,
        .stepping = 1,
        .present = FEATURES_AVX2,
    },
    {
        .vendor =
            "GenuineIntel", /* an early Pentium 4: SSE2, no leaf 7, no brand, no XSAVE */
        .brand = NULL,
        .last_leaf = 2,
        .signature = 0x00000f29,
        .leaf1_edx = SSE2,
        .leaf7_ebx = EVERY_512, /* must not be looked at */
        .xcr0 = ZMM,
        .family = 15,
        .model = 2,
        .stepping = 9,
        .present = RP_CPU_SSE2,
    },
};

static struct rp_cpu detect(const struct fake_cpu *fake, const char *level)
{
    struct fake_cpu copy = *fake;
    const struct rp_cpu_reader reader = {fake_cpuid, fake_xgetbv, &copy};
    struct rp_error error = {0};
    struct rp_cpu cpu;

    assert_true(rp_cpu_detect(&cpu, &reader, level, &error));
    return cpu;
}

static void test_cpus(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cpus); i++) {
        const struct rp_cpu cpu = detect(&cpus[i], NULL);

        assert_int_equal(cpu.present, cpus[i].present);
        assert_int_equal(cpu.features, cpus[i].present);
        assert_string_equal(cpu.vendor, cpus[i].vendor);
        assert_int_equal(cpu.family, cpus[i].family);
        assert_int_equal(cpu.model, cpus[i].model);
        assert_int_equal(cpu.stepping, cpus[i].stepping);
        assert_int_equal(cpu.hypervisor, (cpus[i].leaf1_ecx & GUEST) != 0);
        assert_string_equal(cpu.hypervisor_signature, cpu.hypervisor ? "KVMKVMKVM" : "");
        assert_string_equal(cpu.level, "avx512");
    }
    assert_string_equal(detect(&cpus[0], "").brand, "AMD EPYC 9R14 96-Core Processor");
    assert_string_equal(detect(&cpus[COUNT_OF(cpus) - 1], "").brand, "");
}

static void test_brand_spaces(void **state)
{
    struct fake_cpu cpu = cpus[1];

    (void)state;
    cpu.brand = "      Intel(R) Xeon(R) CPU           E5-2670 0 @";
    assert_string_equal(detect(&cpu, NULL).brand, "Intel(R) Xeon(R) CPU E5-2670 0 @");
}

/* A hypervisor may say anything. */
static void test_names_are_printable(void **state)
{
    struct fake_cpu cpu = cpus[1];

    (void)state;
    cpu.vendor = "\x1b[1mVendor\xe4\n";
    cpu.brand = "CPU\r\xff 5";
    assert_string_equal(detect(&cpu, NULL).vendor, "?[1mVendor??");
    assert_string_equal(detect(&cpu, NULL).brand, "CPU?? 5");
}

static void test_levels(void **state)
{
    static const struct {
        const char *name;
        uint32_t features;
    } rows[] = {
        {"sse2", RP_CPU_SSE2},
        {"aesni", FEATURES_SSE | RP_CPU_PCLMULQDQ},
        {"avx2", FEATURES_AVX2 | RP_CPU_PCLMULQDQ},
        {"vaes", FEATURES_AVX2 | FEATURES_CLMUL | RP_CPU_VAES},
        {"avx512", FEATURES_AVX2 | FEATURES_CLMUL | RP_CPU_VAES | RP_CPU_AVX512},
    };

    (void)state;
    for (unsigned i = 0; i < COUNT_OF(rows); i++) {
        const struct rp_cpu cpu = detect(&cpus[0], rows[i].name);

        assert_string_equal(rp_cpu_level_name(i), rows[i].name);
        assert_string_equal(cpu.level, rows[i].name);
        assert_int_equal(cpu.features, rows[i].features);
        assert_int_equal(cpu.present, cpus[0].present);
        /* a cap adds nothing */
        assert_int_equal(detect(&cpus[COUNT_OF(cpus) - 1], rows[i].name).features,
                         RP_CPU_SSE2);
    }
    assert_null(rp_cpu_level_name(COUNT_OF(rows)));
}

static void test_unknown_level(void **state)
{
    static const char *const bad[] = {"AVX2", "avx", "avx512 ", "sse", "-1"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct rp_error error = {0};
        struct rp_cpu cpu;

        assert_false(rp_cpu_detect(&cpu, &rp_cpu_native, bad[i], &error));
        assert_int_equal(error.status, RP_USAGE);
        assert_contains(error.message, bad[i]);
        assert_contains(error.message, "avx512");
    }
}

static void test_missing(void **state)
{
    const struct rp_cpu capped = detect(&cpus[0], "avx2");
    const struct rp_cpu old = detect(&cpus[2], NULL);
    char text[128];
    char tiny[8];

    (void)state;
    assert_string_equal(rp_cpu_missing(&capped, RP_CPU_AES, text, sizeof text), "");
    assert_string_equal(
        rp_cpu_missing(&capped, RP_CPU_VAES | RP_CPU_AES, text, sizeof text),
        "RIDGEPOINT_CPU=avx2 leaves out VAES");
    assert_string_equal(
        rp_cpu_missing(&old, RP_CPU_VAES | RP_CPU_AVX512, text, sizeof text),
        "this CPU has no VAES");
    assert_string_equal(rp_cpu_missing(&old, RP_CPU_VAES, tiny, sizeof tiny), "this CP");
}

/* A CPU that has the instructions is not called one without them. */
static void test_unsaved(void **state)
{
    const struct rp_cpu no_zmm = detect(&cpus[4], NULL);
    const struct rp_cpu no_ymm = detect(&cpus[5], NULL);
    char text[128];

    (void)state;
    assert_int_equal(no_zmm.unsaved, RP_CPU_AVX512);
    assert_string_equal(
        rp_cpu_missing(&no_zmm, RP_CPU_VAES | RP_CPU_AVX512, text, sizeof text),
        "the operating system does not save the registers of AVX-512");
    assert_string_equal(
        rp_cpu_missing(&no_ymm, RP_CPU_VAES | RP_CPU_AVX512, text, sizeof text),
        "the operating system does not save the registers of VAES AVX-512");
    assert_string_equal(rp_cpu_missing(&no_ymm, RP_CPU_FMA, text, sizeof text),
                        "the operating system does not save the registers of FMA");
    for (size_t i = 0; i < COUNT_OF(cpus); i++) {
        const struct rp_cpu cpu = detect(&cpus[i], NULL);

        assert_int_equal(cpu.unsaved & cpu.present, 0);
    }
}

static void test_names(void **state)
{
    char text[128];
    char tiny[10];

    (void)state;
    assert_string_equal(rp_cpu_feature_names(cpus[0].present, text, sizeof text),
                        "SSE2 SSSE3 SSE4.1 AES-NI PCLMULQDQ AVX2 FMA VAES VPCLMULQDQ "
                        "AVX-512");
    assert_string_equal(rp_cpu_feature_names(0, text, sizeof text), "");
    assert_string_equal(rp_cpu_feature_names(cpus[0].present, tiny, sizeof tiny),
                        "SSE2 SSSE");
}

/* Whatever this test runs on: every x86-64 CPU has SSE2, and the cap holds. */
static void test_native(void **state)
{
    struct rp_error error = {0};
    struct rp_cpu cpu;

    (void)state;
    assert_true(rp_cpu_detect(&cpu, &rp_cpu_native, "sse2", &error));
    assert_int_equal(cpu.features, RP_CPU_SSE2);
    assert_int_equal(strlen(cpu.vendor), 12);
    assert_int_equal(__builtin_cpu_supports("avx2") != 0,
                     (cpu.present & RP_CPU_AVX2) != 0);
    assert_int_equal(__builtin_cpu_supports("avx512bw") &&
                         __builtin_cpu_supports("avx512vl"),
                     (cpu.present & RP_CPU_AVX512) != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cpus),
        cmocka_unit_test(test_brand_spaces),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_unknown_level),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_unsaved),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_native),
        cmocka_unit_test(test_names_are_printable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
