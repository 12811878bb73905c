/* SPDX-License-Identifier: MIT */
/* The descriptor table is what the rest of the program takes it for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/kernel.h"

static void names_are_unique_and_found(void **state)
{
    const struct rp_kernel *kernel = NULL;

    (void)state;
    for (size_t i = 0; (kernel = rp_kernel_at(i)) != NULL; i++) {
        assert_ptr_equal(rp_kernel_find(kernel->name), kernel);
        assert_true(strlen(kernel->name) < 40); /* struct rp_record */
        assert_true(strlen(kernel->family) < 24);
        assert_true(strlen(rp_kernel_variant(kernel)) < 32);
        assert_null(strchr(kernel->name, ',')); /* a comma breaks likwid's CSV */
    }
    assert_null(rp_kernel_find("no-such-kernel"));
}

static void every_row_is_complete(void **state)
{
    const struct rp_kernel *kernel = NULL;

    (void)state;
    for (size_t i = 0; (kernel = rp_kernel_at(i)) != NULL; i++) {
        unsigned modes = 0;

        for (int mode = 0; mode < RP_MODE_COUNT; mode++) {
            const bool has = rp_kernel_has_mode(kernel, (enum rp_mode)mode);

            modes += has;
            assert_int_equal(kernel->run[mode] != NULL, has && kernel->built);
        }
        assert_true(modes > 0);
        assert_non_null(kernel->reference);
        assert_true((kernel->loads + kernel->stores > 0) == (kernel->streams != 0));
        assert_true(kernel->streams != 0 || kernel->operations[0].class_name != NULL);
        assert_true(kernel->text[0] != '\0');
        assert_int_equal(rp_kernel_has_mode(kernel, RP_MODE_NONE), kernel->stores == 0);
    }
}

static void work_follows_the_mode(void **state)
{
    const struct rp_kernel *const aes = rp_kernel_find("aes128ctr-vaes512-x8-pshufb");
    const struct rp_work temporal = rp_kernel_work(aes, RP_MODE_TEMPORAL);
    const struct rp_work nt = rp_kernel_work(aes, RP_MODE_NT);
    const struct rp_work inplace = rp_kernel_work(aes, RP_MODE_INPLACE);

    (void)state;
    assert_string_equal(rp_mix_name(&temporal.traffic), "copy");
    assert_string_equal(rp_mix_name(&nt.traffic), "copy-nt");
    assert_string_equal(rp_mix_name(&inplace.traffic), "update");
    assert_true(rp_bus_bytes(&temporal.traffic) == 3);
    assert_true(rp_bus_bytes(&nt.traffic) == 2);
    assert_true(rp_bus_bytes(&inplace.traffic) == 2);
    assert_string_equal(temporal.operations[0].class_name, "aesenc-512");
    assert_true(temporal.operations[0].per_item * 64 == 10);
    assert_null(temporal.operations[1].class_name);
}

static void working_set_is_split_between_the_streams(void **state)
{
    const struct rp_kernel *const copy = rp_kernel_find("copy-sse2");
    const struct rp_kernel *const load = rp_kernel_find("load-sse2");
    const struct rp_kernel *const aes = rp_kernel_find("aes128ctr-scalar");

    (void)state;
    assert_int_equal(rp_kernel_stream_bytes(copy, RP_MODE_TEMPORAL, 16384), 8192);
    assert_int_equal(rp_kernel_stream_bytes(load, RP_MODE_NONE, 16384), 16384);
    assert_int_equal(rp_kernel_stream_bytes(aes, RP_MODE_INPLACE, 16384), 16384);
    assert_int_equal(rp_kernel_stream_bytes(aes, RP_MODE_NT, 16384 + 100), 8192);
}

static void what_is_missing_says_why(void **state)
{
    const struct rp_cpu cpu = {
        .features = RP_CPU_SSE2, .present = RP_CPU_SSE2, .level = "avx512"};
    struct rp_kernel kernel = *rp_kernel_find("aes128ctr-vaes512-x8-pshufb");
    char why[160];

    (void)state;
    assert_false(rp_kernel_available(&kernel, &cpu, why, sizeof why));
    assert_non_null(strstr(why, "VAES"));
    kernel.built = false;
    assert_false(rp_kernel_available(&kernel, &cpu, why, sizeof why));
    assert_non_null(strstr(why, "compiler"));
    assert_true(rp_kernel_available(rp_kernel_find("copy-sse2"), &cpu, why, sizeof why));
    assert_string_equal(why, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique_and_found),
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(work_follows_the_mode),
        cmocka_unit_test(working_set_is_split_between_the_streams),
        cmocka_unit_test(what_is_missing_says_why),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
