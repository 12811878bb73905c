/* SPDX-License-Identifier: MIT */
/*
 * Our kernels beside peers, which are the same work done by other libraries.
 */
#ifndef RP_ROOFLINE_PEERS_H
#define RP_ROOFLINE_PEERS_H

#include "roofline/model.h"

/* True for a point that another library was measured at. */
bool rp_is_peer(const struct rp_point *point);

/* More kernels than a family has. */
#define RP_MOST_COMPARED 64

/* A family, or one direction of it, at a working set at which a peer of it was measured:
 * kernels with plain stores, fastest first. */
struct rp_peer_table {
    char work[40]; /* "aes128ctr", "aes128gcm-seal" */
    size_t working_set_bytes;
    const struct rp_point *points[RP_MOST_COMPARED];
    size_t count;
    const struct rp_point *fastest_peer;
    const struct rp_point *fastest_own; /* NULL when the run has none of ours there */
    double ceiling_cycles_per_byte;     /* all rounds of AES at the throughput of the AES
                                         * instruction that encrypts most; 0 when unknown */
    size_t first;                       /* of its points, for rp_next_peer_table */
    size_t end;                         /* as well */
    unsigned target;                    /* as well */
};

/*
 * Goes on to the next table, from a zeroed one to the first; false past the last. Tables
 * are ordered by work, then size: the measured ones nearest to 16, 64 and 256 KiB and
 * 1 MiB, as far as there is one within a factor of 1.5.
 */
bool rp_next_peer_table(const struct rp_model *model, struct rp_peer_table *table);

#endif
