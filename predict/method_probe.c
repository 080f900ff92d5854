/* Models that look a co-runner up: by its effect on the probe, or by its utilization. */
#include "predict/analysis.h"
#include "predict/method.h"
#include "predict/precomputed.h"

#include <math.h>

/* ---- look-up tables ---- */

static enum ct_prediction_flag flag_of(const struct ct_lookup_choice *choice)
{
    if (choice->fallback)
        return CT_PREDICTION_FALLBACK;
    return choice->tie ? CT_PREDICTION_TIE : CT_PREDICTION_PLAIN;
}

/* Known already for a single co-runner and an application that was timed under everything. */
static const struct ct_lookup_choice *known_choice(const struct ct_predict_method *method,
                                                   const struct ct_predict_analysis *analysis,
                                                   const struct ct_predict_query *query)
{
    size_t with = ct_query_only_app(analysis, query);
    if (with == analysis->n_apps || query->excluded != CT_PREDICT_NO_CONFIG ||
        !analysis->precomputed->is_complete[query->app])
        return NULL;
    for (size_t i = 0; i < CT_PREDICT_N_LOOKUPS; i++)
        if (ct_predict_lookups[i] == method->lookup)
            return &analysis->precomputed->choices[i * analysis->n_apps + with];
    return NULL;
}

static struct ct_lookup_choice choose_row(const struct ct_predict_method *method,
                                          const struct ct_predict_analysis *analysis,
                                          const struct ct_predict_query *query, double *scores)
{
    struct ct_lookup_search search = ct_lookup_begin(method->lookup, &query->load->profile);
    for (size_t c = 0; c < analysis->n_configs; c++) {
        if (!ct_query_may_use(analysis, query, c))
            continue;
        ct_lookup_offer(&search, c, &analysis->configs[c].profile);
        if (scores)
            scores[c] = method->lookup->score(&query->load->profile, &analysis->configs[c].profile);
    }
    return ct_lookup_end(&search);
}

/* app's slowdown under the configuration whose effect on the probe is nearest. */
enum ct_status ct_answer_by_lookup(const struct ct_predict_method *method,
                                   const struct ct_predict_analysis *analysis,
                                   const struct ct_predict_query *query, double *scores,
                                   struct ct_prediction *prediction_p)
{
    const struct ct_lookup_choice *known = scores ? NULL : known_choice(method, analysis, query);
    struct ct_lookup_choice choice = known ? *known : choose_row(method, analysis, query, scores);
    *prediction_p = ct_prediction_none(CT_PREDICTION_NO_CURVE);
    if (choice.found) {
        size_t cell = query->app * analysis->n_configs + choice.index;
        prediction_p->slowdown_frac = analysis->under_config[cell].frac;
        prediction_p->flag = flag_of(&choice);
        prediction_p->config = choice.index;
    }
    return CT_OK;
}

/* ---- curves over utilization ---- */

/* Casas and Bronevetsky, IPDPS 2014, section V-B: p_A(U_B), the curve through the configurations.
 */
enum ct_status ct_answer_by_curve(const struct ct_predict_method *method,
                                  const struct ct_predict_analysis *analysis,
                                  const struct ct_predict_query *query, double *scores,
                                  struct ct_prediction *prediction_p)
{
    (void)method;
    const enum ct_utilization_kind kind = CT_UTILIZATION_PK;
    double at = ct_predict_utilization(query->load, kind);
    const struct ct_curve *curve = analysis->curves[kind * analysis->n_apps + query->app];
    struct ct_curve *without = NULL;
    if (query->excluded < analysis->n_configs) {
        CT_TRY(ct_predict_curve_make(analysis, query->app, kind, query->excluded, &without));
        curve = without;
    }
    for (size_t c = 0; c < analysis->n_configs && scores; c++)
        if (ct_query_may_use(analysis, query, c))
            scores[c] = ct_predict_utilization(&analysis->configs[c], kind);
    if (isnan(at)) {
        *prediction_p = ct_prediction_none(CT_PREDICTION_NO_CALIBRATION);
    } else if (!curve) {
        *prediction_p = ct_prediction_none(CT_PREDICTION_NO_CURVE);
    } else {
        bool beyond;
        *prediction_p = ct_prediction_none(CT_PREDICTION_PLAIN);
        prediction_p->slowdown_frac = ct_curve_at(curve, at, &beyond);
        prediction_p->at = at;
        prediction_p->flag = beyond ? CT_PREDICTION_CLAMPED : CT_PREDICTION_PLAIN;
    }
    ct_curve_free(without);
    return CT_OK;
}
