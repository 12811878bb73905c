/* SPDX-License-Identifier: MIT */
/*
 * Bitsliced AES (Kaesper and Schwabe, "Faster and timing-attack resistant AES-GCM",
 * 2009): the body, in the vocabulary of ctr_vector.h and
 *
 *   SHIFT_LEFT, SHIFT_RIGHT(v, n)  by n bits, in elements of any width
 *   FILL(byte)                     this byte everywhere
 *   EQUAL(a, b)                    ones in each byte that is the same in both, else 0
 *
 * Eight blocks a lane go in lockstep. Eight vectors hold their bits by significance:
 * vector i, byte p, bit b is bit i of byte p of block b. So SubBytes is a Boolean circuit
 * (sbox_circuit.h) that works on all bytes of all blocks at once. What moves bytes moves
 * whole bytes of these vectors as it would those of a block: MixColumns takes two
 * shuffles a vector, one for the row below and one for the sum of two rows two further
 * down, and ShiftRows is put off (shift_rows.h). The round keys are sliced once for a
 * message; the constant of the S-box is added to them.
 *
 * Constant time: there is no look-up and no branch on key or data.
 *
 * A round takes 113 gates, 16 shuffles and 35 XORs, and turning blocks into slices and
 * back 144 operations once a step of eight: for AES-128 some 1800 in all, at three a
 * cycle 600 cycles, for 128 bytes with xmm registers and 256 with ymm. Sixteen registers
 * do not hold the circuit, so some values live in memory meanwhile: on Golden Cove
 * `ridgepoint sweep` has 5.5 to 5.6 cycles a byte with xmm and 2.7 to 2.9 with ymm. A
 * step costs the same however few blocks are left, so short messages are dear.
 */
#include <string.h>

#include "kernels/aes/ctr.h"
#include "kernels/aes/sbox_circuit.h"
#include "kernels/aes/shift_rows.h"

#define VECTOR_BYTES (LANES * RP_AES_BLOCK_BYTES)
#define STEP_BYTES   (8 * VECTOR_BYTES)

/* Compilers leave alone what stands twice, and then keep the slices in memory. */
#define INLINED static inline __attribute__((always_inline))

#define EACH_OF_8(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

struct sliced_key {
    VECTOR round_keys[RP_AES_MOST_ROUNDS + 1][8];
    unsigned rounds;
};

static const uint8_t byte_swap_lane[RP_AES_BLOCK_BYTES] = {
    15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
};

/* By the number of rounds modulo 4. */
static const uint8_t row_below[4][RP_AES_BLOCK_BYTES] = RP_AES_MOVES(1);
static const uint8_t two_rows_below[4][RP_AES_BLOCK_BYTES] = RP_AES_MOVES(2);
static const uint8_t shift_rows[4][RP_AES_BLOCK_BYTES] = RP_AES_SHIFTS;
static const uint8_t unshift_rows[4][RP_AES_BLOCK_BYTES] = RP_AES_UNSHIFTS;

/* Exchanges the bits of `first` that lie `shift` above the mask with those of `second`
 * under it. */
INLINED void exchange(VECTOR *first, VECTOR *second, VECTOR mask, int shift)
{
    const VECTOR differing = (SHIFT_RIGHT(*first, shift) ^ *second) & mask;

    *second ^= differing;
    *first ^= SHIFT_LEFT(differing, shift);
}

/* Blocks into slices, and back: bit i of vector b changes places with bit b of vector i,
 * by halves, quarters and eighths. */
INLINED void transpose(VECTOR v[8])
{
    const VECTOR low_nibbles = FILL(0x0f);
    const VECTOR low_pairs = FILL(0x33);
    const VECTOR even_bits = FILL(0x55);

    exchange(&v[0], &v[4], low_nibbles, 4);
    exchange(&v[1], &v[5], low_nibbles, 4);
    exchange(&v[2], &v[6], low_nibbles, 4);
    exchange(&v[3], &v[7], low_nibbles, 4);
    exchange(&v[0], &v[2], low_pairs, 2);
    exchange(&v[1], &v[3], low_pairs, 2);
    exchange(&v[4], &v[6], low_pairs, 2);
    exchange(&v[5], &v[7], low_pairs, 2);
    exchange(&v[0], &v[1], even_bits, 1);
    exchange(&v[2], &v[3], even_bits, 1);
    exchange(&v[4], &v[5], even_bits, 1);
    exchange(&v[6], &v[7], even_bits, 1);
}

/* Round n of the key is unshifted n times, and all but the first take the S-box constant,
 * which MixColumns leaves as it is. */
static void slice_key(struct sliced_key *sliced, const struct rp_aes_key *key)
{
    const VECTOR constant = FILL(0x63);

    sliced->rounds = key->rounds;
    for (unsigned round = 0; round <= key->rounds; round++) {
        VECTOR round_key = SHUFFLE(BROADCAST(key->round_keys[round]),
                                   BROADCAST(unshift_rows[round % 4]));

        if (round > 0) {
            round_key ^= constant;
        }
        for (int i = 0; i < 8; i++) {
            const VECTOR bit = FILL((char)(1 << i));

            sliced->round_keys[round][i] = EQUAL(round_key & bit, bit);
        }
    }
}

#define XOR_GATE(result, left, right) const VECTOR result = (left) ^ (right);
#define AND_GATE(result, left, right) const VECTOR result = (left) & (right);

/* SubBytes, without its constant. */
INLINED void substitute(VECTOR v[8])
{
    const VECTOR x0 = v[7], x1 = v[6], x2 = v[5], x3 = v[4];
    const VECTOR x4 = v[3], x5 = v[2], x6 = v[1], x7 = v[0];

    RP_AES_SBOX_CIRCUIT(XOR_GATE, AND_GATE)
    v[7] = s0;
    v[6] = s1;
    v[5] = s2;
    v[4] = s3;
    v[3] = s4;
    v[2] = s5;
    v[1] = s6;
    v[0] = s7;
}

#define ADD_KEY(i) v[i] ^= key[i];

/* With s the sum of a byte and the one below, MixColumns makes of them 2 s, plus the byte
 * below, plus the s two rows further down. */
#define SUM(i)                                                                           \
    const VECTOR below_##i = SHUFFLE(v[i], below);                                       \
    const VECTOR sum_##i = v[i] ^ below_##i;
#define MIX(i, doubled)                                                                  \
    v[i] = SHUFFLE(sum_##i, two_below) ^ below_##i ^ key[i] ^ (doubled);

/* MixColumns and AddRoundKey. Doubling moves each bit up by one, and the highest to those
 * of 0x1b, the polynomial. */
INLINED void mix_columns(VECTOR v[8], const VECTOR key[8], unsigned round)
{
    const VECTOR below = BROADCAST(row_below[round % 4]);
    const VECTOR two_below = BROADCAST(two_rows_below[round % 4]);

    EACH_OF_8(SUM)
    MIX(0, sum_7)
    MIX(1, sum_0 ^ sum_7)
    MIX(2, sum_1)
    MIX(3, sum_2 ^ sum_7)
    MIX(4, sum_3 ^ sum_7)
    MIX(5, sum_4)
    MIX(6, sum_5)
    MIX(7, sum_6)
}

#define COUNTER(i) v[i] = SHUFFLE(ADD32(counter, COUNT(LANES * (i))), byte_swap);
#define PUT(i)     key_stream[i] = SHUFFLE(v[i], shift);

/* The key stream of one step; the counter is kept byte-swapped as in ctr_vector.h. */
static void make_key_stream(VECTOR key_stream[8], const struct sliced_key *sliced,
                            VECTOR counter)
{
    const unsigned rounds = sliced->rounds;
    const VECTOR byte_swap = BROADCAST(byte_swap_lane);
    const VECTOR shift = BROADCAST(shift_rows[rounds % 4]);
    const VECTOR *key = sliced->round_keys[0];
    VECTOR v[8];

    EACH_OF_8(COUNTER)
    transpose(v);
    EACH_OF_8(ADD_KEY)
    for (unsigned round = 1; round < rounds; round++) {
        substitute(v);
        mix_columns(v, sliced->round_keys[round], round);
    }
    substitute(v);
    key = sliced->round_keys[rounds];
    EACH_OF_8(ADD_KEY)
    transpose(v);
    EACH_OF_8(PUT)
}

/* Called with a constant `nt`, so that each kernel gets a loop of its own. */
INLINED void encrypt_message(const struct rp_aes_key *key,
                             const uint8_t counter_block[RP_AES_BLOCK_BYTES],
                             const uint8_t *source, uint8_t *destination, size_t left,
                             bool nt)
{
    struct sliced_key sliced;
    VECTOR counter =
        ADD32(SHUFFLE(BROADCAST(counter_block), BROADCAST(byte_swap_lane)), LANE_NUMBERS);

    slice_key(&sliced, key);
    while (left > 0) {
        const size_t step_bytes = left < STEP_BYTES ? left : STEP_BYTES;
        VECTOR key_stream[8];
        size_t done = 0;

        make_key_stream(key_stream, &sliced, counter);
        counter = ADD32(counter, COUNT(8 * LANES));
        for (; done + VECTOR_BYTES <= step_bytes; done += VECTOR_BYTES) {
            const VECTOR cipher = key_stream[done / VECTOR_BYTES] ^ LOAD(source + done);

            if (nt) {
                STREAM(destination + done, cipher);
            } else {
                STORE(destination + done, cipher);
            }
        }
        for (; done < step_bytes; done++) {
            destination[done] = source[done] ^ ((const uint8_t *)key_stream)[done];
        }
        source += step_bytes;
        destination += step_bytes;
        left -= step_bytes;
    }
}

static void message(const struct rp_aes_key *key,
                    const uint8_t counter_block[RP_AES_BLOCK_BYTES],
                    const uint8_t *source, uint8_t *destination, size_t bytes)
{
    encrypt_message(key, counter_block, source, destination, bytes, false);
}

static void message_nt(const struct rp_aes_key *key,
                       const uint8_t counter_block[RP_AES_BLOCK_BYTES],
                       const uint8_t *source, uint8_t *destination, size_t bytes)
{
    encrypt_message(key, counter_block, source, destination, bytes,
                    (uintptr_t)destination % VECTOR_BYTES == 0);
}

/* Defines the public kernel `name` and its non-temporal sibling. */
#define DEFINE_KERNELS(name)                                                             \
    void name(const struct rp_kernel_input *input, uint64_t repetitions)                 \
    {                                                                                    \
        rp_aes_ctr_messages(input, repetitions, message);                                \
    }                                                                                    \
                                                                                         \
    void name##_nt(const struct rp_kernel_input *input, uint64_t repetitions)            \
    {                                                                                    \
        rp_aes_ctr_messages(input, repetitions, message_nt);                             \
        _mm_sfence();                                                                    \
    }
