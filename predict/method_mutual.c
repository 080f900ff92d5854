/* The model mutual: a co-runner as a mixture of configurations in time, which is slowed itself. */
#include "model/mixture/mixture.h"
#include "predict/method.h"
#include "predict/mutual.h"
#include "predict/precomputed.h"

#include <math.h>
#include <stdlib.h>

/* ---- mixtures in time ---- */

/* Shares of time of the idle network and of each configuration that the application was timed
 * under; room for them is made. */
static enum ct_status find_shares(const struct ct_predict_analysis *analysis,
                                  const struct ct_predict_query *query, double **shares_p)
{
    size_t n = 1 + analysis->n_configs;
    double *shares = malloc(n * sizeof *shares), distance;
    bool *is_allowed = malloc(n * sizeof *is_allowed);
    enum ct_status status = CT_ENOMEM;
    for (size_t c = 0; c < analysis->n_configs && is_allowed; c++)
        is_allowed[1 + c] = ct_query_may_use(analysis, query, c);
    if (shares && is_allowed) {
        is_allowed[0] = true;
        status = ct_mixture_weights(analysis->mixture, &query->load->profile, is_allowed, shares,
                                    &distance);
    }
    free(is_allowed);
    if (status == CT_OK)
        *shares_p = shares;
    else
        free(shares);
    return status;
}

/* In each part of the time the application runs with the speed that it has beside the configuration
 * that the load looks like then, so speeds are averaged: while it waits for a burst to pass, it
 * does not meet the next one. */
static double mean_speed(const struct ct_predict_analysis *analysis, size_t app,
                         const double *shares)
{
    const double *speed = analysis->precomputed->speed + app * analysis->n_configs;
    double sum = shares[0];
    for (size_t c = 0; c < analysis->n_configs; c++)
        if (shares[1 + c] > 0)
            sum += shares[1 + c] * speed[c];
    return sum;
}

/* Shares of a single application are known already, and of use unless one of them is that of a
 * configuration under which the other was not timed: its speed is NaN, and so is the mean. */
static double known_speed(const struct ct_predict_analysis *analysis,
                          const struct ct_predict_query *query)
{
    size_t with = ct_query_only_app(analysis, query);
    if (with == analysis->n_apps || query->excluded != CT_PREDICT_NO_CONFIG)
        return NAN;
    return mean_speed(analysis, query->app, analysis->shares + with * (1 + analysis->n_configs));
}

/* While nobody is slowed: the shares of time in which the co-runner looks like each configuration
 * or like the idle network, and the mean of the application's speeds there. */
static enum ct_status answer_by_mixture(const struct ct_predict_method *method,
                                        const struct ct_predict_analysis *analysis,
                                        const struct ct_predict_query *query, double *scores,
                                        struct ct_prediction *prediction_p)
{
    (void)method;
    double highest_s = analysis->precomputed->highest_s[query->app], *shares;
    *prediction_p = ct_prediction_none(CT_PREDICTION_NO_CURVE);
    if (isnan(highest_s))
        return CT_OK;
    double speed = scores ? NAN : known_speed(analysis, query);
    if (isnan(speed)) {
        enum ct_status status = find_shares(analysis, query, &shares);
        if (status != CT_OK)
            return status == CT_ENOMEM ? status : CT_OK;
        for (size_t c = 0; c < analysis->n_configs && scores; c++)
            if (ct_query_may_use(analysis, query, c))
                scores[c] = shares[1 + c];
        speed = mean_speed(analysis, query->app, shares);
        free(shares);
    }
    prediction_p->slowdown_frac = 1 / speed - 1;
    prediction_p->flag = query->load->profile.latency_s.mean > highest_s ? CT_PREDICTION_CLAMPED
                                                                         : CT_PREDICTION_PLAIN;
    return CT_OK;
}

/* ---- slowing each other ---- */

/* Members of a group, the one that is asked about first. */
struct members {
    size_t n;
    size_t *app;
    size_t *others; /* room for n - 1 */
    double *full;
    double *load;
    double *speed;
};

/* Speed of a member beside all the others at full speed. One whose slowdown is not known is taken
 * not to be slowed, and nobody runs faster than alone. */
static enum ct_status find_full(const struct ct_predict_analysis *analysis,
                                const struct ct_predict_model *alone, size_t member,
                                struct members *members)
{
    size_t n_others = 0;
    for (size_t i = 0; i < members->n; i++)
        if (i != member)
            members->others[n_others++] = members->app[i];
    struct ct_prediction prediction;
    CT_TRY(ct_predict_group(alone, analysis, members->app[member], members->others, n_others, NULL,
                            &prediction));
    members->full[member] =
        isnan(prediction.slowdown_frac) ? 1 : fmin(1, 1 / (1 + prediction.slowdown_frac));
    return CT_OK;
}

static enum ct_status settle_members(const struct ct_predict_analysis *analysis,
                                     const struct ct_predict_model *alone, enum ct_mutual_law law,
                                     struct members *members, double *speed_p)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < members->n && status == CT_OK; i++) {
        const struct ct_predict_load *load = &analysis->apps[members->app[i]];
        status = find_full(analysis, alone, i, members);
        members->load[i] = fmax(0, ct_predict_utilization(load, CT_UTILIZATION_WAITING));
    }
    struct ct_mutual mutual = {law, members->n, members->full, members->load, members->speed};
    if (status == CT_OK)
        *speed_p = ct_mutual_speed(&mutual);
    return status;
}

enum ct_status ct_settle_group(const struct ct_predict_analysis *analysis,
                               const struct ct_predict_query *query,
                               const struct ct_predict_model *alone, enum ct_mutual_law law,
                               double *speed_p)
{
    enum { FEW = 8 };
    size_t few[2 * FEW], n = 1 + query->n_beside;
    double few_values[3 * FEW];
    size_t *apps = n > FEW ? malloc(2 * n * sizeof *apps) : few;
    double *values = n > FEW ? malloc(3 * n * sizeof *values) : few_values;
    enum ct_status status = CT_ENOMEM;
    if (apps && values) {
        struct members members = {n, apps, apps + n, values, values + n, values + 2 * n};
        for (size_t i = 0; i < n; i++)
            apps[i] = i == 0 ? query->app : query->beside[i - 1] - 1;
        status = settle_members(analysis, alone, law, &members, speed_p);
    }
    if (n > FEW) {
        free(apps);
        free(values);
    }
    return status;
}

enum ct_status ct_answer_mutually(const struct ct_predict_method *method,
                                  const struct ct_predict_analysis *analysis,
                                  const struct ct_predict_query *query, double *scores,
                                  struct ct_prediction *prediction_p)
{
    double speed;
    enum ct_status status = answer_by_mixture(method, analysis, query, scores, prediction_p);
    bool is_config = query->beside[0] > analysis->n_apps; /* which nobody slows */
    if (status != CT_OK || is_config || isnan(prediction_p->slowdown_frac))
        return status;
    static const struct ct_predict_method mixture = {.answer = answer_by_mixture};
    static const struct ct_predict_model alone = {.method = &mixture};
    CT_TRY(ct_settle_group(analysis, query, &alone, CT_MUTUAL_SHARES, &speed));
    prediction_p->slowdown_frac = 1 / speed - 1;
    return CT_OK;
}
