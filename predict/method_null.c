/* Null models: none and multiplicative. */
#include "predict/method.h"
#include "predict/multiplicative.h"

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
enum ct_status ct_answer_multiplicatively(const struct ct_predict_method *method,
                                          const struct ct_predict_analysis *analysis,
                                          const struct ct_predict_query *query, double *scores,
                                          struct ct_prediction *prediction_p)
{
    (void)method;
    (void)scores;
    double sum = 0;
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < query->n_beside && status == CT_OK; i++) {
        size_t load = query->beside[i];
        double slowdown = NAN;
        if (load > 0 && load <= analysis->n_apps)
            status = ct_multiplicative_slowdown(analysis->multiplicative, query->app, load - 1,
                                                query->left_out, query->n_left_out, &slowdown);
        sum += slowdown;
    }
    *prediction_p = ct_prediction_none(isnan(sum) ? CT_PREDICTION_NO_CO_RUN : CT_PREDICTION_PLAIN);
    prediction_p->slowdown_frac = sum;
    return status;
}
