/* SPDX-License-Identifier: MIT */
/* Every kernel is right, and the check that says so catches what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/aes/aes.h"
#include "kernels/check.h"

#define SEED 20261130

static void every_kernel_equals_its_reference(void **state)
{
    const struct rp_kernel *kernel = NULL;
    struct rp_cpu cpu;
    struct rp_error error;
    unsigned checked = 0;

    (void)state;
    assert_true(rp_cpu_detect(&cpu, &rp_cpu_native, getenv("RIDGEPOINT_CPU"), &error));
    for (size_t i = 0; (kernel = rp_kernel_at(i)) != NULL; i++) {
        char why[160];

        if (!rp_kernel_available(kernel, &cpu, why, sizeof why)) {
            print_message("%s unavailable: %s\n", kernel->name, why);
            continue;
        }
        for (int mode = 0; mode < RP_MODE_COUNT; mode++) {
            size_t cases = 0;

            if (!rp_kernel_has_mode(kernel, (enum rp_mode)mode)) {
                continue;
            }
            if (!rp_check_kernel(kernel, (enum rp_mode)mode, SEED, &cases, &error)) {
                fail_msg("%s", error.message);
            }
            assert_true(cases >= 300);
            checked++;
        }
    }
    assert_true(checked >= 9); /* what SSE2 alone can run */
}

/* Each way of being wrong that a fast kernel is tempted to. */

static void copy_all_but_last(const struct rp_kernel_input *input, uint64_t repetitions)
{
    (void)repetitions;
    memcpy(input->destination, input->source, input->bytes == 0 ? 0 : input->bytes - 1);
}

static void copy_one_too_many(const struct rp_kernel_input *input, uint64_t repetitions)
{
    (void)repetitions;
    memcpy(input->destination, input->source, input->bytes);
    input->destination[input->bytes] ^= 1;
}

static void copy_and_touch_before(const struct rp_kernel_input *input,
                                  uint64_t repetitions)
{
    (void)repetitions;
    memcpy(input->destination, input->source, input->bytes);
    input->destination[-1] ^= 1;
}

static void copy_and_touch_source(const struct rp_kernel_input *input,
                                  uint64_t repetitions)
{
    uint8_t *const source = (uint8_t *)(uintptr_t)input->source;

    (void)repetitions;
    memcpy(input->destination, input->source, input->bytes);
    source[input->bytes / 2] ^= 1;
}

static void copy_skipping_a_line(const struct rp_kernel_input *input,
                                 uint64_t repetitions)
{
    const size_t skip = input->bytes > 256 ? 64 : 0;

    (void)repetitions;
    memcpy(input->destination + skip, input->source + skip, input->bytes - skip);
}

static void load_first_half_twice(const struct rp_kernel_input *input,
                                  uint64_t repetitions)
{
    memset(input->destination, 0, RP_BLOCK_BYTES);
    for (size_t i = 0; i < input->bytes && repetitions % 2 == 1; i++) {
        input->destination[i % RP_BLOCK_BYTES] ^= input->source[i / 2];
    }
}

/* Half as many operations as the row says, twice as many, or another one. */
static void eight_rounds_a_line(const struct rp_kernel_input *input, uint64_t repetitions)
{
    rp_kernel_find("intensity-aesenc128-x8")->reference(input, repetitions);
}

static void eight_sums_a_line(const struct rp_kernel_input *input, uint64_t repetitions)
{
    rp_kernel_find("intensity-fma128-x8")->reference(input, repetitions);
}

static void one_pass_too_few(const struct rp_kernel_input *input, uint64_t repetitions)
{
    rp_kernel_find("intensity-fma512-x8")->reference(input, repetitions - 1);
}

/* A counter that carries too far, or not far enough. */
static void ctr_with_another_counter(const struct rp_kernel_input *input,
                                     uint64_t repetitions, unsigned counter_bits)
{
    struct rp_aes_ctr context = *(const struct rp_aes_ctr *)input->context;
    struct rp_kernel_input other = *input;

    context.counter_bits = counter_bits;
    other.context = &context;
    rp_aes_ctr_reference(&other, repetitions);
}

static void ctr_with_narrow_counter(const struct rp_kernel_input *input,
                                    uint64_t repetitions)
{
    ctr_with_another_counter(input, repetitions, 32);
}

static void ctr_with_wide_counter(const struct rp_kernel_input *input,
                                  uint64_t repetitions)
{
    ctr_with_another_counter(input, repetitions, 128);
}

static void ctr_with_a_counter_of_64_bits(const struct rp_kernel_input *input,
                                          uint64_t repetitions)
{
    ctr_with_another_counter(input, repetitions, 64);
}

static const struct {
    const char *model; /* the right kernel whose place it takes */
    rp_kernel_function *wrong;
} wrong_kernels[] = {
    {"copy-sse2", copy_all_but_last},
    {"copy-sse2", copy_one_too_many},
    {"copy-sse2", copy_and_touch_before},
    {"copy-sse2", copy_and_touch_source},
    {"copy-sse2", copy_skipping_a_line},
    {"load-sse2", load_first_half_twice},
    {"aes128ctr-scalar", ctr_with_narrow_counter},
    {"aes192ctr-scalar", ctr_with_a_counter_of_64_bits},
    {"aes256ctr-scalar", ctr_with_wide_counter},
    {"intensity-aesenc128-x16", eight_rounds_a_line},
    {"intensity-aesenc128-x4", eight_rounds_a_line},
    {"intensity-aesenc256-x8", eight_rounds_a_line},
    {"intensity-aesenc128-x8", eight_sums_a_line},
    {"intensity-fma128-x16", eight_sums_a_line},
    {"intensity-fma512-x8", one_pass_too_few},
};

static void wrong_kernels_are_caught(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong_kernels / sizeof *wrong_kernels; i++) {
        struct rp_kernel kernel = *rp_kernel_find(wrong_kernels[i].model);
        const enum rp_mode mode = kernel.stores > 0 ? RP_MODE_TEMPORAL : RP_MODE_NONE;
        struct rp_error error;
        size_t cases = 0;

        kernel.run[mode] = wrong_kernels[i].wrong;
        if (rp_check_kernel(&kernel, mode, SEED, &cases, &error)) {
            fail_msg("wrong kernel %zu (%s) passed", i, kernel.name);
        }
        assert_int_equal(error.status, RP_NO);
        assert_non_null(strstr(error.message, kernel.name));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_equals_its_reference),
        cmocka_unit_test(wrong_kernels_are_caught),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
