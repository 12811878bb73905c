/* SPDX-License-Identifier: MIT */
/*
 * Runs made up in memory, with numbers round enough to check by hand.
 *
 * The core runs at 2 GHz, so that one nanosecond is two cycles. All samples of a record
 * say the same unless a test changes them.
 */
#ifndef RP_TESTS_ROOFLINE_SYNTHETIC_RUN_H
#define RP_TESTS_ROOFLINE_SYNTHETIC_RUN_H

#include "core/record.h"

#define SYNTHETIC_HZ      2e9
#define SYNTHETIC_SAMPLES 8

/* A machine with 32 KiB, 1 MiB, 16 MiB of cache and memory, and no record. */
void synthetic_start(struct rp_run *run);
void synthetic_end(struct rp_run *run);

/* The same machine without its L3. */
void synthetic_drop_l3(struct rp_run *run);

/* Each adds one record and returns it; the pointer holds until the next one is added. */
struct rp_record *synthetic_clock(struct rp_run *run);
struct rp_record *synthetic_unit(struct rp_run *run, const char *class_name,
                                 unsigned chains, double cycles);
/* Four "aesenc-WIDTH" to one "clmul-WIDTH", in 15 chains; cycles of an average
 * instruction. */
struct rp_record *synthetic_mix(struct rp_run *run, unsigned width_bits, double cycles);
struct rp_record *synthetic_unavailable(struct rp_run *run, const char *probe,
                                        const char *kernel, const char *why);

/* A stream kernel ("copy-avx2") at a payload bandwidth. Level "" makes a sweep record. */
struct rp_record *synthetic_stream(struct rp_run *run, const char *kernel,
                                   const char *level, size_t working_set_bytes,
                                   double payload_bytes_per_s);
/* A cipher of 10 rounds for every block, whose class works on `width_bits` at once. */
struct rp_record *synthetic_cipher(struct rp_run *run, const char *variant,
                                   unsigned width_bits, enum rp_mode mode,
                                   size_t working_set_bytes, double bytes_per_s);

/* A cipher that also executes `products` "clmul-WIDTH" and `rounds` "aesenc-WIDTH" for as
 * many bytes as the width has. */
struct rp_record *synthetic_gcm(struct rp_run *run, unsigned width_bits, double rounds,
                                double products, double bytes_per_s);

/* A kernel of the roofs probe that executes `operations_per_line` instructions of a class
 * for each 64 bytes loaded. */
struct rp_record *synthetic_intensity(struct rp_run *run, const char *class_name,
                                      unsigned operations_per_line,
                                      size_t working_set_bytes, double bytes_per_s);

/* A stream kernel on several cores, all samples at one distance. */
struct rp_record *synthetic_scaling(struct rp_run *run, const char *kernel,
                                    const char *level, unsigned threads,
                                    double payload_bytes_per_s, double pingpong_ns);

/* One event of a group, per item of the region; NaN: the source has no value for it. */
struct synthetic_count {
    const char *event;
    const char *counter;
    double per_item;
};

/* What counters said of the record `index` of the run, whose job it was, as the group
 * `group`; the list ends at the first event that is NULL. */
struct rp_record *synthetic_counted(struct rp_run *run, size_t index, const char *group,
                                    const struct synthetic_count *counts);

/* Makes every sample of a record take `factor` as long. */
void synthetic_stretch(struct rp_record *record, double factor);

/* The full picture: clock, units of 128 and 512 bit, roofs of all mixes in all levels,
 * curves, and two ciphers in all modes in L2 and memory. */
void synthetic_full(struct rp_run *run);

#endif
