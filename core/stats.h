/* SPDX-License-Identifier: MIT */
/*
 * What a set of samples says.
 */
#ifndef RP_CORE_STATS_H
#define RP_CORE_STATS_H

#include <stddef.h>

struct rp_summary {
    size_t count;
    double minimum;
    double lower_quartile;
    double median;
    double upper_quartile;
    double maximum;
    double low;  /* the 95 % interval of the median; minimum and maximum when there are */
    double high; /* fewer than the six samples that such an interval needs */
};

/*
 * Summarises `count` values; they are sorted in place. Quartiles and median interpolate
 * linearly between order statistics (Hyndman & Fan 1996, type 7). The interval of the
 * median is the pair of order statistics that the binomial distribution gives: no
 * assumption about the shape of the noise (David & Nagaraja, Order Statistics, 3rd ed.,
 * section 7.1). All zero for count 0.
 */
struct rp_summary rp_summarize(double *values, size_t count);

/*
 * Ranks (1-based) of the order statistics that bound the median of `count` samples with
 * at least 95 % confidence: [rank, count + 1 - rank]. 0 when no such pair exists (count <
 * 6).
 */
size_t rp_median_interval_rank(size_t count);

#endif
