#include "predict/models.h"

#include "predict/curve.h"

#include <math.h>
#include <stdlib.h>

static const struct {
    const char *text, *meaning;
} flags[] = {
#define CT_PREDICTION_FLAG_ROW(name, text, meaning) [CT_PREDICTION_##name] = {text, meaning},
    CT_PREDICTION_FLAG_MAP(CT_PREDICTION_FLAG_ROW)
#undef CT_PREDICTION_FLAG_ROW
};

const char *ct_prediction_flag_text(enum ct_prediction_flag flag)
{
    return flags[flag].text;
}

const char *ct_prediction_flag_meaning(enum ct_prediction_flag flag)
{
    return flags[flag].meaning;
}

static struct ct_prediction no_answer(enum ct_prediction_flag why)
{
    return (struct ct_prediction){.slowdown_frac = NAN, .flag = why};
}

static enum ct_prediction_flag flag_of(const struct ct_lookup_choice *choice)
{
    if (choice->fallback)
        return CT_PREDICTION_FALLBACK;
    return choice->tie ? CT_PREDICTION_TIE : CT_PREDICTION_PLAIN;
}

/* Look-up tables: app's slowdown under the configuration whose effect on the probe is nearest. */
static enum ct_status predict_by_lookup(const struct ct_predict_model *model,
                                        const struct ct_predict_analysis *analysis, size_t app,
                                        size_t with, struct ct_prediction *prediction_p)
{
    const struct ct_slowdown *slowdown = &analysis->under_config[app * analysis->n_configs];
    const struct ct_predict_load *co_runner = &analysis->apps[with];
    struct ct_lookup_search search = ct_lookup_begin(model->lookup, &co_runner->profile);
    for (size_t c = 0; c < analysis->n_configs; c++)
        if (!isnan(slowdown[c].frac))
            ct_lookup_offer(&search, c, &analysis->configs[c].profile);
    struct ct_lookup_choice choice = ct_lookup_end(&search);
    if (co_runner->profile.latency_s.n == 0)
        *prediction_p = no_answer(CT_PREDICTION_NO_PROBE);
    else if (!choice.found)
        *prediction_p = no_answer(CT_PREDICTION_NO_CURVE);
    else
        *prediction_p = (struct ct_prediction){.slowdown_frac = slowdown[choice.index].frac,
                                               .flag = flag_of(&choice)};
    return CT_OK;
}

/* Casas and Bronevetsky, IPDPS 2014, section V-B: p_A(U_B), the curve through the configurations.
 * The baseline is a point too: what uses as much of the network as nothing does, by the same model,
 * slows nobody down. */
static enum ct_status predict_by_utilization(const struct ct_predict_model *model,
                                             const struct ct_predict_analysis *analysis, size_t app,
                                             size_t with, struct ct_prediction *prediction_p)
{
    (void)model;
    const struct ct_slowdown *slowdown = &analysis->under_config[app * analysis->n_configs];
    double utilization_frac = analysis->apps[with].utilization_frac;
    struct ct_curve_point *points = malloc((analysis->n_configs + 1) * sizeof *points);
    if (!points)
        return CT_ENOMEM;
    size_t n = 0;
    for (size_t c = 0; c < analysis->n_configs; c++) {
        struct ct_curve_point point = {analysis->configs[c].utilization_frac, slowdown[c].frac};
        if (!isnan(point.x) && !isnan(point.y))
            points[n++] = point;
    }
    enum ct_status status = CT_OK;
    if (isnan(utilization_frac)) {
        *prediction_p = no_answer(CT_PREDICTION_NO_PROBE);
    } else if (n == 0) {
        *prediction_p = no_answer(CT_PREDICTION_NO_CURVE);
    } else {
        struct ct_curve *curve;
        status = ct_curve_new(points, n, analysis->idle.utilization_frac, &curve);
        if (status == CT_OK) {
            bool beyond;
            prediction_p->slowdown_frac = ct_curve_at(curve, utilization_frac, &beyond);
            prediction_p->flag = beyond ? CT_PREDICTION_CLAMPED : CT_PREDICTION_PLAIN;
            ct_curve_free(curve);
        }
    }
    free(points);
    return status;
}

const struct ct_predict_model ct_predict_models[CT_N_PREDICT_MODELS] = {
    {.key = "average_lt",
     .needs = "mean probe latency",
     .lookup = &ct_lookup_average,
     .predict = predict_by_lookup},
    {.key = "queue", .needs = "utilization by the queue model", .predict = predict_by_utilization},
};
