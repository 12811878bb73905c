/* SPDX-License-Identifier: MIT */
#include "kernels/stream/stream.h"

#include <string.h>

/*
 * One step is eight vectors. DO(i, p) emits the instructions for vector i, whose place in
 * the repeating 64-byte pattern is register p: the pattern fills four SSE2, two AVX2 or
 * one AVX-512 register, from 8 upwards. Registers 0 to 7 are accumulators or data in
 * flight.
 */
/* clang-format off */
#define SSE2_STEP(DO)                                   \
    DO("0", "8") DO("1", "9") DO("2", "10") DO("3", "11") \
    DO("4", "8") DO("5", "9") DO("6", "10") DO("7", "11")
#define AVX2_STEP(DO)                                   \
    DO("0", "8") DO("1", "9") DO("2", "8") DO("3", "9") \
    DO("4", "8") DO("5", "9") DO("6", "8") DO("7", "9")
#define AVX512_STEP(DO)                                 \
    DO("0", "8") DO("1", "8") DO("2", "8") DO("3", "8") \
    DO("4", "8") DO("5", "8") DO("6", "8") DO("7", "8")
/* clang-format on */

#define SOURCE(i, width) i "*" width "(%[source])"

/*
 * Loads alone are fast enough for the branch at the end of a step to show: from the L2 of
 * a Golden Cove core, steps of eight registers take in a fifth less than those of 64 with
 * SSE2 and an eighth less with AVX2. So their step is several groups of eight; the
 * assembler repeats the text for each number in the list.
 */
#define IN_GROUPS(numbers, GROUP) ".irp group, " numbers "\n\t" GROUP ".endr\n\t"
#define GROUP_SOURCE(i, width)    "\\group*8*" width "+" SOURCE(i, width)
#define SSE2_LOAD_GROUPS          8
#define AVX2_LOAD_GROUPS          8
#define AVX512_LOAD_GROUPS        2

#define DESTINATION(i, width) i "*" width "(%[destination])"

#define SSE2_CLEAR(i, p) "pxor %%xmm" i ", %%xmm" i "\n\t"
#define SSE2_FOLD(i, p)                                                                  \
    "movdqu " GROUP_SOURCE(i, "16") ", %%xmm8\n\tpxor %%xmm8, %%xmm" i "\n\t"
#define SSE2_FILL(i, p)     "movdqu %%xmm" p ", " DESTINATION(i, "16") "\n\t"
#define SSE2_STREAM(i, p)   "movntdq %%xmm" p ", " DESTINATION(i, "16") "\n\t"
#define SSE2_READ(i, p)     "movdqu " SOURCE(i, "16") ", %%xmm" i "\n\t"
#define SSE2_WRITE(i, p)    "movdqu %%xmm" i ", " DESTINATION(i, "16") "\n\t"
#define SSE2_WRITE_NT(i, p) "movntdq %%xmm" i ", " DESTINATION(i, "16") "\n\t"
#define SSE2_MIX(i, p)                                                                   \
    "movdqu " DESTINATION(i, "16") ", %%xmm" i "\n\tpxor %%xmm" p ", %%xmm" i "\n\t"
#define SSE2_PATTERN                                                                     \
    "movdqu (%[pattern]), %%xmm8\n\tmovdqu 16(%[pattern]), %%xmm9\n\t"                   \
    "movdqu 32(%[pattern]), %%xmm10\n\tmovdqu 48(%[pattern]), %%xmm11\n\t"
#define SSE2_RESULT                                                                      \
    "pxor %%xmm4, %%xmm0\n\tpxor %%xmm5, %%xmm1\n\t"                                     \
    "pxor %%xmm6, %%xmm2\n\tpxor %%xmm7, %%xmm3\n\t"                                     \
    "movdqu %%xmm0, (%[result])\n\tmovdqu %%xmm1, 16(%[result])\n\t"                     \
    "movdqu %%xmm2, 32(%[result])\n\tmovdqu %%xmm3, 48(%[result])\n\t"
#define SSE2_FOLD_STEP IN_GROUPS("0,1,2,3,4,5,6,7", SSE2_STEP(SSE2_FOLD))
#define SSE2_END       ""

#define AVX2_CLEAR(i, p)    "vpxor %%xmm" i ", %%xmm" i ", %%xmm" i "\n\t"
#define AVX2_FOLD(i, p)     "vpxor " GROUP_SOURCE(i, "32") ", %%ymm" i ", %%ymm" i "\n\t"
#define AVX2_FILL(i, p)     "vmovdqu %%ymm" p ", " DESTINATION(i, "32") "\n\t"
#define AVX2_STREAM(i, p)   "vmovntdq %%ymm" p ", " DESTINATION(i, "32") "\n\t"
#define AVX2_READ(i, p)     "vmovdqu " SOURCE(i, "32") ", %%ymm" i "\n\t"
#define AVX2_WRITE(i, p)    "vmovdqu %%ymm" i ", " DESTINATION(i, "32") "\n\t"
#define AVX2_WRITE_NT(i, p) "vmovntdq %%ymm" i ", " DESTINATION(i, "32") "\n\t"
#define AVX2_MIX(i, p)      "vpxor " DESTINATION(i, "32") ", %%ymm" p ", %%ymm" i "\n\t"
#define AVX2_PATTERN        "vmovdqu (%[pattern]), %%ymm8\n\tvmovdqu 32(%[pattern]), %%ymm9\n\t"
#define AVX2_RESULT                                                                      \
    "vpxor %%ymm2, %%ymm0, %%ymm0\n\tvpxor %%ymm3, %%ymm1, %%ymm1\n\t"                   \
    "vpxor %%ymm6, %%ymm4, %%ymm4\n\tvpxor %%ymm7, %%ymm5, %%ymm5\n\t"                   \
    "vpxor %%ymm4, %%ymm0, %%ymm0\n\tvpxor %%ymm5, %%ymm1, %%ymm1\n\t"                   \
    "vmovdqu %%ymm0, (%[result])\n\tvmovdqu %%ymm1, 32(%[result])\n\t"
#define AVX2_FOLD_STEP IN_GROUPS("0,1,2,3,4,5,6,7", AVX2_STEP(AVX2_FOLD))
#define AVX2_END       "vzeroupper\n\t"

#define AVX512_CLEAR(i, p)    "vpxor %%xmm" i ", %%xmm" i ", %%xmm" i "\n\t"
#define AVX512_FILL(i, p)     "vmovdqu64 %%zmm" p ", " DESTINATION(i, "64") "\n\t"
#define AVX512_STREAM(i, p)   "vmovntdq %%zmm" p ", " DESTINATION(i, "64") "\n\t"
#define AVX512_READ(i, p)     "vmovdqu64 " SOURCE(i, "64") ", %%zmm" i "\n\t"
#define AVX512_WRITE(i, p)    "vmovdqu64 %%zmm" i ", " DESTINATION(i, "64") "\n\t"
#define AVX512_WRITE_NT(i, p) "vmovntdq %%zmm" i ", " DESTINATION(i, "64") "\n\t"
#define AVX512_MIX(i, p)      "vpxorq " DESTINATION(i, "64") ", %%zmm" p ", %%zmm" i "\n\t"
#define AVX512_PATTERN        "vmovdqu64 (%[pattern]), %%zmm8\n\t"
#define AVX512_RESULT                                                                    \
    "vpxorq %%zmm1, %%zmm0, %%zmm0\n\tvpxorq %%zmm3, %%zmm2, %%zmm2\n\t"                 \
    "vpxorq %%zmm5, %%zmm4, %%zmm4\n\tvpxorq %%zmm7, %%zmm6, %%zmm6\n\t"                 \
    "vpxorq %%zmm2, %%zmm0, %%zmm0\n\tvpxorq %%zmm6, %%zmm4, %%zmm4\n\t"                 \
    "vpxorq %%zmm4, %%zmm0, %%zmm0\n\tvmovdqu64 %%zmm0, (%[result])\n\t"
/* A three-way XOR (truth table 0x96) folds two loads at once: two vector ALUs cannot keep
 * up with two loads a cycle otherwise. */
#define AVX512_FOLD_PAIR(even, odd, accumulator, data)                                   \
    "vmovdqu64 " GROUP_SOURCE(even, "64") ", %%zmm" data "\n\t"                          \
                                          "vpternlogq $0x96, " GROUP_SOURCE(             \
                                              odd, "64") ", %%zmm" data                  \
                                                         ", %%zmm" accumulator "\n\t"
#define AVX512_FOLD_STEP                                                                 \
    IN_GROUPS("0,1",                                                                     \
              AVX512_FOLD_PAIR("0", "1", "0", "8") AVX512_FOLD_PAIR("2", "3", "1", "9")  \
                  AVX512_FOLD_PAIR("4", "5", "2", "10")                                  \
                      AVX512_FOLD_PAIR("6", "7", "3", "11"))
#define AVX512_END "vzeroupper\n\t"

/* Asks for the lines of a later step as a store will want them, owned. */
#define OWN(offset)     "prefetchw " offset " + 1024(%[destination])\n\t"
#define AVX2_OWN_STEP   OWN("0") OWN("64") OWN("128") OWN("192")
#define AVX512_OWN_STEP AVX2_OWN_STEP OWN("256") OWN("320") OWN("384") OWN("448")

/* Has lines fetched into the second level well ahead: it may wait for more of them at
 * once than the first one, to which all other loads and prefetches go. */
#define FETCH(offset)   "prefetcht1 " offset " + 4096(%[source])\n\t"
#define AVX2_FETCH_STEP FETCH("0") FETCH("64") FETCH("128") FETCH("192")
#define AVX512_FETCH_STEP                                                                \
    AVX2_FETCH_STEP FETCH("256") FETCH("320") FETCH("384") FETCH("448")

#define ADVANCE_SOURCE "add %[step], %[source]\n\tcmp %[end], %[source]\n\t"
#define ADVANCE_DESTINATION                                                              \
    "add %[step], %[destination]\n\tcmp %[end], %[destination]\n\t"
#define ADVANCE_BOTH "add %[step], %[source]\n\t" ADVANCE_DESTINATION

/*
 * Walks `bytes`, a multiple of `step_bytes` above zero, `left` times. The streams start
 * over inside the assembly, so that a short working set does not pay for a call per pass.
 */
#define WALK(BEFORE, BODY, ADVANCE, AFTER, step_bytes, end_pointer)                      \
    do {                                                                                 \
        const uint8_t *source_cursor = input->source;                                    \
        uint8_t *destination_cursor = input->destination;                                \
        const uint8_t *const end_cursor = (end_pointer);                                 \
        __asm__ volatile(                                                                \
            BEFORE "2:\n\t"                                                              \
                   "mov %[source_start], %[source]\n\t"                                  \
                   "mov %[destination_start], %[destination]\n\t"                        \
                   ".p2align 6\n"                                                        \
                   "1:\n\t" BODY ADVANCE "jb 1b\n\t"                                     \
                   "dec %[left]\n\t"                                                     \
                   "jnz 2b\n\t" AFTER                                                    \
            : [source] "+&r"(source_cursor), [destination] "+&r"(destination_cursor),    \
              [left] "+&r"(left)                                                         \
            : [source_start] "rm"(input->source),                                        \
              [destination_start] "rm"(input->destination), [end] "r"(end_cursor),       \
              [step] "i"(step_bytes), [pattern] "r"(input->source),                      \
              [result] "r"(input->destination)                                           \
            : "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",    \
              "xmm7", "xmm8", "xmm9", "xmm10", "xmm11");                                 \
    } while (0)

static void fold_tail(const struct rp_kernel_input *input, size_t from,
                      uint64_t repetitions)
{
    for (size_t i = from; i < input->bytes && repetitions % 2 == 1; i++) {
        input->destination[i % RP_BLOCK_BYTES] ^= input->source[i];
    }
}

static void fill_tail(const struct rp_kernel_input *input, size_t from)
{
    for (size_t i = from; i < input->bytes; i++) {
        input->destination[i] = input->source[i % RP_BLOCK_BYTES];
    }
}

static void mix_tail(const struct rp_kernel_input *input, size_t from,
                     uint64_t repetitions)
{
    for (size_t i = from; i < input->bytes && repetitions % 2 == 1; i++) {
        input->destination[i] ^= input->source[i % RP_BLOCK_BYTES];
    }
}

static void load_reference(const struct rp_kernel_input *input, uint64_t repetitions)
{
    memset(input->destination, 0, RP_BLOCK_BYTES);
    fold_tail(input, 0, repetitions);
}

static void store_reference(const struct rp_kernel_input *input, uint64_t repetitions)
{
    (void)repetitions; /* storing twice is storing once */
    fill_tail(input, 0);
}

static void copy_reference(const struct rp_kernel_input *input, uint64_t repetitions)
{
    (void)repetitions;
    memcpy(input->destination, input->source, input->bytes);
}

static void update_reference(const struct rp_kernel_input *input, uint64_t repetitions)
{
    mix_tail(input, 0, repetitions);
}

/*
 * Each shape as a function: the walk over whole steps, then its tail in C. STEPS are the
 * instructions of one step, END what follows the walk.
 */
#define WALK_DESTINATION(BEFORE, STEPS, ADVANCE, END, width)                             \
    const size_t main_bytes = input->bytes - input->bytes % (8 * (width));               \
    uint64_t left = repetitions;                                                         \
                                                                                         \
    if (main_bytes > 0 && left > 0) {                                                    \
        WALK(BEFORE, STEPS, ADVANCE, END, 8 * (width), input->destination + main_bytes); \
    }

#define DEFINE_LOAD(name, ISA, width)                                                    \
    static void name(const struct rp_kernel_input *input, uint64_t repetitions)          \
    {                                                                                    \
        const size_t main_bytes =                                                        \
            input->bytes - input->bytes % (ISA##_LOAD_GROUPS * 8 * (width));             \
        uint64_t left = repetitions;                                                     \
                                                                                         \
        memset(input->destination, 0, RP_BLOCK_BYTES);                                   \
        if (main_bytes > 0 && left > 0) {                                                \
            WALK(ISA##_STEP(ISA##_CLEAR), ISA##_FOLD_STEP, ADVANCE_SOURCE,               \
                 ISA##_RESULT ISA##_END, ISA##_LOAD_GROUPS * 8 * (width),                \
                 input->source + main_bytes);                                            \
        }                                                                                \
        fold_tail(input, main_bytes, repetitions);                                       \
    }

#define DEFINE_STORE(name, ISA, STEPS, END, width)                                       \
    static void name(const struct rp_kernel_input *input, uint64_t repetitions)          \
    {                                                                                    \
        WALK_DESTINATION(ISA##_PATTERN, STEPS, ADVANCE_DESTINATION, END, width)          \
        fill_tail(input, main_bytes);                                                    \
    }

#define DEFINE_COPY(name, STEPS, END, width)                                             \
    static void name(const struct rp_kernel_input *input, uint64_t repetitions)          \
    {                                                                                    \
        WALK_DESTINATION("", STEPS, ADVANCE_BOTH, END, width)                            \
        memcpy(input->destination + main_bytes, input->source + main_bytes,              \
               input->bytes - main_bytes);                                               \
    }

#define DEFINE_UPDATE(name, ISA, width)                                                  \
    static void name(const struct rp_kernel_input *input, uint64_t repetitions)          \
    {                                                                                    \
        WALK_DESTINATION(ISA##_PATTERN, ISA##_STEP(ISA##_MIX) ISA##_STEP(ISA##_WRITE),   \
                         ADVANCE_DESTINATION, ISA##_END, width)                          \
        mix_tail(input, main_bytes, repetitions);                                        \
    }

/* Non-temporal vector stores fault on other addresses. */
#define DEFINE_WHERE_ALIGNED(name, aligned, other, width)                                \
    static void name(const struct rp_kernel_input *input, uint64_t repetitions)          \
    {                                                                                    \
        if ((uintptr_t)input->destination % (width) == 0) {                              \
            aligned(input, repetitions);                                                 \
        } else {                                                                         \
            other(input, repetitions);                                                   \
        }                                                                                \
    }

#define FENCED(END) "sfence\n\t" END

#define DEFINE_STREAM_KERNELS(isa, ISA, width)                                           \
    DEFINE_LOAD(load_##isa, ISA, width)                                                  \
    DEFINE_STORE(store_##isa, ISA, ISA##_STEP(ISA##_FILL), ISA##_END, width)             \
    DEFINE_STORE(stream_##isa, ISA, ISA##_STEP(ISA##_STREAM), FENCED(ISA##_END), width)  \
    DEFINE_WHERE_ALIGNED(store_nt_##isa, stream_##isa, store_##isa, width)               \
    DEFINE_COPY(copy_##isa, ISA##_STEP(ISA##_READ) ISA##_STEP(ISA##_WRITE), ISA##_END,   \
                width)                                                                   \
    DEFINE_COPY(copy_stream_##isa, ISA##_STEP(ISA##_READ) ISA##_STEP(ISA##_WRITE_NT),    \
                FENCED(ISA##_END), width)                                                \
    DEFINE_WHERE_ALIGNED(copy_nt_##isa, copy_stream_##isa, copy_##isa, width)            \
    DEFINE_UPDATE(update_##isa, ISA, width)

#define DEFINE_OWNING_KERNELS(isa, ISA, width)                                           \
    DEFINE_STORE(store_own_##isa, ISA, ISA##_OWN_STEP ISA##_STEP(ISA##_FILL), ISA##_END, \
                 width)                                                                  \
    DEFINE_COPY(copy_own_##isa,                                                          \
                ISA##_OWN_STEP ISA##_STEP(ISA##_READ) ISA##_STEP(ISA##_WRITE),           \
                ISA##_END, width)

#define DEFINE_FETCHING_KERNELS(isa, ISA, width)                                         \
    DEFINE_COPY(copy_fetch_stream_##isa,                                                 \
                ISA##_FETCH_STEP ISA##_STEP(ISA##_READ) ISA##_STEP(ISA##_WRITE_NT),      \
                FENCED(ISA##_END), width)                                                \
    DEFINE_WHERE_ALIGNED(copy_fetch_nt_##isa, copy_fetch_stream_##isa, copy_##isa, width)

DEFINE_STREAM_KERNELS(sse2, SSE2, 16)
DEFINE_STREAM_KERNELS(avx2, AVX2, 32)
DEFINE_STREAM_KERNELS(avx512, AVX512, 64)
DEFINE_OWNING_KERNELS(avx2, AVX2, 32)
DEFINE_OWNING_KERNELS(avx512, AVX512, 64)
DEFINE_FETCHING_KERNELS(avx2, AVX2, 32)
DEFINE_FETCHING_KERNELS(avx512, AVX512, 64)

#define STREAM_ROW(shape, isa, feature)                                                  \
    .name = #shape "-" #isa, .family = "stream", .needs = (feature), .built = true,      \
    .item = "byte", .reference = shape##_reference

#define STORE_MODES (RP_MODE_BIT(RP_MODE_TEMPORAL) | RP_MODE_BIT(RP_MODE_NT))

/* clang-format off */
#define STREAM_ROWS(isa, feature, registers)                                             \
    {                                                                                    \
        STREAM_ROW(load, isa, feature),                                                  \
        .text = "loads " registers ", folded by XOR",                                    \
        .streams = RP_STREAM_SOURCE,                                                     \
        .loads = 1,                                                                      \
        .modes = RP_MODE_BIT(RP_MODE_NONE),                                              \
        .run = {[RP_MODE_NONE] = load_##isa},                                            \
    },                                                                                   \
    {                                                                                    \
        STREAM_ROW(store, isa, feature),                                                 \
        .text = "stores " registers " of a non-zero pattern",                            \
        .streams = RP_STREAM_DESTINATION,                                                \
        .stores = 1,                                                                     \
        .modes = STORE_MODES,                                                            \
        .run = {[RP_MODE_TEMPORAL] = store_##isa, [RP_MODE_NT] = store_nt_##isa},        \
    },                                                                                   \
    {                                                                                    \
        STREAM_ROW(copy, isa, feature),                                                  \
        .text = "loads " registers " and stores them elsewhere",                         \
        .streams = RP_STREAM_SOURCE | RP_STREAM_DESTINATION,                             \
        .loads = 1,                                                                      \
        .stores = 1,                                                                     \
        .modes = STORE_MODES,                                                            \
        .run = {[RP_MODE_TEMPORAL] = copy_##isa, [RP_MODE_NT] = copy_nt_##isa},          \
    },                                                                                   \
    {                                                                                    \
        STREAM_ROW(update, isa, feature),                                                \
        .text = "loads " registers ", XORs a pattern, stores them back",                 \
        .streams = RP_STREAM_DESTINATION,                                                \
        .loads = 1,                                                                      \
        .stores = 1,                                                                     \
        .modes = RP_MODE_BIT(RP_MODE_INPLACE),                                           \
        .run = {[RP_MODE_INPLACE] = update_##isa},                                       \
    }

#define OWNING_ROWS(isa, feature, registers)                                             \
    {                                                                                    \
        STREAM_ROW(store, isa-prefetchw, feature),                                       \
        .text = "stores " registers " of a pattern to lines asked for ahead",            \
        .streams = RP_STREAM_DESTINATION,                                                \
        .stores = 1,                                                                     \
        .modes = RP_MODE_BIT(RP_MODE_TEMPORAL),                                          \
        .run = {[RP_MODE_TEMPORAL] = store_own_##isa},                                   \
    },                                                                                   \
    {                                                                                    \
        STREAM_ROW(copy, isa-prefetchw, feature),                                        \
        .text = "loads " registers " and stores them to lines asked for ahead",          \
        .streams = RP_STREAM_SOURCE | RP_STREAM_DESTINATION,                             \
        .loads = 1,                                                                      \
        .stores = 1,                                                                     \
        .modes = RP_MODE_BIT(RP_MODE_TEMPORAL),                                          \
        .run = {[RP_MODE_TEMPORAL] = copy_own_##isa},                                    \
    }

#define FETCHING_ROW(isa, feature, registers)                                            \
    {                                                                                    \
        STREAM_ROW(copy, isa-prefetch, feature),                                         \
        .text = "loads " registers " fetched ahead and stores them elsewhere",           \
        .streams = RP_STREAM_SOURCE | RP_STREAM_DESTINATION,                             \
        .loads = 1,                                                                      \
        .stores = 1,                                                                     \
        .modes = RP_MODE_BIT(RP_MODE_NT),                                                \
        .run = {[RP_MODE_NT] = copy_fetch_nt_##isa},                                     \
    }
/* clang-format on */

const struct rp_kernel rp_stream_kernels[] = {
    STREAM_ROWS(sse2, RP_CPU_SSE2, "xmm registers"),
    STREAM_ROWS(avx2, RP_CPU_AVX2, "ymm registers"),
    STREAM_ROWS(avx512, RP_CPU_AVX512, "zmm registers"),
    OWNING_ROWS(avx2, RP_CPU_AVX2, "ymm registers"),
    OWNING_ROWS(avx512, RP_CPU_AVX512, "zmm registers"),
    FETCHING_ROW(avx2, RP_CPU_AVX2, "ymm registers"),
    FETCHING_ROW(avx512, RP_CPU_AVX512, "zmm registers"),
};
const size_t rp_stream_kernel_count =
    sizeof rp_stream_kernels / sizeof *rp_stream_kernels;
