/* calibrate/surrogate: known polynomials, Ishigami's function, errors against refits. */
#include "calibrate/design.h"
#include "calibrate/surrogate.h"
#include "core/random.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static struct ct_design sobol(size_t n_dims, size_t n_points)
{
    struct ct_design design;
    struct ct_error err;
    if (ct_design_make(
            &(struct ct_design_setup){CT_DESIGN_SOBOL, .n_dims = n_dims, .n_points = n_points},
            &design, &err) != CT_OK)
        fail_msg("%s", err.text);
    return design;
}

static struct ct_surrogate *fit(const struct ct_design *design, const double *outputs,
                                size_t n_outputs, unsigned order, unsigned order_max)
{
    static const char *const names[] = {"first", "second", "third"};
    struct ct_surrogate *surrogate = NULL;
    struct ct_error err;
    if (ct_surrogate_fit(&(struct ct_surrogate_data){design->points, design->n_points,
                                                     design->n_dims, outputs, n_outputs, names},
                         order, order_max, &surrogate, &err) != CT_OK)
        fail_msg("%s", err.text);
    return surrogate;
}

/* Outputs of different orders: 2 + 3 P_1(x), P_3(y) - 5 P_1(x) P_1(z), a constant. */
static void polynomials_are_found(void **state)
{
    (void)state;
    enum { POINTS = 150 };
    struct ct_design design = sobol(3, POINTS);
    double outputs[3 * POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        const double *z = design.points + 3 * i;
        outputs[3 * i] = 2 + 3 * z[0];
        outputs[3 * i + 1] = (5 * pow(z[1], 3) - 3 * z[1]) / 2 - 5 * z[0] * z[2];
        outputs[3 * i + 2] = 8;
    }
    struct ct_surrogate *surrogate = fit(&design, outputs, 3, 0, 5);
    assert_int_equal(ct_surrogate_order(surrogate, 0), 1);
    assert_int_equal(ct_surrogate_order(surrogate, 1), 3);
    assert_int_equal(ct_surrogate_n_terms(surrogate, 0), 4);
    assert_int_equal(ct_surrogate_n_terms(surrogate, 1), 20);
    assert_near(ct_surrogate_mean(surrogate, 0), 2, 1e-12);
    assert_near(ct_surrogate_variance(surrogate, 0), 3, 1e-12); /* 9 / 3 */
    assert_near(ct_surrogate_variance(surrogate, 1), 1.0 / 7 + 25.0 / 9, 1e-12);
    double first[3], total[3], all = 1.0 / 7 + 25.0 / 9;
    ct_surrogate_indices(surrogate, 1, first, total);
    const double expected_first[] = {0, 1.0 / 7 / all, 0};
    const double expected_total[] = {25.0 / 9 / all, 1.0 / 7 / all, 25.0 / 9 / all};
    for (size_t d = 0; d < 3; d++) {
        assert_near(first[d], expected_first[d], 1e-12);
        assert_near(total[d], expected_total[d], 1e-12);
    }
    const unsigned char only_y[] = {0, 1, 0};
    assert_near(ct_surrogate_variance_without(surrogate, 1, only_y), 25.0 / 9, 1e-12);
    ct_surrogate_indices(surrogate, 2, first, NULL);
    assert_true(isnan(first[0]) && isnan(first[2]));
    const double z[] = {0.3, -0.7, 0.9};
    const size_t second[] = {1};
    double values[3], value;
    ct_surrogate_evaluate(surrogate, z, values);
    ct_surrogate_evaluate_some(surrogate, z, second, 1, &value);
    assert_near(values[0], 2.9, 1e-12);
    assert_near(values[1], (5 * pow(-0.7, 3) + 2.1) / 2 - 5 * 0.27, 1e-12);
    assert_near(values[2], 8, 1e-12);
    assert_true(value == values[1]);
    ct_surrogate_free(surrogate);
    ct_design_free(&design);
}

/* Ishigami and Homma 1990, with a = 7, b = 0.1: closed forms of all indices. */
static void indices_of_ishigami(void **state)
{
    (void)state;
    enum { POINTS = 1000 };
    const double a = 7, b = 0.1, pi4 = pow(M_PI, 4), pi8 = pi4 * pi4;
    struct ct_design design = sobol(3, POINTS);
    double outputs[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        const double *z = design.points + 3 * i;
        double x = M_PI * z[0], y = M_PI * z[1], w = M_PI * z[2];
        outputs[i] = sin(x) + a * sin(y) * sin(y) + b * pow(w, 4) * sin(x);
    }
    struct ct_surrogate *surrogate = fit(&design, outputs, 1, 0, 10);
    double variance = a * a / 8 + b * pi4 / 5 + b * b * pi8 / 18 + 0.5;
    double alone = pow(1 + b * pi4 / 5, 2) / 2, both = b * b * pi8 * (1.0 / 18 - 1.0 / 50);
    double first[3], total[3];
    ct_surrogate_indices(surrogate, 0, first, total);
    assert_near(first[0], alone / variance, 0.01);
    assert_near(first[1], a * a / 8 / variance, 0.01);
    assert_near(first[2], 0, 0.01);
    assert_near(total[0], (alone + both) / variance, 0.01);
    assert_near(total[1], a * a / 8 / variance, 0.01);
    assert_near(total[2], both / variance, 0.01);
    assert_near(ct_surrogate_mean(surrogate, 0), a / 2, 0.02);
    assert_true(ct_surrogate_order(surrogate, 0) >= 8);
    assert_true(ct_surrogate_loo_share(surrogate, 0) < 0.01);
    ct_surrogate_free(surrogate);
    ct_design_free(&design);
}

/* A function that no polynomial of the order has, with noise. */
static void leave_one_out_is_that_of_refits(void **state)
{
    (void)state;
    enum { POINTS = 40, DIMS = 2 };
    for (unsigned order = 1; order <= 4; order++) {
        struct ct_design design = sobol(DIMS, POINTS);
        double outputs[POINTS], sum = 0, mean = 0, variance = 0;
        for (size_t i = 0; i < POINTS; i++) {
            const double *z = design.points + DIMS * i;
            outputs[i] = exp(z[0]) * sin(3 * z[1]) + 0.1 * ct_random_unit(ct_random_at(5, i));
            mean += outputs[i] / POINTS;
        }
        for (size_t i = 0; i < POINTS; i++)
            variance += (outputs[i] - mean) * (outputs[i] - mean) / POINTS;
        struct ct_surrogate *all = fit(&design, outputs, 1, order, 0);
        for (size_t left_out = 0; left_out < POINTS; left_out++) {
            double points[(POINTS - 1) * DIMS], others[POINTS - 1], value;
            size_t n = 0;
            for (size_t i = 0; i < POINTS; i++) {
                if (i == left_out)
                    continue;
                memcpy(points + DIMS * n, design.points + DIMS * i, DIMS * sizeof *points);
                others[n++] = outputs[i];
            }
            const struct ct_design rest = {points, NULL, n, DIMS};
            struct ct_surrogate *refit = fit(&rest, others, 1, order, 0);
            ct_surrogate_evaluate(refit, design.points + DIMS * left_out, &value);
            sum += (value - outputs[left_out]) * (value - outputs[left_out]);
            ct_surrogate_free(refit);
        }
        assert_near(ct_surrogate_loo_variance(all, 0) / (sum / POINTS), 1, 1e-9);
        assert_near(ct_surrogate_loo_share(all, 0) / (sum / POINTS / variance), 1, 1e-9);
        ct_surrogate_free(all);
        ct_design_free(&design);
    }
}

/* A bend, where the lower one of two rates decides, and a pole. */
static double bent(const double *z)
{
    return fmin(z[0], z[1]) + 0.5 / (1.5 + z[2]);
}

/* Mean squared error at random points of the prior, divided by V. */
static double error_beyond(const struct ct_design *design)
{
    enum { PROBES = 5000 };
    double *outputs = malloc(design->n_points * sizeof *outputs), sum = 0;
    for (size_t i = 0; i < design->n_points; i++)
        outputs[i] = bent(design->points + 3 * i);
    struct ct_surrogate *surrogate = fit(design, outputs, 1, 4, 0);
    for (size_t i = 0; i < PROBES; i++) {
        double z[3], value;
        for (size_t d = 0; d < 3; d++)
            z[d] = 2 * ct_random_unit(ct_random_at(d, i)) - 1;
        ct_surrogate_evaluate(surrogate, z, &value);
        sum += (value - bent(z)) * (value - bent(z)) / PROBES;
    }
    double ratio = sum / ct_surrogate_loo_variance(surrogate, 0);
    ct_surrogate_free(surrogate);
    free(outputs);
    return ratio;
}

/* V is the error over the prior if the points cover it alike: those of a sparse grid do not. */
static void error_over_the_prior(void **state)
{
    (void)state;
    struct ct_design even = sobol(3, 177), grid;
    struct ct_error err;
    const struct ct_design_setup setup = {CT_DESIGN_SPARSE, .n_dims = 3, .level = 4};
    if (ct_design_make(&setup, &grid, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(grid.n_points, 177);
    assert_true(error_beyond(&even) < 1.1);
    assert_true(error_beyond(&grid) > 1.3);
    ct_design_free(&even);
    ct_design_free(&grid);
}

/* Of noise around a line a low order is chosen: high ones only follow the noise. */
static void noise_is_not_followed(void **state)
{
    (void)state;
    enum { POINTS = 80 };
    struct ct_design design = sobol(2, POINTS);
    double outputs[POINTS];
    for (size_t i = 0; i < POINTS; i++)
        outputs[i] = design.points[2 * i] + ct_random_unit(ct_random_at(3, i));
    struct ct_surrogate *chosen = fit(&design, outputs, 1, 0, 6);
    struct ct_surrogate *high = fit(&design, outputs, 1, 6, 0);
    assert_true(ct_surrogate_order(chosen, 0) <= 2);
    assert_true(ct_surrogate_loo_variance(high, 0) > 1.2 * ct_surrogate_loo_variance(chosen, 0));
    ct_surrogate_free(chosen);
    ct_surrogate_free(high);
    ct_design_free(&design);
}

static void simulations_that_are_no_basis(void **state)
{
    (void)state;
    enum { POINTS = 40 };
    struct ct_design design = sobol(2, POINTS);
    double outputs[POINTS];
    for (size_t i = 0; i < POINTS; i++)
        outputs[i] = design.points[2 * i];
    static const char *const names[] = {"throughput at 1 KiB"};
    struct ct_surrogate_data data = {design.points, POINTS, 2, outputs, 1, names};
    struct ct_surrogate *surrogate = NULL;
    struct ct_error err;
    data.n_points = 15; /* order 4 has 15 terms */
    assert_int_equal(ct_surrogate_fit(&data, 4, 0, &surrogate, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "15 simulations are too few"));
    assert_non_null(strstr(err.text, "need 16"));
    data.n_points = 5; /* order 1 has 3 terms */
    assert_int_equal(ct_surrogate_fit(&data, 0, 4, &surrogate, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "need 6"));
    data.n_points = POINTS;
    outputs[7] = NAN;
    assert_int_equal(ct_surrogate_fit(&data, 0, 4, &surrogate, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "simulation 7: throughput at 1 KiB is"));
    outputs[7] = 0;
    design.points[3] = 1.5;
    assert_int_equal(ct_surrogate_fit(&data, 0, 4, &surrogate, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "simulation 1, parameter 1"));
    for (size_t i = 0; i < POINTS; i++)
        design.points[2 * i + 1] = design.points[2 * i]; /* nothing tells the two apart */
    assert_int_equal(ct_surrogate_fit(&data, 0, 4, &surrogate, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "do not tell"));
    assert_int_equal(ct_surrogate_fit(&data, 13, 0, &surrogate, &err), CT_EINVAL);
    assert_int_equal(ct_surrogate_fit(&data, 0, 0, &surrogate, &err), CT_EINVAL);
    assert_null(surrogate);
    ct_design_free(&design);
    /* Points of a coarse grid carry a lower order only: the highest possible one is taken. */
    struct ct_error grid_err;
    if (ct_design_make(&(struct ct_design_setup){CT_DESIGN_SPARSE, .n_dims = 3, .level = 2},
                       &design, &grid_err) != CT_OK)
        fail_msg("%s", grid_err.text);
    double cubes[25];
    for (size_t i = 0; i < design.n_points; i++)
        cubes[i] = pow(design.points[3 * i], 2) + design.points[3 * i + 1];
    surrogate = fit(&design, cubes, 1, 0, 8);
    assert_int_equal(ct_surrogate_order(surrogate, 0), 2);
    assert_true(ct_surrogate_loo_variance(surrogate, 0) < 1e-20);
    ct_surrogate_free(surrogate);
    ct_design_free(&design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(polynomials_are_found),
                                       cmocka_unit_test(indices_of_ishigami),
                                       cmocka_unit_test(leave_one_out_is_that_of_refits),
                                       cmocka_unit_test(noise_is_not_followed),
                                       cmocka_unit_test(error_over_the_prior),
                                       cmocka_unit_test(simulations_that_are_no_basis)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
