/* calibrate: priors, and measurements that cannot be used. */
#include "calibrate/likelihood.h"
#include "calibrate/observed.h"
#include "calibrate/prior.h"
#include "tests/unit/unit.h"

#include <string.h>

static const struct ct_prior priors[] = {
    {CT_PRIOR_UNIFORM, -3, 5}, {CT_PRIOR_LOG_UNIFORM, 1e-7, 1e-4}, {CT_PRIOR_NORMAL, 12, 0.5}};
enum { N_PRIORS = sizeof priors / sizeof *priors };

static void a_prior_is_uniform_in_its_coordinate(void **state)
{
    (void)state;
    for (size_t p = 0; p < N_PRIORS; p++) {
        const double step = 1e-4;
        double inside = 0;
        for (double z = -1 + step; z < 1; z += 2 * step) {
            double value = ct_prior_value(&priors[p], z);
            assert_near(ct_prior_coordinate(&priors[p], value), z, 1e-9);
            /* dF = density dvalue = dz / 2 */
            double width =
                ct_prior_value(&priors[p], z + step) - ct_prior_value(&priors[p], z - step);
            inside += ct_prior_density(&priors[p], value) * width;
        }
        assert_near(inside, 1, 1e-4);
    }
}

static void ends_of_a_prior_are_values(void **state)
{
    (void)state;
    assert_true(ct_prior_value(&priors[0], -1) == -3 && ct_prior_value(&priors[0], 1) == 5);
    assert_true(ct_prior_value(&priors[1], -1) == 1e-7 && ct_prior_value(&priors[1], 1) == 1e-4);
    assert_near(ct_prior_value(&priors[1], 0), sqrt(1e-11), 1e-15);
    assert_near(ct_prior_value(&priors[2], -1), 10.5, 1e-9); /* three standard deviations */
    assert_near(ct_prior_value(&priors[2], 1), 13.5, 1e-9);
    assert_near(ct_prior_value(&priors[2], 0), 12, 1e-12);
    assert_true(ct_prior_density(&priors[2], 10.4) == 0);
    assert_true(ct_prior_coordinate(&priors[0], 6) == 1);
    assert_true(ct_prior_coordinate(&priors[1], -1) == -1);
    /* The most likely value of a normal prior is its mean; uniform ones have none. */
    assert_near(ct_prior_log_weight(&priors[2], ct_prior_coordinate(&priors[2], 12.5)), -0.5, 1e-9);
    assert_true(ct_prior_log_weight(&priors[1], 0.7) == 0);
}

static void parameters_that_make_no_sense(void **state)
{
    (void)state;
    static const struct {
        struct ct_parameter parameters[2];
        const char *says;
    } cases[] = {
        {{{"hop", "s", {CT_PRIOR_UNIFORM, 2, 1}}}, "from 2 to 1"},
        {{{"hop", "s", {CT_PRIOR_UNIFORM, 1, NAN}}}, "not finite"},
        {{{"hop", "s", {CT_PRIOR_LOG_UNIFORM, 0, 1}}}, "above 0"},
        {{{"hop", "s", {CT_PRIOR_NORMAL, 0, 0}}}, "standard deviation 0"},
        {{{"hop", "s", {CT_PRIOR_UNIFORM, 0, 1}}, {"hop", "s", {CT_PRIOR_UNIFORM, 0, 2}}}, "twice"},
    };
    struct ct_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = cases[i].parameters[1].name ? 2 : 1;
        assert_int_equal(ct_parameters_check(cases[i].parameters, n, &err), CT_EINVAL);
        assert_non_null(strstr(err.text, cases[i].says));
        assert_non_null(strstr(err.text, "'hop'"));
    }
    assert_int_equal(ct_parameters_check(NULL, 0, &err), CT_EINVAL);
    enum ct_prior_kind kind;
    assert_int_equal(ct_prior_kind_of("log-uniform", &kind, &err), CT_OK);
    assert_int_equal(kind, CT_PRIOR_LOG_UNIFORM);
    assert_int_equal(ct_prior_kind_of("beta", &kind, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "normal"));
}

static void measurements_that_cannot_be_used(void **state)
{
    (void)state;
    static const double values[] = {3, 5, 7}, equal[] = {2, 2, 2}, bad[] = {1, INFINITY};
    const struct ct_observed good = {.name = "at 1 KiB", .values = values, .n = 3};
    const struct {
        struct ct_observed second;
        enum ct_status status;
        const char *says;
    } cases[] = {{{"at 1 KiB", values, 3, 0}, CT_EEXIST, "at 1 KiB: measured twice"},
                 {{"at 2 KiB", values, 1, 0}, CT_ENODATA, "at 2 KiB: 1 repetition"},
                 {{"at 2 KiB", equal, 3, 0}, CT_EINVAL, "at 2 KiB: all 3 repetitions are 2"},
                 {{"at 2 KiB", bad, 2, 0}, CT_EINVAL, "at 2 KiB: a measured value is not finite"}};
    struct ct_observed_summary summaries[2];
    struct ct_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ct_observed both[] = {good, cases[i].second};
        assert_int_equal(ct_observed_summarize(both, 2, summaries, &err), cases[i].status);
        assert_non_null(strstr(err.text, cases[i].says));
    }
    assert_int_equal(ct_observed_summarize(NULL, 0, summaries, &err), CT_ENODATA);
    assert_int_equal(ct_observed_summarize(&good, 1, summaries, &err), CT_OK);
    assert_near(summaries[0].mean, 5, 1e-12);
    assert_near(summaries[0].variance, 4, 1e-12);
    assert_near(summaries[0].scale, 5, 1e-12);
}

static void variances_of_both_likelihoods(void **state)
{
    (void)state;
    const struct ct_observed_summary data = {.mean = -10, .variance = 8, .n = 4, .scale = 10};
    assert_near(ct_likelihood_variance(CT_LIKELIHOOD_PRINTED, &data, 0.5, 7), 6.5, 1e-12);
    assert_near(ct_likelihood_variance(CT_LIKELIHOOD_CORRECTED, &data, 0.5, 0.1), 3.5, 1e-12);
    assert_near(ct_likelihood_log(3, 1, 4), -0.5 * log(8 * M_PI) - 0.5, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_prior_is_uniform_in_its_coordinate),
                                       cmocka_unit_test(ends_of_a_prior_are_values),
                                       cmocka_unit_test(parameters_that_make_no_sense),
                                       cmocka_unit_test(measurements_that_cannot_be_used),
                                       cmocka_unit_test(variances_of_both_likelihoods)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
