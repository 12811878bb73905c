/* SPDX-License-Identifier: MIT */
#include "probes/unit_loops.h"

#include "core/cpu.h"

/*
 * Chain i lives in register i, which is also the key operand of its instructions: so
 * sixteen chains fit into sixteen registers, and no chain waits for another.
 *
 * Values do not matter to AESENC and PCLMULQDQ, so their registers are used as they come.
 * FMA computes x * x + x, of which zero is the only finite fixed point: its registers are
 * cleared first, or chance would decide whether they hold numbers that the core handles
 * in microcode (denormal ones). Neither the latency nor the throughput of FMA depends on
 * a value otherwise.
 */
#define UP_TO_1(DO)  DO("0")
#define UP_TO_2(DO)  UP_TO_1(DO) DO("1")
#define UP_TO_3(DO)  UP_TO_2(DO) DO("2")
#define UP_TO_4(DO)  UP_TO_3(DO) DO("3")
#define UP_TO_5(DO)  UP_TO_4(DO) DO("4")
#define UP_TO_6(DO)  UP_TO_5(DO) DO("5")
#define UP_TO_7(DO)  UP_TO_6(DO) DO("6")
#define UP_TO_8(DO)  UP_TO_7(DO) DO("7")
#define UP_TO_9(DO)  UP_TO_8(DO) DO("8")
#define UP_TO_10(DO) UP_TO_9(DO) DO("9")
#define UP_TO_11(DO) UP_TO_10(DO) DO("10")
#define UP_TO_12(DO) UP_TO_11(DO) DO("11")
#define UP_TO_13(DO) UP_TO_12(DO) DO("12")
#define UP_TO_14(DO) UP_TO_13(DO) DO("13")
#define UP_TO_15(DO) UP_TO_14(DO) DO("14")
#define UP_TO_16(DO) UP_TO_15(DO) DO("15")

#define AESENC_128(i)    "aesenc %%xmm" i ", %%xmm" i "\n\t"
#define AESENC_256(i)    "vaesenc %%ymm" i ", %%ymm" i ", %%ymm" i "\n\t"
#define AESENC_512(i)    "vaesenc %%zmm" i ", %%zmm" i ", %%zmm" i "\n\t"
#define AESENC_128_BEGIN ""
#define AESENC_256_BEGIN ""
#define AESENC_512_BEGIN ""
#define AESENC_128_END   ""
#define AESENC_256_END   "vzeroupper\n\t"
#define AESENC_512_END   "vzeroupper\n\t"

#define CLMUL_128(i)    "pclmulqdq $0, %%xmm" i ", %%xmm" i "\n\t"
#define CLMUL_256(i)    "vpclmulqdq $0, %%ymm" i ", %%ymm" i ", %%ymm" i "\n\t"
#define CLMUL_512(i)    "vpclmulqdq $0, %%zmm" i ", %%zmm" i ", %%zmm" i "\n\t"
#define CLMUL_128_BEGIN ""
#define CLMUL_256_BEGIN ""
#define CLMUL_512_BEGIN ""
#define CLMUL_128_END   ""
#define CLMUL_256_END   "vzeroupper\n\t"
#define CLMUL_512_END   "vzeroupper\n\t"

/* Writing an xmm register clears the rest of it. */
#define CLEAR(i) "vpxor %%xmm" i ", %%xmm" i ", %%xmm" i "\n\t"
#define FMA64(register, i)                                                               \
    "vfmadd231pd %%" register i ", %%" register i ", %%" register i "\n\t"
#define FMA64_128(i)    FMA64("xmm", i)
#define FMA64_256(i)    FMA64("ymm", i)
#define FMA64_512(i)    FMA64("zmm", i)
#define FMA64_128_BEGIN UP_TO_16(CLEAR)
#define FMA64_256_BEGIN UP_TO_16(CLEAR)
#define FMA64_512_BEGIN UP_TO_16(CLEAR)
#define FMA64_128_END   "vzeroupper\n\t"
#define FMA64_256_END   "vzeroupper\n\t"
#define FMA64_512_END   "vzeroupper\n\t"

#define DEFINE_LOOP(name, unroll, BEFORE, BODY, AFTER)                                   \
    static void name(uint64_t iterations)                                                \
    {                                                                                    \
        __asm__ volatile(BEFORE ".p2align 6\n"                                           \
                                "1:\n\t"                                                 \
                                ".rept " #unroll "\n\t" BODY ".endr\n\t"                 \
                                "dec %[iterations]\n\t"                                  \
                                "jnz 1b\n\t" AFTER                                       \
                         : [iterations] "+r"(iterations)                                 \
                         :                                                               \
                         : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", \
                           "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",   \
                           "xmm14", "xmm15");                                            \
    }

/* The unroll counts are literals because the assembler reads them: RP_UNIT_UNROLL and
 * twice. */
#define DEFINE_CHAINS(class, CLASS, chains)                                              \
    DEFINE_LOOP(class##_##chains##_single, 8, CLASS##_BEGIN, UP_TO_##chains(CLASS),      \
                CLASS##_END)                                                             \
    DEFINE_LOOP(class##_##chains##_double, 16, CLASS##_BEGIN, UP_TO_##chains(CLASS),     \
                CLASS##_END)

#define DEFINE_CLASS(class, CLASS)                                                       \
    DEFINE_CHAINS(class, CLASS, 1)                                                       \
    DEFINE_CHAINS(class, CLASS, 2)                                                       \
    DEFINE_CHAINS(class, CLASS, 3)                                                       \
    DEFINE_CHAINS(class, CLASS, 4)                                                       \
    DEFINE_CHAINS(class, CLASS, 5)                                                       \
    DEFINE_CHAINS(class, CLASS, 6)                                                       \
    DEFINE_CHAINS(class, CLASS, 7)                                                       \
    DEFINE_CHAINS(class, CLASS, 8)                                                       \
    DEFINE_CHAINS(class, CLASS, 9)                                                       \
    DEFINE_CHAINS(class, CLASS, 10)                                                      \
    DEFINE_CHAINS(class, CLASS, 11)                                                      \
    DEFINE_CHAINS(class, CLASS, 12)                                                      \
    DEFINE_CHAINS(class, CLASS, 13)                                                      \
    DEFINE_CHAINS(class, CLASS, 14)                                                      \
    DEFINE_CHAINS(class, CLASS, 15)                                                      \
    DEFINE_CHAINS(class, CLASS, 16)

/* Four chains of one class and one of the other: once, twice, three times. */
#define MIX_OF_5(A, B)  A("0") A("1") A("2") A("3") B("4")
#define MIX_OF_10(A, B) MIX_OF_5(A, B) A("5") A("6") A("7") A("8") B("9")
#define MIX_OF_15(A, B) MIX_OF_10(A, B) A("10") A("11") A("12") A("13") B("14")

#define DEFINE_MIX_CHAINS(class, A, B, chains)                                           \
    DEFINE_LOOP(class##_##chains##_single, 8, A##_BEGIN, MIX_OF_##chains(A, B), A##_END) \
    DEFINE_LOOP(class##_##chains##_double, 16, A##_BEGIN, MIX_OF_##chains(A, B), A##_END)

#define DEFINE_MIX(class, A, B)                                                          \
    DEFINE_MIX_CHAINS(class, A, B, 5)                                                    \
    DEFINE_MIX_CHAINS(class, A, B, 10)                                                   \
    DEFINE_MIX_CHAINS(class, A, B, 15)

DEFINE_CLASS(aesenc_128, AESENC_128)
DEFINE_CLASS(aesenc_256, AESENC_256)
DEFINE_CLASS(aesenc_512, AESENC_512)
DEFINE_CLASS(fma64_128, FMA64_128)
DEFINE_CLASS(fma64_256, FMA64_256)
DEFINE_CLASS(fma64_512, FMA64_512)
DEFINE_CLASS(clmul_128, CLMUL_128)
DEFINE_CLASS(clmul_256, CLMUL_256)
DEFINE_CLASS(clmul_512, CLMUL_512)
DEFINE_MIX(aesenc_clmul_128, AESENC_128, CLMUL_128)
DEFINE_MIX(aesenc_clmul_256, AESENC_256, CLMUL_256)
DEFINE_MIX(aesenc_clmul_512, AESENC_512, CLMUL_512)

#define LOOPS(class, chains)                                                             \
    {                                                                                    \
        class##_##chains##_single, class##_##chains##_double                             \
    }
#define ALL_LOOPS(class)                                                                 \
    {                                                                                    \
        LOOPS(class, 1), LOOPS(class, 2), LOOPS(class, 3), LOOPS(class, 4),              \
            LOOPS(class, 5), LOOPS(class, 6), LOOPS(class, 7), LOOPS(class, 8),          \
            LOOPS(class, 9), LOOPS(class, 10), LOOPS(class, 11), LOOPS(class, 12),       \
            LOOPS(class, 13), LOOPS(class, 14), LOOPS(class, 15), LOOPS(class, 16),      \
    }

#define MIX_LOOPS(class)                                                                 \
    {                                                                                    \
        [4] = LOOPS(class, 5), [9] = LOOPS(class, 10), [14] = LOOPS(class, 15),          \
    }

static const struct rp_unit_class classes[] = {
    {
        .name = "aesenc-128",
        .text = "AESENC, one block",
        .needs = RP_CPU_AES,
        .loops = ALL_LOOPS(aesenc_128),
    },
    {
        .name = "aesenc-256",
        .text = "VAESENC on ymm, two blocks",
        .needs = RP_CPU_AVX2 | RP_CPU_VAES,
        .loops = ALL_LOOPS(aesenc_256),
    },
    {
        .name = "aesenc-512",
        .text = "VAESENC on zmm, four blocks",
        .needs = RP_CPU_AVX512 | RP_CPU_VAES,
        .loops = ALL_LOOPS(aesenc_512),
    },
    {
        .name = "fma64-128",
        .text = "VFMADD231PD on xmm, two numbers",
        .needs = RP_CPU_FMA,
        .loops = ALL_LOOPS(fma64_128),
    },
    {
        .name = "fma64-256",
        .text = "VFMADD231PD on ymm, four numbers",
        .needs = RP_CPU_FMA,
        .loops = ALL_LOOPS(fma64_256),
    },
    {
        .name = "fma64-512",
        .text = "VFMADD231PD on zmm, eight numbers",
        .needs = RP_CPU_AVX512,
        .loops = ALL_LOOPS(fma64_512),
    },
    {
        .name = "clmul-128",
        .text = "PCLMULQDQ, one product",
        .needs = RP_CPU_PCLMULQDQ,
        .loops = ALL_LOOPS(clmul_128),
    },
    {
        .name = "clmul-256",
        .text = "VPCLMULQDQ on ymm, two products",
        .needs = RP_CPU_AVX2 | RP_CPU_VPCLMULQDQ,
        .loops = ALL_LOOPS(clmul_256),
    },
    {
        .name = "clmul-512",
        .text = "VPCLMULQDQ on zmm, four products",
        .needs = RP_CPU_AVX512 | RP_CPU_VPCLMULQDQ,
        .loops = ALL_LOOPS(clmul_512),
    },
    {
        .name = "aesenc+clmul-128",
        .text = "four of aesenc-128 to one of clmul-128",
        .needs = RP_CPU_AES | RP_CPU_PCLMULQDQ,
        .loops = MIX_LOOPS(aesenc_clmul_128),
        .mixed = {{"aesenc-128", 0.8}, {"clmul-128", 0.2}},
    },
    {
        .name = "aesenc+clmul-256",
        .text = "four of aesenc-256 to one of clmul-256",
        .needs = RP_CPU_AVX2 | RP_CPU_VAES | RP_CPU_VPCLMULQDQ,
        .loops = MIX_LOOPS(aesenc_clmul_256),
        .mixed = {{"aesenc-256", 0.8}, {"clmul-256", 0.2}},
    },
    {
        .name = "aesenc+clmul-512",
        .text = "four of aesenc-512 to one of clmul-512",
        .needs = RP_CPU_AVX512 | RP_CPU_VAES | RP_CPU_VPCLMULQDQ,
        .loops = MIX_LOOPS(aesenc_clmul_512),
        .mixed = {{"aesenc-512", 0.8}, {"clmul-512", 0.2}},
    },
};

const struct rp_unit_class *rp_unit_class_at(size_t index)
{
    return index < sizeof classes / sizeof *classes ? &classes[index] : NULL;
}
