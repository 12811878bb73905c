/* SPDX-License-Identifier: MIT */
/* The walk touches what it says, and kernels that do not are found out. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/unit.h"

#include "core/random.h"
#include "probes/walk.h"
#include "probes/walk_check.h"

#define SEED 20261130

/* ---- the walk by itself ---- */

/* Counts in each byte how often it was passed. */
static void count(const struct rp_kernel_input *input, uint64_t repetitions)
{
    for (size_t i = 0; i < input->bytes; i++) {
        input->destination[i] = (uint8_t)(input->destination[i] + repetitions);
    }
}

#define STREAM_BYTES ((size_t)10 * 4096 + 64)

static void a_walk_passes_every_byte_alike(void **state)
{
    static uint8_t data[STREAM_BYTES + 4096] __attribute__((aligned(4096)));
    uint8_t pattern[RP_BLOCK_BYTES] = {0};
    const size_t slices[] = {64, 4096, 3 * 4096, STREAM_BYTES - 64, STREAM_BYTES};
    const struct rp_kernel kernel = {
        .streams = RP_STREAM_DESTINATION,
        .run = {[RP_MODE_TEMPORAL] = count},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(slices); i++) {
        const struct rp_walk_memory memory = {.data = data, .pattern = pattern};
        struct rp_walk walk =
            rp_walk_prepare(&kernel, RP_MODE_TEMPORAL, STREAM_BYTES, &memory);
        size_t moved = 0;

        memset(data, 0, sizeof data);
        assert_int_equal(walk.input.bytes, STREAM_BYTES);
        walk.slice_bytes = slices[i];
        do {
            rp_walk_run(&walk, 1);
            moved += slices[i];
        } while (walk.cursor != 0);
        assert_int_equal(moved % STREAM_BYTES, 0);
        for (size_t byte = 0; byte < STREAM_BYTES; byte++) {
            assert_int_equal(data[byte], (uint8_t)(moved / STREAM_BYTES));
        }
        assert_int_equal(data[STREAM_BYTES], 0);
    }
}

/* Every place gets all of the working set, and nothing beyond the memory is touched. */
static void a_walk_that_moves_stays_in_its_memory(void **state)
{
    static const size_t set = 5 * 4096; /* of which each place needs two pages more */
    static const struct {
        size_t pages;
        unsigned places;
    } rows[] = {{7, 1}, {13, 1}, {14, 2}, {45, 6}, {7 * 32, 32}, {7 * 50, 50}};
    static uint8_t data[(7 * 50 + 1) * 4096] __attribute__((aligned(4096)));
    const struct rp_kernel kernel = {
        .streams = RP_STREAM_DESTINATION,
        .run = {[RP_MODE_TEMPORAL] = count},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const size_t bytes = rows[i].pages * 4096;
        const struct rp_walk_memory memory = {.data = data, .data_bytes = bytes};
        struct rp_walk walk = rp_walk_prepare(&kernel, RP_MODE_TEMPORAL, set, &memory);
        size_t passed = 0;

        memset(data, 0, sizeof data);
        rp_walk_spread(&walk, &memory, set, 0.0001);
        assert_int_equal(walk.places, rows[i].places);
        for (unsigned place = 0; place < 3 * walk.places; place++) {
            rp_walk_move(&walk);
        }
        assert_int_equal(walk.place, 0);
        for (size_t byte = 0; byte < sizeof data; byte++) {
            assert_true(data[byte] == 0 || (byte < bytes && data[byte] == 6));
            passed += data[byte] != 0;
        }
        assert_int_equal(passed, walk.places * set);
    }
}

static void a_walk_that_takes_long_stays_where_it_is(void **state)
{
    static uint8_t data[4096] __attribute__((aligned(4096)));
    const struct rp_kernel kernel = {
        .streams = RP_STREAM_DESTINATION,
        .run = {[RP_MODE_TEMPORAL] = count},
    };
    const struct rp_walk_memory memory = {.data = data, .data_bytes = SIZE_MAX / 2};
    struct rp_walk walk = rp_walk_prepare(&kernel, RP_MODE_TEMPORAL, 4096, &memory);

    (void)state;
    rp_walk_spread(&walk, &memory, 4096, 0.1);
    assert_int_equal(walk.places, 1);
}

static void long_passes_are_cut_and_short_ones_are_not(void **state)
{
    struct rp_walk walk = {.input.bytes = 100 << 20, .slice_bytes = 100 << 20};

    (void)state;
    rp_walk_cut(&walk, 0.001, 0.001);
    assert_int_equal(walk.slice_bytes, walk.input.bytes);
    rp_walk_cut(&walk, 0.1, 0.001);
    assert_int_equal(walk.slice_bytes, 1 << 20);
    rp_walk_cut(&walk, 100, 0.001);
    assert_int_equal(walk.slice_bytes, 64 << 10);
}

/* ---- kernels ---- */

static bool available(const struct rp_kernel *kernel)
{
    struct rp_cpu cpu;
    struct rp_error error;
    char why[160];

    assert_true(rp_cpu_detect(&cpu, &rp_cpu_native, getenv("RIDGEPOINT_CPU"), &error));
    return rp_kernel_available(kernel, &cpu, why, sizeof why);
}

static void every_kernel_touches_what_it_says(void **state)
{
    const struct rp_kernel *kernel = NULL;
    unsigned checked = 0;

    (void)state;
    for (size_t i = 0; (kernel = rp_kernel_at(i)) != NULL; i++) {
        for (int mode = 0; mode < RP_MODE_COUNT; mode++) {
            struct rp_error error;

            if (!rp_kernel_has_mode(kernel, (enum rp_mode)mode) || !available(kernel)) {
                continue;
            }
            if (!rp_walk_check(kernel, (enum rp_mode)mode, SEED, &error)) {
                fail_msg("%s", error.message);
            }
            checked++;
        }
    }
    assert_true(checked >= 9); /* what SSE2 alone can run */
}

static void copy(const struct rp_kernel_input *input, size_t at, size_t bytes)
{
    memcpy(input->destination + at, input->source + at, bytes);
}

static void copy_every_other_line(const struct rp_kernel_input *input,
                                  uint64_t repetitions)
{
    (void)repetitions;
    for (size_t at = 0; at + RP_BLOCK_BYTES <= input->bytes; at += 2 * RP_BLOCK_BYTES) {
        copy(input, at, RP_BLOCK_BYTES);
    }
}

static void copy_round_a_small_set(const struct rp_kernel_input *input,
                                   uint64_t repetitions)
{
    (void)repetitions;
    for (size_t at = 0; at < input->bytes; at += RP_BLOCK_BYTES) {
        copy(input, at % 1024, RP_BLOCK_BYTES);
    }
}

/* Moves 512 bytes a step and advances by half of it, so that the last steps overrun. */
static void copy_each_line_twice(const struct rp_kernel_input *input,
                                 uint64_t repetitions)
{
    (void)repetitions;
    for (size_t at = 0; at < input->bytes; at += 256) {
        copy(input, at, 512);
    }
}

static void copy_whole_steps_only(const struct rp_kernel_input *input,
                                  uint64_t repetitions)
{
    (void)repetitions;
    copy(input, 0, input->bytes / 512 * 512);
}

static void load_first_half(const struct rp_kernel_input *input, uint64_t repetitions)
{
    memset(input->destination, 0, RP_BLOCK_BYTES);
    for (size_t i = 0; i < input->bytes / 2 && repetitions % 2 == 1; i++) {
        input->destination[i % RP_BLOCK_BYTES] ^= input->source[i];
    }
}

static void store_and_spoil_pattern(const struct rp_kernel_input *input,
                                    uint64_t repetitions)
{
    (void)repetitions;
    for (size_t i = 0; i < input->bytes; i++) {
        input->destination[i] = input->source[i % RP_BLOCK_BYTES];
    }
    ((uint8_t *)(uintptr_t)input->source)[5] ^= 1;
}

static void wrong_kernels_are_caught(void **state)
{
    static const struct {
        const char *model;
        rp_kernel_function *wrong;
        const char *message;
    } wrong_kernels[] = {
        {"copy-sse2", copy_every_other_line, "something else than its reference"},
        {"copy-sse2", copy_round_a_small_set, "something else than its reference"},
        {"copy-sse2", copy_each_line_twice, "outside its destination"},
        {"copy-sse2", copy_whole_steps_only, "something else than its reference"},
        {"load-sse2", load_first_half, "something else than its reference"},
        {"store-sse2", store_and_spoil_pattern, "writes to its pattern"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong_kernels); i++) {
        struct rp_kernel kernel = *rp_kernel_find(wrong_kernels[i].model);
        const enum rp_mode mode = kernel.stores > 0 ? RP_MODE_TEMPORAL : RP_MODE_NONE;
        struct rp_error error = {.message = "passed"};

        kernel.run[mode] = wrong_kernels[i].wrong;
        assert_false(rp_walk_check(&kernel, mode, SEED, &error));
        assert_int_equal(error.status, RP_NO);
        assert_contains(error.message, kernel.name);
        assert_contains(error.message, wrong_kernels[i].message);
    }
}

/* Kernel and reference agree, and both do less than the descriptor says: a mistake in the
 * descriptor. */
static void wrong_descriptors_are_caught(void **state)
{
    struct rp_kernel half_read = *rp_kernel_find("load-sse2");
    struct rp_kernel half_stored = *rp_kernel_find("copy-sse2");
    struct rp_kernel counted_twice = *rp_kernel_find("store-sse2");
    struct rp_error error;

    (void)state;
    half_read.run[RP_MODE_NONE] = half_read.reference = load_first_half;
    assert_false(rp_walk_check(&half_read, RP_MODE_NONE, SEED, &error));
    assert_contains(error.message, "loads 2112 bytes, and its descriptor says 4288");

    half_stored.run[RP_MODE_TEMPORAL] = half_stored.reference = copy_every_other_line;
    half_stored.loads = 34.0 / 67;
    assert_false(rp_walk_check(&half_stored, RP_MODE_TEMPORAL, SEED, &error));
    assert_contains(error.message, "stores 2176 bytes, and its descriptor says 4288");

    counted_twice.stores = 2;
    assert_false(rp_walk_check(&counted_twice, RP_MODE_TEMPORAL, SEED, &error));
    assert_contains(error.message, "stores 4288 bytes, and its descriptor says 8576");
}

/* ---- unreadable neighbours ---- */

/* `bytes` bytes between two pages that nobody may touch. */
static uint8_t *fenced(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *const mapping =
        mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(mapping != MAP_FAILED);
    assert_int_equal(mprotect(mapping + page, bytes, PROT_READ | PROT_WRITE), 0);
    return mapping + page;
}

/* Runs a kernel on streams that begin, and then on streams that end, next to a page whose
 * touching ends the test. */
static void run_fenced(const struct rp_kernel *kernel, enum rp_mode mode, uint8_t *source,
                       uint8_t *destination, size_t room_bytes)
{
    const size_t lengths[] = {1, 15, 16, 63, 64, 65, 511, 512, 1000, 4095, 4096};
    static uint8_t context[RP_CONTEXT_BYTES] __attribute__((aligned(64)));
    uint8_t tag[RP_BLOCK_BYTES];
    uint64_t random = SEED;
    struct rp_error error;
    void *opened = NULL;

    if (kernel->context != NULL) {
        kernel->context->choose(context, &random, true);
    }
    assert_true(rp_kernel_open(kernel, context, &opened, &error));
    for (size_t i = 0; i < 2 * COUNT_OF(lengths); i++) {
        const size_t bytes = lengths[i / 2];
        const bool at_end = i % 2 == 1;
        const size_t read = kernel->streams & RP_STREAM_SOURCE ? bytes : RP_BLOCK_BYTES;
        const size_t written =
            kernel->streams & RP_STREAM_DESTINATION ? bytes : RP_BLOCK_BYTES;
        struct rp_kernel_input input = {
            .source = source + (at_end ? room_bytes - read : 0),
            .destination = destination + (at_end ? room_bytes - written : 0),
            .bytes = bytes,
            .context = context,
            .state = opened,
            .result = tag,
        };

        if (mode == RP_MODE_INPLACE && kernel->streams & RP_STREAM_SOURCE) {
            input.source = input.destination;
        }
        kernel->run[mode](&input, 2);
    }
    assert_true(rp_kernel_close(kernel, opened, &error));
}

static void no_kernel_touches_what_lies_beside_its_streams(void **state)
{
    const size_t room_bytes = 2 * (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *const source = fenced(room_bytes);
    uint8_t *const destination = fenced(room_bytes);
    const struct rp_kernel *kernel = NULL;

    (void)state;
    for (size_t i = 0; (kernel = rp_kernel_at(i)) != NULL; i++) {
        for (int mode = 0; mode < RP_MODE_COUNT; mode++) {
            if (rp_kernel_has_mode(kernel, (enum rp_mode)mode) && available(kernel)) {
                run_fenced(kernel, (enum rp_mode)mode, source, destination, room_bytes);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_passes_every_byte_alike),
        cmocka_unit_test(a_walk_that_moves_stays_in_its_memory),
        cmocka_unit_test(a_walk_that_takes_long_stays_where_it_is),
        cmocka_unit_test(long_passes_are_cut_and_short_ones_are_not),
        cmocka_unit_test(every_kernel_touches_what_it_says),
        cmocka_unit_test(wrong_kernels_are_caught),
        cmocka_unit_test(wrong_descriptors_are_caught),
        cmocka_unit_test(no_kernel_touches_what_lies_beside_its_streams),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
