/* core/histogram: the error bound as a property, and that nothing is lost. */
#include "core/histogram.h"
#include "core/stats.h"
#include "tests/unit/unit.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

/* A histogram that has seen nothing but the value gives it back within the bound. */
static void check_bound(double lo, double hi, double relative_error, double value)
{
    struct ct_histogram *h = ct_histogram_new(lo, hi, relative_error);
    assert_non_null(h);
    ct_histogram_record(h, value);
    double back = ct_histogram_quantile(h, 0.5);
    if (!(fabs(back - value) <= relative_error * value))
        fail_msg("range %g..%g: %.17g came back as %.17g, bound %g", lo, hi, value, back,
                 relative_error);
    ct_histogram_free(h);
}

static void relative_error_is_bounded(void **state)
{
    (void)state;
    const struct {
        double lo, hi, relative_error;
    } shapes[] = {{1e-9, 1e4, 0.01}, {1e-9, 1e4, 1e-3},  {1e-6, 1, 0.5},
                  {1, 1.0001, 0.1},  {3e-7, 8e-2, 1e-4}, {1e-300, 1e300, 0.05}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        double lo = shapes[s].lo, hi = shapes[s].hi, bound = shapes[s].relative_error;
        check_bound(lo, hi, bound, lo);
        check_bound(lo, hi, bound, nextafter(hi, 0));
        for (int i = 0; i < 300; i++) {
            double value = exp(log(lo) + gsl_rng_uniform(rng) * (log(hi) - log(lo)));
            check_bound(lo, hi, bound, fmin(fmax(value, lo), nextafter(hi, 0)));
        }
    }
    gsl_rng_free(rng);
}

static void bound_holds_at_the_edges_of_buckets(void **state)
{
    (void)state;
    struct ct_histogram *h = ct_histogram_new(1e-9, 1e4, 0.02);
    assert_non_null(h);
    for (size_t i = 1; i < ct_histogram_buckets(h); i += 7) {
        double edge, unused;
        uint64_t count;
        ct_histogram_bucket(h, i, &edge, &unused, &count);
        check_bound(1e-9, 1e4, 0.02, edge);
        check_bound(1e-9, 1e4, 0.02, nextafter(edge, 0));
        check_bound(1e-9, 1e4, 0.02, nextafter(edge, 1e4));
    }
    ct_histogram_free(h);
}

static void buckets_tile_the_range(void **state)
{
    (void)state;
    struct ct_histogram *h = ct_histogram_new(1e-6, 10, 0.05);
    assert_non_null(h);
    double lo, hi, before = 1e-6;
    uint64_t count;
    for (size_t i = 0; i < ct_histogram_buckets(h); i++) {
        ct_histogram_bucket(h, i, &lo, &hi, &count);
        assert_true(lo == before && hi > lo);
        assert_int_equal(count, 0);
        before = hi;
    }
    assert_true(before == 10);
    ct_histogram_free(h);
}

static void quantiles_match_order_statistics(void **state)
{
    (void)state;
    enum { N = 1000 };
    double x[N];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ct_histogram *h = ct_histogram_new(1e-6, 1e-2, 0.01);
    assert_non_null(rng);
    assert_non_null(h);
    for (size_t i = 0; i < N; i++) {
        x[i] = 1e-5 * exp(3 * gsl_rng_uniform(rng));
        ct_histogram_record(h, x[i]);
    }
    ct_stats_sort(x, N);
    for (int percent = 0; percent <= 100; percent++) {
        size_t rank = percent == 0 ? 1 : (size_t)(percent * N / 100);
        double exact = x[rank - 1], got = ct_histogram_quantile(h, percent / 100.0);
        assert_true(fabs(got - exact) <= 0.01 * exact);
    }
    gsl_rng_free(rng);
    ct_histogram_free(h);
}

static void values_outside_are_counted_apart(void **state)
{
    (void)state;
    struct ct_histogram *h = ct_histogram_new(1, 100, 0.1);
    assert_non_null(h);
    assert_true(isnan(ct_histogram_quantile(h, 0.5)));
    const double values[] = {0, -5, -INFINITY, 0.999, 1, 50, 100, INFINITY, NAN};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ct_histogram_record(h, values[i]);
    assert_int_equal(ct_histogram_count(h), 8);
    assert_int_equal(ct_histogram_underflow(h), 4);
    assert_int_equal(ct_histogram_overflow(h), 2);
    assert_int_equal(ct_histogram_nan(h), 1);
    assert_true(ct_histogram_quantile(h, 0) == -INFINITY);
    assert_true(ct_histogram_quantile(h, 0.5) == -INFINITY);
    assert_true(fabs(ct_histogram_quantile(h, 0.6) - 1) <= 0.1);
    assert_true(fabs(ct_histogram_quantile(h, 0.7) - 50) <= 5);
    assert_true(ct_histogram_quantile(h, 1) == INFINITY);
    assert_true(isnan(ct_histogram_quantile(h, 1.01)));
    assert_true(isnan(ct_histogram_quantile(h, NAN)));
    ct_histogram_free(h);
}

static void merging_adds_counts(void **state)
{
    (void)state;
    struct ct_histogram *a = ct_histogram_new(1, 100, 0.1), *b = ct_histogram_new(1, 100, 0.1);
    struct ct_histogram *other = ct_histogram_new(1, 100, 0.2);
    assert_true(a && b && other);
    const double in_a[] = {0.5, 2, 3, NAN}, in_b[] = {3, 200, 99};
    for (size_t i = 0; i < 4; i++)
        ct_histogram_record(a, in_a[i]);
    for (size_t i = 0; i < 3; i++)
        ct_histogram_record(b, in_b[i]);
    assert_int_equal(ct_histogram_merge(a, other), CT_EINVAL);
    assert_int_equal(ct_histogram_merge(a, b), CT_OK);
    assert_int_equal(ct_histogram_count(a), 6);
    assert_int_equal(ct_histogram_underflow(a), 1);
    assert_int_equal(ct_histogram_overflow(a), 1);
    assert_int_equal(ct_histogram_nan(a), 1);
    uint64_t inside = 0;
    for (size_t i = 0; i < ct_histogram_buckets(a); i++) {
        double lo, hi;
        uint64_t count;
        ct_histogram_bucket(a, i, &lo, &hi, &count);
        inside += count;
        if (lo <= 3 && 3 < hi)
            assert_int_equal(count, 2);
    }
    assert_int_equal(inside, 4);
    ct_histogram_free(a);
    ct_histogram_free(b);
    ct_histogram_free(other);
}

static void impossible_shapes_are_refused(void **state)
{
    (void)state;
    const double bad[][3] = {{0, 1, 0.1},  {-1, 1, 0.1},      {2, 1, 0.1},   {1, 1, 0.1},
                             {1, 2, 9e-5}, {1, 2, 0.51},      {NAN, 1, 0.1}, {1, NAN, 0.1},
                             {1, 2, NAN},  {1, INFINITY, 0.1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_null(ct_histogram_new(bad[i][0], bad[i][1], bad[i][2]));
    ct_histogram_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relative_error_is_bounded),
        cmocka_unit_test(bound_holds_at_the_edges_of_buckets),
        cmocka_unit_test(buckets_tile_the_range),
        cmocka_unit_test(quantiles_match_order_statistics),
        cmocka_unit_test(values_outside_are_counted_apart),
        cmocka_unit_test(merging_adds_counts),
        cmocka_unit_test(impossible_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
