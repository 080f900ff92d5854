/* calibrate/chains: known densities, and chains that have not converged. */
#include "calibrate/chains.h"
#include "core/random.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

enum { DIMS = 2 };

/* Two correlated normal variables, narrow and far from the middle. */
static const double means[DIMS] = {0.5, -0.2}, deviations[DIMS] = {0.002, 0.02};
static const double correlation = 0.9;

static double normal_density(const double *z, void *data)
{
    (void)data;
    double x = (z[0] - means[0]) / deviations[0], y = (z[1] - means[1]) / deviations[1];
    return -(x * x - 2 * correlation * x * y + y * y) / (2 * (1 - correlation * correlation));
}

static const struct ct_chains_setup normal_setup = {.log_density = normal_density,
                                                    .n_dims = DIMS,
                                                    .n_chains = 4,
                                                    .n_warmup = 5000,
                                                    .n_steps = 5000,
                                                    .thin = 5,
                                                    .seed = 7,
                                                    .threads = 2};

static void a_narrow_normal_density_is_found(void **state)
{
    (void)state;
    struct ct_chains chains;
    struct ct_error err;
    if (ct_chains_run(&normal_setup, &chains, &err) != CT_OK)
        fail_msg("%s", err.text);
    size_t n = chains.n_chains * chains.n_steps;
    double product = 0;
    for (size_t d = 0; d < DIMS; d++) {
        struct ct_chain_values values = {chains.z + d, DIMS, chains.n_chains, chains.n_steps};
        double effective = ct_chains_effective(&values), mean = 0, variance = 0;
        assert_near(ct_chains_r_hat(&values), 1, 0.01);
        assert_true(effective > 2000 && effective <= (double)n);
        for (size_t i = 0; i < n; i++)
            mean += chains.z[i * DIMS + d] / (double)n;
        for (size_t i = 0; i < n; i++)
            variance += pow(chains.z[i * DIMS + d] - mean, 2) / (double)n;
        assert_near(mean, means[d], 5 * deviations[d] / sqrt(effective));
        assert_near(sqrt(variance) / deviations[d], 1, 5 / sqrt(effective));
    }
    for (size_t i = 0; i < n; i++)
        product += (chains.z[i * DIMS] - means[0]) / deviations[0] *
                   (chains.z[i * DIMS + 1] - means[1]) / deviations[1] / (double)n;
    assert_near(product, correlation, 0.06);
    for (size_t c = 0; c < chains.n_chains; c++)
        assert_near(chains.acceptance[c], 0.3, 0.1);
    assert_near(chains.log_density[99], normal_density(chains.z + 99 * DIMS, NULL), 0);
    ct_chains_free(&chains);
}

static void threads_make_no_difference(void **state)
{
    (void)state;
    struct ct_chains_setup setup = normal_setup;
    setup.n_steps = 200;
    struct ct_chains one, four, other;
    setup.threads = 1;
    assert_int_equal(ct_chains_run(&setup, &one, NULL), CT_OK);
    setup.threads = 4;
    assert_int_equal(ct_chains_run(&setup, &four, NULL), CT_OK);
    setup.seed++;
    assert_int_equal(ct_chains_run(&setup, &other, NULL), CT_OK);
    size_t bytes = setup.n_chains * setup.n_steps * DIMS * sizeof(double);
    assert_memory_equal(one.z, four.z, bytes);
    assert_memory_not_equal(one.z, other.z, bytes);
    assert_memory_not_equal(one.z, one.z + setup.n_steps * DIMS, bytes / 4); /* chains differ */
    ct_chains_free(&one);
    ct_chains_free(&four);
    ct_chains_free(&other);
}

/* Without any data the posterior is the prior, up to its bounds. */
static double flat_density(const double *z, void *data)
{
    (void)data;
    assert_true(fabs(z[0]) <= 1 && fabs(z[1]) <= 1);
    return 0;
}

static void a_flat_density_stays_flat(void **state)
{
    (void)state;
    struct ct_chains_setup setup = normal_setup;
    setup.log_density = flat_density;
    setup.threads = 1;
    setup.thin = 10;
    struct ct_chains chains;
    assert_int_equal(ct_chains_run(&setup, &chains, NULL), CT_OK);
    size_t n = chains.n_chains * chains.n_steps, counts[10] = {0};
    for (size_t i = 0; i < n; i++)
        counts[(size_t)fmin(9, (chains.z[i * DIMS] + 1) * 5)]++;
    struct ct_chain_values values = {chains.z, DIMS, chains.n_chains, chains.n_steps};
    double effective = ct_chains_effective(&values);
    for (size_t i = 0; i < 10; i++)
        assert_near((double)counts[i] / (double)n, 0.1, 5 * sqrt(0.09 / effective));
    ct_chains_free(&chains);
}

/* x_t = r x_{t-1} + e_t: n (1 - r) / (1 + r) independent values. */
static void effective_size_of_a_known_process(void **state)
{
    (void)state;
    enum { CHAINS = 4, STEPS = 20000 };
    double *x = malloc(CHAINS * STEPS * sizeof *x);
    for (double r = 0; r < 0.95; r += 0.3) {
        struct ct_twister twister;
        ct_twister_seed(&twister, 9);
        for (size_t i = 0; i < CHAINS * STEPS; i++) {
            double e = ct_twister_unit(&twister) + ct_twister_unit(&twister) - 1;
            x[i] = i % STEPS ? r * x[i - 1] + e : e / sqrt(1 - r * r);
        }
        struct ct_chain_values values = {x, 1, CHAINS, STEPS};
        double expected = CHAINS * STEPS * (1 - r) / (1 + r);
        assert_near(ct_chains_effective(&values) / expected, 1, 0.1);
        assert_near(ct_chains_r_hat(&values), 1, 0.01);
    }
    free(x);
}

static void chains_that_disagree(void **state)
{
    (void)state;
    enum { CHAINS = 2, STEPS = 100 };
    double x[CHAINS * STEPS];
    struct ct_chain_values values = {x, 1, CHAINS, STEPS};
    for (size_t i = 0; i < CHAINS * STEPS; i++)
        x[i] = ct_random_unit(ct_random_at(1, i)) + (i < STEPS ? 0 : 1); /* different places */
    assert_true(ct_chains_r_hat(&values) > 1.5);
    assert_true(ct_chains_effective(&values) < 10);
    for (size_t i = 0; i < CHAINS * STEPS; i++)
        x[i] = ct_random_unit(ct_random_at(1, i)) + (double)(i % STEPS) / STEPS; /* on the way */
    assert_true(ct_chains_r_hat(&values) > 1.1);
    for (size_t i = 0; i < CHAINS * STEPS; i++)
        x[i] = i < STEPS;
    assert_true(isinf(ct_chains_r_hat(&values)));
    for (size_t i = 0; i < CHAINS * STEPS; i++)
        x[i] = 3;
    assert_true(ct_chains_r_hat(&values) == 1);
    values.n_steps = 3;
    assert_true(isnan(ct_chains_r_hat(&values)));
    assert_true(isnan(ct_chains_effective(&values)));
}

static double impossible(const double *z, void *data)
{
    (void)data;
    return z[0] > 0 ? NAN : -INFINITY;
}

static void chains_that_cannot_run(void **state)
{
    (void)state;
    struct ct_chains chains = {.n_dims = 77};
    struct ct_error err;
    struct ct_chains_setup setup = normal_setup;
    setup.log_density = impossible;
    assert_int_equal(ct_chains_run(&setup, &chains, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "density is 0"));
    setup = normal_setup;
    setup.n_dims = 0;
    assert_int_equal(ct_chains_run(&setup, &chains, &err), CT_EINVAL);
    setup = normal_setup;
    setup.n_chains = CT_CHAINS_MAX + 1;
    assert_int_equal(ct_chains_run(&setup, &chains, &err), CT_EINVAL);
    setup = normal_setup;
    setup.thin = 0;
    assert_int_equal(ct_chains_run(&setup, &chains, &err), CT_EINVAL);
    assert_int_equal(chains.n_dims, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_narrow_normal_density_is_found),
                                       cmocka_unit_test(threads_make_no_difference),
                                       cmocka_unit_test(a_flat_density_stays_flat),
                                       cmocka_unit_test(effective_size_of_a_known_process),
                                       cmocka_unit_test(chains_that_disagree),
                                       cmocka_unit_test(chains_that_cannot_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
