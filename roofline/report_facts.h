/* SPDX-License-Identifier: MIT */
/*
 * What the report's sentences and tables rest on, picked out of the model.
 */
#ifndef RP_ROOFLINE_REPORT_FACTS_H
#define RP_ROOFLINE_REPORT_FACTS_H

#include "core/text.h"
#include "roofline/model.h"

/* Working sets (source + destination) that show a cipher rather than the memory behind
 * it: large against call overhead, small against the caches of most machines. */
#define RP_LADDER_LEAST_BYTES (64 * RP_KIB)
#define RP_LADDER_MOST_BYTES  (512 * RP_KIB)

/* The size of the ladder: the median of the sizes in its window at which a cipher was
 * measured with plain stores. 0 when there is none. */
size_t rp_ladder_bytes(const struct rp_model *model);

/*
 * The points of the ladder, slowest first: for each cipher with plain stores the point
 * whose size in the window is nearest to rp_ladder_bytes. Fills at most `capacity`;
 * returns how many.
 */
size_t rp_ladder(const struct rp_model *model, const struct rp_point **points,
                 size_t capacity);

/* The fastest cipher point in a level, in any mode; NULL when none was measured there. */
const struct rp_point *rp_best_in_level(const struct rp_model *model, unsigned level);

/* One kernel out of memory in its three modes, at the same working set. */
struct rp_memory_fact {
    const struct rp_point *temporal; /* NULL when the run does not hold the pair */
    const struct rp_point *nt;
    const struct rp_point *inplace; /* NULL when the run does not hold it */
};

/* The largest working set in memory that `kernel` was measured at with plain and with
 * non-temporal stores. */
struct rp_memory_fact rp_memory_fact(const struct rp_model *model, const char *kernel);

/* True when what the units allow a point is set by AES instructions and nothing else. */
bool rp_is_set_by_aes(const struct rp_point *point);
/* The lowest cycles per item that the measured units allow any of the ciphers, and that
 * cipher's point; NULL when no unit was measured. */
const struct rp_point *rp_best_ceiling(const struct rp_model *model);

/* True for a cipher of ours: what is said of ciphers is not about peers (peers.h). */
bool rp_is_cipher(const struct rp_point *point);

/* Cycles per byte that all rounds of the point's AES cost at the measured throughput of
 * its instruction, also when the kernel runs fewer of them; 0 when that is not known. */
double rp_all_rounds_cycles(const struct rp_model *model, const struct rp_point *point);

/* Appends "1.50 x the payload: " or "in reads alone, 1.00 x those expected ...: ", and
 * what that means; nothing where the finding is unknown (report_counted.c). */
void rp_print_counted(const struct rp_counted_point *counted, struct rp_text *text);

/* The answer in one paragraph. */
void rp_answer(const struct rp_model *model, struct rp_text *text);

#endif
