#include "model/queue/calibration.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>
#include <stdbool.h>

static double rho_of_delay(double delay_s, double k_s)
{
    return delay_s / (k_s + delay_s);
}

static double k_of_delay(double delay_s, double rho)
{
    return delay_s * (1 - rho) / rho;
}

static double rho_of_waiting(double waiting_frac, double queues)
{
    return 1 - pow(1 - waiting_frac, 1 / queues);
}

static double queues_of_waiting(double waiting_frac, double rho)
{
    return log1p(-waiting_frac) / log1p(-rho);
}

const struct ct_queue_relation ct_queue_delay = {"K", rho_of_delay, k_of_delay};
const struct ct_queue_relation ct_queue_waiting = {"m", rho_of_waiting, queues_of_waiting};

double ct_queue_relation_at(const struct ct_queue_relation *relation, double x, double parameter)
{
    if (isnan(x) || isnan(parameter))
        return NAN;
    return x > 0 ? relation->utilization_frac(x, parameter) : 0;
}

/* ---- fit ---- */

struct fit {
    const struct ct_queue_relation *relation;
    const struct ct_queue_known *known;
    size_t n;
};

static bool is_usable(const struct fit *fit, const struct ct_queue_known *known, double *log_p)
{
    if (!(known->x > 0 && known->utilization_frac > 0 && known->utilization_frac < 1))
        return false;
    *log_p = log(fit->relation->parameter_of(known->x, known->utilization_frac));
    return isfinite(*log_p);
}

static double mean_square(double log_parameter, void *data)
{
    const struct fit *fit = data;
    double sum = 0, unused;
    size_t n = 0;
    for (size_t i = 0; i < fit->n; i++) {
        const struct ct_queue_known *known = &fit->known[i];
        if (!is_usable(fit, known, &unused))
            continue;
        double off =
            fit->relation->utilization_frac(known->x, exp(log_parameter)) - known->utilization_frac;
        sum += off * off;
        n++;
    }
    return sum / (double)n;
}

/* One minimum between lo and hi, near at; at lies lower than both. */
static enum ct_status refine_minimum(struct fit *fit, double lo, double at, double hi,
                                     double *best_p)
{
    enum { ITERATIONS_MAX = 100 };
    gsl_function function = {mean_square, fit};
    gsl_min_fminimizer *minimizer = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    if (!minimizer)
        return CT_ENOMEM;
    int state = gsl_min_fminimizer_set(minimizer, &function, at, lo, hi);
    for (int i = 0; i < ITERATIONS_MAX && state == GSL_SUCCESS && hi - lo > 1e-9; i++) {
        state = gsl_min_fminimizer_iterate(minimizer);
        lo = gsl_min_fminimizer_x_lower(minimizer);
        hi = gsl_min_fminimizer_x_upper(minimizer);
    }
    *best_p = gsl_min_fminimizer_x_minimum(minimizer);
    gsl_min_fminimizer_free(minimizer);
    return CT_OK;
}

/* Each run's error falls up to its own parameter and rises after it, so the best one lies between
 * the smallest and the largest; with outliers there may be several minima: look at all of it. */
enum ct_status ct_queue_fit(const struct ct_queue_relation *relation,
                            const struct ct_queue_known *known, size_t n, double *parameter_p,
                            double *rms_p)
{
    enum { STEPS = 100 };
    struct fit fit = {relation, known, n};
    double lo = INFINITY, hi = -INFINITY, own;
    for (size_t i = 0; i < n; i++)
        if (is_usable(&fit, &known[i], &own)) {
            lo = fmin(lo, own);
            hi = fmax(hi, own);
        }
    if (lo > hi)
        return CT_ENODATA;
    double best = lo, step = (hi - lo) / STEPS;
    for (int i = 1; i <= STEPS; i++)
        if (mean_square(lo + i * step, &fit) < mean_square(best, &fit))
            best = lo + i * step;
    bool is_inside = mean_square(best - step, &fit) > mean_square(best, &fit) &&
                     mean_square(best + step, &fit) > mean_square(best, &fit);
    if (is_inside)
        CT_TRY(refine_minimum(&fit, best - step, best, best + step, &best));
    *parameter_p = exp(best);
    *rms_p = sqrt(mean_square(best, &fit));
    return CT_OK;
}
