/* predict/curve: monotone regression and interpolation. */
#include "predict/curve.h"
#include "tests/unit/unit.h"

#include <gsl/gsl_rng.h>

static double at(const struct ct_curve *curve, double x)
{
    bool beyond;
    return ct_curve_at(curve, x, &beyond);
}

static struct ct_curve *curve_of(struct ct_curve_point *points, size_t n, double origin_x)
{
    struct ct_curve *curve = NULL;
    assert_int_equal(ct_curve_new(points, n, origin_x, &curve), CT_OK);
    assert_non_null(curve);
    return curve;
}

static void rising_points_lie_on_the_curve(void **state)
{
    (void)state;
    struct ct_curve_point points[] = {{0.8, 2}, {0.2, 0.1}, {0.5, 0.4}};
    struct ct_curve *curve = curve_of(points, 3, 0.1);
    bool beyond;
    assert_near(at(curve, 0.2), 0.1, 1e-12);
    assert_near(at(curve, 0.5), 0.4, 1e-12);
    assert_near(ct_curve_at(curve, 0.8, &beyond), 2, 1e-12);
    assert_false(beyond);
    assert_near(ct_curve_at(curve, 0.81, &beyond), 2, 1e-12);
    assert_true(beyond);
    assert_true(at(curve, 0) == 0 && at(curve, 0.1) == 0);
    assert_true(at(curve, 0.3) > 0.1 && at(curve, 0.3) < 0.4);
    ct_curve_free(curve);
}

static void violators_are_pooled(void **state)
{
    (void)state;
    struct ct_curve_point points[] = {{1, 1}, {2, 3}, {3, 2}, {4, 4}, {5, 6}, {6, 5}, {7, 4}};
    const double fitted[] = {1, 2.5, 2.5, 4, 5, 5, 5};
    struct ct_curve *curve = curve_of(points, 7, 0);
    for (int i = 0; i < 7; i++)
        assert_near(at(curve, i + 1), fitted[i], 1e-12);
    ct_curve_free(curve);
}

static void speed_ups_count_as_none_and_equal_x_are_averaged(void **state)
{
    (void)state;
    struct ct_curve_point points[] = {{1, -0.2}, {2, 0.1}, {2, 0.5}, {3, 0.7}};
    struct ct_curve *curve = curve_of(points, 4, 0);
    assert_true(at(curve, 1) == 0);
    assert_near(at(curve, 2), 0.3, 1e-12);
    assert_near(at(curve, 3), 0.7, 1e-12);
    ct_curve_free(curve);
}

static void few_points_make_a_curve_too(void **state)
{
    (void)state;
    bool beyond;
    struct ct_curve_point points[] = {{0.6, 0.4}, {0.1, 9}};
    struct ct_curve *curve = curve_of(points, 0, 0.2);
    assert_true(at(curve, 0.2) == 0);
    assert_true(ct_curve_at(curve, 0.3, &beyond) == 0 && beyond);
    ct_curve_free(curve);
    curve = curve_of(points, 2, 0.2); /* the second one lies below the origin */
    assert_near(at(curve, 0.4), 0.2, 1e-12);
    assert_near(at(curve, 0.7), 0.4, 1e-12);
    ct_curve_free(curve);
    struct ct_curve_point bad[] = {{0.5, NAN}};
    assert_int_equal(ct_curve_new(bad, 1, 0, &curve), CT_EINVAL);
    ct_curve_free(NULL);
}

static double squared_distance(const struct ct_curve_point *points, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (points[i].y - y[i]) * (points[i].y - y[i]);
    return sum;
}

/* Through random points: never falls, and no random monotone sequence is nearer to them. */
static void random_curves_are_monotone_and_nearest(void **state)
{
    (void)state;
    enum { N = 12 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    for (int round = 0; round < 100; round++) {
        struct ct_curve_point points[N];
        double x = 0, fitted[N], other[N];
        for (size_t i = 0; i < N; i++) {
            x += 0.01 + gsl_rng_uniform(rng);
            points[i] = (struct ct_curve_point){x, 0.2 * x + 2 * gsl_rng_uniform(rng) - 1};
        }
        struct ct_curve *curve = curve_of(points, N, 0);
        for (size_t i = 0; i < N; i++)
            fitted[i] = at(curve, points[i].x);
        double before = 0;
        for (int step = 0; step <= 500; step++) {
            double y = at(curve, x * step / 500);
            assert_true(y >= before - 1e-12);
            before = y;
        }
        ct_curve_free(curve);
        double best = squared_distance(points, fitted, N);
        for (int trial = 0; trial < 200; trial++) {
            double floor_y = 0;
            for (size_t i = 0; i < N; i++) {
                double moved = fitted[i] + 0.1 * (gsl_rng_uniform(rng) - 0.5);
                floor_y = other[i] = fmax(floor_y, moved);
            }
            assert_true(squared_distance(points, other, N) >= best - 1e-12);
        }
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rising_points_lie_on_the_curve),
        cmocka_unit_test(violators_are_pooled),
        cmocka_unit_test(speed_ups_count_as_none_and_equal_x_are_averaged),
        cmocka_unit_test(few_points_make_a_curve_too),
        cmocka_unit_test(random_curves_are_monotone_and_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
