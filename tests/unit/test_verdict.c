/* report/verdict: which applications may share a switch, by what is known of both. */
#include "report/verdict.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

enum { N_APPS = 2, N_PAIRS = N_APPS * N_APPS };

/* Of pairs (0, 0), (0, 1), (1, 0), (1, 1). */
struct page {
    struct ct_slowdown measured[N_PAIRS];
    struct ct_predict_case cases[CT_N_PREDICT_MODELS * N_PAIRS];
    struct ct_predict_analysis analysis;
    struct ct_page_facts facts;
};

static const struct ct_interval none = {NAN, NAN};

static struct page *make_page(void)
{
    struct page *page = calloc(1, sizeof *page);
    assert_non_null(page);
    for (size_t i = 0; i < N_PAIRS; i++)
        page->measured[i] = (struct ct_slowdown){NAN, none};
    for (size_t i = 0; i < CT_N_PREDICT_MODELS * N_PAIRS; i++) {
        page->cases[i].model = &ct_predict_models[i / N_PAIRS];
        page->cases[i].prediction.slowdown_frac = NAN;
        page->cases[i].prediction.interval = none;
    }
    page->analysis.n_apps = N_APPS;
    page->analysis.beside_app = page->measured;
    page->facts.analysis = &page->analysis;
    page->facts.cases = page->cases;
    page->facts.acceptable_frac = 0.1;
    return page;
}

static void predict(struct page *page, size_t model, size_t pair, double frac, double lo, double hi)
{
    struct ct_prediction *prediction = &page->cases[model * N_PAIRS + pair].prediction;
    prediction->slowdown_frac = frac;
    prediction->interval = (struct ct_interval){lo, hi};
}

/* Of the pair of both applications. */
static struct ct_verdict judge(const struct page *page, size_t model)
{
    struct ct_verdict verdicts[3];
    assert_int_equal(ct_verdict_count(N_APPS), 3);
    ct_page_judge(&page->facts, model, verdicts);
    assert_int_equal(verdicts[1].a, 0);
    assert_int_equal(verdicts[1].b, 1);
    return verdicts[1];
}

static void both_have_to_tolerate_it(void **state)
{
    (void)state;
    struct page *page = make_page();
    assert_string_equal(ct_share_key(judge(page, 0).share), "share-unknown");
    predict(page, 0, 1, 0.05, 0.02, 0.08);
    assert_int_equal(judge(page, 0).share, CT_SHARE_UNKNOWN);
    predict(page, 0, 2, 0.01, 0, 0.1);
    struct ct_verdict verdict = judge(page, 0);
    assert_int_equal(verdict.share, CT_SHARE_YES);
    assert_int_equal(verdict.slowed, 0);
    assert_near(verdict.worst.frac, 0.05, 0);
    assert_false(verdict.worst.is_measured);
    predict(page, 0, 2, 0.06, 0, 0.11);
    verdict = judge(page, 0);
    assert_int_equal(verdict.share, CT_SHARE_MAYBE);
    assert_int_equal(verdict.slowed, 1);
    predict(page, 0, 2, 0.3, 0.11, 0.5);
    assert_int_equal(judge(page, 0).share, CT_SHARE_NO);
    /* One that is slowed too much decides, whatever is known of the other. */
    predict(page, 0, 1, NAN, NAN, NAN);
    assert_int_equal(judge(page, 0).share, CT_SHARE_NO);
    free(page);
}

static void what_was_measured_counts_before_what_is_predicted(void **state)
{
    (void)state;
    struct page *page = make_page();
    predict(page, 0, 1, 0.5, 0.4, 0.6);
    predict(page, 0, 2, 0.01, 0, 0.02);
    page->measured[1] = (struct ct_slowdown){0.03, none};
    struct ct_verdict verdict = judge(page, 0);
    assert_int_equal(verdict.share, CT_SHARE_YES);
    assert_true(verdict.worst.is_measured);
    assert_near(verdict.worst.interval.lo, 0.03, 0);
    assert_near(verdict.worst.interval.hi, 0.03, 0);
    free(page);
}

/* Null models, then the three that do best, then the others; each once. */
static void models_are_shown_in_order(void **state)
{
    (void)state;
    struct page *page = make_page();
    struct ct_page_order order;
    page->measured[1] = (struct ct_slowdown){0.1, none};
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        predict(page, m, 1, 0.5 - 0.02 * (double)m, NAN, NAN); /* the last is best */
    page->facts.model = ct_predict_models[4].key;
    assert_int_equal(ct_page_order_models(&page->facts, &order), CT_OK);
    assert_int_equal(order.n_first, 5);
    assert_int_equal(order.model, 4);
    const size_t first[] = {0, 1, 4, CT_N_PREDICT_MODELS - 1, CT_N_PREDICT_MODELS - 2};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(order.models[i], first[i]);
    assert_true(ct_predict_model_is(&ct_predict_models[1], CT_MODEL_IS_NULL));
    const size_t others[] = {2, 3, 5, 6};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(order.models[5 + i], others[i]);
    bool seen[CT_N_PREDICT_MODELS] = {false};
    for (size_t i = 0; i < CT_N_PREDICT_MODELS; i++) {
        assert_false(seen[order.models[i]]);
        seen[order.models[i]] = true;
    }
    free(page);
}

/* Whatever is predicted, without an interval nothing is sure. */
static void no_interval_makes_no_verdict(void **state)
{
    (void)state;
    struct page *page = make_page();
    predict(page, 0, 1, 0.01, NAN, NAN);
    predict(page, 0, 2, 0.01, 0, 0.02);
    assert_int_equal(judge(page, 0).share, CT_SHARE_MAYBE);
    predict(page, 0, 1, 0.9, NAN, NAN);
    assert_int_equal(judge(page, 0).share, CT_SHARE_MAYBE);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_have_to_tolerate_it),
        cmocka_unit_test(what_was_measured_counts_before_what_is_predicted),
        cmocka_unit_test(models_are_shown_in_order),
        cmocka_unit_test(no_interval_makes_no_verdict)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
