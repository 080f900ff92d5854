/* Questions to a model. */
#include "predict/analysis.h"
#include "predict/method.h"

#include <math.h>
#include <stdlib.h>

static enum ct_status answer_query(const struct ct_predict_model *model,
                                   const struct ct_predict_analysis *analysis,
                                   const struct ct_predict_query *query, double *scores,
                                   struct ct_prediction *prediction_p)
{
    for (size_t c = 0; c < analysis->n_configs && scores; c++)
        scores[c] = NAN;
    if (ct_predict_model_is(model, CT_MODEL_NEEDS_NO_PROBE) || ct_load_is_probed(query->load))
        return model->method->answer(model->method, analysis, query, scores, prediction_p);
    *prediction_p = ct_prediction_none(CT_PREDICTION_NO_PROBE);
    return CT_OK;
}

/* Fill in the co-runners of a query that has the rest, and ask. */
static enum ct_status ask_about(const struct ct_predict_model *model,
                                const struct ct_predict_analysis *analysis,
                                struct ct_predict_query query, const size_t *with, size_t n,
                                double *scores, struct ct_prediction *prediction_p)
{
    const size_t only = ct_load_of_app(with[0]);
    query.load = &analysis->apps[with[0]];
    query.beside = &only;
    query.n_beside = 1;
    if (n == 1)
        return answer_query(model, analysis, &query, scores, prediction_p);
    struct ct_predict_load load;
    double *mass = malloc((ct_predict_mass_size(analysis) + 1) * sizeof *mass);
    size_t *beside = malloc((n + 1) * sizeof *beside);
    enum ct_status status = CT_ENOMEM;
    for (size_t i = 0; i < n && beside; i++)
        beside[i] = ct_load_of_app(with[i]);
    if (mass && beside)
        status = ct_predict_combine(analysis, with, n, mass, &load);
    query.load = &load;
    query.beside = beside;
    query.n_beside = n;
    if (status == CT_OK)
        status = answer_query(model, analysis, &query, scores, prediction_p);
    free(mass);
    free(beside);
    return status;
}

enum ct_status ct_predict_group(const struct ct_predict_model *model,
                                const struct ct_predict_analysis *analysis, size_t app,
                                const size_t *with, size_t n, double *scores,
                                struct ct_prediction *prediction_p)
{
    const struct ct_predict_query query = {.app = app, .excluded = CT_PREDICT_NO_CONFIG};
    return ask_about(model, analysis, query, with, n, scores, prediction_p);
}

enum ct_status ct_predict_config(const struct ct_predict_model *model,
                                 const struct ct_predict_analysis *analysis, size_t app,
                                 size_t config, struct ct_prediction *prediction_p)
{
    const size_t load = ct_load_of_config(analysis->n_apps, config);
    const struct ct_predict_query query = {.app = app,
                                           .load = &analysis->configs[config],
                                           .beside = &load,
                                           .n_beside = 1,
                                           .excluded = config};
    return answer_query(model, analysis, &query, NULL, prediction_p);
}

enum ct_status ct_predict_without(const struct ct_predict_model *model,
                                  const struct ct_predict_analysis *analysis, size_t app,
                                  const size_t *with, size_t n, const size_t *left_out,
                                  size_t n_left_out, struct ct_prediction *prediction_p)
{
    const struct ct_predict_query query = {.app = app,
                                           .excluded = CT_PREDICT_NO_CONFIG,
                                           .left_out = left_out,
                                           .n_left_out = n_left_out};
    return ask_about(model, analysis, query, with, n, NULL, prediction_p);
}
