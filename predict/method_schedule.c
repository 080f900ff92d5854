/* Models of execution: an application by its schedule, or all applications by theirs. */
#include "predict/method.h"

#include <math.h>

static double response_to(const struct ct_predict_analysis *analysis, size_t app, size_t load)
{
    size_t n_loads = 1 + analysis->n_apps + analysis->n_configs;
    return analysis->responses[app * n_loads + load];
}

/* Delays of several co-runners add up; slowdowns do as long as the critical path stays the same. No
 * configuration has a part in the answer, so that none has a score. */
enum ct_status ct_answer_by_schedule(const struct ct_predict_method *method,
                                     const struct ct_predict_analysis *analysis,
                                     const struct ct_predict_query *query, double *scores,
                                     struct ct_prediction *prediction_p)
{
    (void)scores, (void)method;
    double sum = 0;
    for (size_t i = 0; i < query->n_beside; i++)
        sum += response_to(analysis, query->app, query->beside[i]);
    *prediction_p =
        ct_prediction_none(isnan(sum) ? CT_PREDICTION_NO_SCHEDULE : CT_PREDICTION_PLAIN);
    prediction_p->slowdown_frac = sum;
    return CT_OK;
}

/* All members run at once, by their schedules: nothing is taken from the probe. */
enum ct_status ct_answer_by_simulation(const struct ct_predict_method *method,
                                       const struct ct_predict_analysis *analysis,
                                       const struct ct_predict_query *query, double *scores,
                                       struct ct_prediction *prediction_p)
{
    (void)scores, (void)method;
    const struct ct_predict_joint_response *joint = &analysis->joint;
    struct ct_joint_slowdown slowdown = {NAN, NAN};
    struct ct_error err;
    enum ct_status status = CT_OK;
    if (joint->model)
        status = joint->slowdown(joint->model, query->app, query->beside, query->n_beside,
                                 &slowdown, &err);
    *prediction_p =
        ct_prediction_none(isnan(slowdown.frac) ? CT_PREDICTION_NO_SCHEDULE : CT_PREDICTION_PLAIN);
    prediction_p->slowdown_frac = slowdown.frac;
    prediction_p->spread_frac = slowdown.spread_frac;
    prediction_p->n_phases = joint->n_phases;
    return status;
}
