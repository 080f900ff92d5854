#include "lp-bridge/envelope/pass_model.h"

#include <math.h>

static const int bisections = 20;

enum ct_status ct_pass_runtime(const struct ct_pass_model *model, double L_s, double *runtime_s_p,
                               double *slope_p, struct ct_error *err)
{
    const double L_ns = 1e9 * L_s;
    struct ct_line line, longer = {0};
    CT_TRY(ct_evaluator_lines(model->schedule, &L_ns, 1, model->threads, &line, err));
    if (model->longer)
        CT_TRY(ct_evaluator_lines(model->longer, &L_ns, 1, model->threads, &longer, err));
    double T_ns = ct_line_at(line, L_ns), slope = line.slope;
    if (model->longer) {
        T_ns = (ct_line_at(longer, L_ns) - T_ns) / model->longer_by;
        slope = (longer.slope - slope) / model->longer_by;
    }
    *runtime_s_p = 1e-9 * T_ns + model->offset_s;
    if (slope_p)
        *slope_p = slope;
    return CT_OK;
}

enum ct_status ct_pass_tolerance(const struct ct_pass_model *model, double L_s, double longer_frac,
                                 double limit_s, double *delta_p, struct ct_error *err)
{
    double at_s, end_s, low_s = 0, high_s = limit_s;
    CT_TRY(ct_pass_runtime(model, L_s, &at_s, NULL, err));
    CT_TRY(ct_pass_runtime(model, L_s + limit_s, &end_s, NULL, err));
    double allowed_s = (1 + longer_frac) * at_s;
    enum ct_status status = CT_OK;
    for (int i = 0; i < bisections && status == CT_OK; i++) {
        double middle_s = (low_s + high_s) / 2, runtime_s = 0;
        status = ct_pass_runtime(model, L_s + middle_s, &runtime_s, NULL, err);
        *(runtime_s <= allowed_s ? &low_s : &high_s) = middle_s;
    }
    if (status == CT_OK)
        *delta_p = end_s <= allowed_s ? NAN : low_s;
    return status;
}
