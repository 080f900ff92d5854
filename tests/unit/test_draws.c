/* study/draws: values of known spread, values that are not known, draws that fail. */
#include "core/draws.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

enum { DRAWS = 101, VALUES = 2 };

/* The number of the draw, and its square root where that is a whole number. */
static enum ct_status evaluate(void *data, size_t draw, double *values, struct ct_error *err)
{
    const size_t *fails_from = data;
    double root = sqrt((double)draw);
    if (draw >= *fails_from)
        return ct_fail(err, CT_EINVAL, "no such value");
    values[0] = (double)draw;
    values[1] = root > floor(root) ? NAN : root;
    return CT_OK;
}

static struct ct_draws_job job_of(size_t *fails_from, unsigned threads)
{
    return (struct ct_draws_job){.n_draws = DRAWS,
                                 .n_values = VALUES,
                                 .threads = threads,
                                 .evaluate = evaluate,
                                 .data = fails_from};
}

static void test_spread(void **state)
{
    (void)state;
    size_t never = DRAWS;
    double values[DRAWS * VALUES], scratch[DRAWS];
    for (unsigned threads = 1; threads <= 3; threads++) {
        const struct ct_draws_job job = job_of(&never, threads);
        assert_int_equal(ct_draws_evaluate(&job, values, NULL), CT_OK);
        struct ct_draws_summary of = ct_draws_summarize(&job, values, 0, 0.9, scratch);
        assert_int_equal(of.n, DRAWS);
        assert_near(of.mean, 50, 1e-12);
        assert_near(of.variance, DRAWS * (DRAWS + 1) / 12.0, 1e-9); /* of 0 .. n - 1, unbiased */
        assert_near(of.interval.lo, 5, 1e-9);
        assert_near(of.interval.hi, 95, 1e-9);
        of = ct_draws_summarize(&job, values, 1, 0.9, scratch);
        assert_int_equal(of.n, 11);
        assert_near(of.mean, 5, 1e-12);
    }
}

static void test_few(void **state)
{
    (void)state;
    const double values[] = {1, NAN, NAN};
    double scratch[3];
    const struct ct_draws_job job = {.n_draws = 3, .n_values = 1};
    const struct ct_draws_summary of = ct_draws_summarize(&job, values, 0, 0.9, scratch);
    assert_int_equal(of.n, 1);
    assert_true(isnan(of.mean) && isnan(of.variance) && isnan(of.interval.lo));
}

static void test_failures(void **state)
{
    (void)state;
    size_t from = 7;
    double values[DRAWS * VALUES];
    struct ct_error err;
    struct ct_draws_job job = job_of(&from, 2);
    assert_int_equal(ct_draws_evaluate(&job, values, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "draw 7: no such value"));
    job.n_draws = 1;
    assert_int_equal(ct_draws_evaluate(&job, values, &err), CT_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spread), cmocka_unit_test(test_few),
                                       cmocka_unit_test(test_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
