#include "model/mixture/mixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ct_mixture {
    size_t n, n_features;
    size_t first_bin; /* below it latencies are alike */
    bool *is_measured;
    double *features; /* [component * n_features + feature] */
    double *gram;     /* [a * n + b]: inner products of features */
};

/* Cumulative distributions, one after the other; a load with too few latencies for a scale has the
 * latencies themselves there. */
static void features_of(const struct ct_probe_profile *profile, size_t first_bin, double *features)
{
    size_t n_bins = profile->grid.n_bins;
    for (size_t scale = 0; scale < CT_PROBE_SCALES; scale++) {
        const double *mass = profile->mass + scale * n_bins;
        double *next = features + scale * n_bins, sum = 0;
        for (size_t i = 0; i < n_bins; i++) {
            sum += mass[i];
            next[i] = i < first_bin ? 0 : sum;
        }
        if (sum == 0 && scale > 0)
            memcpy(next, features, n_bins * sizeof *features);
    }
}

static double product(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static bool is_measured(const struct ct_probe_profile *profile)
{
    return profile->latency_s.n > 0 && profile->mass;
}

enum ct_status ct_mixture_new(const struct ct_probe_profile *components, size_t n, double floor_s,
                              struct ct_mixture **mixture_p)
{
    if (n == 0)
        return CT_EINVAL;
    struct ct_mixture *mixture = calloc(1, sizeof *mixture);
    if (!mixture)
        return CT_ENOMEM;
    mixture->n = n;
    for (size_t c = 0; c < n; c++)
        if (is_measured(&components[c])) {
            mixture->n_features = ct_probe_mass_size(&components[c].grid);
            mixture->first_bin = floor_s > 0 ? ct_probe_bin(&components[c].grid, floor_s) : 0;
        }
    mixture->is_measured = calloc(n, sizeof *mixture->is_measured);
    mixture->features = calloc(n * mixture->n_features + 1, sizeof *mixture->features);
    mixture->gram = calloc(n * n, sizeof *mixture->gram);
    if (!mixture->is_measured || !mixture->features || !mixture->gram) {
        ct_mixture_free(mixture);
        return CT_ENOMEM;
    }
    size_t row = mixture->n_features;
    for (size_t c = 0; c < n; c++) {
        mixture->is_measured[c] = is_measured(&components[c]);
        if (mixture->is_measured[c])
            features_of(&components[c], mixture->first_bin, mixture->features + c * row);
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b <= a; b++)
            mixture->gram[a * n + b] = mixture->gram[b * n + a] =
                product(mixture->features + a * row, mixture->features + b * row, row);
    *mixture_p = mixture;
    return CT_OK;
}

void ct_mixture_free(struct ct_mixture *mixture)
{
    if (!mixture)
        return;
    free(mixture->is_measured);
    free(mixture->features);
    free(mixture->gram);
    free(mixture);
}

/* ---- weights ---- */

/* Minimise w'Gw - 2 t'w on the simplex over the allowed components. gradient is Gw - t. */
struct problem {
    const struct ct_mixture *mixture;
    const bool *is_allowed;
    double *weights, *gradient;
};

static bool may(const struct problem *problem, size_t c)
{
    return problem->mixture->is_measured[c] && (!problem->is_allowed || problem->is_allowed[c]);
}

/* Mean square difference per feature that is of no account. */
#define TOLERANCE 1e-9

/* The component that is nearest to the load alone: |f_c - f|^2 = G_cc - 2 t_c + const. */
static bool start(struct problem *problem, const double *target)
{
    const struct ct_mixture *mixture = problem->mixture;
    size_t n = mixture->n, nearest = n;
    for (size_t c = 0; c < n; c++) {
        problem->weights[c] = 0;
        if (may(problem, c) &&
            (nearest == n || mixture->gram[c * n + c] - 2 * target[c] <
                                 mixture->gram[nearest * n + nearest] - 2 * target[nearest]))
            nearest = c;
    }
    if (nearest == n)
        return false;
    problem->weights[nearest] = 1;
    for (size_t c = 0; c < n; c++)
        problem->gradient[c] = mixture->gram[c * n + nearest] - target[c];
    return true;
}

/* Move weight from the component where it costs most to the one where it costs least, as far as it
 * helps (sequential minimal optimisation, Platt 1998). false: nothing is left to gain. */
static bool improve(struct problem *problem, double tolerance)
{
    const struct ct_mixture *mixture = problem->mixture;
    size_t n = mixture->n, to = n, from = n;
    for (size_t c = 0; c < n; c++) {
        if (!may(problem, c))
            continue;
        if (to == n || problem->gradient[c] < problem->gradient[to])
            to = c;
        if (problem->weights[c] > 0 &&
            (from == n || problem->gradient[c] > problem->gradient[from]))
            from = c;
    }
    double gain = problem->gradient[from] - problem->gradient[to];
    if (!(gain > tolerance))
        return false;
    const double *gram = mixture->gram;
    double curvature = gram[to * n + to] - 2 * gram[to * n + from] + gram[from * n + from];
    double step = problem->weights[from];
    if (curvature * step > gain)
        step = gain / curvature;
    problem->weights[to] += step;
    problem->weights[from] -= step;
    for (size_t c = 0; c < n; c++)
        problem->gradient[c] += step * (gram[c * n + to] - gram[c * n + from]);
    return true;
}

static double distance(const struct ct_mixture *mixture, const double *weights,
                       const double *features)
{
    double sum = 0;
    for (size_t f = 0; f < mixture->n_features; f++) {
        double off = -features[f];
        for (size_t c = 0; c < mixture->n; c++)
            if (weights[c] > 0)
                off += weights[c] * mixture->features[c * mixture->n_features + f];
        sum += off * off;
    }
    return sqrt(sum / (double)mixture->n_features);
}

enum ct_status ct_mixture_weights(const struct ct_mixture *mixture,
                                  const struct ct_probe_profile *load, const bool *is_allowed,
                                  double *weights, double *distance_p)
{
    enum { STEPS_MAX = 5000 };
    if (!is_measured(load) || mixture->n_features == 0)
        return CT_ENODATA;
    size_t n = mixture->n, n_features = mixture->n_features;
    double *room = malloc((n_features + 2 * n) * sizeof *room);
    if (!room)
        return CT_ENOMEM;
    double *features = room, *target = room + n_features;
    struct problem problem = {mixture, is_allowed, weights, target + n};
    features_of(load, mixture->first_bin, features);
    for (size_t c = 0; c < n; c++)
        target[c] = product(mixture->features + c * n_features, features, n_features);
    enum ct_status status = start(&problem, target) ? CT_OK : CT_ENODATA;
    double tolerance = TOLERANCE * (double)n_features;
    for (int i = 0; i < STEPS_MAX && status == CT_OK && improve(&problem, tolerance); i++)
        ;
    if (status == CT_OK)
        *distance_p = distance(mixture, weights, features);
    free(room);
    return status;
}
