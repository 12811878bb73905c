/* SPDX-License-Identifier: MIT */
/*
 * Bitsliced: eight vectors of blocks in lockstep, one register for each bit of a byte.
 * Bit k of byte p of vector v is bit v of byte p of register k, so that a byte's S-box is
 * logic between registers, and ShiftRows and MixColumns are shuffles of bytes within them
 * (Kaesper and Schwabe, "Faster and timing-attack resistant AES-GCM", CHES 2009). Nothing
 * is looked up: constant time. A round of the S-box costs 113 operations, ShiftRows and
 * MixColumns 24 shuffles and 35 XORs, for all eight vectors; turning the vectors into
 * bits and back costs as much as a round each.
 *
 * The circuit of the S-box is that of Boyar and Peralta ("A small depth-16 circuit for
 * the AES S-box", 2012), without its four NOTs: they are the constant 0x63, which passes
 * MixColumns as it is and is part of the round keys.
 *
 * Written in the vocabulary of rounds.h; the including file also defines BITS_UP and
 * BITS_DOWN, shifts within 64 bits.
 */
#include <string.h>

#include "kernels/aes/ctr.h"
#include "kernels/aes/rounds.h"

#define STEP_BYTES (8 * VECTOR_BYTES)
#define CONSTANT   0x63

struct planes {
    VECTOR bit[8]; /* the lowest first */
};

static const uint8_t byte_swap_order[16] = {15, 14, 13, 12, 11, 10, 9, 8,
                                            7,  6,  5,  4,  3,  2,  1, 0};

/* Row r moves r columns to the left; the same, and one row up within each column; and two
 * rows up without the first. */
static const uint8_t shift_order[16] = {0, 5,  10, 15, 4,  9, 14, 3,
                                        8, 13, 2,  7,  12, 1, 6,  11};
static const uint8_t shift_next_order[16] = {5,  10, 15, 0, 9, 14, 3,  4,
                                             13, 2,  7,  8, 1, 6,  11, 12};
static const uint8_t two_down_order[16] = {2,  3,  0, 1, 6,  7,  4,  5,
                                           10, 11, 8, 9, 14, 15, 12, 13};

/* Swaps the bits of `mask` in `b` with those `n` further up in `a`. */
#define SWAP_BITS(a, b, n, mask)                                                         \
    {                                                                                    \
        const VECTOR different = AND(XOR(BITS_DOWN(a, n), b), mask);                     \
        (b) = XOR(b, different);                                                         \
        (a) = XOR(a, BITS_UP(different, n));                                             \
    }

/* Turns eight vectors into eight registers of bits, and back. */
static inline void transpose(struct planes *planes)
{
    static const uint8_t odd[16] = {0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55,
                                    0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55};
    static const uint8_t pairs[16] = {0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33,
                                      0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33};
    static const uint8_t fours[16] = {0x0f, 0x0f, 0x0f, 0x0f, 0x0f, 0x0f, 0x0f, 0x0f,
                                      0x0f, 0x0f, 0x0f, 0x0f, 0x0f, 0x0f, 0x0f, 0x0f};
    const VECTOR mask_1 = BROADCAST(odd);
    const VECTOR mask_2 = BROADCAST(pairs);
    const VECTOR mask_4 = BROADCAST(fours);
    VECTOR *const row = planes->bit;

    SWAP_BITS(row[0], row[1], 1, mask_1)
    SWAP_BITS(row[2], row[3], 1, mask_1)
    SWAP_BITS(row[4], row[5], 1, mask_1)
    SWAP_BITS(row[6], row[7], 1, mask_1)
    SWAP_BITS(row[0], row[2], 2, mask_2)
    SWAP_BITS(row[1], row[3], 2, mask_2)
    SWAP_BITS(row[4], row[6], 2, mask_2)
    SWAP_BITS(row[5], row[7], 2, mask_2)
    SWAP_BITS(row[0], row[4], 4, mask_4)
    SWAP_BITS(row[1], row[5], 4, mask_4)
    SWAP_BITS(row[2], row[6], 4, mask_4)
    SWAP_BITS(row[3], row[7], 4, mask_4)
}

/* The S-box but for its constant. Names are those of the paper; x0 is the highest bit. */
static inline void substitute(struct planes *planes)
{
    VECTOR *const bit = planes->bit;
    const VECTOR x0 = bit[7], x1 = bit[6], x2 = bit[5], x3 = bit[4];
    const VECTOR x4 = bit[3], x5 = bit[2], x6 = bit[1], x7 = bit[0];

    const VECTOR y14 = XOR(x3, x5), y13 = XOR(x0, x6), y9 = XOR(x0, x3);
    const VECTOR y8 = XOR(x0, x5), t0 = XOR(x1, x2), y1 = XOR(t0, x7);
    const VECTOR y4 = XOR(y1, x3), y12 = XOR(y13, y14), y2 = XOR(y1, x0);
    const VECTOR y5 = XOR(y1, x6), y3 = XOR(y5, y8), t1 = XOR(x4, y12);
    const VECTOR y15 = XOR(t1, x5), y20 = XOR(t1, x1), y6 = XOR(y15, x7);
    const VECTOR y10 = XOR(y15, t0), y11 = XOR(y20, y9), y7 = XOR(x7, y11);
    const VECTOR y17 = XOR(y10, y11), y19 = XOR(y10, y8), y16 = XOR(t0, y11);
    const VECTOR y21 = XOR(y13, y16), y18 = XOR(x0, y16);

    const VECTOR t2 = AND(y12, y15), t3 = AND(y3, y6), t4 = XOR(t3, t2);
    const VECTOR t5 = AND(y4, x7), t6 = XOR(t5, t2), t7 = AND(y13, y16);
    const VECTOR t8 = AND(y5, y1), t9 = XOR(t8, t7), t10 = AND(y2, y7);
    const VECTOR t11 = XOR(t10, t7), t12 = AND(y9, y11), t13 = AND(y14, y17);
    const VECTOR t14 = XOR(t13, t12), t15 = AND(y8, y10), t16 = XOR(t15, t12);
    const VECTOR t17 = XOR(t4, t14), t18 = XOR(t6, t16), t19 = XOR(t9, t14);
    const VECTOR t20 = XOR(t11, t16), t21 = XOR(t17, y20), t22 = XOR(t18, y19);
    const VECTOR t23 = XOR(t19, y21), t24 = XOR(t20, y18), t25 = XOR(t21, t22);
    const VECTOR t26 = AND(t21, t23), t27 = XOR(t24, t26), t28 = AND(t25, t27);
    const VECTOR t29 = XOR(t28, t22), t30 = XOR(t23, t24), t31 = XOR(t22, t26);
    const VECTOR t32 = AND(t31, t30), t33 = XOR(t32, t24), t34 = XOR(t23, t33);
    const VECTOR t35 = XOR(t27, t33), t36 = AND(t24, t35), t37 = XOR(t36, t34);
    const VECTOR t38 = XOR(t27, t36), t39 = AND(t29, t38), t40 = XOR(t25, t39);
    const VECTOR t41 = XOR(t40, t37), t42 = XOR(t29, t33), t43 = XOR(t29, t40);
    const VECTOR t44 = XOR(t33, t37), t45 = XOR(t42, t41);

    const VECTOR z0 = AND(t44, y15), z1 = AND(t37, y6), z2 = AND(t33, x7);
    const VECTOR z3 = AND(t43, y16), z4 = AND(t40, y1), z5 = AND(t29, y7);
    const VECTOR z6 = AND(t42, y11), z7 = AND(t45, y17), z8 = AND(t41, y10);
    const VECTOR z9 = AND(t44, y12), z10 = AND(t37, y3), z11 = AND(t33, y4);
    const VECTOR z12 = AND(t43, y13), z13 = AND(t40, y5), z14 = AND(t29, y2);
    const VECTOR z15 = AND(t42, y9), z16 = AND(t45, y14), z17 = AND(t41, y8);

    const VECTOR t46 = XOR(z15, z16), t47 = XOR(z10, z11), t48 = XOR(z5, z13);
    const VECTOR t49 = XOR(z9, z10), t50 = XOR(z2, z12), t51 = XOR(z2, z5);
    const VECTOR t52 = XOR(z7, z8), t53 = XOR(z0, z3), t54 = XOR(z6, z7);
    const VECTOR t55 = XOR(z16, z17), t56 = XOR(z12, t48), t57 = XOR(t50, t53);
    const VECTOR t58 = XOR(z4, t46), t59 = XOR(z3, t54), t60 = XOR(t46, t57);
    const VECTOR t61 = XOR(z14, t57), t62 = XOR(t52, t58), t63 = XOR(t49, t58);
    const VECTOR t64 = XOR(z4, t59), t65 = XOR(t61, t62), t66 = XOR(z1, t63);
    const VECTOR t67 = XOR(t64, t65);

    bit[7] = XOR(t59, t63);
    bit[4] = XOR(t53, t66);
    bit[6] = XOR(t64, bit[4]);
    bit[5] = XOR(t55, t67);
    bit[3] = XOR(t51, t66);
    bit[2] = XOR(t47, t65);
    bit[1] = XOR(t56, t62);
    bit[0] = XOR(t48, t60);
}

#define MOVE(k)                                                                          \
    const VECTOR next_##k = SHUFFLE(bit[k], shift_next);                                 \
    const VECTOR sum_##k = XOR(SHUFFLE(bit[k], shift), next_##k);
#define MIX(k, below)                                                                    \
    XOR(XOR(next_##k, below), XOR(SHUFFLE(sum_##k, two_down), key->bit[k]))

/* ShiftRows, MixColumns and the round key. With sums of each row and the next, a row
 * becomes twice its sum + the next row + the sum two rows down; twice is one bit up, and
 * what falls off the top comes back as 0x1b. */
static inline void mix(struct planes *planes, const struct planes *key)
{
    const VECTOR shift = BROADCAST(shift_order);
    const VECTOR shift_next = BROADCAST(shift_next_order);
    const VECTOR two_down = BROADCAST(two_down_order);
    VECTOR *const bit = planes->bit;

    CHAINS_8(MOVE)
    bit[0] = MIX(0, sum_7);
    bit[1] = MIX(1, XOR(sum_0, sum_7));
    bit[2] = MIX(2, sum_1);
    bit[3] = MIX(3, XOR(sum_2, sum_7));
    bit[4] = MIX(4, XOR(sum_3, sum_7));
    bit[5] = MIX(5, sum_4);
    bit[6] = MIX(6, sum_5);
    bit[7] = MIX(7, sum_6);
}

#define SHIFT_AND_ADD(k) bit[k] = XOR(SHUFFLE(bit[k], shift), key->bit[k]);

static inline void finish(struct planes *planes, const struct planes *key)
{
    const VECTOR shift = BROADCAST(shift_order);
    VECTOR *const bit = planes->bit;

    CHAINS_8(SHIFT_AND_ADD)
}

#define SAME(k) planes->bit[k] = BROADCAST(bytes);

/* A round key as planes, where all blocks have the same. */
static inline void spread_key(struct planes *planes,
                              const uint8_t key[RP_AES_BLOCK_BYTES], uint8_t constant)
{
    uint8_t bytes[RP_AES_BLOCK_BYTES];

    for (int i = 0; i < RP_AES_BLOCK_BYTES; i++) {
        bytes[i] = key[i] ^ constant;
    }
    CHAINS_8(SAME)
    transpose(planes);
}

#define ADD_KEY(k) planes->bit[k] = XOR(planes->bit[k], keys[0].bit[k]);

/* From counter blocks to key stream. */
static inline void make_stream(struct planes *planes, const struct planes *keys,
                               unsigned rounds)
{
    transpose(planes);
    CHAINS_8(ADD_KEY)
    for (unsigned round = 1; round < rounds; round++) {
        substitute(planes);
        mix(planes, &keys[round]);
    }
    substitute(planes);
    finish(planes, &keys[rounds]);
    transpose(planes);
}

#define COUNT_UP(i)                                                                      \
    planes.bit[i] = SHUFFLE(ADD32(counter, COUNT(LANES * (i))), byte_swap);
#define ENCRYPT(i)  planes.bit[i] = XOR(planes.bit[i], LOAD(source + VECTOR_BYTES * (i)));
#define PUT(i)      STORE(destination + VECTOR_BYTES * (i), planes.bit[i]);
#define PUT_PAST(i) STREAM(destination + VECTOR_BYTES * (i), planes.bit[i]);
#define KEEP(i)     STORE(stream + VECTOR_BYTES * (i), planes.bit[i]);

/* A rp_aes_ctr_message, but for `nt`, which is a constant in each that is made of it. */
static inline __attribute__((always_inline)) void
bitsliced(const struct rp_aes_key *key, const uint8_t counter_block[RP_AES_BLOCK_BYTES],
          const uint8_t *source, uint8_t *destination, size_t left, bool nt)
{
    const VECTOR byte_swap = BROADCAST(byte_swap_order);
    VECTOR counter = ADD32(SHUFFLE(BROADCAST(counter_block), byte_swap), LANE_NUMBERS);
    struct planes keys[RP_AES_MOST_ROUNDS + 1];
    struct planes planes;

    for (unsigned i = 0; i <= key->rounds; i++) {
        spread_key(&keys[i], key->round_keys[i], i == 0 ? 0 : CONSTANT);
    }
    for (; left > 0; counter = ADD32(counter, COUNT(8 * LANES))) {
        CHAINS_8(COUNT_UP)
        make_stream(&planes, keys, key->rounds);
        if (left < STEP_BYTES) {
            uint8_t stream[STEP_BYTES];

            CHAINS_8(KEEP)
            for (size_t i = 0; i < left; i++) {
                destination[i] = source[i] ^ stream[i];
            }
            return;
        }
        CHAINS_8(ENCRYPT)
        if (nt) {
            CHAINS_8(PUT_PAST)
        } else {
            CHAINS_8(PUT)
        }
        source += STEP_BYTES;
        destination += STEP_BYTES;
        left -= STEP_BYTES;
    }
}

/* Defines the kernel `name` and its sibling `name_nt`. */
#define DEFINE_BITSLICED(name)                                                           \
    static void name##_message(                                                          \
        const struct rp_aes_key *key, const uint8_t counter_block[RP_AES_BLOCK_BYTES],   \
        const uint8_t *source, uint8_t *destination, size_t bytes)                       \
    {                                                                                    \
        bitsliced(key, counter_block, source, destination, bytes, false);                \
    }                                                                                    \
                                                                                         \
    static void name##_message_nt(                                                       \
        const struct rp_aes_key *key, const uint8_t counter_block[RP_AES_BLOCK_BYTES],   \
        const uint8_t *source, uint8_t *destination, size_t bytes)                       \
    {                                                                                    \
        if ((uintptr_t)destination % VECTOR_BYTES == 0) {                                \
            bitsliced(key, counter_block, source, destination, bytes, true);             \
        } else {                                                                         \
            bitsliced(key, counter_block, source, destination, bytes, false);            \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    void name(const struct rp_kernel_input *input, uint64_t repetitions)                 \
    {                                                                                    \
        rp_aes_ctr_messages(input, repetitions, name##_message);                         \
    }                                                                                    \
                                                                                         \
    void name##_nt(const struct rp_kernel_input *input, uint64_t repetitions)            \
    {                                                                                    \
        rp_aes_ctr_messages(input, repetitions, name##_message_nt);                      \
        _mm_sfence();                                                                    \
    }
