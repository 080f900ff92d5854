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

/* Four sums that do not wait for each other. */
static double dot_product(const double *a, const double *b, size_t n)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
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
                dot_product(mixture->features + a * row, mixture->features + b * row, row);
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
    const double *target; /* t */
    double *weights, *gradient;
};

static bool may_enter(const struct problem *problem, size_t c)
{
    return problem->mixture->is_measured[c] && (!problem->is_allowed || problem->is_allowed[c]);
}

/* Mean square difference per feature that is of no account. */
#define TOLERANCE 1e-9

/* The component that is nearest to the load alone: |f_c - f|^2 = G_cc - 2 t_c + const. */
static bool start_search(struct problem *problem)
{
    const double *target = problem->target;
    const struct ct_mixture *mixture = problem->mixture;
    size_t n = mixture->n, nearest = n;
    for (size_t c = 0; c < n; c++) {
        problem->weights[c] = 0;
        if (may_enter(problem, c) &&
            (nearest == n || mixture->gram[c * n + c] - 2 * target[c] <
                                 mixture->gram[nearest * n + nearest] - 2 * target[nearest]))
            nearest = c;
    }
    if (nearest == n)
        return false;
    problem->weights[nearest] = 1;
    return true;
}

/* Where w'Gw - 2 t'w is least on the support under sum w = 1: G z = t + l 1, by the Cholesky factor
 * of G there. The ridge makes nearly equal components share. */
static void solve_support(const struct problem *problem, const size_t *support, size_t k,
                          double *factor, double *z, double *ones)
{
    static const double ridge = 1e-12;
    const double *gram = problem->mixture->gram;
    size_t n = problem->mixture->n;
    double sum_z = 0, sum_ones = 0;
    for (size_t i = 0; i < k; i++) {
        z[i] = problem->target[support[i]];
        ones[i] = 1;
        for (size_t j = 0; j <= i; j++) {
            double value = gram[support[i] * n + support[j]];
            if (i == j)
                value *= 1 + ridge;
            for (size_t m = 0; m < j; m++)
                value -= factor[i * k + m] * factor[j * k + m];
            factor[i * k + j] = i == j ? sqrt(fmax(value, ridge)) : value / factor[j * k + j];
        }
        for (size_t m = 0; m < i; m++) {
            z[i] -= factor[i * k + m] * z[m];
            ones[i] -= factor[i * k + m] * ones[m];
        }
        z[i] /= factor[i * k + i];
        ones[i] /= factor[i * k + i];
    }
    for (size_t i = k; i-- > 0;) {
        for (size_t m = i + 1; m < k; m++) {
            z[i] -= factor[m * k + i] * z[m];
            ones[i] -= factor[m * k + i] * ones[m];
        }
        z[i] /= factor[i * k + i];
        ones[i] /= factor[i * k + i];
        sum_z += z[i];
        sum_ones += ones[i];
    }
    for (size_t i = 0; i < k; i++)
        z[i] += ones[i] * (1 - sum_z) / sum_ones;
}

/* Go from the weights towards z until one of them is 0, and take that out of the support; true:
 * z is reached. */
static bool approach_feasible(struct problem *problem, size_t *support, size_t *k_p,
                              const double *z)
{
    size_t k = *k_p, kept = 0, blocking = k;
    double step = 1;
    for (size_t i = 0; i < k; i++) {
        double weight = problem->weights[support[i]];
        if (z[i] <= 0 && weight < step * (weight - z[i])) {
            step = weight / (weight - z[i]);
            blocking = i;
        }
    }
    for (size_t i = 0; i < k; i++) {
        double *weight = &problem->weights[support[i]];
        *weight = i == blocking ? 0 : fmax(0, *weight + step * (z[i] - *weight));
        if (i != blocking)
            support[kept++] = support[i];
    }
    *k_p = kept;
    return blocking == k;
}

static void find_gradient(struct problem *problem, const size_t *support, size_t k)
{
    size_t n = problem->mixture->n;
    for (size_t c = 0; c < n; c++) {
        problem->gradient[c] = -problem->target[c];
        for (size_t i = 0; i < k; i++)
            problem->gradient[c] +=
                problem->weights[support[i]] * problem->mixture->gram[support[i] * n + c];
    }
}

/* The component that would lower the sum most; n: none by more than the tolerance. */
static size_t find_entering(const struct problem *problem, const size_t *support, size_t k,
                            double tolerance)
{
    size_t n = problem->mixture->n, entering = n;
    double highest = -INFINITY;
    for (size_t i = 0; i < k; i++)
        highest = fmax(highest, problem->gradient[support[i]]);
    for (size_t c = 0; c < n; c++)
        if (may_enter(problem, c) && problem->weights[c] == 0 &&
            problem->gradient[c] < highest - tolerance &&
            (entering == n || problem->gradient[c] < problem->gradient[entering]))
            entering = c;
    return entering;
}

/* Active set (Lawson and Hanson 1974, with the sum given): components enter the support one by one
 * and leave it where their weight would fall below 0. Likeness of components makes the problem long
 * and narrow, and moving weight from one to another slow. */
static enum ct_status minimise_distance(struct problem *problem, double tolerance)
{
    size_t n = problem->mixture->n, k = 0;
    size_t *support = malloc(n * sizeof *support);
    double *room = malloc((n * n + 2 * n) * sizeof *room);
    if (!support || !room) {
        free(support);
        free(room);
        return CT_ENOMEM;
    }
    for (size_t c = 0; c < n; c++)
        if (problem->weights[c] > 0)
            support[k++] = c;
    /* Rounding could make components take turns; then one answer is as good as the other. */
    for (size_t step = 0; step < 4 * n; step++) {
        find_gradient(problem, support, k);
        size_t entering = find_entering(problem, support, k, tolerance);
        if (entering == n)
            break;
        support[k++] = entering;
        do
            solve_support(problem, support, k, room, room + n * n, room + n * n + n);
        while (!approach_feasible(problem, support, &k, room + n * n));
    }
    free(support);
    free(room);
    return CT_OK;
}

static double find_distance(const struct ct_mixture *mixture, const double *weights,
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
    if (!is_measured(load) || mixture->n_features == 0)
        return CT_ENODATA;
    size_t n = mixture->n, n_features = mixture->n_features;
    double *room = calloc(n_features + 2 * n, sizeof *room);
    if (!room)
        return CT_ENOMEM;
    double *features = room, *target = room + n_features;
    struct problem problem = {mixture, is_allowed, target, weights, target + n};
    features_of(load, mixture->first_bin, features);
    for (size_t c = 0; c < n; c++)
        target[c] = dot_product(mixture->features + c * n_features, features, n_features);
    enum ct_status status = start_search(&problem) ? CT_OK : CT_ENODATA;
    if (status == CT_OK)
        status = minimise_distance(&problem, TOLERANCE * (double)n_features);
    if (status == CT_OK)
        *distance_p = find_distance(mixture, weights, features);
    free(room);
    return status;
}
