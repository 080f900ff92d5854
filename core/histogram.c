#include "core/histogram.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct ct_histogram {
    double lo, hi;
    double log_lo;
    double log_ratio;       /* logarithm of a bucket's upper over its lower edge */
    double buckets_per_log; /* 1 / log_ratio: a multiplication in ct_histogram_record() */
    size_t n_buckets;
    uint64_t total, underflow, overflow, nan;
    uint64_t count[];
};

struct ct_histogram *ct_histogram_new(double lo, double hi, double relative_error)
{
    if (!(lo > 0 && lo < hi && isfinite(hi) && relative_error >= 1e-4 && relative_error <= 0.5))
        return NULL;
    /* A bucket [a, b) answers with 2ab/(a+b), which is wrong by at most (b-a)/(b+a) of the value:
     * relative_error where b/a = (1 + relative_error) / (1 - relative_error). One bucket more than
     * that needs leaves room for rounding at the edges. */
    double span = log(hi) - log(lo);
    double widest = log1p(relative_error) - log1p(-relative_error);
    size_t n_buckets = (size_t)ceil(span / widest) + 1;
    struct ct_histogram *h = calloc(1, sizeof *h + n_buckets * sizeof h->count[0]);
    if (!h)
        return NULL;
    h->lo = lo;
    h->hi = hi;
    h->log_lo = log(lo);
    h->log_ratio = span / (double)n_buckets;
    h->buckets_per_log = 1 / h->log_ratio;
    h->n_buckets = n_buckets;
    return h;
}

void ct_histogram_free(struct ct_histogram *h)
{
    free(h);
}

void ct_histogram_record(struct ct_histogram *h, double value)
{
    if (isnan(value)) {
        h->nan++;
        return;
    }
    h->total++;
    if (value < h->lo) {
        h->underflow++;
    } else if (value >= h->hi) {
        h->overflow++;
    } else {
        size_t i = (size_t)((log(value) - h->log_lo) * h->buckets_per_log);
        h->count[i < h->n_buckets ? i : h->n_buckets - 1]++;
    }
}

enum ct_status ct_histogram_merge(struct ct_histogram *into, const struct ct_histogram *from)
{
    if (into->lo != from->lo || into->hi != from->hi || into->n_buckets != from->n_buckets)
        return CT_EINVAL;
    for (size_t i = 0; i < into->n_buckets; i++)
        into->count[i] += from->count[i];
    into->total += from->total;
    into->underflow += from->underflow;
    into->overflow += from->overflow;
    into->nan += from->nan;
    return CT_OK;
}

uint64_t ct_histogram_count(const struct ct_histogram *h)
{
    return h->total;
}

uint64_t ct_histogram_underflow(const struct ct_histogram *h)
{
    return h->underflow;
}

uint64_t ct_histogram_overflow(const struct ct_histogram *h)
{
    return h->overflow;
}

uint64_t ct_histogram_nan(const struct ct_histogram *h)
{
    return h->nan;
}

static double edge(const struct ct_histogram *h, size_t i)
{
    if (i == 0)
        return h->lo;
    return i == h->n_buckets ? h->hi : exp(h->log_lo + (double)i * h->log_ratio);
}

double ct_histogram_quantile(const struct ct_histogram *h, double p)
{
    if (h->total == 0 || !(p >= 0 && p <= 1))
        return NAN;
    uint64_t at_or_below = h->underflow;
    double total = (double)h->total;
    if (at_or_below > 0 && (double)at_or_below / total >= p)
        return -INFINITY;
    for (size_t i = 0; i < h->n_buckets; i++) {
        at_or_below += h->count[i];
        if (h->count[i] > 0 && (double)at_or_below / total >= p)
            return 2 / (1 / edge(h, i) + 1 / edge(h, i + 1));
    }
    return INFINITY;
}

size_t ct_histogram_buckets(const struct ct_histogram *h)
{
    return h->n_buckets;
}

void ct_histogram_bucket(const struct ct_histogram *h, size_t i, double *lo_edge_p,
                         double *hi_edge_p, uint64_t *count_p)
{
    *lo_edge_p = edge(h, i);
    *hi_edge_p = edge(h, i + 1);
    *count_p = h->count[i];
}
