#include "calibrate/likelihood.h"

#include <math.h>
#include <string.h>

static const char *const kinds[] = {
#define CT_LIKELIHOOD_TEXT(name, text) [CT_LIKELIHOOD_##name] = text,
    CT_LIKELIHOOD_MAP(CT_LIKELIHOOD_TEXT)
#undef CT_LIKELIHOOD_TEXT
};

const char *ct_likelihood_kind_text(enum ct_likelihood_kind kind)
{
    return kinds[kind];
}

enum ct_status ct_likelihood_kind_of(const char *text, enum ct_likelihood_kind *kind_p,
                                     struct ct_error *err)
{
    for (int kind = 0; kind < CT_LIKELIHOOD_KINDS; kind++)
        if (strcmp(text, kinds[kind]) == 0) {
            *kind_p = (enum ct_likelihood_kind)kind;
            return CT_OK;
        }
    return ct_fail(err, CT_EINVAL, "likelihood '%.60s': not one of corrected, printed", text);
}

double ct_likelihood_variance(enum ct_likelihood_kind kind, const struct ct_observed_summary *data,
                              double surrogate, double discrepancy)
{
    double n = (double)data->n;
    if (kind == CT_LIKELIHOOD_PRINTED)
        return (n - 1) / n * data->variance + surrogate;
    double error = discrepancy * data->scale;
    return data->variance / n + surrogate + error * error;
}

double ct_likelihood_log(double predicted, double measured, double variance)
{
    double error = predicted - measured;
    return -(log(2 * M_PI * variance) + error * error / variance) / 2;
}
