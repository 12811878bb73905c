/* SPDX-License-Identifier: MIT */
/*
 * Memory to measure in: one mapping, touched and filled before use, on the largest pages
 * the system gives without being reconfigured.
 */
#ifndef RP_CORE_BUFFER_H
#define RP_CORE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* What memory holds, and so what is stored. On some CPUs that decides how fast. */
enum rp_data {
    RP_DATA_RANDOM, /* pseudo-random bytes, none of them zero: like real data */
    RP_DATA_HALF,   /* of each 64 bytes the first half is that, the second half is zero */
    RP_DATA_ZERO,   /* zero */
    RP_DATA_COUNT,
};

/* "random", "half", "zero". */
const char *rp_data_name(enum rp_data data);
bool rp_data_parse(const char *name, enum rp_data *data);

struct rp_buffer {
    uint8_t *data; /* aligned to 2 MiB */
    size_t size_bytes;
    size_t
        page_bytes; /* obtained, read back from the kernel: that of most of the mapping */
    void *mapping;
    size_t mapping_bytes;
};

/*
 * Maps `size_bytes`, tries reserved huge pages, then transparent ones, then plain pages,
 * and fills everything with pseudo-random bytes from `seed`, none of them zero: on some
 * CPUs lines of zeros are stored up to three times faster (Zen 4, non-temporal), which no
 * real data shows. Fails with RP_UNABLE when the memory is not to be had. Free with
 * rp_buffer_free.
 */
bool rp_buffer_allocate(struct rp_buffer *buffer, size_t size_bytes, uint64_t seed,
                        struct rp_error *error);
void rp_buffer_free(struct rp_buffer *buffer);

/* Fills `size_bytes` with non-zero pseudo-random bytes. */
void rp_buffer_fill(uint8_t *data, size_t size_bytes, uint64_t seed);

/* Makes numbers from 1 to below 2 of what is there, eight bytes each: their fractions
 * stay as they are. A last part of less than eight bytes stays untouched. */
void rp_buffer_make_doubles(uint8_t *data, size_t size_bytes);

/* Fills `size_bytes`, which start on a line, with data of a kind. */
void rp_buffer_fill_with(uint8_t *data, size_t size_bytes, uint64_t seed,
                         enum rp_data kind);

#endif
