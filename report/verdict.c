#include "report/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *key, *words;
} shares[CT_N_SHARES] = {
#define CT_SHARE_ROW(name, key, words) [CT_SHARE_##name] = {key, words},
    CT_SHARE_MAP(CT_SHARE_ROW)
#undef CT_SHARE_ROW
};

const char *ct_share_key(enum ct_share share)
{
    return shares[share].key;
}

const char *ct_share_name(enum ct_share share)
{
    return shares[share].words;
}

size_t ct_verdict_count(size_t n_apps)
{
    return n_apps * (n_apps + 1) / 2;
}

/* ---- which model ---- */

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

/* ---- which pairs ---- */

struct ct_page_slowdown ct_page_slowdown_of(const struct ct_page_facts *facts, size_t model,
                                            size_t app, size_t with)
{
    size_t n = facts->analysis->n_apps, pair = app * n + with;
    const struct ct_slowdown *measured = &facts->analysis->beside_app[pair];
    const struct ct_prediction *predicted = &facts->cases[model * n * n + pair].prediction;
    struct ct_page_slowdown slowdown = {measured->frac, measured->interval, true};
    if (isnan(measured->frac))
        slowdown = (struct ct_page_slowdown){predicted->slowdown_frac, predicted->interval, false};
    if (slowdown.is_measured && (isnan(slowdown.interval.lo) || isnan(slowdown.interval.hi)))
        slowdown.interval = (struct ct_interval){slowdown.frac, slowdown.frac};
    return slowdown;
}

static enum ct_share judge(double acceptable_frac, const struct ct_page_slowdown *one,
                           const struct ct_page_slowdown *other)
{
    if (one->interval.lo > acceptable_frac || other->interval.lo > acceptable_frac)
        return CT_SHARE_NO;
    if (isnan(one->frac) || isnan(other->frac))
        return CT_SHARE_UNKNOWN;
    bool both = one->interval.hi <= acceptable_frac && other->interval.hi <= acceptable_frac;
    return both ? CT_SHARE_YES : CT_SHARE_MAYBE;
}

void ct_page_judge(const struct ct_page_facts *facts, size_t model, struct ct_verdict *verdicts)
{
    size_t n = facts->analysis->n_apps;
    for (size_t a = 0; a < n; a++)
        for (size_t b = a; b < n; b++) {
            struct ct_page_slowdown forth = ct_page_slowdown_of(facts, model, a, b);
            struct ct_page_slowdown back = ct_page_slowdown_of(facts, model, b, a);
            bool is_forth = isnan(back.frac) || forth.frac >= back.frac;
            *verdicts++ = (struct ct_verdict){.a = a,
                                              .b = b,
                                              .share = judge(facts->acceptable_frac, &forth, &back),
                                              .worst = is_forth ? forth : back,
                                              .slowed = is_forth ? a : b};
        }
}
