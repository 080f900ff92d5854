#include "predict/multiplicative.h"

#include "predict/constants.h"
#include "predict/two_way.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_frac = -0.01;

struct ct_multiplicative {
    size_t n_apps;
    double logs[]; /* [app * n_apps + with]; NaN: not measured */
};

enum ct_status ct_multiplicative_new(const struct ct_slowdown *beside_app, size_t n_apps,
                                     struct ct_multiplicative **multiplicative_p)
{
    struct ct_multiplicative *made = malloc(sizeof *made + n_apps * n_apps * sizeof *made->logs);
    if (!made)
        return CT_ENOMEM;
    made->n_apps = n_apps;
    for (size_t i = 0; i < n_apps * n_apps; i++) {
        const double frac = beside_app[i].frac;
        made->logs[i] =
            isnan(frac) ? NAN
                        : log(ct_predict_constant(CT_PREDICT_NULL_OFFSET) + fmax(frac, least_frac));
    }
    *multiplicative_p = made;
    return CT_OK;
}

void ct_multiplicative_free(struct ct_multiplicative *multiplicative)
{
    free(multiplicative);
}

enum ct_status ct_multiplicative_slowdown(const struct ct_multiplicative *multiplicative,
                                          size_t app, size_t with, const size_t *left_out,
                                          size_t n_left_out, double *slowdown_p)
{
    enum { STEPS_MAX = 10000 };
    static const double settled = 1e-10;
    const size_t n = multiplicative->n_apps, size = ct_two_way_size(n);
    double *logs = malloc((n * n + size) * sizeof *logs);
    size_t n_used = 0;
    if (!logs)
        return CT_ENOMEM;
    memcpy(logs, multiplicative->logs, n * n * sizeof *logs);
    memset(logs + n * n, 0, size * sizeof *logs);
    ct_two_way_leave_out(logs, n, app, with, left_out, n_left_out);
    for (size_t i = 0; i < n * n; i++)
        n_used += isnan(logs[i]) ? 0 : 1;
    const struct ct_two_way fit = {.y = logs,
                                   .n = n,
                                   .ridge = ct_predict_constant(CT_PREDICT_NULL_RIDGE),
                                   .values = logs + n * n};
    if (n_used > 0)
        ct_two_way_settle(&fit, STEPS_MAX, settled);
    *slowdown_p = n_used > 0 ? exp(ct_two_way_at(&fit, app, with)) -
                                   ct_predict_constant(CT_PREDICT_NULL_OFFSET)
                             : NAN;
    free(logs);
    return CT_OK;
}
