/* SPDX-License-Identifier: MIT */
#include "core/cpu.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"

enum cpuid_register {
    EAX,
    EBX,
    ECX,
    EDX,
};

#define LEAF1_ECX_OSXSAVE    (1u << 27)
#define LEAF1_ECX_AVX        (1u << 28)
#define LEAF1_ECX_HYPERVISOR (1u << 31)

/* State components the operating system must save (XCR0): xmm 1, ymm 2, opmask and zmm
 * 5-7. */
#define STATE_YMM 0x06u
#define STATE_ZMM 0xe6u

static const struct {
    const char *name;
    uint64_t state;
    uint32_t feature;
    uint32_t leaf;
    enum cpuid_register place;
    uint32_t mask; /* all of these bits */
} table[] = {
    {"SSE2", 0, RP_CPU_SSE2, 1, EDX, 1u << 26},
    {"SSSE3", 0, RP_CPU_SSSE3, 1, ECX, 1u << 9},
    {"SSE4.1", 0, RP_CPU_SSE41, 1, ECX, 1u << 19},
    {"AES-NI", 0, RP_CPU_AES, 1, ECX, 1u << 25},
    {"PCLMULQDQ", 0, RP_CPU_PCLMULQDQ, 1, ECX, 1u << 1},
    {"AVX2", STATE_YMM, RP_CPU_AVX2, 7, EBX, 1u << 5},
    {"FMA", STATE_YMM, RP_CPU_FMA, 1, ECX, 1u << 12},
    {"VAES", STATE_YMM, RP_CPU_VAES, 7, ECX, 1u << 9},
    {"VPCLMULQDQ", STATE_YMM, RP_CPU_VPCLMULQDQ, 7, ECX, 1u << 10},
    /* F, DQ, BW, VL */
    {"AVX-512", STATE_ZMM, RP_CPU_AVX512, 7, EBX,
     1u << 16 | 1u << 17 | 1u << 30 | 1u << 31},
};

#define FEATURE_COUNT (sizeof table / sizeof *table)

#define MASK_SSE2 ((uint32_t)RP_CPU_SSE2)
#define MASK_AESNI                                                                       \
    (MASK_SSE2 | RP_CPU_SSSE3 | RP_CPU_SSE41 | RP_CPU_AES | RP_CPU_PCLMULQDQ)
#define MASK_AVX2   (MASK_AESNI | RP_CPU_AVX2 | RP_CPU_FMA)
#define MASK_VAES   (MASK_AVX2 | RP_CPU_VAES | RP_CPU_VPCLMULQDQ)
#define MASK_AVX512 (MASK_VAES | RP_CPU_AVX512)

static const struct {
    const char *name;
    uint32_t features;
} levels[] = {
    {"sse2", MASK_SSE2}, {"aesni", MASK_AESNI},   {"avx2", MASK_AVX2},
    {"vaes", MASK_VAES}, {"avx512", MASK_AVX512},
};

#define LEVEL_COUNT (sizeof levels / sizeof *levels)

static void native_cpuid(void *context, uint32_t leaf, uint32_t subleaf,
                         uint32_t registers[4])
{
    (void)context;
    registers[EAX] = leaf;
    registers[ECX] = subleaf;
    __asm__("cpuid"
            : "+a"(registers[EAX]), "=b"(registers[EBX]), "+c"(registers[ECX]),
              "=d"(registers[EDX]));
}

static uint64_t native_xgetbv(void *context, uint32_t index)
{
    uint32_t low = 0;
    uint32_t high = 0;

    (void)context;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(index));
    return (uint64_t)high << 32 | low;
}

const struct rp_cpu_reader rp_cpu_native = {native_cpuid, native_xgetbv, NULL};

/* Reads a leaf; one past the CPU's last reads as zeros, as it would on AMD but not on
 * Intel. */
static void read_leaf(const struct rp_cpu_reader *reader, uint32_t leaf,
                      uint32_t registers[4])
{
    reader->cpuid(reader->context, leaf & 0x80000000u, 0, registers);
    if (registers[EAX] < leaf) {
        memset(registers, 0, 4 * sizeof *registers);
    } else {
        reader->cpuid(reader->context, leaf, 0, registers);
    }
}

/* The brand string, which CPUs pad with spaces, without the padding. */
static void read_brand(const struct rp_cpu_reader *reader, char brand[49])
{
    uint32_t words[12];
    char raw[sizeof words + 1];
    size_t length = 0;

    for (uint32_t i = 0; i < 3; i++) {
        read_leaf(reader, 0x80000002u + i, words + (size_t)4 * i);
    }
    memcpy(raw, words, sizeof words);
    raw[sizeof words] = '\0';
    for (const char *letter = raw; *letter != '\0'; letter++) {
        if (*letter != ' ' || (length > 0 && brand[length - 1] != ' ')) {
            brand[length++] = *letter;
        }
    }
    if (length > 0 && brand[length - 1] == ' ') {
        length--;
    }
    brand[length] = '\0';
}

/* Where hypervisors that have one put their signature (Linux, Microsoft and VMware agree
 * on the leaf). */
static void read_hypervisor(struct rp_cpu *cpu, const struct rp_cpu_reader *reader)
{
    static const uint32_t leaf = 0x40000000;
    uint32_t registers[4];

    reader->cpuid(reader->context, leaf, 0, registers);
    memcpy(cpu->hypervisor_signature, &registers[EBX], 12);
}

static void read_identity(struct rp_cpu *cpu, const struct rp_cpu_reader *reader,
                          const uint32_t leaf1[4])
{
    uint32_t leaf0[4];

    read_leaf(reader, 0, leaf0);
    memcpy(cpu->vendor, &leaf0[EBX], 4);
    memcpy(cpu->vendor + 4, &leaf0[EDX], 4);
    memcpy(cpu->vendor + 8, &leaf0[ECX], 4);
    read_brand(reader, cpu->brand);
    rp_make_printable(cpu->vendor);
    rp_make_printable(cpu->brand);

    cpu->stepping = leaf1[EAX] & 0xf;
    cpu->family = leaf1[EAX] >> 8 & 0xf;
    cpu->model = leaf1[EAX] >> 4 & 0xf;
    if (cpu->family == 6 || cpu->family == 15) {
        cpu->model |= leaf1[EAX] >> 12 & 0xf0;
    }
    if (cpu->family == 15) {
        cpu->family += leaf1[EAX] >> 20 & 0xff;
    }
    cpu->hypervisor = (leaf1[ECX] & LEAF1_ECX_HYPERVISOR) != 0;
    if (cpu->hypervisor) {
        read_hypervisor(cpu, reader);
    }
}

static void read_features(struct rp_cpu *cpu, const struct rp_cpu_reader *reader,
                          const uint32_t leaf1[4])
{
    const uint32_t needed = LEAF1_ECX_OSXSAVE | LEAF1_ECX_AVX;
    const uint64_t state =
        (leaf1[ECX] & needed) == needed ? reader->xgetbv(reader->context, 0) : 0;
    uint32_t leaf7[4];

    read_leaf(reader, 7, leaf7);
    for (size_t i = 0; i < FEATURE_COUNT; i++) {
        const uint32_t *const leaf = table[i].leaf == 1 ? leaf1 : leaf7;

        if ((leaf[table[i].place] & table[i].mask) != table[i].mask) {
            continue;
        }
        if ((state & table[i].state) == table[i].state) {
            cpu->present |= table[i].feature;
        } else {
            cpu->unsaved |= table[i].feature;
        }
    }
}

static bool find_level(const char *name, size_t *index, struct rp_error *error)
{
    *index = LEVEL_COUNT - 1;
    if (name == NULL || *name == '\0') {
        return true;
    }
    for (size_t i = 0; i < LEVEL_COUNT; i++) {
        if (strcmp(name, levels[i].name) == 0) {
            *index = i;
            return true;
        }
    }
    return rp_fail(
        error, RP_USAGE,
        "RIDGEPOINT_CPU=%s is no CPU level; use sse2, aesni, avx2, vaes or avx512, "
        "or unset it",
        name);
}

bool rp_cpu_detect(struct rp_cpu *cpu, const struct rp_cpu_reader *reader,
                   const char *level, struct rp_error *error)
{
    uint32_t leaf1[4];
    size_t index = 0;

    *cpu = (struct rp_cpu){0};
    if (!find_level(level, &index, error)) {
        return false;
    }
    read_leaf(reader, 1, leaf1);
    read_identity(cpu, reader, leaf1);
    read_features(cpu, reader, leaf1);
    cpu->features = cpu->present & levels[index].features;
    cpu->level = levels[index].name;
    return true;
}

const char *rp_cpu_level_name(unsigned index)
{
    return index < LEVEL_COUNT ? levels[index].name : NULL;
}

const char *rp_cpu_missing(const struct rp_cpu *cpu, uint32_t needs, char *text,
                           unsigned capacity)
{
    const uint32_t absent = needs & ~(cpu->present | cpu->unsaved);
    const uint32_t unsaved = needs & cpu->unsaved;
    const uint32_t capped = needs & cpu->present & ~cpu->features;
    char names[128];

    if (absent != 0) {
        snprintf(text, capacity, "this CPU has no %s",
                 rp_cpu_feature_names(absent, names, sizeof names));
    } else if (unsaved != 0) {
        snprintf(text, capacity, "the operating system does not save the registers of %s",
                 rp_cpu_feature_names(unsaved, names, sizeof names));
    } else if (capped != 0) {
        snprintf(text, capacity, "RIDGEPOINT_CPU=%s leaves out %s", cpu->level,
                 rp_cpu_feature_names(capped, names, sizeof names));
    } else {
        snprintf(text, capacity, "%s", "");
    }
    return text;
}

const char *rp_cpu_feature_names(uint32_t features, char *text, unsigned capacity)
{
    size_t length = 0;

    snprintf(text, capacity, "%s", "");
    for (size_t i = 0; i < FEATURE_COUNT && length < capacity; i++) {
        if ((features & table[i].feature) != 0) {
            length += (size_t)snprintf(text + length, capacity - length, "%s%s",
                                       length > 0 ? " " : "", table[i].name);
        }
    }
    return text;
}
