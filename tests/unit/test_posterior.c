/* calibrate: posteriors against closed forms, against truths that were drawn from the prior, and of
 * groups. */
#include "calibrate/calibrate.h"
#include "calibrate/chains.h"
#include "calibrate/design.h"
#include "core/random.h"
#include "tests/unit/unit.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUTS_MAX = 9, RUNS_MAX = 100 };

/* Outputs at coordinates. */
typedef void model(const double *z, double *outputs);

static const char *const names[OUTPUTS_MAX] = {"output 0", "output 1", "output 2",
                                               "output 3", "output 4", "output 5",
                                               "output 6", "output 7", "output 8"};

/* A model's polynomials, and runs that were "measured". */
struct example {
    struct ct_surrogate *surrogate;
    struct ct_observed observed[OUTPUTS_MAX];
    double runs[OUTPUTS_MAX][RUNS_MAX];
};

static void make_surrogate(struct example *example, model *outputs_at, size_t n_dims,
                           size_t n_outputs, unsigned order)
{
    struct ct_design design;
    struct ct_error err;
    const struct ct_design_setup setup = {CT_DESIGN_SOBOL, .n_dims = n_dims, .n_points = 300};
    if (ct_design_make(&setup, &design, &err) != CT_OK)
        fail_msg("%s", err.text);
    double *outputs = malloc(design.n_points * n_outputs * sizeof *outputs);
    for (size_t i = 0; i < design.n_points; i++)
        outputs_at(design.points + i * n_dims, outputs + i * n_outputs);
    const struct ct_surrogate_data data = {design.points, design.n_points, n_dims,
                                           outputs,       n_outputs,       names};
    if (ct_surrogate_fit(&data, 0, order, &example->surrogate, &err) != CT_OK)
        fail_msg("%s", err.text);
    free(outputs);
    ct_design_free(&design);
}

/* n runs of each output, around the given means. */
static void measure(struct example *example, size_t n_outputs, const double *means,
                    double deviation, size_t n, gsl_rng *rng)
{
    for (size_t k = 0; k < n_outputs; k++) {
        for (size_t r = 0; r < n; r++)
            example->runs[k][r] = means[k] + gsl_ran_gaussian(rng, deviation);
        example->observed[k] = (struct ct_observed){names[k], example->runs[k], n, 1};
    }
}

static struct ct_posterior *calibrate(const struct ct_calibration *calibration,
                                      const struct ct_calibration_setup *setup)
{
    struct ct_posterior *posterior = NULL;
    struct ct_error err;
    if (ct_calibrate(calibration, setup, &posterior, &err) != CT_OK)
        fail_msg("%s", err.text);
    return posterior;
}

static struct ct_calibration_setup quick_setup(void)
{
    struct ct_calibration_setup setup = ct_calibration_default();
    setup.has_discrepancy = false;
    setup.warmup = 4000;
    setup.steps = 2500;
    setup.threads = 2;
    return setup;
}

/* ---- closed form ---- */

/* Linear in the parameters, which are z for uniform priors from -1 to 1. */
static void linear_model(const double *z, double *outputs)
{
    outputs[0] = z[0] + z[1];
    outputs[1] = z[0] - 2 * z[1];
    outputs[2] = 3 * z[0];
}

static const struct ct_parameter unit_parameters[] = {{"a", "1", {CT_PRIOR_UNIFORM, -1, 1}},
                                                      {"b", "1", {CT_PRIOR_UNIFORM, -1, 1}}};

/* Precision A' A / v of linear_model(), with one variance for all outputs: mean and covariance. */
static void solve_linear(const double *measured, const double *variances, double *mean,
                         double *covariance)
{
    static const double rows[3][2] = {{1, 1}, {1, -2}, {3, 0}};
    double precision[2][2] = {{0}}, right[2] = {0};
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 2; i++) {
            right[i] += rows[k][i] * measured[k] / variances[k];
            for (size_t j = 0; j < 2; j++)
                precision[i][j] += rows[k][i] * rows[k][j] / variances[k];
        }
    double det = precision[0][0] * precision[1][1] - precision[0][1] * precision[1][0];
    covariance[0] = precision[1][1] / det;
    covariance[1] = -precision[0][1] / det;
    covariance[2] = precision[0][0] / det;
    mean[0] = covariance[0] * right[0] + covariance[1] * right[1];
    mean[1] = covariance[1] * right[0] + covariance[2] * right[1];
}

static double draws_covariance(const struct ct_posterior *posterior)
{
    size_t n = posterior->n_chains * posterior->n_steps;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (posterior->draws[2 * i] - posterior->parameters[0].mean) *
               (posterior->draws[2 * i + 1] - posterior->parameters[1].mean);
    return sum / (double)n;
}

static void check_linear(enum ct_likelihood_kind likelihood)
{
    enum { RUNS = 16 };
    struct example example;
    struct ct_observed_summary summaries[3];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const double truth[] = {0.3, -0.1};
    double means[3], measured[3], variances[3], mean[2], covariance[3];
    linear_model(truth, means);
    make_surrogate(&example, linear_model, 2, 3, 3);
    measure(&example, 3, means, 0.3, RUNS, rng);
    assert_int_equal(ct_observed_summarize(example.observed, 3, summaries, NULL), CT_OK);
    for (size_t k = 0; k < 3; k++) {
        measured[k] = summaries[k].mean;
        variances[k] = summaries[k].variance *
                       (likelihood == CT_LIKELIHOOD_PRINTED ? 1 - 1.0 / RUNS : 1.0 / RUNS);
    }
    solve_linear(measured, variances, mean, covariance);
    const struct ct_calibration calibration = {unit_parameters, example.observed,
                                               example.surrogate};
    struct ct_calibration_setup setup = quick_setup();
    setup.likelihood = likelihood;
    setup.thin = 20;
    struct ct_posterior *posterior = calibrate(&calibration, &setup);
    assert_int_equal(posterior->n_groups, 1);
    for (size_t d = 0; d < 2; d++) {
        const struct ct_posterior_parameter *parameter = &posterior->parameters[d];
        double deviation = sqrt(covariance[2 * d]), scatter = 5 / sqrt(parameter->effective);
        assert_near(parameter->most_likely, mean[d], 1e-5);
        assert_near((parameter->mean - mean[d]) / deviation, 0, scatter);
        assert_near((parameter->median - mean[d]) / deviation, 0, 1.25 * scatter);
        assert_near(parameter->deviation / deviation, 1, scatter);
        assert_near((parameter->interval.lo - mean[d]) / deviation, -1.96, 2.5 * scatter);
        assert_near((parameter->interval.hi - mean[d]) / deviation, 1.96, 2.5 * scatter);
        assert_true(parameter->r_hat < 1.01 && parameter->effective > 2000);
    }
    assert_near(draws_covariance(posterior) / sqrt(covariance[0] * covariance[2]),
                covariance[1] / sqrt(covariance[0] * covariance[2]),
                5 / sqrt(posterior->effective));
    /* An output's variance: 9 var(a), and the runs' own. */
    const struct ct_posterior_output *output = &posterior->outputs[2];
    assert_near(output->variance_parameters / (9 * covariance[0]), 1,
                10 / sqrt(posterior->effective));
    assert_near(output->variance_runs, summaries[2].variance, 1e-12);
    assert_near(output->variance_model, 0, 1e-12);
    double all = sqrt(9 * covariance[0] + summaries[2].variance);
    assert_near((output->run.hi - output->run.lo) / (2 * 1.96 * all), 1, 0.06);
    assert_near(output->most_likely, 3 * mean[0], 1e-4);
    assert_near(output->prior.lo, -2.85, 0.1); /* of -3 .. 3 */
    assert_int_equal(ct_posterior_check(&calibration, posterior, NULL), CT_OK);
    assert_int_equal(ct_posterior_converged(&calibration, posterior, NULL), CT_OK);
    ct_posterior_free(posterior);
    ct_surrogate_free(example.surrogate);
    gsl_rng_free(rng);
}

static void slow_a_linear_problem_has_its_closed_form(void **state)
{
    (void)state;
    check_linear(CT_LIKELIHOOD_CORRECTED);
    check_linear(CT_LIKELIHOOD_PRINTED);
}

/* ---- truths from the prior ---- */

static void curved_model(const double *z, double *outputs)
{
    outputs[0] = z[0];
    outputs[1] = 2 + z[0] + z[1];
    outputs[2] = 0.5 * z[0] * z[1] + z[1] * z[1] - 1.5 * z[1];
    outputs[3] = z[1] - z[0];
}

enum { TRUTHS = 200, BINS = 10, RANKED = 3 };
static const struct ct_prior discrepancy_prior = {CT_PRIOR_LOG_UNIFORM, 0.02, 0.5};

/* Number of draws below the truth, of 99, as one of ten bins. */
static size_t bin_of(const double *draws, size_t stride, double truth)
{
    size_t below = 0;
    for (size_t i = 0; i < 99; i++)
        below += draws[i * stride] < truth;
    return below / BINS;
}

/* Chi-square of ranks in bins that are all as likely. */
static double chi_square(const size_t *counts)
{
    const double expected = (double)TRUTHS / BINS;
    double sum = 0;
    for (size_t b = 0; b < BINS; b++)
        sum += pow((double)counts[b] - expected, 2) / expected;
    return sum;
}

/* Talts et al. 2018: if the truth is drawn from the prior and data from the model, the truth's rank
   among draws of the posterior is uniform. Bins of the ranks of two parameters and the discrepancy.
 */
static void rank_truths(enum ct_likelihood_kind likelihood, size_t counts[RANKED][BINS])
{
    enum { RUNS = 30 };
    struct example example;
    make_surrogate(&example, curved_model, 2, 4, 2);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ct_calibration_setup setup = quick_setup();
    setup.likelihood = likelihood;
    setup.has_discrepancy = true;
    setup.discrepancy = discrepancy_prior;
    setup.group_index = 0;
    setup.chains = 2;
    setup.steps = 50;
    setup.thin = 60;
    setup.warmup = 3000;
    memset(counts, 0, RANKED * sizeof *counts);
    for (uint64_t t = 0; t < TRUTHS; t++) {
        const double truth[] = {gsl_ran_flat(rng, -1, 1), gsl_ran_flat(rng, -1, 1)};
        double error = ct_prior_value(&discrepancy_prior, gsl_ran_flat(rng, -1, 1)), means[4];
        curved_model(truth, means);
        for (size_t k = 0; k < 4; k++)
            means[k] += gsl_ran_gaussian(rng, error);
        measure(&example, 4, means, 0.3, RUNS, rng);
        setup.seed = t;
        const struct ct_calibration calibration = {unit_parameters, example.observed,
                                                   example.surrogate};
        struct ct_posterior *posterior = calibrate(&calibration, &setup);
        counts[0][bin_of(posterior->draws, 2, truth[0])]++;
        counts[1][bin_of(posterior->draws + 1, 2, truth[1])]++;
        if (posterior->discrepancy)
            counts[2][bin_of(posterior->discrepancy, 1, error)]++;
        ct_posterior_free(posterior);
    }
    ct_surrogate_free(example.surrogate);
    gsl_rng_free(rng);
}

static void slow_ranks_of_truths_are_uniform(void **state)
{
    (void)state;
    skip_if_sanitized();
    size_t counts[RANKED][BINS];
    const double most = gsl_cdf_chisq_Qinv(1e-3, BINS - 1);
    rank_truths(CT_LIKELIHOOD_CORRECTED, counts);
    for (size_t i = 0; i < RANKED; i++)
        if (chi_square(counts[i]) > most)
            fail_msg("chi-square of the ranks of %zu is %g", i, chi_square(counts[i]));
    /* The test can fail: with the variance of a single run, and no discrepancy, they are not. */
    rank_truths(CT_LIKELIHOOD_PRINTED, counts);
    assert_true(chi_square(counts[0]) > most || chi_square(counts[1]) > most);
}

/* ---- groups ---- */

/* As in the source: three sets of outputs, each by other parameters; the last parameter hardly
 * matters. */
static void grouped_model(const double *z, double *outputs)
{
    for (size_t k = 0; k < 3; k++) {
        double size = 1 + (double)k;
        outputs[k] = 10 + 2 * z[3] + 0.02 * z[1] + 0.1 * size;
        outputs[3 + k] = 20 + (4 - size) * z[1] + size * z[4] + 0.3 * z[1] * z[4] + 0.02 * z[0];
        outputs[6 + k] = 30 + size * z[0] + z[2] + (2 - (double)k) * z[5] + 0.03 * z[6];
    }
}

static const struct ct_parameter seven[] = {{"injection", "GB/s", {CT_PRIOR_UNIFORM, 8, 16}},
                                            {"memory", "GB/s", {CT_PRIOR_UNIFORM, 8, 15}},
                                            {"link", "GB/s", {CT_PRIOR_UNIFORM, 10, 15}},
                                            {"header", "us", {CT_PRIOR_UNIFORM, 0.1, 1.5}},
                                            {"rdma", "us", {CT_PRIOR_UNIFORM, 0.5, 2}},
                                            {"pin", "us", {CT_PRIOR_UNIFORM, 1, 7}},
                                            {"page", "ns", {CT_PRIOR_UNIFORM, 1, 100}}};

static void slow_groups_are_those_of_the_source(void **state)
{
    (void)state;
    struct example example;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const double truth[] = {0.2, -0.3, 0.1, -0.6, 0.4, 0.5, 0.9};
    double means[9];
    grouped_model(truth, means);
    make_surrogate(&example, grouped_model, 7, 9, 3);
    measure(&example, 9, means, 0.2, 100, rng);
    const struct ct_calibration calibration = {seven, example.observed, example.surrogate};
    struct ct_calibration_setup setup = quick_setup();
    setup.thin = 20;
    struct ct_posterior *grouped = calibrate(&calibration, &setup);
    setup.group_index = 0;
    struct ct_posterior *together = calibrate(&calibration, &setup);
    assert_int_equal(grouped->n_groups, 3);
    assert_int_equal(together->n_groups, 1);
    static const int group_of[] = {2, 1, 2, 0, 1, 2, CT_CALIBRATION_NO_GROUP};
    for (size_t d = 0; d < 7; d++) {
        const struct ct_posterior_parameter *one = &grouped->parameters[d];
        const struct ct_posterior_parameter *other = &together->parameters[d];
        double value = ct_prior_value(&seven[d].prior, truth[d]);
        assert_int_equal(one->group, group_of[d]);
        assert_int_equal(other->group, 0);
        if (d == 6)
            break;
        assert_true(fabs(one->mean - value) < 4 * one->deviation);
        assert_true(fabs(other->mean - value) < 4 * other->deviation);
        assert_true(fabs(one->mean - other->mean) < one->deviation);
        /* What is left out makes it wider, never narrower. */
        assert_true(one->deviation > 0.9 * other->deviation);
        assert_true(one->deviation < 1.6 * other->deviation);
    }
    /* The parameter without influence: its posterior is its prior. */
    const struct ct_posterior_parameter *page = &grouped->parameters[6];
    assert_near(page->interval.lo, 1 + 0.025 * 99, 1);
    assert_near(page->interval.hi, 100 - 0.025 * 99, 1);
    assert_true(isnan(page->r_hat) && isnan(page->effective));
    assert_near(page->most_likely, 50.5, 1e-9);
    assert_true(together->parameters[6].deviation > 0.9 * 99 / sqrt(12));
    for (size_t k = 0; k < 9; k++)
        assert_true(grouped->outputs[k].group == (int)k / 3);
    ct_posterior_free(grouped);
    ct_posterior_free(together);
    ct_surrogate_free(example.surrogate);
    gsl_rng_free(rng);
}

/* A simulator that is wrong: the discrepancy is found, and intervals hold where they would not. */
static void slow_a_wrong_simulator_has_a_discrepancy(void **state)
{
    (void)state;
    struct example example;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const double truth[] = {0.2, -0.3, 0.1, -0.6, 0.4, 0.5, 0.9};
    static const double wrong[] = {0.5, -0.4, 0.1, 0.3, -0.6, 0.2, -0.2, 0.6, -0.3};
    double means[9];
    grouped_model(truth, means);
    for (size_t k = 0; k < 9; k++)
        means[k] += wrong[k];
    make_surrogate(&example, grouped_model, 7, 9, 2);
    measure(&example, 9, means, 0.1, 100, rng);
    const struct ct_calibration calibration = {seven, example.observed, example.surrogate};
    struct ct_calibration_setup setup = quick_setup();
    setup.group_index = 0;
    struct ct_error err;
    struct ct_posterior *without = calibrate(&calibration, &setup);
    assert_int_equal(ct_posterior_check(&calibration, without, &err), CT_EINVAL);
    setup.has_discrepancy = true;
    setup.discrepancy = (struct ct_prior){CT_PRIOR_LOG_UNIFORM, 1e-3, 3}; /* scale is 1 */
    struct ct_posterior *with = calibrate(&calibration, &setup);
    assert_int_equal(ct_posterior_check(&calibration, with, &err), CT_OK);
    assert_true(with->discrepancies[0].interval.lo < 0.4);
    assert_true(with->discrepancies[0].interval.hi > 0.4);
    assert_true(with->discrepancies[0].interval.lo > 0.1);
    assert_true(with->parameters[3].deviation > 3 * without->parameters[3].deviation);
    double error = with->discrepancies[0].mean;
    assert_true(with->outputs[0].variance_model > error * error);
    ct_posterior_free(without);
    ct_posterior_free(with);
    ct_surrogate_free(example.surrogate);
    gsl_rng_free(rng);
}

/* ---- bad data ---- */

static void slow_a_prior_that_excludes_the_data_is_named(void **state)
{
    (void)state;
    struct example example;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    make_surrogate(&example, linear_model, 2, 3, 2);
    struct ct_calibration_setup setup = quick_setup();
    const struct ct_calibration calibration = {unit_parameters, example.observed,
                                               example.surrogate};
    struct ct_error err;
    /* a = 1.2: outside of its prior, which a discrepancy could not excuse. */
    const double beyond[] = {1.2, 1.2, 3.6};
    measure(&example, 3, beyond, 0.1, 20, rng);
    struct ct_posterior *posterior = calibrate(&calibration, &setup);
    assert_int_equal(ct_posterior_check(&calibration, posterior, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "exclude"));
    assert_non_null(strstr(err.text, "output 2"));
    assert_non_null(strstr(err.text, "'a' are at its upper bound 1"));
    ct_posterior_free(posterior);
    /* No a and b at all have all three. */
    const double contradiction[] = {0.1, 0.1, 2.4};
    measure(&example, 3, contradiction, 0.1, 20, rng);
    posterior = calibrate(&calibration, &setup);
    assert_int_equal(ct_posterior_check(&calibration, posterior, &err), CT_EINVAL);
    assert_null(strstr(err.text, "bound"));
    ct_posterior_free(posterior);
    /* A discrepancy would excuse that, but not within its prior. */
    setup.has_discrepancy = true;
    posterior = calibrate(&calibration, &setup);
    assert_int_equal(ct_posterior_check(&calibration, posterior, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "'discrepancy' are at its upper bound 0.3"));
    ct_posterior_free(posterior);
    ct_surrogate_free(example.surrogate);
    gsl_rng_free(rng);
}

static void constant_model(const double *z, double *outputs)
{
    (void)z;
    outputs[0] = 5;
}

static void calibrations_that_cannot_be_made(void **state)
{
    (void)state;
    struct example example;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const double means[] = {0, 0, 0};
    make_surrogate(&example, linear_model, 2, 3, 2);
    measure(&example, 3, means, 0.1, 20, rng);
    struct ct_calibration calibration = {unit_parameters, example.observed, example.surrogate};
    struct ct_calibration_setup setup = quick_setup();
    struct ct_posterior *posterior = NULL;
    struct ct_error err;
    setup.level = 1;
    assert_int_equal(ct_calibrate(&calibration, &setup, &posterior, &err), CT_EINVAL);
    setup = quick_setup();
    setup.group_index = 1;
    assert_int_equal(ct_calibrate(&calibration, &setup, &posterior, &err), CT_EINVAL);
    setup = quick_setup();
    setup.has_discrepancy = true;
    setup.discrepancy = (struct ct_prior){CT_PRIOR_UNIFORM, -0.1, 0.1};
    assert_int_equal(ct_calibrate(&calibration, &setup, &posterior, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "'discrepancy'"));
    setup = quick_setup();
    setup.steps = CT_CHAINS_STEPS_MAX + 1;
    assert_int_equal(ct_calibrate(&calibration, &setup, &posterior, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "1000001 values"));
    setup = quick_setup();
    example.observed[1].name = names[0];
    assert_int_equal(ct_calibrate(&calibration, &setup, &posterior, &err), CT_EEXIST);
    assert_non_null(strstr(err.text, "output 0: measured twice"));
    example.observed[1].name = names[1];
    ct_surrogate_free(example.surrogate);
    make_surrogate(&example, constant_model, 2, 1, 2);
    calibration.surrogate = example.surrogate;
    assert_int_equal(ct_calibrate(&calibration, &setup, &posterior, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "say nothing about"));
    ct_surrogate_free(example.surrogate);
    assert_null(posterior);
    gsl_rng_free(rng);
}

/* One chain that stays where it began: the parameter is named. */
static void chains_that_do_not_converge_are_named(void **state)
{
    (void)state;
    struct ct_posterior_parameter parameters[] = {{.r_hat = 1.01, .group = 0},
                                                  {.r_hat = 1.4, .group = 0}};
    const struct ct_posterior posterior = {
        .n_parameters = 2, .parameters = parameters, .r_hat = 1.4};
    const struct ct_calibration calibration = {.parameters = unit_parameters};
    struct ct_error err;
    assert_int_equal(ct_posterior_converged(&calibration, &posterior, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "'b'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_a_linear_problem_has_its_closed_form),
        cmocka_unit_test(slow_ranks_of_truths_are_uniform),
        cmocka_unit_test(slow_groups_are_those_of_the_source),
        cmocka_unit_test(slow_a_wrong_simulator_has_a_discrepancy),
        cmocka_unit_test(slow_a_prior_that_excludes_the_data_is_named),
        cmocka_unit_test(calibrations_that_cannot_be_made),
        cmocka_unit_test(chains_that_do_not_converge_are_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
