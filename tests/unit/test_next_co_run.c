/* predict/next_co_run: which co-run decides most verdicts in the time that it takes. */
#include "predict/constants.h"
#include "predict/next_co_run.h"
#include "tests/unit/unit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { N = 3 };
static const double limit = 0.05, level = 0.9;

/* Verdicts that are decided, of runs of ten seconds. */
static void fill_decided(struct ct_next_co_run_pair pairs[N * N])
{
    for (size_t i = 0; i < (size_t)N * N; i++)
        pairs[i] = (struct ct_next_co_run_pair){
            .frac = 0, .interval = {NAN, NAN}, .run_s = 10, .is_open = false};
}

static struct ct_next_co_run choose(const struct ct_next_co_run_pair *pairs)
{
    const struct ct_next_co_run_question question = {
        .n_apps = N, .pairs = pairs, .limit_frac = limit, .level = level};
    struct ct_next_co_run next;
    assert_int_equal(ct_next_co_run_choose(&question, &next), CT_OK);
    return next;
}

static void nothing_is_measured_where_all_is_decided(void **state)
{
    (void)state;
    struct ct_next_co_run_pair pairs[N * N];
    fill_decided(pairs);
    struct ct_next_co_run next = choose(pairs);
    assert_false(next.is_found);
    assert_int_equal(next.n_open, 0);
}

/* Its own run decides a verdict for certain, others may; the shorter of two runs is better. */
static void an_open_verdict_is_measured(void **state)
{
    (void)state;
    struct ct_next_co_run_pair pairs[N * N];
    fill_decided(pairs);
    pairs[1 * N + 2].is_open = true;
    pairs[1 * N + 2].frac = 0.06;
    struct ct_next_co_run next = choose(pairs);
    assert_true(next.is_found && next.app == 1 && next.with == 2);
    assert_near(next.n_decided, 1, 1e-12);
    pairs[2 * N + 1] = pairs[1 * N + 2];
    pairs[2 * N + 1].run_s = 5;
    next = choose(pairs);
    assert_true(next.is_found && next.app == 2 && next.with == 1);
    assert_int_equal(next.n_open, 2);
}

/* A verdict whose run cannot be made is narrowed by a run of the same application, by as much as
 * the variances say: 6 of m + r + c in units of s^2 with a shrinkage of 1/2, of which two that have
 * m and r in common share 4. */
static void runs_of_the_same_application_narrow_a_verdict(void **state)
{
    (void)state;
    struct ct_next_co_run_pair pairs[N * N];
    fill_decided(pairs);
    pairs[1].is_open = true; /* 0 beside 1 */
    pairs[1].frac = 0.055;
    pairs[1].run_s = NAN;
    struct ct_next_co_run next = choose(pairs);
    assert_true(next.is_found && (next.app == 0 || next.with == 1));
    double one = 1 / ct_predict_constant(CT_PREDICT_CO_RUN_SHRINKAGE);
    double offset = ct_predict_constant(CT_PREDICT_PROBE_OFFSET);
    double distance =
        (log(offset + 0.055) - log(offset + limit)) / ct_predict_constant(CT_PREDICT_PROBE_NOISE);
    double lowered = 2 * one * 2 * one / (3 * one + 1);
    double needed = gsl_cdf_ugaussian_Pinv((1 + level) / 2) * sqrt(3 * one - lowered + 1);
    double expected = gsl_cdf_ugaussian_P((distance - needed) / sqrt(lowered)) +
                      gsl_cdf_ugaussian_P((-distance - needed) / sqrt(lowered));
    assert_near(next.n_decided, expected, 1e-12);
}

/* Once a co-run of an application is known, another one of it says less. */
static void what_is_measured_lowers_the_gain(void **state)
{
    (void)state;
    struct ct_next_co_run_pair pairs[N * N];
    fill_decided(pairs);
    pairs[1].is_open = true;
    pairs[1].frac = 0.055;
    pairs[1].run_s = NAN;
    double before = choose(pairs).n_decided;
    pairs[0].is_measured = pairs[2].is_measured = true;
    pairs[0].run_s = pairs[2].run_s = NAN;
    struct ct_next_co_run next = choose(pairs);
    assert_true(next.is_found && next.app != 0 && next.with == 1);
    assert_true(next.n_decided < before);
}

static void impossible_questions_are_refused(void **state)
{
    (void)state;
    struct ct_next_co_run_pair pair = {.frac = NAN, .interval = {NAN, NAN}, .run_s = 1};
    struct ct_next_co_run next;
    struct ct_next_co_run_question question = {
        .n_apps = 1, .pairs = &pair, .limit_frac = 0, .level = level};
    assert_int_equal(ct_next_co_run_choose(&question, &next), CT_EINVAL);
    question.limit_frac = limit;
    question.level = 1;
    assert_int_equal(ct_next_co_run_choose(&question, &next), CT_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_measured_where_all_is_decided),
        cmocka_unit_test(an_open_verdict_is_measured),
        cmocka_unit_test(runs_of_the_same_application_narrow_a_verdict),
        cmocka_unit_test(what_is_measured_lowers_the_gain),
        cmocka_unit_test(impossible_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
