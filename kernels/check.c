/* SPDX-License-Identifier: MIT */
#include "kernels/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/random.h"

#define ALIGNMENTS    64
#define SHORT_LENGTH  1100
#define RANDOM_CASES  200
#define GUARD_BYTES   128
#define LARGEST_BYTES (68 * 1024 + 77)

static const size_t large_lengths[] = {4096, 16 * 1024 + 1, LARGEST_BYTES};

/* Room for the largest case at any alignment, with guards on both sides. */
#define ROOM_BYTES (LARGEST_BYTES + 2 * GUARD_BYTES + ALIGNMENTS)

struct room {
    uint8_t source[ROOM_BYTES] __attribute__((aligned(64)));
    uint8_t source_before[ROOM_BYTES];
    uint8_t actual[ROOM_BYTES] __attribute__((aligned(64)));
    uint8_t expected[ROOM_BYTES] __attribute__((aligned(64)));
    uint8_t actual_result[RP_BLOCK_BYTES];
    uint8_t expected_result[RP_BLOCK_BYTES];
    uint8_t context[RP_CONTEXT_BYTES] __attribute__((aligned(64)));
};

struct test_case {
    size_t bytes;
    size_t source_alignment;
    size_t destination_alignment;
    uint64_t repetitions;
};

static size_t source_bytes(const struct rp_kernel *kernel, const struct test_case *test)
{
    return kernel->streams & RP_STREAM_SOURCE ? test->bytes : RP_BLOCK_BYTES;
}

static size_t destination_bytes(const struct rp_kernel *kernel,
                                const struct test_case *test)
{
    return kernel->streams & RP_STREAM_DESTINATION ? test->bytes : RP_BLOCK_BYTES;
}

static bool same(const struct rp_kernel *kernel, enum rp_mode mode,
                 const struct room *room, const struct test_case *test,
                 struct rp_error *error)
{
    const size_t begin = GUARD_BYTES + test->destination_alignment;
    const size_t end = begin + destination_bytes(kernel, test);

    for (size_t i = begin - GUARD_BYTES; i < end + GUARD_BYTES; i++) {
        if (room->actual[i] != room->expected[i]) {
            const char *const where = i < begin  ? "before the destination"
                                      : i >= end ? "past the destination"
                                                 : "in the destination";

            return rp_fail(
                error, RP_NO,
                "%s, mode %s: byte %td %s is 0x%02x and should be 0x%02x (length "
                "%zu, source alignment %zu, destination alignment %zu, repetitions "
                "%" PRIu64 ")",
                kernel->name, rp_mode_name(mode), (ptrdiff_t)(i - begin), where,
                room->actual[i], room->expected[i], test->bytes, test->source_alignment,
                test->destination_alignment, test->repetitions);
        }
    }
    return true;
}

/* Runs the kernel, with the state it wants. */
static bool run(const struct rp_kernel *kernel, enum rp_mode mode,
                struct rp_kernel_input *input, uint64_t repetitions,
                struct rp_error *error)
{
    if (!rp_kernel_open(kernel, input->context, &input->state, error)) {
        return false;
    }
    kernel->run[mode](input, repetitions);
    const bool done = rp_kernel_close(kernel, input->state, error);
    input->state = NULL;
    return done;
}

static bool run_case(const struct rp_kernel *kernel, enum rp_mode mode, struct room *room,
                     const struct test_case *test, uint64_t *random,
                     struct rp_error *error)
{
    const size_t span = destination_bytes(kernel, test) + 2 * GUARD_BYTES + ALIGNMENTS;
    const bool in_place = mode == RP_MODE_INPLACE &&
                          kernel->streams == (RP_STREAM_SOURCE | RP_STREAM_DESTINATION);
    uint8_t *const source = room->source + GUARD_BYTES + test->source_alignment;
    struct rp_kernel_input input = {
        .bytes = test->bytes, .source = source, .context = room->context};

    rp_random_bytes(random, source, source_bytes(kernel, test));
    if (kernel->element == RP_ELEMENT_DOUBLES) {
        rp_buffer_make_doubles(source, source_bytes(kernel, test));
    }
    memcpy(room->source_before, source, source_bytes(kernel, test));
    rp_random_bytes(random, room->actual, span);
    memcpy(room->expected, room->actual, span);
    rp_random_bytes(random, room->actual_result, RP_BLOCK_BYTES);
    memcpy(room->expected_result, room->actual_result, RP_BLOCK_BYTES);
    if (kernel->context != NULL) {
        kernel->context->choose(room->context, random, true);
    }
    input.destination = room->expected + GUARD_BYTES + test->destination_alignment;
    input.source = in_place ? input.destination : source;
    input.result = room->expected_result;
    kernel->reference(&input, test->repetitions);
    input.destination = room->actual + GUARD_BYTES + test->destination_alignment;
    input.source = in_place ? input.destination : source;
    input.result = room->actual_result;
    if (!run(kernel, mode, &input, test->repetitions, error)) {
        return false;
    }
    if (memcmp(source, room->source_before, source_bytes(kernel, test)) != 0) {
        return rp_fail(error, RP_NO, "%s, mode %s: writes to its source (length %zu)",
                       kernel->name, rp_mode_name(mode), test->bytes);
    }
    if (memcmp(room->actual_result, room->expected_result, RP_BLOCK_BYTES) != 0) {
        return rp_fail(error, RP_NO,
                       "%s, mode %s: its result (the tag) is wrong (length %zu, source "
                       "alignment %zu, destination alignment %zu)",
                       kernel->name, rp_mode_name(mode), test->bytes,
                       test->source_alignment, test->destination_alignment);
    }
    return same(kernel, mode, room, test, error);
}

/* Libraries refuse a key that published vectors of XTS have: its two halves are alike. */
static bool refuses(const struct rp_kernel *kernel, const void *context)
{
    struct rp_error error;
    void *state = NULL;

    return !rp_kernel_open(kernel, context, &state, &error) ||
           !rp_kernel_close(kernel, state, &error);
}

static bool run_vectors(const struct rp_kernel *kernel, enum rp_mode mode,
                        struct room *room, size_t *cases, struct rp_error *error)
{
    const struct rp_context_kind *const kind = kernel->context;
    struct rp_vector vector;

    if (kind == NULL || kind->vector == NULL) {
        return true;
    }
    for (size_t i = 0; kind->vector(i, room->context, &vector); i++) {
        uint8_t *const source = mode == RP_MODE_INPLACE ? room->actual : room->source;
        struct rp_kernel_input input = {
            .destination = room->actual,
            .source = source,
            .bytes = vector.bytes,
            .context = room->context,
            .result = room->actual_result,
        };

        if (refuses(kernel, room->context)) {
            continue;
        }
        memcpy(source, vector.source, vector.bytes);
        if (!run(kernel, mode, &input, 1, error)) {
            return false;
        }
        if (memcmp(room->actual, vector.destination, vector.bytes) != 0 ||
            (vector.result != NULL &&
             memcmp(room->actual_result, vector.result, kind->result_bytes) != 0)) {
            return rp_fail(error, RP_NO, "%s, mode %s: differs from %s", kernel->name,
                           rp_mode_name(mode), vector.name);
        }
        ++*cases;
    }
    return true;
}

static bool run_all(const struct rp_kernel *kernel, enum rp_mode mode, struct room *room,
                    uint64_t seed, size_t *cases, struct rp_error *error)
{
    const size_t large_count = sizeof large_lengths / sizeof *large_lengths;
    const size_t count = RANDOM_CASES + 2 * ALIGNMENTS + large_count;
    uint64_t random = seed;

    for (size_t i = 0; i < count; i++) {
        struct test_case test = {
            .bytes = rp_random_below(&random, SHORT_LENGTH + 1),
            .source_alignment = rp_random_below(&random, ALIGNMENTS),
            .destination_alignment = rp_random_below(&random, ALIGNMENTS),
            .repetitions = 1 + rp_random_below(&random, 3),
        };

        if (i < 2 * ALIGNMENTS) {
            *(i % 2 == 0 ? &test.source_alignment : &test.destination_alignment) = i / 2;
        } else if (i < 2 * ALIGNMENTS + large_count) {
            test.bytes = large_lengths[i - 2 * ALIGNMENTS];
        }
        if (i % 2 == 0) { /* non-temporal stores are used on aligned destinations only */
            test.destination_alignment = 0;
        }
        if (!run_case(kernel, mode, room, &test, &random, error)) {
            return false;
        }
        ++*cases;
    }
    return run_vectors(kernel, mode, room, cases, error);
}

bool rp_check_kernel(const struct rp_kernel *kernel, enum rp_mode mode, uint64_t seed,
                     size_t *cases, struct rp_error *error)
{
    struct room *const room = aligned_alloc(64, sizeof *room);

    *cases = 0;
    if (room == NULL) {
        return rp_fail(error, RP_UNABLE, "no memory to check %s; free %zu bytes",
                       kernel->name, sizeof *room);
    }
    const bool ok = run_all(kernel, mode, room, seed, cases, error);
    free(room);
    return ok;
}
