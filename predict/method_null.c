/* Null models: none and additive. */
#include "predict/additive.h"
#include "predict/method.h"

#include <math.h>

enum ct_status ct_answer_no_slowdown(const struct ct_predict_method *method,
                                     const struct ct_predict_analysis *analysis,
                                     const struct ct_predict_query *query, double *scores,
                                     struct ct_prediction *prediction_p)
{
    (void)method;
    (void)analysis;
    (void)query;
    (void)scores;
    *prediction_p = ct_prediction_none(CT_PREDICTION_PLAIN);
    prediction_p->slowdown_frac = 0;
    return CT_OK;
}

/* Of several co-runners the slowdowns add up; a configuration has no co-runs. */
enum ct_status ct_answer_additively(const struct ct_predict_method *method,
                                    const struct ct_predict_analysis *analysis,
                                    const struct ct_predict_query *query, double *scores,
                                    struct ct_prediction *prediction_p)
{
    (void)method;
    (void)scores;
    double sum = 0;
    for (size_t i = 0; i < query->n_beside; i++) {
        size_t load = query->beside[i];
        sum += load > 0 && load <= analysis->n_apps
                   ? ct_additive_slowdown(analysis->additive, query->app, load - 1, query->left_out,
                                          query->n_left_out)
                   : NAN;
    }
    *prediction_p = ct_prediction_none(isnan(sum) ? CT_PREDICTION_NO_CO_RUN : CT_PREDICTION_PLAIN);
    prediction_p->slowdown_frac = sum;
    return CT_OK;
}
