/* SPDX-License-Identifier: MIT */
/*
 * What can be run: one descriptor row a kernel, one plain reference a family and shape.
 *
 * A kernel says what it is (its work per item, the CPU features it needs); when it is
 * used is the business of probes and sweeps. A variant that this CPU or this build lacks
 * stays in the table and says why it is unavailable.
 */
#ifndef RP_KERNELS_KERNEL_H
#define RP_KERNELS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cpu.h"
#include "core/error.h"
#include "core/work.h"

struct rp_kernel_input {
    uint8_t *destination;
    const uint8_t *source;
    size_t bytes;        /* of each stream the kernel walks; any number */
    const void *context; /* as the kernel's context kind describes it; NULL without one */
    void *state;         /* from rp_kernel_open */
    uint8_t *result; /* RP_BLOCK_BYTES, of which a kernel writes as many as its context
                      * kind says: a tag. May be NULL for a kernel that writes none */
};

/* Does the work `repetitions` times over the same input. Any alignment, any length. */
typedef void rp_kernel_function(const struct rp_kernel_input *input,
                                uint64_t repetitions);

/* Streams that grow with the working set. */
enum rp_streams {
    RP_STREAM_SOURCE = 1,
    RP_STREAM_DESTINATION = 2,
};

/* What a kernel takes its source for. */
enum rp_element {
    RP_ELEMENT_BYTES,   /* any bytes */
    RP_ELEMENT_DOUBLES, /* numbers as rp_buffer_make_doubles leaves them: others (NaN,
                        denormal ones) are neither compared exactly nor as fast */
};

/* A pattern or result block that is not part of the working set is this long. */
#define RP_BLOCK_BYTES 64

/* A published test vector; what it points to is not the caller's. */
struct rp_vector {
    const char *name; /* "SP 800-38A F.5.1" */
    const uint8_t *source;
    const uint8_t *destination;
    size_t bytes;
    const uint8_t *result; /* NULL without */
};

/* The keys, nonces and counters that the kernels of a family share. */
struct rp_context_kind {
    size_t bytes;        /* at most RP_CONTEXT_BYTES */
    size_t result_bytes; /* what a kernel writes to its input's result */
    /* Fills a context from a seeded stream (core/random.h); when `hard`, often so that
     * something rare happens soon: a counter wraps. */
    void (*choose)(void *context, uint64_t *random, bool hard);
    /* Fills a context and describes a published vector; false past the last. May be NULL.
     */
    bool (*vector)(size_t index, void *context, struct rp_vector *vector);
};

/* Room for any context, aligned to RP_BLOCK_BYTES. */
#define RP_CONTEXT_BYTES 4096

#define RP_MODE_BIT(mode) (1u << (mode))

struct rp_kernel {
    const char *name;    /* "copy-avx512", "aes128ctr-vaes512-x8-pshufb" */
    const char *family;  /* "stream", "aes128ctr" */
    const char *text;    /* one line: what it is and how it works */
    uint32_t needs;      /* bits of enum rp_cpu_feature */
    bool built;          /* false when the compiler could not build it */
    const char *unbuilt; /* why not, and what to do; NULL: the compiler could not */
    bool leaks; /* data-dependent loads: not constant time, and the text says so */
    enum rp_element element; /* of the source */
    unsigned streams; /* bits of enum rp_streams; in place, both are the destination */
    const char *item; /* what is counted; one item is one byte of each stream */
    double loads;     /* bytes loaded per item */
    double stores;    /* bytes stored per item, in whichever way */
    struct rp_operation operations[RP_MAX_OPERATIONS];
    double cycles_per_byte; /* roughly, to foresee how long a run takes; 0: as fast as
                             * memory feeds it */
    unsigned modes;         /* bits RP_MODE_BIT(mode): the ways of storing it exists in */
    rp_kernel_function *run[RP_MODE_COUNT]; /* NULL: no such mode, or not built */
    rp_kernel_function *reference;          /* plain C, same meaning for every mode */
    const struct rp_context_kind *context;  /* NULL: none */
    const char *library; /* "OpenSSL": a peer, which that library computes; NULL: ours */
    const char *(*version)(
        void); /* of the library in use; NULL when it is not built in */
    /* What a peer needs besides, made once for many runs of one thread with the same
     * context; NULL when it needs nothing. `open` returns NULL when the library refuses;
     * `close` returns false when it refused some of the work since. */
    void *(*open)(const void *context);
    bool (*close)(void *state);
};

/* All kernels, by family, reference-like first, and peers last; NULL past the last. */
const struct rp_kernel *rp_kernel_at(size_t index);

/* The kernel with this name, or NULL. */
const struct rp_kernel *rp_kernel_find(const char *name);

/* The name without its family; the whole name where it does not start with it. */
const char *rp_kernel_variant(const struct rp_kernel *kernel);

/* True when the kernel can run; else `why` says what is missing. */
bool rp_kernel_available(const struct rp_kernel *kernel, const struct rp_cpu *cpu,
                         char *why, size_t capacity);

/* Makes the state of a kernel for its input, NULL when it needs none; fails when its
 * library refuses. Close what was opened with rp_kernel_close. */
bool rp_kernel_open(const struct rp_kernel *kernel, const void *context, void **state,
                    struct rp_error *error);
/* Fails when the library refused work since the state was opened: a run of it may have
 * done nothing, and what it seemed to take says nothing. */
bool rp_kernel_close(const struct rp_kernel *kernel, void *state, struct rp_error *error);

/* True when the kernel exists in this mode, available or not. */
bool rp_kernel_has_mode(const struct rp_kernel *kernel, enum rp_mode mode);

/* What one item costs in this mode. */
struct rp_work rp_kernel_work(const struct rp_kernel *kernel, enum rp_mode mode);

/*
 * Splits a working set (all bytes one pass touches) into the bytes of each stream, whole
 * cache lines. The two streams of an out-of-place kernel share it equally.
 */
size_t rp_kernel_stream_bytes(const struct rp_kernel *kernel, enum rp_mode mode,
                              size_t working_set_bytes);

#endif
