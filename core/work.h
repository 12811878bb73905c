/* SPDX-License-Identifier: MIT */
/*
 * What one item of a kernel costs: bytes by kind and operations by class. Written once
 * beside the kernel, copied into every record, and all that the model knows of a kernel.
 */
#ifndef RP_CORE_WORK_H
#define RP_CORE_WORK_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes one item moves, as the program text says it. */
struct rp_traffic {
    double load;
    double store;    /* temporal stores */
    double store_nt; /* non-temporal stores, which read no line first */
    double rmw;      /* the part of `store` that goes to lines this item also loads */
};

/* Executions of one instruction class per item. */
struct rp_operation {
    const char
        *class_name; /* a name of the units probe, e.g. "aesenc-512"; static storage */
    double per_item;
};

#define RP_MAX_OPERATIONS 4

struct rp_work {
    const char *item; /* "byte", "block"; static storage */
    struct rp_traffic traffic;
    struct rp_operation
        operations[RP_MAX_OPERATIONS]; /* ends at the first NULL class_name */
};

/* How a kernel stores. The order is the order of all listings. */
enum rp_mode {
    RP_MODE_NONE,     /* stores nothing */
    RP_MODE_TEMPORAL, /* stores go through the caches */
    RP_MODE_NT,       /* non-temporal: full lines go past the caches */
    RP_MODE_INPLACE,  /* destination and source are the same bytes */
    RP_MODE_COUNT,
};

/* "none", "temporal", "nt", "inplace". */
const char *rp_mode_name(enum rp_mode mode);
bool rp_mode_parse(const char *name, enum rp_mode *mode);

/* Bytes per item that the program asked for: load + store + store_nt. */
double rp_payload_bytes(const struct rp_traffic *traffic);

/* Bytes per item that a write-allocating level moves: the payload and, for each stored
 * line that was not loaded anyway, the read that precedes the store. */
double rp_bus_bytes(const struct rp_traffic *traffic);

/*
 * The traffic mix, whose bandwidth roof a kernel is held against: "load", "store",
 * "store-nt", "copy" (load : store = 1 : 1), "copy-nt", "update" (each loaded byte stored
 * back), or "other" for what has no roof of its own.
 */
const char *rp_mix_name(const struct rp_traffic *traffic);

#endif
