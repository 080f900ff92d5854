/* Whether chains agree, and how many independent values they are worth. */
#include "calibrate/chains.h"

#include <math.h>

/* Half h of 2 n_chains: n values from `first` on. */
struct halves {
    const struct ct_chain_values *values;
    size_t n_halves, n;
};

static struct halves cut_halves(const struct ct_chain_values *values)
{
    return (struct halves){values, 2 * values->n_chains, values->n_steps / 2};
}

/* Value i of half h. Of an odd number of steps the middle one is left out. */
static double value_of(const struct halves *halves, size_t h, size_t i)
{
    const struct ct_chain_values *values = halves->values;
    size_t begin = h % 2 ? values->n_steps - halves->n : 0;
    return values->x[(h / 2 * values->n_steps + begin + i) * values->stride];
}

static double half_mean(const struct halves *halves, size_t h)
{
    double sum = 0;
    for (size_t i = 0; i < halves->n; i++)
        sum += value_of(halves, h, i);
    return sum / (double)halves->n;
}

/* Mean variance within halves; variance over all of them, as it would be if all had converged. */
static void find_variances(const struct halves *halves, double *within_p, double *all_p)
{
    double n = (double)halves->n, m = (double)halves->n_halves;
    double mean = 0, within = 0, between = 0;
    for (size_t h = 0; h < halves->n_halves; h++)
        mean += half_mean(halves, h) / m;
    for (size_t h = 0; h < halves->n_halves; h++) {
        double own = half_mean(halves, h);
        between += (own - mean) * (own - mean) / (m - 1);
        for (size_t i = 0; i < halves->n; i++) {
            double deviation = value_of(halves, h, i) - own;
            within += deviation * deviation / ((n - 1) * m);
        }
    }
    *within_p = within;
    *all_p = (n - 1) / n * within + between;
}

double ct_chains_r_hat(const struct ct_chain_values *values)
{
    struct halves halves = cut_halves(values);
    double within, all;
    if (halves.n < 2)
        return NAN;
    find_variances(&halves, &within, &all);
    if (within > 0)
        return sqrt(all / within);
    return all > 0 ? INFINITY : 1;
}

/* Autocorrelation at a distance, from the variogram of all halves. */
static double find_correlation(const struct halves *halves, size_t distance, double all)
{
    double sum = 0;
    for (size_t h = 0; h < halves->n_halves; h++)
        for (size_t i = distance; i < halves->n; i++) {
            double step = value_of(halves, h, i) - value_of(halves, h, i - distance);
            sum += step * step;
        }
    double n = (double)(halves->n_halves * (halves->n - distance));
    return 1 - sum / n / (2 * all);
}

double ct_chains_effective(const struct ct_chain_values *values)
{
    struct halves halves = cut_halves(values);
    double within, all, steps = (double)(halves.n_halves * halves.n);
    if (halves.n < 2)
        return NAN;
    find_variances(&halves, &within, &all);
    if (!(all > 0))
        return steps;
    /* Pairs (0, 1), (2, 3), ..: their sums are positive and fall for a chain; noise does not. */
    double sum = 0, last = INFINITY;
    for (size_t t = 0; t + 1 < halves.n; t += 2) {
        double pair = (t == 0 ? 1 : find_correlation(&halves, t, all)) +
                      find_correlation(&halves, t + 1, all);
        if (!(pair > 0))
            break;
        last = fmin(last, pair);
        sum += last;
    }
    return fmin(steps, steps / fmax(2 * sum - 1, 1e-12));
}
