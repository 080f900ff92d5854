#include "predict/two_way.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

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

/* ---- all at once ---- */

enum { TERMS = 3 };

/* Values whose sum an entry is. */
struct terms {
    size_t at[TERMS];
};

static struct terms terms_of(size_t n, size_t row, size_t column)
{
    return (struct terms){{0, 1 + row, 1 + n + column}};
}

/* Normal equations: X'X with the ridges, and X'y. */
static void add_entries(const struct ct_two_way *fit, gsl_matrix *normal, gsl_vector *right)
{
    const double *y = fit->y;
    for (size_t i = 0; i < right->size; i++)
        gsl_matrix_set(normal, i, i, i == 0 ? fit->middle_ridge : fit->ridge);
    for (size_t row = 0; row < fit->n; row++)
        for (size_t column = 0; column < fit->n; column++, y++) {
            const struct terms terms = terms_of(fit->n, row, column);
            for (size_t i = 0; i < TERMS && !isnan(*y); i++) {
                *gsl_vector_ptr(right, terms.at[i]) += *y;
                for (size_t k = 0; k < TERMS; k++)
                    *gsl_matrix_ptr(normal, terms.at[i], terms.at[k]) += 1;
            }
        }
}

/* Element of the hat matrix. */
static double hat_of(const gsl_matrix *inverse, struct terms a, struct terms b)
{
    double sum = 0;
    for (size_t i = 0; i < TERMS; i++)
        for (size_t k = 0; k < TERMS; k++)
            sum += gsl_matrix_get(inverse, a.at[i], b.at[k]);
    return sum;
}

static double error_without(const struct ct_two_way *fit, const gsl_matrix *inverse, size_t row,
                            size_t column)
{
    const struct terms own = terms_of(fit->n, row, column), other = terms_of(fit->n, column, row);
    double left = fit->y[row * fit->n + column] - ct_two_way_at(fit, row, column),
           other_left = fit->y[column * fit->n + row] - ct_two_way_at(fit, column, row),
           free_own = 1 - hat_of(inverse, own, own);
    if (row == column || isnan(other_left))
        return left / free_own;
    double hat = hat_of(inverse, own, other), free_other = 1 - hat_of(inverse, other, other);
    return (free_other * left + hat * other_left) / (free_own * free_other - hat * hat);
}

static void solve_entries(const struct ct_two_way *fit, gsl_matrix *inverse, gsl_vector *right,
                          double *error)
{
    gsl_vector_view values = gsl_vector_view_array(fit->values, right->size);
    add_entries(fit, inverse, right);
    gsl_linalg_cholesky_decomp1(inverse); /* positive definite by the ridges */
    gsl_linalg_cholesky_invert(inverse);
    gsl_blas_dgemv(CblasNoTrans, 1, inverse, right, 0, &values.vector);
    for (size_t i = 0; i < fit->n * fit->n; i++)
        error[i] = isnan(fit->y[i]) ? NAN : error_without(fit, inverse, i / fit->n, i % fit->n);
}

enum ct_status ct_two_way_solve(const struct ct_two_way *fit, double *error)
{
    size_t size = ct_two_way_size(fit->n);
    if (isinf(fit->ridge)) {
        memset(fit->values, 0, size * sizeof *fit->values);
        memcpy(error, fit->y, fit->n * fit->n * sizeof *error);
        return CT_OK;
    }
    gsl_matrix *inverse = gsl_matrix_calloc(size, size);
    gsl_vector *right = gsl_vector_calloc(size);
    enum ct_status status = inverse && right ? CT_OK : CT_ENOMEM;
    if (status == CT_OK)
        solve_entries(fit, inverse, right, error);
    gsl_matrix_free(inverse);
    gsl_vector_free(right);
    return status;
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
