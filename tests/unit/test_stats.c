/* core/stats: closed-form values, and properties checked by brute force or simulation. */
#include "core/stats.h"
#include "tests/unit/unit.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

static void summary_of_known_values(void **state)
{
    (void)state;
    const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct ct_summary s;
    assert_int_equal(ct_stats_summarize(x, 8, &s), CT_OK);
    assert_int_equal(s.n, 8);
    assert_true(s.min == 2 && s.max == 9);
    assert_near(s.mean, 5, 1e-12);
    assert_near(s.variance, 32.0 / 7, 1e-12);
}

static void summary_of_equal_values_has_no_variance(void **state)
{
    (void)state;
    double x[1000];
    for (size_t i = 0; i < 1000; i++)
        x[i] = 1.1e-5;
    struct ct_summary s;
    assert_int_equal(ct_stats_summarize(x, 1000, &s), CT_OK);
    assert_true(s.mean == 1.1e-5);
    assert_true(s.variance == 0);
    assert_int_equal(ct_stats_summarize(x, 1, &s), CT_OK);
    assert_true(isnan(s.variance));
}

static void summary_refuses_what_is_no_sample(void **state)
{
    (void)state;
    struct ct_summary s = {.n = 77};
    const double bad[][2] = {{1, NAN}, {INFINITY, 1}, {1, -INFINITY}};
    assert_int_equal(ct_stats_summarize(bad[0], 0, &s), CT_ENODATA);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(ct_stats_summarize(bad[i], 2, &s), CT_EINVAL);
    assert_int_equal(s.n, 77);
}

static void quantiles_interpolate_between_order_statistics(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4}, unsorted[] = {3, 1, 4, 2};
    const struct {
        double p, q;
    } cases[] = {{0, 1}, {0.25, 1.75}, {0.5, 2.5}, {0.9, 3.7}, {1, 4}};
    double q;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(ct_stats_quantile(x, 4, cases[i].p, &q), CT_OK);
        assert_near(q, cases[i].q, 1e-12);
        assert_int_equal(ct_stats_quantile_of((struct ct_series){unsorted, 4}, cases[i].p, &q),
                         CT_OK);
        assert_near(q, cases[i].q, 1e-12);
    }
    q = 77;
    assert_int_equal(ct_stats_quantile(x, 0, 0.5, &q), CT_ENODATA);
    assert_int_equal(ct_stats_quantile_of((struct ct_series){NULL, 0}, 0.5, &q), CT_ENODATA);
    assert_int_equal(ct_stats_quantile(x, 4, -0.1, &q), CT_EINVAL);
    assert_int_equal(ct_stats_quantile(x, 4, 1.1, &q), CT_EINVAL);
    assert_int_equal(ct_stats_quantile(x, 4, NAN, &q), CT_EINVAL);
    assert_true(q == 77);
}

static void sorting_sorts(void **state)
{
    (void)state;
    double x[] = {3, -1, 2, 2, 0};
    const double sorted[] = {-1, 0, 2, 2, 3};
    ct_stats_sort(x, 5);
    assert_memory_equal(x, sorted, sizeof x);
}

/* P(l <= Binomial(n, p) < u). */
static double coverage(unsigned n, double p, unsigned l, unsigned u)
{
    return gsl_cdf_binomial_P(u - 1, p, n) - (l > 0 ? gsl_cdf_binomial_P(l - 1, p, n) : 0);
}

static double best_coverage(unsigned n, double p, unsigned width)
{
    double best = 0;
    for (unsigned l = 1; l + width <= n; l++)
        best = fmax(best, coverage(n, p, l, l + width));
    return best;
}

static void selecting_brings_a_rank_to_its_place(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t n = 1; n <= 40; n++)
        for (size_t k = 0; k < n; k++) {
            double x[40], sorted[40];
            size_t values = 1 + gsl_rng_uniform_int(rng, n); /* few of them: many are equal */
            for (size_t i = 0; i < n; i++)
                x[i] = sorted[i] = (double)gsl_rng_uniform_int(rng, values);
            ct_stats_sort(sorted, n);
            ct_stats_select(x, n, k);
            assert_true(x[k] == sorted[k]);
            for (size_t i = 0; i < n; i++)
                assert_true(i < k ? x[i] <= x[k] : x[i] >= x[k]);
            ct_stats_sort(x, n);
            for (size_t i = 0; i < n; i++)
                assert_true(x[i] == sorted[i]);
        }
    gsl_rng_free(rng);
}

static void range_refuses_what_is_not_finite(void **state)
{
    (void)state;
    for (size_t n = 1; n < 12; n++)
        for (size_t at = 0; at < n; at++) {
            double x[12], min, max;
            for (size_t i = 0; i < n; i++)
                x[i] = 5 + (i == at ? -3 : 0.1 * (double)i);
            assert_int_equal(ct_stats_range(x, n, &min, &max), CT_OK);
            assert_true(min == 2 && max <= 5 + 0.1 * (double)n && (n == 1 || max >= 5));
            const double bad[] = {NAN, INFINITY, -INFINITY};
            for (size_t i = 0; i < 3; i++) {
                x[at] = bad[i];
                assert_int_equal(ct_stats_range(x, n, &min, &max), CT_EINVAL);
            }
        }
}

/* To the bit, so that answers are those of releases that took both from GSL. */
static void sorted_and_quantiles_as_gsl_has_them(void **state)
{
    (void)state;
    enum { MAX = 300 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    for (size_t n = 1; n <= MAX; n++) {
        double ours[MAX], theirs[MAX], q;
        for (size_t i = 0; i < n; i++) {
            double value = gsl_ran_ugaussian(rng);
            ours[i] = theirs[i] = n % 3 ? value : copysign(rint(value), value); /* -0, 0, ties */
        }
        ct_stats_sort(ours, n);
        gsl_sort(theirs, 1, n);
        assert_memory_equal(ours, theirs, n * sizeof *ours);
        for (int i = 0; i <= 40; i++) {
            double p = i / 40.0, expected = gsl_stats_quantile_from_sorted_data(theirs, 1, n, p);
            assert_int_equal(ct_stats_quantile(ours, n, p, &q), CT_OK);
            assert_memory_equal(&q, &expected, sizeof q);
        }
    }
    gsl_rng_free(rng);
}

static void quantile_interval_is_the_tightest_that_covers(void **state)
{
    (void)state;
    const double p_values[] = {0.05, 0.25, 0.5, 0.9, 0.99}, levels[] = {0.5, 0.95, 0.999};
    double rank[80]; /* the sample 1, 2, 3, ...: the interval's ends are ranks */
    for (unsigned i = 0; i < 80; i++)
        rank[i] = i + 1;
    for (unsigned n = 1; n <= 80; n++)
        for (size_t i = 0; i < 15; i++) {
            double p = p_values[i % 5], level = levels[i / 5];
            struct ct_interval interval;
            assert_int_equal(ct_stats_quantile_interval(rank, n, p, level, &interval), CT_OK);
            if (isnan(interval.lo)) {
                assert_true(isnan(interval.hi));
                assert_true(n == 1 || best_coverage(n, p, n - 1) < level + 1e-12);
                continue;
            }
            unsigned l = (unsigned)interval.lo, u = (unsigned)interval.hi;
            assert_true(l >= 1 && l < u && u <= n);
            assert_true(coverage(n, p, l, u) >= level - 1e-12);
            assert_true(best_coverage(n, p, u - l - 1) < level + 1e-12);
        }
}

static void quantile_interval_of_ten_values(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    struct ct_interval interval;
    assert_int_equal(ct_stats_quantile_interval(x, 10, 0.5, 0.95, &interval), CT_OK);
    assert_true(interval.lo == 2 && interval.hi == 9); /* textbook: ranks 2 and 9 for n = 10 */
    assert_int_equal(ct_stats_quantile_interval(x, 5, 0.5, 0.95, &interval), CT_OK);
    assert_true(isnan(interval.lo) && isnan(interval.hi));
    assert_int_equal(ct_stats_quantile_interval(x, 0, 0.5, 0.95, &interval), CT_ENODATA);
    assert_int_equal(ct_stats_quantile_interval(x, 10, 0.5, 1, &interval), CT_EINVAL);
    assert_int_equal(ct_stats_quantile_interval(x, 10, NAN, 0.9, &interval), CT_EINVAL);
    assert_int_equal(ct_stats_quantile_interval(x, 10, 0, 0.9, &interval), CT_OK);
    assert_true(isnan(interval.lo) && isnan(interval.hi));
    assert_int_equal(ct_stats_quantile_interval(x, 10, 1, 0.9, &interval), CT_OK);
    assert_true(isnan(interval.lo) && isnan(interval.hi));
}

/* Of two ranks that are equally good the upper one is taken, whatever n is. */
static void quantile_interval_of_a_median_does_not_depend_on_rounding(void **state)
{
    (void)state;
    enum { MAX = 3000 };
    static double rank[MAX];
    for (unsigned i = 0; i < MAX; i++)
        rank[i] = i + 1;
    for (unsigned n = 10; n <= MAX; n++) {
        struct ct_interval interval;
        assert_int_equal(ct_stats_quantile_interval(rank, n, 0.5, 0.95, &interval), CT_OK);
        double above = interval.hi - (n + 1) / 2.0, below = (n + 1) / 2.0 - interval.lo;
        assert_true(above == below || above == below + 1);
    }
}

static void mean_interval_by_student(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5};
    struct ct_interval interval;
    assert_int_equal(ct_stats_mean_interval(x, 5, 0.95, &interval), CT_OK);
    assert_near(interval.lo, 3 - 1.9632432, 1e-6); /* t(0.975; 4) = 2.7764451 */
    assert_near(interval.hi, 3 + 1.9632432, 1e-6);
    assert_int_equal(ct_stats_mean_interval(x, 1, 0.95, &interval), CT_OK);
    assert_true(isnan(interval.lo) && isnan(interval.hi));
    assert_int_equal(ct_stats_mean_interval(x, 0, 0.95, &interval), CT_ENODATA);
    assert_int_equal(ct_stats_mean_interval(x, 5, 0, &interval), CT_EINVAL);
}

/* ---- bootstrap ---- */

static double mean_statistic(const struct ct_series *series, void *calls)
{
    double sum = 0;
    for (size_t i = 0; i < series->n; i++)
        sum += series->x[i];
    if (calls)
        ++*(size_t *)calls;
    return sum / (double)series->n;
}

static double undefined_statistic(const struct ct_series *series, void *data)
{
    (void)series;
    (void)data;
    return NAN;
}

static double ratio_statistic(const struct ct_series *series, void *data)
{
    (void)data;
    return mean_statistic(&series[1], NULL) / mean_statistic(&series[0], NULL);
}

/* x[i] = r x[i-1] + noise, stationary, mean 10, standard deviation 1. */
static void autoregressive(double *x, size_t n, double r, gsl_rng *rng)
{
    double value = gsl_ran_ugaussian(rng);
    for (size_t i = 0; i < n; i++) {
        x[i] = 10 + value;
        value = r * value + sqrt(1 - r * r) * gsl_ran_ugaussian(rng);
    }
}

static gsl_rng *random_numbers(unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    gsl_rng_set(rng, seed);
    return rng;
}

static void bootstrap_is_repeatable(void **state)
{
    (void)state;
    gsl_rng *rng = random_numbers(1);
    double x[100];
    autoregressive(x, 100, 0, rng);
    gsl_rng_free(rng);
    struct ct_series series = {x, 100};
    struct ct_bootstrap setup = {.replicates = 200, .level = 0.9, .seed = 5};
    struct ct_interval first, again, other;
    size_t calls = 0;
    assert_int_equal(ct_stats_bootstrap(&series, 1, mean_statistic, &calls, &setup, &first), CT_OK);
    assert_int_equal(calls, 200);
    assert_int_equal(ct_stats_bootstrap(&series, 1, mean_statistic, NULL, &setup, &again), CT_OK);
    setup.seed += UINT64_C(1) << 40;
    assert_int_equal(ct_stats_bootstrap(&series, 1, mean_statistic, NULL, &setup, &other), CT_OK);
    assert_memory_equal(&first, &again, sizeof first);
    assert_memory_not_equal(&first, &other, sizeof first);
}

/* Defined for as many of the calls as data says, the first of each ten. */
static double sometimes(const struct ct_series *series, void *data)
{
    unsigned *calls = data; /* so far, and of ten */
    return calls[0]++ % 10 < calls[1] ? series[0].x[0] : NAN;
}

static void bootstrap_needs_half_of_its_replicates(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6};
    const struct ct_series series = {x, 6};
    const struct ct_bootstrap setup = {.replicates = 100, .level = 0.9, .seed = 5};
    struct ct_interval interval;
    unsigned fewer[] = {0, 4}, half[] = {0, 5};
    assert_int_equal(ct_stats_bootstrap(&series, 1, sometimes, fewer, &setup, &interval),
                     CT_ENODATA);
    assert_int_equal(ct_stats_bootstrap(&series, 1, sometimes, half, &setup, &interval), CT_OK);
    assert_true(interval.lo >= 1 && interval.hi <= 6 && interval.lo < interval.hi);
}

static void bootstrap_of_independent_values_agrees_with_student(void **state)
{
    (void)state;
    enum { N = 500 };
    gsl_rng *rng = random_numbers(2);
    double x[N];
    autoregressive(x, N, 0, rng);
    gsl_rng_free(rng);
    struct ct_series series = {x, N};
    struct ct_bootstrap setup = {.block = 1, .replicates = 4000, .level = 0.95, .seed = 1};
    struct ct_interval boot, student;
    assert_int_equal(ct_stats_bootstrap(&series, 1, mean_statistic, NULL, &setup, &boot), CT_OK);
    assert_int_equal(ct_stats_mean_interval(x, N, 0.95, &student), CT_OK);
    double length = student.hi - student.lo;
    assert_true(fabs(boot.lo - student.lo) < 0.1 * length);
    assert_true(fabs(boot.hi - student.hi) < 0.1 * length);
}

/* How many of 200 intervals hold the true mean, 10. */
static int covered(double r, size_t block)
{
    enum { N = 1000, SERIES = 200 };
    static double x[N];
    gsl_rng *rng = random_numbers(3);
    int n_covered = 0;
    for (int i = 0; i < SERIES; i++) {
        autoregressive(x, N, r, rng);
        struct ct_series series = {x, N};
        struct ct_bootstrap setup = {
            .block = block, .replicates = 200, .level = 0.95, .seed = (uint64_t)i};
        struct ct_interval interval;
        assert_int_equal(ct_stats_bootstrap(&series, 1, mean_statistic, NULL, &setup, &interval),
                         CT_OK);
        n_covered += interval.lo <= 10 && 10 <= interval.hi;
    }
    gsl_rng_free(rng);
    return n_covered;
}

static void slow_blocks_keep_the_coverage_of_correlated_series(void **state)
{
    (void)state;
    skip_if_sanitized();
    int independent = covered(0, 0), correlated = covered(0.9, 0), unblocked = covered(0.9, 1);
    assert_in_range(independent, 180, 200); /* nominal: 190 */
    assert_in_range(correlated, 170, 200);
    assert_in_range(unblocked, 0, 120); /* about 0.35 of 200: what blocks are there against */
}

static void bootstrap_of_two_series(void **state)
{
    (void)state;
    double without[] = {1.0, 1.1, 0.9, 1.0, 1.05, 0.95}, with[] = {2.0, 2.2, 1.8, 2.1};
    struct ct_series series[] = {{without, 6}, {with, 4}};
    struct ct_bootstrap setup = {.replicates = 500, .level = 0.95, .seed = 1};
    struct ct_interval interval;
    assert_int_equal(ct_stats_bootstrap(series, 2, ratio_statistic, NULL, &setup, &interval),
                     CT_OK);
    assert_true(interval.lo > 1.8 / 1.1 && interval.lo < 2.025);
    assert_true(interval.hi < 2.2 / 0.9 && interval.hi > 2.025);
}

static void bootstrap_refuses_what_it_cannot_resample(void **state)
{
    (void)state;
    double x[] = {1, 2, 3};
    struct ct_series three = {x, 3}, one = {x, 1}, none = {x, 0};
    struct ct_bootstrap good = {.replicates = 20, .level = 0.95};
    struct ct_bootstrap few = {.replicates = 19, .level = 0.95};
    struct ct_bootstrap level = {.replicates = 20, .level = 1};
    struct ct_interval i = {77, 77};
    assert_int_equal(ct_stats_bootstrap(&none, 1, mean_statistic, NULL, &good, &i), CT_ENODATA);
    assert_int_equal(ct_stats_bootstrap(&three, 1, mean_statistic, NULL, &few, &i), CT_EINVAL);
    assert_int_equal(ct_stats_bootstrap(&three, 1, mean_statistic, NULL, &level, &i), CT_EINVAL);
    assert_int_equal(ct_stats_bootstrap(&three, 0, mean_statistic, NULL, &good, &i), CT_EINVAL);
    assert_int_equal(ct_stats_bootstrap(&three, 1, undefined_statistic, NULL, &good, &i),
                     CT_ENODATA);
    assert_true(i.lo == 77 && i.hi == 77);
    assert_int_equal(ct_stats_bootstrap(&one, 1, mean_statistic, NULL, &good, &i), CT_OK);
    assert_true(isnan(i.lo) && isnan(i.hi));
}

static void blocks_grow_with_correlation(void **state)
{
    (void)state;
    enum { N = 8000 };
    static double x[N];
    gsl_rng *rng = random_numbers(4);
    autoregressive(x, N, 0, rng);
    size_t independent = ct_stats_block_length(x, N);
    autoregressive(x, N, 0.9, rng);
    size_t correlated = ct_stats_block_length(x, N);
    gsl_rng_free(rng);
    assert_in_range(independent, 20, 22);  /* 20 = 8000^(1/3), times (1+r)/(1-r) with r near 0 */
    assert_in_range(correlated, 300, 460); /* 20 * 19 = 380 */
    for (size_t i = 0; i < N; i++)
        x[i] = (double)i;
    assert_int_equal(ct_stats_block_length(x, N), N / 4);
    for (size_t i = 0; i < N; i++)
        x[i] = 3;
    assert_int_equal(ct_stats_block_length(x, N), 20);
    for (size_t n = 0; n < 8; n++)
        assert_int_equal(ct_stats_block_length(x, n), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summary_of_known_values),
        cmocka_unit_test(summary_of_equal_values_has_no_variance),
        cmocka_unit_test(summary_refuses_what_is_no_sample),
        cmocka_unit_test(quantiles_interpolate_between_order_statistics),
        cmocka_unit_test(sorting_sorts),
        cmocka_unit_test(selecting_brings_a_rank_to_its_place),
        cmocka_unit_test(range_refuses_what_is_not_finite),
        cmocka_unit_test(sorted_and_quantiles_as_gsl_has_them),
        cmocka_unit_test(quantile_interval_is_the_tightest_that_covers),
        cmocka_unit_test(quantile_interval_of_a_median_does_not_depend_on_rounding),
        cmocka_unit_test(quantile_interval_of_ten_values),
        cmocka_unit_test(mean_interval_by_student),
        cmocka_unit_test(bootstrap_is_repeatable),
        cmocka_unit_test(bootstrap_of_independent_values_agrees_with_student),
        cmocka_unit_test(bootstrap_needs_half_of_its_replicates),
        cmocka_unit_test(slow_blocks_keep_the_coverage_of_correlated_series),
        cmocka_unit_test(bootstrap_of_two_series),
        cmocka_unit_test(bootstrap_refuses_what_it_cannot_resample),
        cmocka_unit_test(blocks_grow_with_correlation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
