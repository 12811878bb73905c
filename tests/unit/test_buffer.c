/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <string.h>

#include "core/buffer.h"
#include "core/text.h"

static void test_allocate(void **state)
{
    static const size_t sizes[] = {1, 4096, 2 * RP_MIB, 5 * RP_MIB + 3};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct rp_error error = {0};
        struct rp_buffer buffer;

        assert_true(rp_buffer_allocate(&buffer, sizes[i], 1, &error));
        assert_int_equal((uintptr_t)buffer.data % (2 * RP_MIB), 0);
        assert_int_equal(buffer.size_bytes, sizes[i]);
        assert_true(buffer.page_bytes == 4096 || buffer.page_bytes == 2 * RP_MIB);
        assert_null(memchr(buffer.data, 0, sizes[i]));
        buffer.data[sizes[i] - 1] = 0; /* writable to the end */
        rp_buffer_free(&buffer);
        assert_null(buffer.data);
        rp_buffer_free(&buffer); /* harmless */
    }
}

static void test_refusals(void **state)
{
    static const size_t sizes[] = {0, SIZE_MAX, SIZE_MAX / 2, (size_t)1 << 46};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct rp_error error = {0};
        struct rp_buffer buffer;

        assert_false(rp_buffer_allocate(&buffer, sizes[i], 1, &error));
        assert_int_equal(error.status, RP_UNABLE);
        assert_contains(error.message, "choose a smaller working set");
        assert_null(buffer.data);
    }
}

static void test_fill(void **state)
{
    uint8_t first[1000];
    uint8_t again[sizeof first];
    uint8_t other[sizeof first];
    size_t counts[256] = {0};

    (void)state;
    rp_buffer_fill(first, sizeof first, 42);
    rp_buffer_fill(again, sizeof again, 42);
    rp_buffer_fill(other, sizeof other, 43);
    assert_memory_equal(first, again, sizeof first);
    assert_true(memcmp(first, other, sizeof first) != 0);

    /* A shorter fill is the start of a longer one and writes nothing beyond its end. */
    memset(again, 0, sizeof again);
    rp_buffer_fill(again, 77, 42);
    assert_memory_equal(first, again, 77);
    assert_int_equal(again[77], 0);

    /* Seed 0 is as good as any, and no value dominates. */
    rp_buffer_fill(first, sizeof first, 0);
    for (size_t i = 0; i < sizeof first; i++) {
        counts[first[i]]++;
    }
    assert_int_equal(counts[0], 0);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        assert_true(counts[i] < 40);
    }
}

static void test_make_doubles(void **state)
{
    uint8_t bytes[8 * 100 + 7];
    uint8_t before[sizeof bytes];

    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        rp_buffer_fill(bytes, sizeof bytes, seed);
        if (seed < 2) { /* every exponent and sign */
            memset(bytes, seed == 0 ? 0 : 0xff, sizeof bytes);
        }
        memcpy(before, bytes, sizeof bytes);
        rp_buffer_make_doubles(bytes, sizeof bytes);
        for (size_t i = 0; i + 8 <= sizeof bytes; i += 8) {
            double number = 0;

            memcpy(&number, bytes + i, sizeof number);
            assert_true(number >= 1 && number < 2);
            assert_memory_equal(bytes + i, before + i, 6);
        }
        assert_memory_equal(bytes + 800, before + 800, 7);
    }
}

static void test_kinds_of_data(void **state)
{
    uint8_t random[200];
    uint8_t data[sizeof random];

    (void)state;
    rp_buffer_fill(random, sizeof random, 42);
    rp_buffer_fill_with(data, sizeof data, 42, RP_DATA_RANDOM);
    assert_memory_equal(data, random, sizeof data);
    rp_buffer_fill_with(data, sizeof data, 42, RP_DATA_HALF);
    for (size_t i = 0; i < sizeof data; i++) {
        assert_int_equal(data[i], i % 64 < 32 ? random[i] : 0);
    }
    rp_buffer_fill_with(data, sizeof data, 42, RP_DATA_ZERO);
    for (size_t i = 0; i < sizeof data; i++) {
        assert_int_equal(data[i], 0);
    }
}

static void test_names_of_data(void **state)
{
    enum rp_data data = RP_DATA_COUNT;

    (void)state;
    for (unsigned i = 0; i < RP_DATA_COUNT; i++) {
        assert_true(rp_data_parse(rp_data_name((enum rp_data)i), &data));
        assert_int_equal(data, i);
    }
    assert_false(rp_data_parse("", &data));
    assert_false(rp_data_parse("all", &data));
    assert_false(rp_data_parse("zeros", &data));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocate),      cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_fill),          cmocka_unit_test(test_kinds_of_data),
        cmocka_unit_test(test_names_of_data), cmocka_unit_test(test_make_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
