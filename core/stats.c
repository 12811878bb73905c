/* SPDX-License-Identifier: MIT */
#include "core/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;

    return (a > b) - (a < b);
}

static double quantile(const double *sorted, size_t count, double share)
{
    const double position = share * (double)(count - 1);
    const size_t below = (size_t)position;
    const double part = position - (double)below;

    return below + 1 < count ? sorted[below] + part * (sorted[below + 1] - sorted[below])
                             : sorted[below];
}

struct rp_summary rp_summarize(double *values, size_t count)
{
    if (count == 0) {
        return (struct rp_summary){0};
    }
    qsort(values, count, sizeof *values, compare);

    const size_t rank = rp_median_interval_rank(count);
    const size_t low = rank > 0 ? rank - 1 : 0;
    return (struct rp_summary){
        .count = count,
        .minimum = values[0],
        .lower_quartile = quantile(values, count, 0.25),
        .median = quantile(values, count, 0.5),
        .upper_quartile = quantile(values, count, 0.75),
        .maximum = values[count - 1],
        .low = values[low],
        .high = values[count - 1 - low],
    };
}

/*
 * Each sample is below the median with probability 1/2, so that the interval of rank r
 * misses it with probability 2 P(X < r), X binomial(count, 1/2). The largest r that keeps
 * this within what is allowed is sought by adding up the probabilities, kept as
 * logarithms: 2^-count underflows.
 */
size_t rp_median_rank(size_t count, double confidence)
{
    const double allowed = (1 - confidence) / 2;
    double log_probability = -(double)count * log(2);
    double below = 0;
    size_t rank = 0;

    while (rank < count / 2) {
        below += exp(log_probability);
        if (below > allowed) {
            break;
        }
        log_probability += log((double)(count - rank) / (double)(rank + 1));
        rank++;
    }
    return rank;
}

size_t rp_median_interval_rank(size_t count)
{
    return rp_median_rank(count, 0.95);
}

static bool has_ratio(const struct rp_summary *summary)
{
    return summary->low > 0 && summary->median > 0 && summary->high > 0;
}

struct rp_ratio rp_ratio_of_medians(const struct rp_summary *numerator,
                                    const struct rp_summary *denominator)
{
    if (!has_ratio(numerator) || !has_ratio(denominator)) {
        return (struct rp_ratio){0};
    }
    return (struct rp_ratio){
        .ratio = numerator->median / denominator->median,
        .low = numerator->low / denominator->high,
        .high = numerator->high / denominator->low,
    };
}

double rp_geometric_mean(const double *values, size_t count)
{
    double log_sum = 0;

    for (size_t i = 0; i < count; i++) {
        if (!(values[i] > 0) || !isfinite(values[i])) {
            return 0;
        }
        log_sum += log(values[i]);
    }
    return count > 0 ? exp(log_sum / (double)count) : 0;
}
