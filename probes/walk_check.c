/* SPDX-License-Identifier: MIT */
#include "probes/walk_check.h"

#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "probes/walk.h"

/* Neither is a multiple of a kernel's step, and they share no factor: slices end
 * everywhere before they are back at the start, after an odd number of rounds (an even
 * one would undo an update). */
#define STREAM_LINES 67
#define SLICE_LINES  25
#define STREAM_BYTES ((size_t)STREAM_LINES * RP_BLOCK_BYTES)
#define SLICE_BYTES  ((size_t)SLICE_LINES * RP_BLOCK_BYTES)
#define WHOLE_PASSES 3

#define GUARD_BYTES 4096 /* before and behind what a walk may lay out */
#define ROOM_BYTES  (2 * GUARD_BYTES + 2 * STREAM_BYTES + 2 * (size_t)4096)

/* All that a kernel on a walk can reach. */
struct room {
    uint8_t bytes[ROOM_BYTES] __attribute__((aligned(4096)));
    uint8_t pattern[RP_BLOCK_BYTES] __attribute__((aligned(64)));
    uint8_t result[RP_BLOCK_BYTES] __attribute__((aligned(64)));
    uint8_t tag[RP_BLOCK_BYTES];
    uint8_t context[RP_CONTEXT_BYTES] __attribute__((aligned(64)));
};

/* Two rooms alike, one for the kernel and one for the reference, and one as it was. */
struct rooms {
    struct room actual;
    struct room expected;
    struct room before;
};

struct subject {
    const struct rp_kernel *kernel;
    enum rp_mode mode;
    struct rooms *rooms;
    void *state; /* of the kernel */
    struct rp_error *error;
};

static void furnish(struct room *room, const struct rp_kernel *kernel, uint64_t seed)
{
    uint64_t random = seed + 3;

    memset(room, 0, sizeof *room);
    rp_buffer_fill(room->bytes, sizeof room->bytes, seed);
    if (kernel->element == RP_ELEMENT_DOUBLES) {
        rp_buffer_make_doubles(room->bytes, sizeof room->bytes);
    }
    rp_buffer_fill(room->pattern, sizeof room->pattern, seed + 1);
    rp_buffer_fill(room->result, sizeof room->result, seed + 2);
    if (kernel->context != NULL) {
        kernel->context->choose(room->context, &random, false);
    }
}

static struct rp_walk enter(const struct subject *subject, struct room *room)
{
    const struct rp_walk_memory memory = {
        .data = room->bytes + GUARD_BYTES,
        .pattern = room->pattern,
        .result = room->result,
        .context = room->context,
        .state = subject->state,
        .tag = room->tag,
    };
    const bool two_streams =
        subject->kernel->streams == (RP_STREAM_SOURCE | RP_STREAM_DESTINATION) &&
        subject->mode != RP_MODE_INPLACE;

    return rp_walk_prepare(subject->kernel, subject->mode,
                           two_streams ? 2 * STREAM_BYTES : STREAM_BYTES, &memory);
}

static size_t destination_bytes(const struct rp_walk *walk)
{
    return walk->moves_destination ? walk->input.bytes : RP_BLOCK_BYTES;
}

static bool fail(const struct subject *subject, const char *what)
{
    return rp_fail(subject->error, RP_NO, "%s, mode %s, walking %zu bytes: %s",
                   subject->kernel->name, rp_mode_name(subject->mode), STREAM_BYTES,
                   what);
}

/* ---- the footprint ---- */

/* Changes one byte of a line of what the kernel reads, and says whether it noticed. */
static bool depends_on_line(const struct subject *subject, size_t line)
{
    struct room *const room = &subject->rooms->actual;
    struct room *const unchanged = &subject->rooms->expected;

    *room = subject->rooms->before;
    const struct rp_walk walk = enter(subject, room);
    const struct rp_walk other = enter(subject, unchanged);
    const size_t input = walk.moves_source && subject->mode != RP_MODE_INPLACE
                             ? (size_t)(walk.input.source - room->bytes)
                             : (size_t)(walk.input.destination - room->bytes);

    /* Of a number, where its exponent meets its fraction: the last bits may be rounded
     * away. */
    const bool numbers = subject->kernel->element == RP_ELEMENT_DOUBLES;
    const size_t within = numbers ? line % 8 * 8 + 6 : line % RP_BLOCK_BYTES;
    room->bytes[input + line * RP_BLOCK_BYTES + within] ^= 0x55;
    walk.run(&walk.input, 1);
    return memcmp(walk.input.destination, other.input.destination,
                  destination_bytes(&walk)) != 0;
}

/* The bytes of the lines that a pass reads. */
static size_t loaded_bytes(const struct subject *subject)
{
    struct rooms *const rooms = subject->rooms;
    size_t lines = 0;

    rooms->expected = rooms->before;
    const struct rp_walk walk = enter(subject, &rooms->expected);
    walk.run(&walk.input, 1);
    for (size_t line = 0; line < STREAM_LINES && subject->kernel->streams != 0; line++) {
        lines += depends_on_line(subject, line);
    }
    return lines * RP_BLOCK_BYTES;
}

/* The bytes of the lines that a pass stores to: all is random, so what was stored to has
 * changed. */
static size_t stored_bytes(const struct subject *subject)
{
    struct room *const room = &subject->rooms->actual;
    size_t lines = 0;

    *room = subject->rooms->before;
    const struct rp_walk walk = enter(subject, room);
    const uint8_t *const destination = walk.input.destination;
    const size_t at_start =
        walk.moves_destination ? (size_t)(destination - room->bytes) : 0;
    const uint8_t *const was = subject->rooms->before.bytes + at_start;

    walk.run(&walk.input, 1);
    for (size_t line = 0; walk.moves_destination && line < STREAM_LINES; line++) {
        const size_t at = line * RP_BLOCK_BYTES;

        lines += memcmp(destination + at, was + at, RP_BLOCK_BYTES) != 0;
    }
    return lines * RP_BLOCK_BYTES;
}

static bool check_bytes(const struct subject *subject, const char *verb, double per_item,
                        size_t touched)
{
    const double declared = per_item * (double)STREAM_BYTES;

    return declared == (double)touched ||
           rp_fail(
               subject->error, RP_NO,
               "%s, mode %s, walking %zu bytes: %s %zu bytes, and its descriptor says "
               "%.0f",
               subject->kernel->name, rp_mode_name(subject->mode), STREAM_BYTES, verb,
               touched, declared);
}

/* ---- the walk ---- */

/* What the kernel must leave alone, and what the reference left. */
static bool compare(const struct subject *subject, const struct rp_walk *walk)
{
    const struct rooms *const rooms = subject->rooms;
    const uint8_t *const begin = rooms->actual.bytes;
    const size_t at =
        walk->moves_destination ? (size_t)(walk->input.destination - begin) : 0;
    const size_t end = walk->moves_destination ? at + walk->input.bytes : 0;

    if (memcmp(begin + at, rooms->expected.bytes + at, end - at) != 0 ||
        memcmp(rooms->actual.result, rooms->expected.result, RP_BLOCK_BYTES) != 0 ||
        memcmp(rooms->actual.tag, rooms->expected.tag, RP_BLOCK_BYTES) != 0) {
        return fail(subject, "leaves something else than its reference");
    }
    if (memcmp(begin, rooms->before.bytes, at) != 0 ||
        memcmp(begin + end, rooms->before.bytes + end, ROOM_BYTES - end) != 0) {
        return fail(subject, "writes outside its destination");
    }
    return memcmp(rooms->actual.pattern, rooms->before.pattern, RP_BLOCK_BYTES) == 0 ||
           fail(subject, "writes to its pattern");
}

/* Walks kernel and reference side by side. A fold's result is that of its last part, so
 * both are compared after every repetition. */
static bool check_walk(const struct subject *subject, size_t slice_bytes,
                       unsigned repetitions)
{
    struct rooms *const rooms = subject->rooms;

    rooms->actual = rooms->before;
    rooms->expected = rooms->before;
    struct rp_walk walk = enter(subject, &rooms->actual);
    struct rp_walk reference = enter(subject, &rooms->expected);

    walk.slice_bytes = reference.slice_bytes = slice_bytes;
    reference.run = subject->kernel->reference;
    for (unsigned i = 0; i < repetitions; i++) {
        rp_walk_run(&walk, 1);
        rp_walk_run(&reference, 1);
        if (!compare(subject, &walk)) {
            return false;
        }
    }
    return walk.cursor == 0 || fail(subject, "does not come round to where it began");
}

bool rp_walk_check(const struct rp_kernel *kernel, enum rp_mode mode, uint64_t seed,
                   struct rp_error *error)
{
    struct rooms *const rooms = aligned_alloc(_Alignof(struct rooms), sizeof *rooms);
    struct subject subject = {
        .kernel = kernel, .mode = mode, .rooms = rooms, .error = error};

    if (rooms == NULL) {
        return rp_fail(error, RP_UNABLE, "no memory to check %s; free %zu bytes",
                       kernel->name, sizeof *rooms);
    }
    furnish(&rooms->before, kernel, seed);
    const bool ok =
        rp_kernel_open(kernel, rooms->before.context, &subject.state, error) &&
        check_walk(&subject, STREAM_BYTES, WHOLE_PASSES) &&
        check_walk(&subject, SLICE_BYTES, STREAM_LINES) &&
        check_bytes(&subject, "loads", kernel->loads, loaded_bytes(&subject)) &&
        check_bytes(&subject, "stores", kernel->stores, stored_bytes(&subject));
    const bool closed = rp_kernel_close(kernel, subject.state, error);
    free(rooms);
    return closed && ok;
}
