/* study/verdict: which applications may run beside each other, by what is known of both. */
#include "core/random.h"
#include "predict/summaries.h"
#include "study/verdict.h"
#include "tests/unit/unit.h"

#include <string.h>

static const struct ct_interval none = {NAN, NAN};
static const double limit = 0.05;

static struct ct_question unmeasured(void)
{
    return (struct ct_question){
        .measured = {NAN, none}, .processors_frac = NAN, .stolen_frac = NAN};
}

static struct ct_question measured(double frac, double lo, double hi)
{
    struct ct_question question = unmeasured();
    question.measured = (struct ct_slowdown){frac, {lo, hi}};
    return question;
}

static struct ct_prediction predicted(double frac, double lo, double hi)
{
    return (struct ct_prediction){.slowdown_frac = frac, .interval = {lo, hi}};
}

static enum ct_verdict verdict_of(struct ct_question question)
{
    return ct_question_judge(&question, NULL, limit).verdict;
}

static void the_interval_decides(void **state)
{
    (void)state;
    assert_int_equal(verdict_of(measured(0.03, 0.01, 0.05)), CT_VERDICT_YES);
    assert_int_equal(verdict_of(measured(0.03, 0.01, 0.051)), CT_VERDICT_PERHAPS);
    assert_int_equal(verdict_of(measured(0.07, 0.05, 0.09)), CT_VERDICT_PERHAPS);
    assert_int_equal(verdict_of(measured(0.07, 0.051, 0.09)), CT_VERDICT_NO);
    /* Without an interval nothing is sure, measured or not. */
    assert_int_equal(verdict_of(measured(0.01, NAN, NAN)), CT_VERDICT_PERHAPS);
    assert_int_equal(verdict_of(measured(0.9, NAN, NAN)), CT_VERDICT_PERHAPS);
    assert_int_equal(verdict_of(unmeasured()), CT_VERDICT_UNKNOWN);
}

static void what_was_measured_counts_before_what_is_predicted(void **state)
{
    (void)state;
    const struct ct_prediction high = predicted(0.5, 0.4, 0.6);
    struct ct_question question = measured(0.01, 0, 0.02);
    struct ct_judged judged = ct_question_judge(&question, &high, limit);
    assert_int_equal(judged.verdict, CT_VERDICT_YES);
    assert_true(judged.is_measured);
    assert_near(judged.frac, 0.01, 0);
    assert_near(judged.interval.hi, 0.02, 0);
    question = unmeasured();
    judged = ct_question_judge(&question, &high, limit);
    assert_int_equal(judged.verdict, CT_VERDICT_NO);
    assert_false(judged.is_measured);
    assert_near(judged.interval.lo, 0.4, 0);
    const struct ct_prediction unsure = predicted(0.01, NAN, NAN);
    assert_int_equal(ct_question_judge(&question, &unsure, limit).verdict, CT_VERDICT_PERHAPS);
}

/* More than half of the slowdown, or of the limit, is not the network's. */
static void what_explains_it_otherwise_leaves_no_verdict(void **state)
{
    (void)state;
    struct ct_question question = measured(0.29, 0.2, 0.4);
    question.processors_frac = 0.14;
    assert_int_equal(verdict_of(question), CT_VERDICT_NO);
    question.processors_frac = 0.15;
    assert_int_equal(verdict_of(question), CT_VERDICT_DISTURBED);
    question.processors_frac = 0.1;
    question.drift_frac = -0.05;
    assert_int_equal(verdict_of(question), CT_VERDICT_DISTURBED);
    assert_near(ct_question_judge(&question, NULL, limit).explained_frac, 0.15, 1e-12);
    /* An application that became faster may hide a slowdown. */
    question = measured(0, -0.01, 0.01);
    question.drift_frac = -0.11;
    assert_int_equal(verdict_of(question), CT_VERDICT_DISTURBED);
    /* Little of the limit changes no answer, however small the slowdown. */
    question.drift_frac = 0.024;
    assert_int_equal(verdict_of(question), CT_VERDICT_YES);
    /* Waiting that was added leaves still less to the network; waiting alone hides as much. */
    question = measured(0.03, 0.02, 0.04);
    question.processors_frac = 0.03;
    assert_int_equal(verdict_of(question), CT_VERDICT_YES);
    question.processors_frac = -0.03;
    assert_int_equal(verdict_of(question), CT_VERDICT_DISTURBED);
    question = measured(0.29, 0.2, 0.4);
    question.stolen_frac = -0.15;
    assert_int_equal(verdict_of(question), CT_VERDICT_DISTURBED);
    /* A prediction knows of none. */
    question = unmeasured();
    question.drift_frac = 0.5;
    const struct ct_prediction high = predicted(0.5, 0.4, 0.6);
    assert_int_equal(ct_question_judge(&question, &high, limit).verdict, CT_VERDICT_NO);
}

/* Of pairs (0, 0), (0, 1), (1, 0), (1, 1): the one of both. */
static struct ct_pair_verdict judge_both(struct ct_question forth, struct ct_question back,
                                         const struct ct_predict_case *cases)
{
    const struct ct_question pairs[] = {unmeasured(), forth, back, unmeasured()};
    struct ct_pair_verdict verdicts[3];
    assert_int_equal(ct_pairs_count(2), 3);
    ct_study_verdicts(pairs, cases, 2, limit, verdicts);
    assert_int_equal(verdicts[1].app[0], 0);
    assert_int_equal(verdicts[1].app[1], 1);
    return verdicts[1];
}

static void both_have_to_tolerate_it(void **state)
{
    (void)state;
    struct ct_question fine = measured(0.01, 0, 0.02), close = measured(0.04, 0.03, 0.06),
                       high = measured(0.3, 0.2, 0.4), wild = high;
    wild.processors_frac = 0.25;
    struct ct_pair_verdict verdict = judge_both(fine, fine, NULL);
    assert_int_equal(verdict.verdict, CT_VERDICT_YES);
    verdict = judge_both(fine, close, NULL);
    assert_int_equal(verdict.verdict, CT_VERDICT_PERHAPS);
    assert_int_equal(verdict.decisive, 1);
    assert_int_equal(judge_both(close, unmeasured(), NULL).verdict, CT_VERDICT_UNKNOWN);
    assert_int_equal(judge_both(wild, fine, NULL).verdict, CT_VERDICT_DISTURBED);
    /* One that is slowed too much decides, whatever is known of the other. */
    verdict = judge_both(high, unmeasured(), NULL);
    assert_int_equal(verdict.verdict, CT_VERDICT_NO);
    assert_int_equal(verdict.decisive, 0);
    verdict = judge_both(wild, measured(0.07, 0.06, 0.08), NULL);
    assert_int_equal(verdict.verdict, CT_VERDICT_NO);
    assert_int_equal(verdict.decisive, 1);
    /* Of equal verdicts the larger slowdown is shown. */
    verdict = judge_both(high, measured(0.4, 0.3, 0.5), NULL);
    assert_int_equal(verdict.decisive, 1);
}

static void predictions_are_of_their_pair(void **state)
{
    (void)state;
    struct ct_predict_case cases[4] = {{0}};
    cases[1].prediction = predicted(0.01, 0, 0.02);
    cases[2].prediction = predicted(0.2, 0.1, 0.3);
    struct ct_pair_verdict verdict = judge_both(unmeasured(), unmeasured(), cases);
    assert_int_equal(verdict.verdict, CT_VERDICT_NO);
    assert_int_equal(verdict.judged[0].verdict, CT_VERDICT_YES);
    assert_near(verdict.judged[1].frac, 0.2, 0);
}

static void verdicts_have_keys(void **state)
{
    (void)state;
    assert_string_equal(ct_verdict_key(CT_VERDICT_YES), "yes");
    assert_string_equal(ct_verdict_key(CT_VERDICT_DISTURBED), "disturbed");
    assert_string_equal(ct_verdict_key(CT_VERDICT_NO), "no");
}

/* By how much the logarithm of the ratio varies: the end at z = 1, whose level is 68 %. */
static double variance_of(const struct ct_samples *samples, double between_runs)
{
    const double level = 0.68268949213708585;
    double one[] = {1, 1};
    const struct ct_samples alike = {.x = one, .n = 2};
    const struct ct_between_runs between = {between_runs, 0};
    struct ct_interval interval = ct_measured_interval(samples, &alike, between, level);
    double slowdown = ct_measured_slowdown(samples, &alike);
    assert_near(log(1 + interval.hi) + log(1 + interval.lo), 2 * log(1 + slowdown), 1e-12);
    return pow(log((1 + interval.hi) / (1 + slowdown)), 2) - between_runs * between_runs;
}

static double draw_normal(uint64_t *random)
{
    double radius = sqrt(-2 * log(1 - ct_random_unit(ct_random_next(random))));
    return radius * cos(6.283185307179586 * ct_random_unit(ct_random_next(random)));
}

/* What replicates vary by: between runs, within them, and what is added for few runs. */
static void variances_are_those_of_replicates(void **state)
{
    (void)state;
    double one[] = {9, 11}, two[] = {9, 11, 18, 22};
    size_t ends[] = {2, 4};
    struct ct_samples samples = {.x = one, .n = 2};
    assert_near(variance_of(&samples, 0), 0.5 / 100, 1e-12);
    assert_near(variance_of(&samples, 0.1), 0.5 / 100 + 0.01, 1e-12);
    samples = (struct ct_samples){.x = two, .n = 4, .ends = ends, .n_runs = 2};
    double alone[] = {4, 6};
    const struct ct_samples of_5 = {.x = alone, .n = 2};
    assert_near(ct_measured_spread(&samples, &of_5), sqrt(50) / 5, 1e-12); /* between 10 and 20 */
    assert_true(isnan(ct_measured_spread(&of_5, &of_5)));
    /* Runs of means 10 and 20, deviations 1 and 2: (25 + 1/2 + 25 + 4/2) / 4. */
    assert_near(variance_of(&samples, 0), 13.125 / 225, 1e-12);
    assert_near(variance_of(&samples, 0.1), 13.125 / 225 + 0.0025, 1e-12);
    samples = (struct ct_samples){.x = one, .n = 1};
    const struct ct_samples none_timed = {.n = 0};
    const struct ct_between_runs unknown = {0, 0}, some = {0.1, 0}, few = {0.1, 2};
    assert_true(isnan(ct_measured_interval(&samples, &samples, unknown, 0.9).lo));
    assert_true(isnan(ct_measured_interval(&none_timed, &samples, some, 0.9).hi));
    const double wide = log1p(ct_measured_interval(&samples, &samples, some, 0.9).hi);
    assert_true(wide > 0.2);
    /* Student's t of 2 and the normal quantile, of 90 % */
    assert_near(log1p(ct_measured_interval(&samples, &samples, few, 0.9).hi),
                wide * 2.919986 / 1.644854, 1e-6);
}

/* Two applications, twice alone and once beside each: what two pairs of runs tell of runs. */
static void slow_intervals_of_few_runs_hold_as_often_as_said(void **state)
{
    (void)state;
    enum { APPS = 2, CAMPAIGNS = 1500, PASSES = 3 };
    uint64_t random = 3;
    size_t n_held = 0;
    for (int i = 0; i < CAMPAIGNS; i++) {
        double idle_s[] = {10e-6, 11e-6, 12e-6}, alone_s[APPS][2 * PASSES],
               with_s[APPS][APPS][PASSES];
        size_t ends[] = {PASSES, 2 * PASSES};
        struct ct_samples alone[APPS], with[APPS][APPS];
        struct ct_measured_load loads[1 + APPS] = {
            {.latency_s = {.x = idle_s, .n = 3}, .passes_s = alone, .true_frac = NAN}};
        for (size_t app = 0; app < APPS; app++) {
            for (size_t run = 0; run < 2 + APPS; run++) {
                double run_s = 1 + 0.02 * draw_normal(&random),
                       *passes_s = run < 2 ? alone_s[app] + run * PASSES : with_s[run - 2][app];
                for (size_t pass = 0; pass < PASSES; pass++)
                    passes_s[pass] = run_s * (1 + 0.002 * draw_normal(&random));
                if (run >= 2)
                    with[run - 2][app] = (struct ct_samples){.x = passes_s, .n = PASSES};
            }
            alone[app] =
                (struct ct_samples){.x = alone_s[app], .n = 2 * PASSES, .ends = ends, .n_runs = 2};
            loads[1 + app] =
                (struct ct_measured_load){.name = "app", .passes_s = with[app], .true_frac = NAN};
        }
        const struct ct_measurements measured = {.n_apps = APPS, .loads = loads};
        const struct ct_predict_input input = {.measured = &measured};
        struct ct_predict_summaries *summaries;
        assert_int_equal(ct_predict_summarize(&input, &summaries, NULL), CT_OK);
        const struct ct_between_runs between = ct_predict_between_runs(summaries);
        for (size_t k = 0; k < APPS * APPS; k++) {
            struct ct_interval interval =
                ct_measured_interval(&with[k / APPS][k % APPS], &alone[k % APPS], between, 0.9);
            n_held += interval.lo <= 0 && 0 <= interval.hi;
        }
        ct_predict_summaries_free(summaries);
    }
    const double held = (double)n_held / (CAMPAIGNS * APPS * APPS);
    print_message("%.3f\n", held);
    assert_true(held > 0.88 && held < 0.95); /* by the normal quantile 0.76 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interval_decides),
        cmocka_unit_test(what_was_measured_counts_before_what_is_predicted),
        cmocka_unit_test(what_explains_it_otherwise_leaves_no_verdict),
        cmocka_unit_test(both_have_to_tolerate_it),
        cmocka_unit_test(predictions_are_of_their_pair),
        cmocka_unit_test(verdicts_have_keys),
        cmocka_unit_test(variances_are_those_of_replicates),
        cmocka_unit_test(slow_intervals_of_few_runs_hold_as_often_as_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
