#include "core/stats.h"

#include "core/distribution.h"
#include "core/random.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_level(double level)
{
    return level > 0 && level < 1;
}

/* Sums that do not wait for each other; the compiler may not make several of one by itself. */
enum { LANES = 4 };

static double add_lanes(const double *lane)
{
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

/* Sum of distances from the first value: exact for equal values, no cancellation for values that
 * lie close together. */
static double sum_distances(const double *x, size_t n)
{
    double sum[LANES] = {0}, first = x[0];
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            sum[k] += x[i + k] - first;
    for (; i < n; i++)
        sum[0] += x[i] - first;
    return add_lanes(sum);
}

static double sum_squares(const double *x, size_t n, double mean)
{
    double sum[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            sum[k] += (x[i + k] - mean) * (x[i + k] - mean);
    for (; i < n; i++)
        sum[0] += (x[i] - mean) * (x[i] - mean);
    return add_lanes(sum);
}

/* Sum of products of neighbours' distances from the mean. */
static double sum_neighbours(const double *x, size_t n, double mean)
{
    double sum[LANES] = {0};
    size_t i = 1;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            sum[k] += (x[i + k - 1] - mean) * (x[i + k] - mean);
    for (; i < n; i++)
        sum[0] += (x[i - 1] - mean) * (x[i] - mean);
    return add_lanes(sum);
}

enum ct_status ct_stats_range(const double *x, size_t n, double *min_p, double *max_p)
{
    if (n == 0)
        return CT_ENODATA;
    double min[LANES], max[LANES], zero[LANES] = {0}; /* NaN once a value is not finite */
    for (size_t k = 0; k < LANES; k++)
        min[k] = max[k] = x[0];
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++) {
            min[k] = x[i + k] < min[k] ? x[i + k] : min[k];
            max[k] = x[i + k] > max[k] ? x[i + k] : max[k];
            zero[k] += x[i + k] - x[i + k];
        }
    for (; i < n; i++) {
        min[0] = x[i] < min[0] ? x[i] : min[0];
        max[0] = x[i] > max[0] ? x[i] : max[0];
        zero[0] += x[i] - x[i];
    }
    if (isnan(add_lanes(zero)))
        return CT_EINVAL;
    *min_p = fmin(fmin(min[0], min[1]), fmin(min[2], min[3]));
    *max_p = fmax(fmax(max[0], max[1]), fmax(max[2], max[3]));
    return CT_OK;
}

/* Passes over the array, each short enough for the compiler to work on several values at once:
 * together several times faster than GSL's running mean, which matters in a bootstrap. */
enum ct_status ct_stats_summarize(const double *x, size_t n, struct ct_summary *summary_p)
{
    struct ct_summary summary = {.n = n, .variance = NAN};
    CT_TRY(ct_stats_range(x, n, &summary.min, &summary.max));
    summary.mean = x[0] + sum_distances(x, n) / (double)n;
    if (n > 1)
        summary.variance = sum_squares(x, n, summary.mean) / (double)(n - 1);
    *summary_p = summary;
    return CT_OK;
}

static int compare_ranked(const void *left, const void *right)
{
    const struct ct_ranked *a = left, *b = right;
    if (a->value < b->value || a->value > b->value)
        return a->value < b->value ? 1 : -1;
    return (a->index > b->index) - (a->index < b->index);
}

void ct_stats_rank(struct ct_ranked *ranked, size_t n)
{
    if (n > 0)
        qsort(ranked, n, sizeof *ranked, compare_ranked);
}

/* Let x[k] sink in a heap that ends with x[last], where 2k and 2k + 1 are below k. The first has
 * one below it, x[1]. */
static void sink_value(double *x, size_t last, size_t k)
{
    double sinking = x[k];
    while (k <= last / 2) {
        size_t below = 2 * k;
        if (below < last && x[below] < x[below + 1])
            below++;
        if (!(sinking < x[below]))
            break;
        x[k] = x[below];
        k = below;
    }
    x[k] = sinking;
}

/* Heapsort (Williams 1964), which needs no room and has no bad case. */
void ct_stats_sort(double *x, size_t n)
{
    if (n < 2)
        return;
    size_t last = n - 1;
    for (size_t k = last / 2 + 1; k-- > 0;)
        sink_value(x, last, k);
    while (last > 0) {
        double largest = x[0];
        x[0] = x[last];
        x[last--] = largest;
        sink_value(x, last, 0);
    }
}

/* Hoare's FIND, 1961. */
void ct_stats_select(double *x, size_t n, size_t k)
{
    size_t first = 0, last = n - 1;
    while (first < last) {
        double pivot = x[k];
        size_t i = first, j = last;
        do {
            while (x[i] < pivot)
                i++;
            while (x[j] > pivot)
                j--;
            if (i <= j) {
                double moved = x[i];
                x[i++] = x[j];
                x[j] = moved;
                if (j == 0)
                    break;
                j--;
            }
        } while (i <= j);
        if (j < k)
            first = i;
        if (i > k)
            last = j;
    }
}

static double find_quantile(const double *sorted, size_t n, double p)
{
    double position = p * (double)(n - 1);
    size_t before = (size_t)position;
    if (before >= n - 1)
        return sorted[n - 1];
    double share = position - (double)before;
    return (1 - share) * sorted[before] + share * sorted[before + 1];
}

enum ct_status ct_stats_quantile(const double *sorted, size_t n, double p, double *q_p)
{
    if (n == 0)
        return CT_ENODATA;
    if (!(p >= 0 && p <= 1))
        return CT_EINVAL;
    *q_p = find_quantile(sorted, n, p);
    return CT_OK;
}

double ct_stats_median(double *x, size_t n)
{
    double value = NAN;
    ct_stats_sort(x, n);
    return ct_stats_quantile(x, n, 0.5, &value) == CT_OK ? value : NAN;
}

enum ct_status ct_stats_quantile_of(struct ct_series series, double p, double *q_p)
{
    double *sorted = malloc((series.n + 1) * sizeof *sorted);
    if (!sorted)
        return CT_ENOMEM;
    for (size_t i = 0; i < series.n; i++)
        sorted[i] = series.x[i];
    ct_stats_sort(sorted, series.n);
    enum ct_status status = ct_stats_quantile(sorted, series.n, p, q_p);
    free(sorted);
    return status;
}

/* The number of ways to choose k - 1 of n, over that to choose k. */
static double one_fewer(size_t k, size_t n)
{
    return (double)k / (double)(n - k + 1);
}

enum ct_status ct_stats_quantile_interval(const double *sorted, size_t n, double p, double level,
                                          struct ct_interval *interval_p)
{
    if (n == 0)
        return CT_ENODATA;
    if (!(p >= 0 && p <= 1) || !is_level(level))
        return CT_EINVAL;
    struct ct_interval interval = {NAN, NAN};
    /* Outcomes first..end-1 of the binomial count are covered by the order statistics of ranks
     * first and end. The count's distribution has one peak: widening from it towards the likelier
     * neighbour gives the narrowest range for every coverage. Ranks run from 1 to n, so that the
     * outcomes 0 and n stay uncovered. Each probability follows from the one beside it: two
     * outcomes that are equally likely have equal numbers, and the upper one is taken. */
    double count = (double)n, odds = p / (1 - p);
    size_t first = (size_t)fmin(fmax(floor((count + 1) * p), 1), count), end = first;
    double peak = ct_binomial(first, n, p), coverage = 0;
    double above = end < n ? peak : -1;
    double below = first > 1 ? peak * (one_fewer(first, n) / odds) : -1;
    while (coverage < level && (first > 1 || end < n)) {
        coverage += fmax(below, above);
        if (above >= below) {
            above = end + 1 < n ? above * (one_fewer(n - end, n) * odds) : -1;
            end++;
        } else {
            below = first > 2 ? below * (one_fewer(first - 1, n) / odds) : -1;
            first--;
        }
    }
    if (coverage >= level)
        interval = (struct ct_interval){sorted[first - 1], sorted[end - 1]};
    *interval_p = interval;
    return CT_OK;
}

size_t ct_stats_block_length(const double *x, size_t n)
{
    double length = ceil(cbrt((double)n));
    /* Not defined (0/0) for a constant series, which needs no longer blocks. */
    double mean = n > 1 ? x[0] + sum_distances(x, n) / (double)n : NAN;
    double r = n > 1 ? sum_neighbours(x, n, mean) / sum_squares(x, n, mean) : NAN;
    if (r > 0)
        length *= r < 1 ? (1 + r) / (1 - r) : (double)n;
    size_t longest = n / 4;
    return (size_t)fmax(1, fmin(ceil(length), (double)longest));
}

/* Fill out[0..n) with blocks that begin anywhere and run over the end into the beginning. */
static void resample_series(const struct ct_series *series, size_t block, struct ct_twister *random,
                            double *out)
{
    size_t n = series->n;
    for (size_t filled = 0; filled < n;) {
        size_t length = block < n - filled ? block : n - filled;
        size_t start = ct_twister_below(random, (uint32_t)n);
        size_t to_end = length < n - start ? length : n - start;
        memcpy(out + filled, series->x + start, to_end * sizeof *out);
        memcpy(out + filled + to_end, series->x, (length - to_end) * sizeof *out);
        filled += length;
    }
}

/* Values of the statistic that are defined, one per replicate; their number is returned. */
static size_t replicate_statistic(const struct ct_series *series, size_t n_series,
                                  ct_statistic *statistic, void *data,
                                  const struct ct_bootstrap *setup, struct ct_twister *random,
                                  double *room, double *values)
{
    size_t block[CT_BOOTSTRAP_SERIES_MAX];
    for (size_t s = 0; s < n_series; s++) {
        size_t wanted =
            setup->block ? setup->block : ct_stats_block_length(series[s].x, series[s].n);
        block[s] = wanted < series[s].n ? wanted : series[s].n;
    }
    size_t n_values = 0;
    for (size_t i = 0; i < setup->replicates; i++) {
        struct ct_series resampled[CT_BOOTSTRAP_SERIES_MAX];
        double *next = room;
        for (size_t s = 0; s < n_series; s++) {
            resample_series(&series[s], block[s], random, next);
            resampled[s] = (struct ct_series){next, series[s].n};
            next += series[s].n;
        }
        double value = statistic(resampled, data);
        if (!isnan(value))
            values[n_values++] = value;
    }
    return n_values;
}

/* What cannot be resampled, and how many values there are in all. */
static enum ct_status check_bootstrap(const struct ct_series *series, size_t n_series,
                                      const struct ct_bootstrap *setup, size_t *total_p,
                                      bool *too_few_p)
{
    if (n_series < 1 || n_series > CT_BOOTSTRAP_SERIES_MAX || setup->replicates < 20 ||
        !is_level(setup->level))
        return CT_EINVAL;
    *total_p = 0;
    *too_few_p = false;
    for (size_t s = 0; s < n_series; s++) {
        if (series[s].n == 0)
            return CT_ENODATA;
        if (series[s].n > UINT32_MAX) /* the range of ct_twister_below() */
            return CT_EINVAL;
        *too_few_p |= series[s].n < 2;
        *total_p += series[s].n;
    }
    return CT_OK;
}

enum ct_status ct_stats_bootstrap(const struct ct_series *series, size_t n_series,
                                  ct_statistic *statistic, void *data,
                                  const struct ct_bootstrap *setup, struct ct_interval *interval_p)
{
    size_t total;
    bool too_few;
    CT_TRY(check_bootstrap(series, n_series, setup, &total, &too_few));
    if (too_few) {
        *interval_p = (struct ct_interval){NAN, NAN};
        return CT_OK;
    }
    double *room = malloc((total + setup->replicates) * sizeof *room);
    if (!room)
        return CT_ENOMEM;
    struct ct_twister random;
    ct_twister_seed(&random, ct_random_fold(setup->seed));
    double *values = room + total;
    size_t n = replicate_statistic(series, n_series, statistic, data, setup, &random, room, values);
    enum ct_status status = CT_OK;
    if (n * 2 < setup->replicates) {
        status = CT_ENODATA;
    } else {
        ct_stats_sort(values, n);
        double tail = (1 - setup->level) / 2;
        interval_p->lo = find_quantile(values, n, tail);
        interval_p->hi = find_quantile(values, n, 1 - tail);
    }
    free(room);
    return status;
}

enum ct_status ct_stats_mean_interval(const double *x, size_t n, double level,
                                      struct ct_interval *interval_p)
{
    if (!is_level(level))
        return CT_EINVAL;
    struct ct_summary summary;
    CT_TRY(ct_stats_summarize(x, n, &summary));
    double half = NAN;
    if (n > 1)
        half = ct_student_half_width(level, n - 1) * sqrt(summary.variance / (double)n);
    *interval_p = (struct ct_interval){summary.mean - half, summary.mean + half};
    return CT_OK;
}
