/* SPDX-License-Identifier: MIT */
#include "probes/walk.h"

#include <math.h>
#include <stddef.h>

#include "core/clock.h"

#define LEAST_SLICE_BYTES ((size_t)64 * 1024)

/* Passes that take longer are not made before every sample. */
#define LONGEST_MOVE_SECONDS 0.004
/* Up to here the second pass costs next to nothing. */
#define TWO_PASSES_BYTES ((size_t)4 << 20)

#define HUGE_PAGE_BYTES ((size_t)2 << 20)

/* A load waits for an earlier store whose address has the same low 12 bits ("4K
 * aliasing"). So the destination starts nearly a page further on than the source: a store
 * meets the loads that follow it only when they have come all that way. */
#define PAGE_BYTES ((size_t)4096)
#define SKEW_BYTES (PAGE_BYTES - 128)

static size_t whole_pages(size_t bytes)
{
    return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

size_t rp_walk_memory_bytes(size_t working_set_bytes)
{
    return working_set_bytes + 2 * PAGE_BYTES;
}

struct rp_walk rp_walk_prepare(const struct rp_kernel *kernel, enum rp_mode mode,
                               size_t working_set_bytes,
                               const struct rp_walk_memory *memory)
{
    const size_t bytes = rp_kernel_stream_bytes(kernel, mode, working_set_bytes);
    struct rp_walk walk = {
        .run = kernel->run[mode],
        .input = {.bytes = bytes,
                  .context = memory->context,
                  .state = memory->state,
                  .result = memory->tag},
        .moves_source = (kernel->streams & RP_STREAM_SOURCE) != 0,
        .moves_destination = (kernel->streams & RP_STREAM_DESTINATION) != 0,
        .slice_bytes = bytes,
        .places = 1,
    };

    walk.input.source = walk.moves_source ? memory->data : memory->pattern;
    walk.input.destination = walk.moves_destination ? memory->data : memory->result;
    if (walk.moves_source && walk.moves_destination && mode != RP_MODE_INPLACE) {
        walk.input.destination += whole_pages(bytes) + SKEW_BYTES;
    }
    return walk;
}

static void run_slice(struct rp_walk *walk)
{
    size_t left = walk->slice_bytes;

    while (left > 0) {
        struct rp_kernel_input part = walk->input;

        part.bytes -= walk->cursor;
        if (part.bytes > left) {
            part.bytes = left;
        }
        part.source += walk->moves_source ? walk->cursor : 0;
        part.destination += walk->moves_destination ? walk->cursor : 0;
        walk->run(&part, 1);
        walk->cursor = (walk->cursor + part.bytes) % walk->input.bytes;
        left -= part.bytes;
    }
}

void rp_walk_run(void *context, uint64_t repetitions)
{
    struct rp_walk *const walk = context;

    if (walk->slice_bytes == walk->input.bytes) {
        walk->run(&walk->input, repetitions);
        return;
    }
    while (repetitions-- > 0) {
        run_slice(walk);
    }
}

double rp_walk_seconds(struct rp_walk *walk)
{
    const uint64_t start = rp_clock_ns();

    rp_walk_run(walk, 1);
    return (double)(rp_clock_ns() - start) / 1e9;
}

void rp_walk_cut(struct rp_walk *walk, double pass_seconds, double sample_seconds)
{
    const double share = sample_seconds / pass_seconds;

    if (share < 0.5) {
        const size_t bytes = (size_t)((double)walk->input.bytes * share);
        const size_t slice =
            whole_pages(bytes > LEAST_SLICE_BYTES ? bytes : LEAST_SLICE_BYTES);

        walk->slice_bytes = slice < walk->input.bytes ? slice : walk->input.bytes;
    }
}

void rp_walk_spread(struct rp_walk *walk, const struct rp_walk_memory *memory,
                    size_t working_set_bytes, double pass_seconds)
{
    const size_t span = whole_pages(rp_walk_memory_bytes(working_set_bytes));
    const size_t room = memory->data_bytes / span;

    if (pass_seconds > LONGEST_MOVE_SECONDS || room < 2) {
        return;
    }
    walk->places = room < RP_WALK_PLACES ? (unsigned)room : RP_WALK_PLACES;
    const size_t share = memory->data_bytes / walk->places;
    const size_t page =
        share >= HUGE_PAGE_BYTES && span <= share - share % HUGE_PAGE_BYTES
            ? HUGE_PAGE_BYTES
            : PAGE_BYTES;
    walk->place_bytes = share - share % page;
}

void rp_walk_move(void *context)
{
    struct rp_walk *const walk = context;
    const unsigned next = (walk->place + 1) % walk->places;
    const ptrdiff_t way =
        ((ptrdiff_t)next - (ptrdiff_t)walk->place) * (ptrdiff_t)walk->place_bytes;

    walk->input.source += walk->moves_source ? way : 0;
    walk->input.destination += walk->moves_destination ? way : 0;
    walk->place = next;
    walk->cursor = 0;
    walk->run(&walk->input, walk->input.bytes <= TWO_PASSES_BYTES ? 2 : 1);
}

double rp_walk_warm_up(struct rp_walk *walk, double sample_seconds)
{
    double seconds = rp_walk_seconds(walk);

    /* A short pass once more: the first may have been interrupted, or had data to bring
     * into the cache. */
    if (seconds < 100 * sample_seconds) {
        seconds = fmin(seconds, rp_walk_seconds(walk));
    }
    rp_walk_cut(walk, seconds, sample_seconds);
    return seconds;
}
