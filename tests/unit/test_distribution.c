/* core/distribution: closed forms, and GSL over a range of arguments. */
#include "core/distribution.h"
#include "tests/unit/unit.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

static void assert_same(double actual, double expected, double relative)
{
    assert_near(actual, expected, relative * fabs(expected));
}

static void binomial_of_closed_forms(void **state)
{
    (void)state;
    assert_same(ct_binomial(2, 4, 0.5), 6.0 / 16, 1e-15);
    assert_same(ct_binomial(1, 3, 0.2), 3 * 0.2 * 0.64, 1e-15);
    assert_same(ct_binomial(0, 10, 0.3), pow(0.7, 10), 1e-15);
    assert_same(ct_binomial(10, 10, 0.3), pow(0.3, 10), 1e-14);
    assert_true(ct_binomial(0, 5, 0) == 1 && ct_binomial(1, 5, 0) == 0);
    assert_true(ct_binomial(5, 5, 1) == 1 && ct_binomial(4, 5, 1) == 0);
    assert_true(ct_binomial(0, 0, 0.5) == 1);
}

static void binomial_as_gsl_has_it(void **state)
{
    (void)state;
    static const double p[] = {0.001, 0.05, 0.25, 0.5, 0.9, 0.999};
    for (unsigned n = 1; n <= 2000; n = n < 40 ? n + 1 : n * 5 / 4)
        for (unsigned k = 0; k <= n; k++)
            for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
                double expected = gsl_ran_binomial_pdf(k, p[i], n);
                if (expected > 1e-290)
                    assert_same(ct_binomial(k, n, p[i]), expected, 1e-10);
            }
}

/* GSL loses digits here; what must hold is the sum. */
static void binomial_of_many_trials_adds_up(void **state)
{
    (void)state;
    static const double p[] = {0.5, 0.01, 0.99};
    const uint64_t n = 1000000;
    for (size_t i = 0; i < 3; i++) {
        double sum = 0;
        for (uint64_t k = 0; k <= n; k++)
            sum += ct_binomial(k, n, p[i]);
        assert_near(sum, 1, 1e-12);
    }
}

static void student_of_closed_forms(void **state)
{
    (void)state;
    static const double levels[] = {1e-6, 0.1, 0.5, 0.9, 0.99, 0.9999};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        double level = levels[i];
        assert_same(ct_student_half_width(level, 1), tan(acos(-1) / 2 * level), 1e-11);
        assert_same(ct_student_half_width(level, 2), level * sqrt(2 / (1 - level * level)), 1e-11);
    }
    assert_near(ct_student_half_width(0.95, 4), 2.7764451052, 1e-10);
    assert_near(ct_student_half_width(0.95, 30), 2.0422724563, 1e-10);
    assert_near(ct_student_half_width(0.95, UINT64_C(1) << 60), 1.9599639845, 1e-10);
}

static void student_as_gsl_has_it(void **state)
{
    (void)state;
    static const double levels[] = {0.01, 0.3, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999};
    for (unsigned df = 1; df <= 1000000; df = df < 1100 ? df + 1 : df * 3 / 2)
        for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
            assert_same(ct_student_half_width(levels[i], df),
                        gsl_cdf_tdist_Qinv((1 - levels[i]) / 2, df), 1e-10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binomial_of_closed_forms),
        cmocka_unit_test(binomial_as_gsl_has_it),
        cmocka_unit_test(binomial_of_many_trials_adds_up),
        cmocka_unit_test(student_of_closed_forms),
        cmocka_unit_test(student_as_gsl_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
