/* SPDX-License-Identifier: MIT */
/* The constants of the software AES kernels are what their comments say, computed anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernels/aes/aes.h"
#include "kernels/aes/sbox_circuit.h"
#include "kernels/aes/shift_rows.h"
#include "kernels/aes/vector_permute_tables.h"

#define INFINITE 0x80

/* ---- the field of AES ---- */

static uint8_t product(uint8_t left, uint8_t right)
{
    unsigned sum = 0;

    for (int bit = 7; bit >= 0; bit--) {
        sum = sum << 1 ^ (sum >> 7) * 0x11b;
        sum ^= (right >> bit & 1u) * left;
    }
    return (uint8_t)sum;
}

static uint8_t power(uint8_t value, unsigned exponent)
{
    uint8_t result = 1;

    while (exponent-- > 0) {
        result = product(result, value);
    }
    return result;
}

static uint8_t inverse(uint8_t value)
{
    return power(value, 254);
}

/* The S-box is the inverse, a linear map, and a constant. */
static uint8_t linear_part(uint8_t value)
{
    unsigned sum = 0;

    for (int turn = 0; turn < 5; turn++) {
        sum ^= (unsigned)value << turn | value >> (8 - turn);
    }
    return (uint8_t)sum;
}

/* ---- GF(16) in it, and the encoding ---- */

static uint8_t element(unsigned nibble)
{
    uint8_t sum = 0;

    for (unsigned bit = 0; bit < 4; bit++) {
        sum ^= (nibble >> bit & 1) ? power(RP_AES_GENERATOR, bit) : 0;
    }
    return sum;
}

static uint8_t nibble_of(uint8_t value)
{
    unsigned nibble = 0;

    while (element(nibble) != value) {
        assert_true(++nibble < 16);
    }
    return (uint8_t)nibble;
}

/* k is what the conjugates differ by: x + x^16 = k (u + u^16) = k. */
static uint8_t encoded(uint8_t value)
{
    const uint8_t k = value ^ power(value, 16);
    const uint8_t i = value ^ product(k, RP_AES_ADJOINED);

    return (uint8_t)(nibble_of(i) << 4 | nibble_of(k));
}

/* ---- tests ---- */

static void field_is_that_of_the_sbox(void **state)
{
    (void)state;
    for (unsigned value = 0; value < 256; value++) {
        assert_int_equal(linear_part(inverse((uint8_t)value)) ^ 0x63, rp_aes_sbox[value]);
    }
    assert_int_equal(power(RP_AES_GENERATOR, 4) ^ RP_AES_GENERATOR, 1);
    assert_int_equal(power(RP_AES_ADJOINED, 16) ^ RP_AES_ADJOINED, 1);
}

static void permute_tables_follow_from_the_field(void **state)
{
    const uint8_t u = RP_AES_ADJOINED;
    const uint8_t a = inverse(product(u, u) ^ u);
    const uint8_t squares[2] = {product(u, u), product(u ^ 1, u ^ 1)};

    (void)state;
    assert_int_equal(permute_tables.inverse[0], INFINITE);
    assert_int_equal(permute_tables.quotient[0], INFINITE);
    for (unsigned n = 0; n < 16; n++) {
        const uint8_t over = inverse(element(n));

        assert_int_equal(permute_tables.encode_low[n], encoded((uint8_t)n));
        assert_int_equal(permute_tables.encode_high[n], encoded((uint8_t)(n << 4)));
        if (n > 0) {
            assert_int_equal(permute_tables.inverse[n], nibble_of(over));
            assert_int_equal(permute_tables.quotient[n], nibble_of(product(a, over)));
        }
        for (int i = 0; i < 2; i++) {
            const uint8_t part = linear_part(product(squares[i], over));

            assert_int_equal(permute_tables.last[i][n], part);
            assert_int_equal(permute_tables.once[i][n], encoded(part));
            assert_int_equal(permute_tables.twice[i][n], encoded(product(2, part)));
        }
    }
}

#define XOR_GATE(result, left, right)   const unsigned result = (left) ^ (right);
#define AND_GATE(result, left, right)   const unsigned result = (left) & (right);
#define COUNT_GATE(result, left, right) +1
#define COUNT_NONE(result, left, right)

static void circuit_is_the_sbox(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 256; x++) {
        const unsigned x0 = x >> 7 & 1, x1 = x >> 6 & 1, x2 = x >> 5 & 1, x3 = x >> 4 & 1;
        const unsigned x4 = x >> 3 & 1, x5 = x >> 2 & 1, x6 = x >> 1 & 1, x7 = x & 1;

        RP_AES_SBOX_CIRCUIT(XOR_GATE, AND_GATE)
        const unsigned s =
            s0 << 7 | s1 << 6 | s2 << 5 | s3 << 4 | s4 << 3 | s5 << 2 | s6 << 1 | s7;

        assert_int_equal(s ^ 0x63, rp_aes_sbox[x]);
    }
    assert_int_equal(0 RP_AES_SBOX_CIRCUIT(COUNT_GATE, COUNT_NONE), 81);
    assert_int_equal(0 RP_AES_SBOX_CIRCUIT(COUNT_NONE, COUNT_GATE), 32);
}

static void shuffles_move_rows_and_columns(void **state)
{
    static const uint8_t shifts[4][16] = RP_AES_SHIFTS;
    static const uint8_t unshifts[4][16] = RP_AES_UNSHIFTS;
    static const uint8_t moves[4][16] = RP_AES_MOVES(3);

    (void)state;
    for (unsigned times = 0; times < 4; times++) {
        for (unsigned i = 0; i < 16; i++) {
            const unsigned row = i % 4;
            const unsigned column = i / 4;

            assert_int_equal(shifts[times][i], 4 * ((column + times * row) % 4) + row);
            assert_int_equal(unshifts[times][shifts[times][i]], i);
            assert_int_equal(moves[times][i],
                             4 * ((column + 3 * times) % 4) + (row + 3) % 4);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(field_is_that_of_the_sbox),
        cmocka_unit_test(permute_tables_follow_from_the_field),
        cmocka_unit_test(circuit_is_the_sbox),
        cmocka_unit_test(shuffles_move_rows_and_columns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
