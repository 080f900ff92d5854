/* The model probe: a line for each application, co-runners that are slowed themselves, and what
 * co-runs of each of both say. */
#include "predict/co_run_effects.h"
#include "predict/method.h"
#include "predict/mutual.h"
#include "predict/probe_lines.h"

#include <math.h>
#include <stdlib.h>

/* ---- while nobody is slowed ---- */

static enum ct_status answer_by_line(const struct ct_predict_method *method,
                                     const struct ct_predict_analysis *analysis,
                                     const struct ct_predict_query *query, double *scores,
                                     struct ct_prediction *prediction_p)
{
    (void)method;
    const struct ct_probe_lines *lines = analysis->lines;
    struct ct_probe_line line = lines->line[query->app];
    double reading = ct_probe_reading(lines, query->beside, query->n_beside);
    if (query->excluded < analysis->n_configs)
        CT_TRY(ct_probe_lines_without(analysis, query->app, query->excluded, &line));
    for (size_t c = 0; c < analysis->n_configs && scores; c++)
        if (ct_query_may_use(analysis, query, c)) {
            const size_t load = ct_load_of_config(analysis->n_apps, c);
            scores[c] = ct_probe_reading(lines, &load, 1);
        }
    double slowdown = ct_probe_line_at(&line, reading);
    if (isnan(slowdown)) {
        *prediction_p = ct_prediction_none(CT_PREDICTION_NO_CURVE);
        return CT_OK;
    }
    *prediction_p = ct_prediction_none(reading > line.highest_reading ? CT_PREDICTION_EXTRAPOLATED
                                                                      : CT_PREDICTION_PLAIN);
    prediction_p->slowdown_frac = slowdown;
    return CT_OK;
}

static const struct ct_predict_method alone_method = {.answer = answer_by_line};
static const struct ct_predict_model alone_model = {.method = &alone_method};

/* ---- slowing each other ---- */

static enum ct_status answer_beside(const struct ct_predict_method *method,
                                    const struct ct_predict_analysis *analysis,
                                    const struct ct_predict_query *query, double *scores,
                                    struct ct_prediction *prediction_p)
{
    double speed;
    enum ct_status status = answer_by_line(method, analysis, query, scores, prediction_p);
    bool is_config = query->beside[0] > analysis->n_apps; /* which nobody slows */
    if (status != CT_OK || is_config || isnan(prediction_p->slowdown_frac))
        return status;
    CT_TRY(ct_settle_group(analysis, query, &alone_model, CT_MUTUAL_RATES, &speed));
    prediction_p->slowdown_frac = 1 / speed - 1;
    return CT_OK;
}

static const struct ct_predict_method beside_method = {.answer = answer_beside};
static const struct ct_predict_model beside_model = {.method = &beside_method};

/* ---- what co-runs say ---- */

enum ct_status ct_probe_effects_add(const struct ct_predict_analysis *analysis,
                                    struct ct_probe_lines *lines)
{
    size_t n = analysis->n_apps;
    double *left_over = malloc((n * n + 1) * sizeof *left_over);
    enum ct_status status = left_over ? CT_OK : CT_ENOMEM;
    for (size_t i = 0; i < n * n && status == CT_OK; i++) {
        const size_t with = i % n;
        struct ct_prediction prediction;
        left_over[i] = NAN;
        if (isnan(analysis->beside_app[i].frac))
            continue;
        status = ct_predict_group(&beside_model, analysis, i / n, &with, 1, NULL, &prediction);
        left_over[i] = ct_probe_log(&lines->setup, analysis->beside_app[i].frac) -
                       ct_probe_log(&lines->setup, prediction.slowdown_frac);
    }
    if (status == CT_OK)
        status = ct_co_run_effects_new(left_over, n, &lines->effects);
    free(left_over);
    return status;
}

/* Of several co-runners, the mean. */
static enum ct_status find_effect(const struct ct_predict_analysis *analysis,
                                  const struct ct_predict_query *query, double *effect_p)
{
    const struct ct_co_run_effects *effects = analysis->lines->effects;
    double sum = 0, one = 0;
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < query->n_beside && status == CT_OK && effects; i++) {
        status = ct_co_run_effects_at(effects, query->app, query->beside[i] - 1, query->left_out,
                                      query->n_left_out, &one);
        sum += one;
    }
    *effect_p = sum / (double)query->n_beside;
    return status;
}

enum ct_status ct_answer_by_line(const struct ct_predict_method *method,
                                 const struct ct_predict_analysis *analysis,
                                 const struct ct_predict_query *query, double *scores,
                                 struct ct_prediction *prediction_p)
{
    const struct ct_probe_line_setup *setup = &analysis->lines->setup;
    double effect;
    enum ct_status status = answer_beside(method, analysis, query, scores, prediction_p);
    bool is_config = query->beside[0] > analysis->n_apps;
    if (status != CT_OK || is_config || isnan(prediction_p->slowdown_frac))
        return status;
    CT_TRY(find_effect(analysis, query, &effect));
    if (effect != 0)
        prediction_p->slowdown_frac =
            exp(ct_probe_log(setup, prediction_p->slowdown_frac) + effect) - setup->offset;
    return CT_OK;
}
