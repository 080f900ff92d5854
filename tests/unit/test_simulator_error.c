/* predict/simulator_error: an error that is known, few cases, quantiles, coverage. */
#include "core/random.h"
#include "predict/constants.h"
#include "predict/simulator_error.h"
#include "tests/unit/unit.h"

#include <math.h>

enum { MANY = 2000, FEW = 9, TRIALS = 1500 };

static double normal(uint64_t *state)
{
    double u = ct_random_unit(ct_random_next(state)), v = ct_random_unit(ct_random_next(state));
    return sqrt(-2 * log(1 - u)) * cos(2 * M_PI * v);
}

static struct ct_simulator_case draw_case(double delta, uint64_t *state)
{
    static const double scatter = 0.01;
    double simulated = ct_random_unit(ct_random_next(state)) * 0.5;
    double own = delta * ct_simulator_error_scale(simulated);
    return (struct ct_simulator_case){.simulated = simulated,
                                      .measured =
                                          simulated + own * normal(state) + scatter * normal(state),
                                      .variance = scatter * scatter};
}

static double mean_of(const struct ct_simulator_error *error)
{
    double sum = 0;
    for (size_t g = 0; g < CT_SIMULATOR_ERROR_GRID; g++)
        sum += error->probability[g] * error->delta[g];
    return sum;
}

static void test_known_error(void **state)
{
    (void)state;
    static struct ct_simulator_case cases[MANY];
    static bool counts[MANY];
    uint64_t random = 5;
    for (size_t i = 0; i < MANY; i++) { /* the second half is off by five times as much */
        cases[i] = draw_case(i < MANY / 2 ? 0.2 : 1, &random);
        counts[i] = i < MANY / 2;
    }
    const struct ct_simulator_error error = ct_simulator_error_find(cases, counts, MANY);
    assert_int_equal(error.n, MANY / 2);
    assert_near(mean_of(&error), 0.2, 0.02);
    const double scale = ct_simulator_error_scale(0.4);
    assert_near(ct_simulator_error_variance(&error, 0.4), pow(0.2 * scale, 2),
                0.2 * pow(0.2 * scale, 2));
}

static void test_prior(void **state)
{
    (void)state;
    const struct ct_simulator_error error = ct_simulator_error_find(NULL, NULL, 0);
    double low = ct_predict_constant(CT_PREDICT_SIMULATOR_ERROR_MIN),
           high = ct_predict_constant(CT_PREDICT_SIMULATOR_ERROR_MAX);
    assert_int_equal(error.n, 0);
    for (size_t g = 0; g < CT_SIMULATOR_ERROR_GRID; g++) {
        assert_near(error.probability[g], 1.0 / CT_SIMULATOR_ERROR_GRID, 1e-12);
        assert_true(error.delta[g] > low && error.delta[g] < high);
        assert_true(g == 0 || error.delta[g] > error.delta[g - 1]);
    }
}

/* Without an error of the simulator a mixture of one is a normal distribution. */
static void test_quantiles(void **state)
{
    (void)state;
    const double one = 0.3, two[] = {-1, 1};
    const struct ct_simulator_mixture normal_one = {.simulated = &one, .n = 1, .variance = 0.04};
    assert_near(ct_simulator_mixture_quantile(&normal_one, 0.5), 0.3, 1e-9);
    assert_near(ct_simulator_mixture_quantile(&normal_one, 0.95), 0.3 + 0.2 * 1.6448536, 1e-6);
    const struct ct_simulator_mixture peaks = {.simulated = two, .n = 2, .variance = 1e-8};
    assert_near(ct_simulator_mixture_quantile(&peaks, 0.25), -1, 1e-3);
    assert_near(ct_simulator_mixture_quantile(&peaks, 0.75), 1, 1e-3);
    const struct ct_simulator_error wide = ct_simulator_error_find(NULL, NULL, 0);
    const struct ct_simulator_mixture with_error = {
        .simulated = &one, .n = 1, .variance = 0.04, .error = &wide};
    assert_near(ct_simulator_mixture_quantile(&with_error, 0.5), 0.3, 1e-9);
    assert_true(ct_simulator_mixture_quantile(&with_error, 0.95) > 0.3 + 0.2 * 1.7);
}

/* Intervals from as few cases as are used at all hold as often as they say, whatever delta is. */
static void test_coverage(void **state)
{
    (void)state;
    uint64_t random = 7;
    size_t n_inside = 0;
    for (size_t t = 0; t < TRIALS; t++) {
        double delta = 0.05 * pow(10, ct_random_unit(ct_random_next(&random)));
        struct ct_simulator_case cases[FEW + 1];
        for (size_t i = 0; i <= FEW; i++)
            cases[i] = draw_case(delta, &random);
        const struct ct_simulator_error error = ct_simulator_error_find(cases, NULL, FEW);
        const struct ct_simulator_case *next = &cases[FEW];
        const struct ct_simulator_mixture mixture = {
            .simulated = &next->simulated, .n = 1, .variance = next->variance, .error = &error};
        n_inside += next->measured >= ct_simulator_mixture_quantile(&mixture, 0.05) &&
                    next->measured <= ct_simulator_mixture_quantile(&mixture, 0.95);
    }
    assert_near((double)n_inside / TRIALS, 0.9, 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_error), cmocka_unit_test(test_prior),
        cmocka_unit_test(test_quantiles), cmocka_unit_test(test_coverage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
