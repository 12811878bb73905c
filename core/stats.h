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
 * at least this confidence (0.95): [rank, count + 1 - rank]. 0 when no such pair exists,
 * which takes 6 samples at 0.95 and 8 at 0.99. The confidence is that of the ranks; it
 * holds for samples that are independent, of whatever distribution.
 */
size_t rp_median_rank(size_t count, double confidence);

/* rp_median_rank at 0.95. */
size_t rp_median_interval_rank(size_t count);

/* A ratio of two medians, and its interval. */
struct rp_ratio {
    double ratio;
    double low;
    double high;
};

/*
 * The ratio of two medians. Its interval goes from the lowest to the highest ratio that
 * the two 95 % intervals allow: in log space the ends are added and not, as for two
 * normal distributions, their squares. So it excludes 1 exactly when the two intervals
 * are disjoint. By Bonferroni's inequality it covers the true ratio in at least 90 % of
 * cases whatever the samples depend on; for independent ones both would have to stray,
 * and to opposite sides, so that in practice it is above 95 % (tests/unit/test_stats.c
 * simulates it). It says how well this sitting's medians are known, and nothing about how
 * much they vary from one sitting to the next. All zero when a median or an end of an
 * interval is not above zero: then there is no ratio.
 */
struct rp_ratio rp_ratio_of_medians(const struct rp_summary *numerator,
                                    const struct rp_summary *denominator);

/* The geometric mean, summed up as logarithms so that it cannot overflow. 0 when there is
 * none: for count 0, or when a value is not above zero or not finite. */
double rp_geometric_mean(const double *values, size_t count);

#endif
