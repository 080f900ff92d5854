#include "calibrate/likelihood.h"

#include "calibrate/names.h"

#include <math.h>

static const char *const kinds[] = {
#define CT_LIKELIHOOD_TEXT(name, text) text,
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
    int kind;
    enum ct_status status =
        ct_names_find("likelihood", kinds, CT_LIKELIHOOD_KINDS, text, &kind, err);
    if (status == CT_OK)
        *kind_p = (enum ct_likelihood_kind)kind;
    return status;
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
