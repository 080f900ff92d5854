#include "calibrate/likelihood.h"

#include <math.h>

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
