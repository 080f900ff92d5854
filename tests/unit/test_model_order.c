/* report/verdict: which models the page relies on, and shows first. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_are_shown_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
