#include "report/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_BEST = 3 };

struct rank {
    size_t model;
    bool is_asked_for;
    double error;  /* mean; INFINITY: not known */
    size_t n_open; /* questions without an answer */
};

static bool is_null(size_t model)
{
    return ct_predict_model_is(&ct_predict_models[model], CT_MODEL_IS_NULL);
}

static enum ct_status rank_model(const struct ct_page_facts *facts, size_t model,
                                 const double *measured, struct rank *rank_p)
{
    size_t n = facts->analysis->n_apps * facts->analysis->n_apps;
    const struct ct_predict_case *cases = facts->cases + model * n;
    struct ct_predict_evaluation evaluation;
    enum ct_status status = ct_predict_evaluate(cases, measured, n, &evaluation);
    if (status != CT_OK)
        return status;
    *rank_p =
        (struct rank){.model = model,
                      .is_asked_for = !strcmp(facts->model, ct_predict_models[model].key),
                      .error = evaluation.slowdown.n > 0 ? evaluation.slowdown.mean_abs : INFINITY};
    for (size_t i = 0; i < n; i++)
        rank_p->n_open += isnan(cases[i].prediction.slowdown_frac) ? 1 : 0;
    return CT_OK;
}

/* Of equal errors that are known, the first row does better; of unknown ones, the last. */
static int by_quality(const void *left, const void *right)
{
    const struct rank *a = left, *b = right;
    if (a->is_asked_for != b->is_asked_for)
        return a->is_asked_for ? -1 : 1;
    if (a->error != b->error)
        return a->error < b->error ? -1 : 1;
    if (isinf(a->error) && a->n_open != b->n_open)
        return a->n_open < b->n_open ? -1 : 1;
    return (isinf(a->error) ? -1 : 1) * (a->model < b->model ? -1 : 1);
}

static void put_in_order(const struct rank *ranks, size_t n_ranks, struct ct_page_order *order)
{
    bool is_first[CT_N_PREDICT_MODELS] = {false};
    size_t n = 0;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        if (is_null(m)) {
            order->models[n++] = m;
            is_first[m] = true;
        }
    for (size_t i = 0; i < N_BEST && i < n_ranks; i++) {
        order->models[n++] = ranks[i].model;
        is_first[ranks[i].model] = true;
    }
    order->n_first = n;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        if (!is_first[m])
            order->models[n++] = m;
}

enum ct_status ct_page_order_models(const struct ct_page_facts *facts,
                                    struct ct_page_order *order_p)
{
    size_t n_cells = facts->analysis->n_apps * facts->analysis->n_apps, n = 0;
    struct rank ranks[CT_N_PREDICT_MODELS];
    double *measured = malloc((n_cells + 1) * sizeof *measured);
    enum ct_status status = measured ? CT_OK : CT_ENOMEM;
    for (size_t i = 0; i < n_cells && measured; i++)
        measured[i] = facts->analysis->beside_app[i].frac;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS && status == CT_OK; m++)
        if (!is_null(m))
            status = rank_model(facts, m, measured, &ranks[n++]);
    free(measured);
    if (status != CT_OK)
        return status;
    qsort(ranks, n, sizeof *ranks, by_quality);
    put_in_order(ranks, n, order_p);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        if (!strcmp(facts->model, ct_predict_models[m].key))
            order_p->model = m;
    return CT_OK;
}
