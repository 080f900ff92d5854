#include "predict/simulator_error.h"

#include "predict/constants.h"

#include <math.h>

double ct_simulator_error_scale(double simulated)
{
    return ct_predict_constant(CT_PREDICT_INTERVAL_SCALE) + fmax(simulated, 0);
}

/* Its logarithm, but for a constant. Cases without any scatter are possible; those without any
 * variance are not, since delta is not 0. */
static double log_likelihood(double delta, const struct ct_simulator_case *cases,
                             const bool *counts, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double off = cases[i].measured - cases[i].simulated;
        double own = delta * ct_simulator_error_scale(cases[i].simulated);
        double variance = cases[i].variance + own * own;
        if (!counts || counts[i])
            sum -= (log(variance) + off * off / variance) / 2;
    }
    return sum;
}

struct ct_simulator_error ct_simulator_error_find(const struct ct_simulator_case *cases,
                                                  const bool *counts, size_t n)
{
    struct ct_simulator_error error = {.n = 0};
    double low = log(ct_predict_constant(CT_PREDICT_SIMULATOR_ERROR_MIN)),
           high = log(ct_predict_constant(CT_PREDICT_SIMULATOR_ERROR_MAX));
    double most = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++)
        error.n += !counts || counts[i];
    for (size_t g = 0; g < CT_SIMULATOR_ERROR_GRID; g++) {
        double part = ((double)g + 0.5) / CT_SIMULATOR_ERROR_GRID;
        error.delta[g] = exp(low + part * (high - low));
        error.probability[g] = log_likelihood(error.delta[g], cases, counts, n);
        most = fmax(most, error.probability[g]);
    }
    for (size_t g = 0; g < CT_SIMULATOR_ERROR_GRID; g++) {
        error.probability[g] = exp(error.probability[g] - most);
        sum += error.probability[g];
    }
    for (size_t g = 0; g < CT_SIMULATOR_ERROR_GRID; g++)
        error.probability[g] /= sum;
    return error;
}

double ct_simulator_error_variance(const struct ct_simulator_error *error, double simulated)
{
    double sum = 0;
    for (size_t g = 0; g < CT_SIMULATOR_ERROR_GRID; g++) {
        double own = error->delta[g] * ct_simulator_error_scale(simulated);
        sum += error->probability[g] * own * own;
    }
    return sum;
}

/* ---- the mixture ---- */

static double probability_of_normal(double off, double variance)
{
    static const double least_variance = 1e-18;
    return erfc(-off / sqrt(2 * fmax(variance, least_variance))) / 2;
}

static double probability_below(const struct ct_simulator_mixture *mixture, double y)
{
    static const double negligible = 1e-6;
    const struct ct_simulator_error *error = mixture->error;
    double sum = 0;
    for (size_t i = 0; i < mixture->n; i++) {
        double off = y - mixture->simulated[i];
        double scale = ct_simulator_error_scale(mixture->simulated[i]);
        if (!error)
            sum += probability_of_normal(off, mixture->variance);
        for (size_t g = 0; error && g < CT_SIMULATOR_ERROR_GRID; g++) {
            double own = error->delta[g] * scale;
            if (error->probability[g] > negligible)
                sum += error->probability[g] *
                       probability_of_normal(off, mixture->variance + own * own);
        }
    }
    return sum / (double)mixture->n;
}

double ct_simulator_mixture_quantile(const struct ct_simulator_mixture *mixture, double p)
{
    enum { STEPS = 60 };
    const double wide = 10;
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < mixture->n; i++) {
        double y = mixture->simulated[i], variance = mixture->variance;
        if (mixture->error)
            variance += ct_simulator_error_variance(mixture->error, y);
        lo = fmin(lo, y - wide * sqrt(variance));
        hi = fmax(hi, y + wide * sqrt(variance));
    }
    for (int i = 0; i < STEPS; i++) {
        double middle = (lo + hi) / 2;
        if (probability_below(mixture, middle) < p)
            lo = middle;
        else
            hi = middle;
    }
    return (lo + hi) / 2;
}
