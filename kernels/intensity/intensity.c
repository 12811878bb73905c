/* SPDX-License-Identifier: MIT */
#include "kernels/intensity/intensity.h"

#include <math.h>
#include <string.h>

#include "kernels/aes/aes.h"

#define STEP_OPERATIONS 32
#define STEP_BYTES(n)   (RP_BLOCK_BYTES * STEP_OPERATIONS / (n))
#define ACCUMULATORS    11
#define FACTOR          11
#define FIRST_FOLD      13
#define FOLDS           3

/*
 * The vector registers before and after a walk, each as wide as the kernel's vectors:
 * accumulators from 0, the other factor of the multiplications in 11, loaded data in 12
 * (not kept), and from 13 the XOR of the vectors that no operation uses.
 */
struct registers {
    uint8_t bytes[16][RP_BLOCK_BYTES];
} __attribute__((aligned(64)));

/* No power of two, so that a product needs rounding, and a kernel that rounds twice is
 * told from one that multiplies and adds in one instruction. Sums of positive numbers
 * from 1 to 2, times this, stay normal and finite for any length. */
static const double factor = 2.0 / 3;

static void begin(struct registers *registers)
{
    memset(registers, 0, sizeof *registers);
    for (size_t i = 0; i < RP_BLOCK_BYTES; i += sizeof factor) {
        memcpy(&registers->bytes[FACTOR][i], &factor, sizeof factor);
    }
}

/* Leaves the result: every byte of every register, each register at a place of its own,
 * or equal ones would cancel; and the source from `done` on. */
static void finish(const struct rp_kernel_input *input, const struct registers *registers,
                   size_t done)
{
    uint8_t *const result = input->destination;

    memset(result, 0, RP_BLOCK_BYTES);
    for (size_t i = 0; i < 16; i++) {
        for (size_t j = 0; j < RP_BLOCK_BYTES; j++) {
            result[(i + j) % RP_BLOCK_BYTES] ^= registers->bytes[i][j];
        }
    }
    for (size_t i = done; i < input->bytes; i++) {
        result[i % RP_BLOCK_BYTES] ^= input->source[i];
    }
}

/* ---- references ---- */

typedef void operation_function(uint8_t *accumulator, const uint8_t *data, size_t bytes);

static void aes_operation(uint8_t *accumulator, const uint8_t *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += RP_AES_BLOCK_BYTES) {
        rp_aes_round(accumulator + i, data + i);
    }
}

static void fma_operation(uint8_t *accumulator, const uint8_t *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += sizeof(double)) {
        double sum = 0;
        double loaded = 0;

        memcpy(&sum, accumulator + i, sizeof sum);
        memcpy(&loaded, data + i, sizeof loaded);
        sum = fma(loaded, factor, sum);
        memcpy(accumulator + i, &sum, sizeof sum);
    }
}

static void xor_into(uint8_t *accumulator, const uint8_t *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        accumulator[i] ^= data[i];
    }
}

static void reference_step(struct registers *registers, const uint8_t *source,
                           size_t vector_bytes, size_t operations,
                           operation_function *operation)
{
    const size_t vectors = RP_BLOCK_BYTES / vector_bytes;

    for (size_t k = 0; k < STEP_OPERATIONS; k++) {
        const uint8_t *const data = source + k * vectors / operations * vector_bytes;

        operation(registers->bytes[k % ACCUMULATORS], data, vector_bytes);
        for (size_t i = 1; i < vectors / operations; i++) {
            xor_into(registers->bytes[FIRST_FOLD + (k + i - 1) % FOLDS],
                     data + i * vector_bytes, vector_bytes);
        }
    }
}

static void reference(const struct rp_kernel_input *input, uint64_t repetitions,
                      size_t vector_bytes, size_t operations,
                      operation_function *operation)
{
    const size_t step_bytes = STEP_BYTES(operations);
    const size_t main_bytes = input->bytes - input->bytes % step_bytes;
    struct registers registers;

    begin(&registers);
    while (repetitions-- > 0) {
        for (size_t i = 0; i < main_bytes; i += step_bytes) {
            reference_step(&registers, input->source + i, vector_bytes, operations,
                           operation);
        }
    }
    finish(input, &registers, main_bytes);
}

/* ---- the loops ---- */

/* What the widths differ in. Registers and offsets are text. */
#define AESENC128_WIDTH         "16"
#define AESENC128_VECTORS       "4"
#define AESENC128_LOAD(from, r) "movdqu " from ", %%xmm" r "\n\t"
#define AESENC128_KEEP(r, to)   "movdqu %%xmm" r ", " to "\n\t"
#define AESENC128_FOLD(from, r) "movdqu " from ", %%xmm12\n\tpxor %%xmm12, %%xmm" r "\n\t"
#define AESENC128_OPERATION(r)  "aesenc %%xmm12, %%xmm" r "\n\t"
#define AESENC128_END           ""

#define AESENC256_WIDTH         "32"
#define AESENC256_VECTORS       "2"
#define AESENC256_LOAD(from, r) "vmovdqu " from ", %%ymm" r "\n\t"
#define AESENC256_KEEP(r, to)   "vmovdqu %%ymm" r ", " to "\n\t"
#define AESENC256_FOLD(from, r) "vpxor " from ", %%ymm" r ", %%ymm" r "\n\t"
#define AESENC256_OPERATION(r)  "vaesenc %%ymm12, %%ymm" r ", %%ymm" r "\n\t"
#define AESENC256_END           "vzeroupper\n\t"

#define AESENC512_WIDTH         "64"
#define AESENC512_VECTORS       "1"
#define AESENC512_LOAD(from, r) "vmovdqu64 " from ", %%zmm" r "\n\t"
#define AESENC512_KEEP(r, to)   "vmovdqu64 %%zmm" r ", " to "\n\t"
#define AESENC512_FOLD(from, r) ""
#define AESENC512_OPERATION(r)  "vaesenc %%zmm12, %%zmm" r ", %%zmm" r "\n\t"
#define AESENC512_END           "vzeroupper\n\t"

#define FMA128_WIDTH         "16"
#define FMA128_VECTORS       "4"
#define FMA128_LOAD(from, r) "vmovdqu " from ", %%xmm" r "\n\t"
#define FMA128_KEEP(r, to)   "vmovdqu %%xmm" r ", " to "\n\t"
#define FMA128_FOLD(from, r) "vpxor " from ", %%xmm" r ", %%xmm" r "\n\t"
#define FMA128_OPERATION(r)  "vfmadd231pd %%xmm11, %%xmm12, %%xmm" r "\n\t"
#define FMA128_END           "vzeroupper\n\t"

#define FMA256_WIDTH        AESENC256_WIDTH
#define FMA256_VECTORS      AESENC256_VECTORS
#define FMA256_LOAD         AESENC256_LOAD
#define FMA256_KEEP         AESENC256_KEEP
#define FMA256_FOLD         AESENC256_FOLD
#define FMA256_OPERATION(r) "vfmadd231pd %%ymm11, %%ymm12, %%ymm" r "\n\t"
#define FMA256_END          AESENC256_END

#define FMA512_WIDTH        AESENC512_WIDTH
#define FMA512_VECTORS      AESENC512_VECTORS
#define FMA512_LOAD         AESENC512_LOAD
#define FMA512_KEEP         AESENC512_KEEP
#define FMA512_FOLD         AESENC512_FOLD
#define FMA512_OPERATION(r) "vfmadd231pd %%zmm11, %%zmm12, %%zmm" r "\n\t"
#define FMA512_END          AESENC512_END

/* clang-format off */
/* Operation k of a step: its number, its accumulator k mod 11, and where the vectors that
 * it leaves over go, from 13 + k mod 3 on. */
#define STEP(DO, ISA, n)                                                  \
    DO(ISA, n, "0", "0", "13", "14", "15")   DO(ISA, n, "1", "1", "14", "15", "13")   \
    DO(ISA, n, "2", "2", "15", "13", "14")   DO(ISA, n, "3", "3", "13", "14", "15")   \
    DO(ISA, n, "4", "4", "14", "15", "13")   DO(ISA, n, "5", "5", "15", "13", "14")   \
    DO(ISA, n, "6", "6", "13", "14", "15")   DO(ISA, n, "7", "7", "14", "15", "13")   \
    DO(ISA, n, "8", "8", "15", "13", "14")   DO(ISA, n, "9", "9", "13", "14", "15")   \
    DO(ISA, n, "10", "10", "14", "15", "13") DO(ISA, n, "11", "0", "15", "13", "14")  \
    DO(ISA, n, "12", "1", "13", "14", "15")  DO(ISA, n, "13", "2", "14", "15", "13")  \
    DO(ISA, n, "14", "3", "15", "13", "14")  DO(ISA, n, "15", "4", "13", "14", "15")  \
    DO(ISA, n, "16", "5", "14", "15", "13")  DO(ISA, n, "17", "6", "15", "13", "14")  \
    DO(ISA, n, "18", "7", "13", "14", "15")  DO(ISA, n, "19", "8", "14", "15", "13")  \
    DO(ISA, n, "20", "9", "15", "13", "14")  DO(ISA, n, "21", "10", "13", "14", "15") \
    DO(ISA, n, "22", "0", "14", "15", "13")  DO(ISA, n, "23", "1", "15", "13", "14")  \
    DO(ISA, n, "24", "2", "13", "14", "15")  DO(ISA, n, "25", "3", "14", "15", "13")  \
    DO(ISA, n, "26", "4", "15", "13", "14")  DO(ISA, n, "27", "5", "13", "14", "15")  \
    DO(ISA, n, "28", "6", "14", "15", "13")  DO(ISA, n, "29", "7", "15", "13", "14")  \
    DO(ISA, n, "30", "8", "13", "14", "15")  DO(ISA, n, "31", "9", "14", "15", "13")

#define REGISTERS(DO, ISA)                                                \
    DO(ISA, "0") DO(ISA, "1") DO(ISA, "2") DO(ISA, "3") DO(ISA, "4") DO(ISA, "5")     \
    DO(ISA, "6") DO(ISA, "7") DO(ISA, "8") DO(ISA, "9") DO(ISA, "10") DO(ISA, "11")   \
    DO(ISA, "13") DO(ISA, "14") DO(ISA, "15")
#define READ_REGISTER(ISA, r)  ISA##_LOAD(r "*64(%[registers])", r)
#define WRITE_REGISTER(ISA, r) ISA##_KEEP(r, r "*64(%[registers])")

/*
 * The assembler works the numbers out: vector k * vectors / n belongs to operation k, and
 * it is loaded by the first operation that uses it, of which k * vectors is a multiple of
 * n. Divisions round down.
 */
#define VECTOR(ISA, n, k, more)                                                          \
    k "*" ISA##_VECTORS "/" n "*" ISA##_WIDTH "+" more "*" ISA##_WIDTH "(%[source])"
#define OPERATION(ISA, n, k, r, fold1, fold2, fold3)                                     \
    ".ifeq " k "*" ISA##_VECTORS "/" n "*" n "-" k "*" ISA##_VECTORS "\n\t"              \
        ISA##_LOAD(VECTOR(ISA, n, k, "0"), "12")                                         \
    ".endif\n\t"                                                                         \
    ISA##_OPERATION(r)                                                                   \
    ".ifge " ISA##_VECTORS "/" n "-2\n\t"                                                \
        ISA##_FOLD(VECTOR(ISA, n, k, "1"), fold1)                                        \
    ".endif\n\t"                                                                         \
    ".ifge " ISA##_VECTORS "/" n "-4\n\t"                                                \
        ISA##_FOLD(VECTOR(ISA, n, k, "2"), fold2)                                        \
        ISA##_FOLD(VECTOR(ISA, n, k, "3"), fold3)                                        \
    ".endif\n\t"
/* clang-format on */

/* Walks whole steps `repetitions` times, starting over inside the assembly, so that a
 * short working set does not pay for a call per pass. */
#define WALK(ISA, n)                                                                     \
    __asm__ volatile(                                                                    \
        REGISTERS(READ_REGISTER,                                                         \
                  ISA) "2:\n\t"                                                          \
                       "mov %[start], %[source]\n\t"                                     \
                       ".p2align 6\n"                                                    \
                       "1:\n\t" STEP(OPERATION, ISA,                                     \
                                     #n) "add %[step], %[source]\n\t"                    \
                                         "cmp %[end], %[source]\n\t"                     \
                                         "jb 1b\n\t"                                     \
                                         "dec %[left]\n\t"                               \
                                         "jnz 2b\n\t" REGISTERS(WRITE_REGISTER, ISA)     \
                                             ISA##_END                                   \
        : [source] "+&r"(source), [left] "+&r"(repetitions)                              \
        : [start] "rm"(input->source), [end] "r"(input->source + main_bytes),            \
          [step] "i"(STEP_BYTES(n)), [registers] "r"(&registers)                         \
        : "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",        \
          "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")
/* clang-format on */

#define DEFINE_KERNEL(isa, ISA, n, vector_bytes, operation)                              \
    static void isa##_x##n(const struct rp_kernel_input *input, uint64_t repetitions)    \
    {                                                                                    \
        const size_t main_bytes = input->bytes - input->bytes % STEP_BYTES(n);           \
        const uint8_t *source = input->source;                                           \
        struct registers registers;                                                      \
                                                                                         \
        begin(&registers);                                                               \
        if (main_bytes > 0 && repetitions > 0) {                                         \
            WALK(ISA, n);                                                                \
        }                                                                                \
        finish(input, &registers, main_bytes);                                           \
    }                                                                                    \
    static void isa##_x##n##_reference(const struct rp_kernel_input *input,              \
                                       uint64_t repetitions)                             \
    {                                                                                    \
        reference(input, repetitions, vector_bytes, n, operation);                       \
    }

#define DEFINE_WIDTH(isa, ISA, vector_bytes, operation)                                  \
    DEFINE_KERNEL(isa, ISA, 1, vector_bytes, operation)                                  \
    DEFINE_KERNEL(isa, ISA, 2, vector_bytes, operation)                                  \
    DEFINE_KERNEL(isa, ISA, 4, vector_bytes, operation)                                  \
    DEFINE_KERNEL(isa, ISA, 8, vector_bytes, operation)                                  \
    DEFINE_KERNEL(isa, ISA, 16, vector_bytes, operation)                                 \
    DEFINE_KERNEL(isa, ISA, 32, vector_bytes, operation)

DEFINE_WIDTH(aesenc128, AESENC128, 16, aes_operation)
DEFINE_WIDTH(aesenc256, AESENC256, 32, aes_operation)
DEFINE_WIDTH(aesenc512, AESENC512, 64, aes_operation)
DEFINE_WIDTH(fma128, FMA128, 16, fma_operation)
DEFINE_WIDTH(fma256, FMA256, 32, fma_operation)
DEFINE_WIDTH(fma512, FMA512, 64, fma_operation)

#define ROW(isa, n, feature, class, instruction, its_element)                            \
    {                                                                                    \
        .name = "intensity-" #isa "-x" #n, .family = "intensity",                        \
        .text = #n " " instruction " for each line loaded", .needs = (feature),          \
        .built = true, .element = (its_element), .streams = RP_STREAM_SOURCE,            \
        .item = "byte", .loads = 1,                                                      \
        .operations = {{(class), (double)(n) / RP_BLOCK_BYTES}},                         \
        .modes = RP_MODE_BIT(RP_MODE_NONE), .run = {[RP_MODE_NONE] = isa##_x##n},        \
        .reference = isa##_x##n##_reference,                                             \
    }
#define ROWS(...)                                                                        \
    ROW_OF(1, __VA_ARGS__), ROW_OF(2, __VA_ARGS__), ROW_OF(4, __VA_ARGS__),              \
        ROW_OF(8, __VA_ARGS__), ROW_OF(16, __VA_ARGS__), ROW_OF(32, __VA_ARGS__)
#define ROW_OF(n, isa, ...) ROW(isa, n, __VA_ARGS__)

const struct rp_kernel rp_intensity_kernels[] = {
    ROWS(aesenc128, RP_CPU_SSE2 | RP_CPU_AES, "aesenc-128", "AESENC on xmm",
         RP_ELEMENT_BYTES),
    ROWS(aesenc256, RP_CPU_AVX2 | RP_CPU_VAES, "aesenc-256", "VAESENC on ymm",
         RP_ELEMENT_BYTES),
    ROWS(aesenc512, RP_CPU_AVX512 | RP_CPU_VAES, "aesenc-512", "VAESENC on zmm",
         RP_ELEMENT_BYTES),
    ROWS(fma128, RP_CPU_FMA, "fma64-128", "VFMADD231PD on xmm", RP_ELEMENT_DOUBLES),
    ROWS(fma256, RP_CPU_AVX2 | RP_CPU_FMA, "fma64-256", "VFMADD231PD on ymm",
         RP_ELEMENT_DOUBLES),
    ROWS(fma512, RP_CPU_AVX512, "fma64-512", "VFMADD231PD on zmm", RP_ELEMENT_DOUBLES),
};
const size_t rp_intensity_kernel_count =
    sizeof rp_intensity_kernels / sizeof *rp_intensity_kernels;
