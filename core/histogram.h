/**
 * Histogram with buckets of equal ratio: the relative error of every value it gives back is
 * bounded, from nanoseconds to hours, in a few kilobytes. For live summaries and density estimates;
 * files keep raw samples.
 *
 *     struct ct_histogram *h = ct_histogram_new(1e-9, 1e4, 0.01);
 *     ct_histogram_record(h, latency_s);
 *     double p99_s = ct_histogram_quantile(h, 0.99);
 */
#ifndef CT_CORE_HISTOGRAM_H
#define CT_CORE_HISTOGRAM_H

#include "core/status.h"

#include <stdint.h>

struct ct_histogram;

/**
 * @param lo, hi          [in] range, 0 < lo < hi
 * @param relative_error  [in] 1e-4..0.5: a value v in the range is given back as v' with
 *                             |v' - v| <= relative_error * v
 * @return NULL for impossible arguments or when out of memory; free with ct_histogram_free()
 */
struct ct_histogram *ct_histogram_new(double lo, double hi, double relative_error);
void ct_histogram_free(struct ct_histogram *h);

/** Record a value. Values outside [lo, hi) are counted apart, NaN too: nothing is lost silently. */
void ct_histogram_record(struct ct_histogram *h, double value);

/** Add the counts of a histogram of the same shape; CT_EINVAL where the shapes differ. */
enum ct_status ct_histogram_merge(struct ct_histogram *into, const struct ct_histogram *from);

uint64_t ct_histogram_count(const struct ct_histogram *h);     /**< all recorded but NaN */
uint64_t ct_histogram_underflow(const struct ct_histogram *h); /**< below lo */
uint64_t ct_histogram_overflow(const struct ct_histogram *h);  /**< hi or above */
uint64_t ct_histogram_nan(const struct ct_histogram *h);

/**
 * Smallest bucket value v' such that a share p of the values is at or below it.
 * @param p  [in] 0..1
 * @return NaN where nothing was recorded or p is out of range; -INFINITY or +INFINITY where the
 *         answer lies below or above the range
 */
double ct_histogram_quantile(const struct ct_histogram *h, double p);

/** Buckets: number, edges [lo_edge, hi_edge) and count of bucket i. */
size_t ct_histogram_buckets(const struct ct_histogram *h);
void ct_histogram_bucket(const struct ct_histogram *h, size_t i, double *lo_edge_p,
                         double *hi_edge_p, uint64_t *count_p);

#endif
