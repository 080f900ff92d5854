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

const char *ct_share_words(enum ct_share share)
{
    return shares[share].words;
}

size_t ct_verdict_count(size_t n_apps)
{
    return n_apps * (n_apps + 1) / 2;
}

/* ---- which model ---- */

/* Mean error of a model, or how many questions it leaves open where nothing was measured. */
static enum ct_status badness(const struct ct_page_facts *facts, size_t model, double *error_p,
                              size_t *open_p)
{
    size_t n = facts->analysis->n_apps * facts->analysis->n_apps;
    double *measured = malloc((n + 1) * sizeof *measured);
    if (!measured)
        return CT_ENOMEM;
    const struct ct_predict_case *cases = facts->cases + model * n;
    *open_p = 0;
    for (size_t i = 0; i < n; i++) {
        measured[i] = facts->analysis->beside_app[i].frac;
        *open_p += isnan(cases[i].prediction.slowdown_frac) ? 1 : 0;
    }
    struct ct_predict_evaluation evaluation;
    enum ct_status status = ct_predict_evaluate(cases, measured, n, &evaluation);
    free(measured);
    if (status == CT_OK)
        *error_p = evaluation.slowdown.n > 0 ? evaluation.slowdown.mean_abs : INFINITY;
    return status;
}

enum ct_status ct_page_choose_model(const struct ct_page_facts *facts, size_t *model_p)
{
    double best_error = INFINITY;
    size_t best_open = SIZE_MAX, best = 0;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        double error;
        size_t open;
        if (facts->model && !strcmp(facts->model, ct_predict_models[m].key)) {
            *model_p = m;
            return CT_OK;
        }
        enum ct_status status = badness(facts, m, &error, &open);
        if (status != CT_OK)
            return status;
        if (error < best_error || (isinf(error) && isinf(best_error) && open <= best_open)) {
            best_error = error;
            best_open = open;
            best = m;
        }
    }
    *model_p = best;
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
    if (isnan(slowdown.interval.lo) || isnan(slowdown.interval.hi))
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
