#include "predict/two_way.h"

#include <math.h>

size_t ct_two_way_size(size_t n)
{
    return 1 + 2 * n;
}

static double shrunk_mean(double sum, size_t n, double ridge)
{
    return isinf(ridge) ? 0 : sum / ((double)n + ridge);
}

static void settle_middle(const struct ct_two_way *fit)
{
    const double *r = fit->values + 1, *c = r + fit->n, *y = fit->y;
    double sum = 0;
    size_t n = 0;
    for (size_t row = 0; row < fit->n; row++)
        for (size_t column = 0; column < fit->n; column++, y++)
            if (!isnan(*y)) {
                sum += *y - r[row] - c[column];
                n++;
            }
    fit->values[0] = n > 0 ? shrunk_mean(sum, n, fit->middle_ridge) : 0;
}

/* Of n entries, each stride after the one before, whose other effects are there. */
static double effect_of(const struct ct_two_way *fit, const double *y, size_t stride,
                        const double *others)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < fit->n; i++)
        if (!isnan(y[i * stride])) {
            sum += y[i * stride] - fit->values[0] - others[i];
            n++;
        }
    return shrunk_mean(sum, n, fit->ridge);
}

void ct_two_way_settle_row(const struct ct_two_way *fit, size_t row)
{
    double *r = fit->values + 1;
    r[row] = effect_of(fit, fit->y + row * fit->n, 1, r + fit->n);
}

void ct_two_way_settle_column(const struct ct_two_way *fit, size_t column)
{
    double *r = fit->values + 1;
    r[fit->n + column] = effect_of(fit, fit->y + column, fit->n, r);
}

void ct_two_way_settle(const struct ct_two_way *fit, int steps_max, double settled)
{
    double change = INFINITY;
    for (int step = 0; step < steps_max && change > settled; step++) {
        change = 0;
        settle_middle(fit);
        for (size_t i = 0; i < 2 * fit->n; i++) {
            double before = fit->values[1 + i];
            if (i < fit->n)
                ct_two_way_settle_row(fit, i);
            else
                ct_two_way_settle_column(fit, i - fit->n);
            change = fmax(change, fabs(fit->values[1 + i] - before));
        }
    }
}

double ct_two_way_at(const struct ct_two_way *fit, size_t row, size_t column)
{
    return fit->values[0] + fit->values[1 + row] + fit->values[1 + fit->n + column];
}

void ct_two_way_leave_out(double *y, size_t n, size_t row, size_t column, const size_t *left_out,
                          size_t n_left_out)
{
    y[row * n + column] = y[column * n + row] = NAN;
    for (size_t i = 0; i < n_left_out; i++)
        for (size_t other = 0; other < n; other++)
            y[left_out[i] * n + other] = y[other * n + left_out[i]] = NAN;
}
