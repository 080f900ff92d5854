/**
 * Statistics of pooled raw samples. No value is dropped, and none are averaged beforehand. The
 * comment of each function that makes an interval states the method.
 */
#pragma once

#include "core/status.h"

#include <stdint.h>

/** An interval; both ends NaN: too few samples. */
struct ct_interval {
    double lo, hi;
};

struct ct_summary {
    uint64_t n;
    double min, max, mean;
    double variance; /**< unbiased (n - 1); NaN for n = 1 */
};

/**
 * Count, extremes, mean and variance of a sample.
 * @param x          [in]  n values; borrowed, unchanged
 * @param n          [in]  >= 1
 * @param summary_p  [out] unchanged on error
 * @return CT_OK; CT_ENODATA (n = 0); CT_EINVAL (a value is not finite)
 */
enum ct_status ct_stats_summarize(const double *x, size_t n, struct ct_summary *summary_p);

/**
 * Bring the value of rank k, counted from 0, to x[k]: what is before it is not larger, what is
 * after it not smaller.
 * @param x  [in,out] n values, none NaN
 * @param k  [in]     < n
 */
void ct_stats_select(double *x, size_t n, size_t k);

/**
 * Smallest and largest value only.
 * @return as ct_stats_summarize()
 */
enum ct_status ct_stats_range(const double *x, size_t n, double *min_p, double *max_p);

/** Something, by its number, and what it is ranked by. */
struct ct_ranked {
    size_t index;
    double value; /**< not NaN */
};

/** Sort: the largest value comes first, of those that are equal the smallest index. */
void ct_stats_rank(struct ct_ranked *ranked, size_t n);

/** Sort ascending, in place. */
void ct_stats_sort(double *x, size_t n);

/**
 * p-quantile, linear interpolation between order statistics (Hyndman and Fan, type 7).
 * @param sorted  [in]  n values, ascending
 * @param p       [in]  probability, 0..1
 * @param q_p     [out] unchanged on error
 * @return CT_OK; CT_ENODATA (n = 0); CT_EINVAL (p outside 0..1 or NaN)
 */
enum ct_status ct_stats_quantile(const double *sorted, size_t n, double p, double *q_p);

/**
 * Distribution-free confidence interval of the p-quantile from order statistics: the tightest
 * ranks [l, u], balanced around n p, with P(l <= Binomial(n, p) < u) >= level (independent
 * samples).
 * @param level       [in]  0 < level < 1
 * @param interval_p  [out] both NaN: n is too small for the level
 * @return CT_OK; CT_ENODATA (n = 0); CT_EINVAL
 */
enum ct_status ct_stats_quantile_interval(const double *sorted, size_t n, double p, double level,
                                          struct ct_interval *interval_p);

/** A series of values in the order of time; borrowed. */
struct ct_series {
    const double *x;
    size_t n;
};

/** Median of n values, which are sorted by this. @return NaN: there are none */
double ct_stats_median(double *x, size_t n);

/**
 * ct_stats_quantile() of values in any order, which is not changed.
 * @return as ct_stats_quantile(), and CT_ENOMEM
 */
enum ct_status ct_stats_quantile_of(struct ct_series series, double p, double *q_p);

/** A statistic of one or more resampled series; returns NaN if it is not defined for them. */
typedef double ct_statistic(const struct ct_series *series, void *data);

enum { CT_BOOTSTRAP_SERIES_MAX = 4 };

struct ct_bootstrap {
    size_t block; /**< length of a block in samples; 0: ct_stats_block_length() of each series */
    size_t replicates; /**< >= 20 */
    double level;      /**< 0 < level < 1 */
    uint64_t seed;     /**< recorded by the caller */
};

/**
 * Percentile interval of a statistic by the circular block bootstrap (Politis and Romano 1992):
 * blocks keep the autocorrelation of a probe's series. Series are resampled independently of each
 * other.
 * @param series      [in]  n_series of them; borrowed, unchanged
 * @param n_series    [in]  1..CT_BOOTSTRAP_SERIES_MAX
 * @param statistic   [in]  called once per replicate with resampled series of the same lengths
 * @param data        [in]  handed on to statistic
 * @param interval_p  [out] both NaN: a series has fewer than 2 values; unchanged on error
 * @return CT_OK; CT_ENODATA (a series is empty, or fewer than half of the replicates are defined);
 *         CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_stats_bootstrap(const struct ct_series *series, size_t n_series,
                                  ct_statistic *statistic, void *data,
                                  const struct ct_bootstrap *setup, struct ct_interval *interval_p);

/**
 * Block length by the rate rule: ceil(n^(1/3)), times (1 + r) / (1 - r) for a lag-1 autocorrelation
 * r > 0, at most n / 4, at least 1.
 */
size_t ct_stats_block_length(const double *x, size_t n);

/**
 * Interval of the mean of independent values by Student's t.
 * @param level       [in]  0 < level < 1
 * @param interval_p  [out] both NaN for n < 2
 * @return CT_OK; CT_EINVAL (level, or a value is not finite); CT_ENODATA (n = 0)
 */
enum ct_status ct_stats_mean_interval(const double *x, size_t n, double level,
                                      struct ct_interval *interval_p);
