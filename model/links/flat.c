#include "model/links/flat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the largest diagonal: vectors that depend on others but for rounding are left out. */
static const double rounding = 1e-13;

enum ct_status ct_flat_new(const struct ct_sparse *vectors, struct ct_flat *flat_p,
                           struct ct_error *err)
{
    *flat_p = (struct ct_flat){.vectors = vectors};
    if (!vectors)
        return CT_OK;
    size_t n = vectors->n_rows;
    flat_p->lower = malloc((n * n + 1) * sizeof *flat_p->lower);
    flat_p->along = calloc(n + 1, sizeof *flat_p->along);
    flat_p->touched = malloc((n + 1) * sizeof *flat_p->touched);
    flat_p->is_touched = calloc(n + 1, sizeof *flat_p->is_touched);
    flat_p->is_free = malloc((vectors->n_columns + 1) * sizeof *flat_p->is_free);
    if (flat_p->lower && flat_p->along && flat_p->touched && flat_p->is_touched && flat_p->is_free)
        return CT_OK;
    return ct_no_memory(err, "non-negative least squares");
}

void ct_flat_free(struct ct_flat *flat)
{
    free(flat->lower);
    free(flat->along);
    free(flat->touched);
    free(flat->is_touched);
    free(flat->is_free);
    *flat = (struct ct_flat){0};
}

/* ---- the small matrix ---- */

/* along += factor times what the vectors have of an unknown. @return length of the list */
static size_t touch_unknown(struct ct_flat *flat, uint32_t unknown, double factor, size_t n_touched)
{
    const struct ct_sparse *vectors = flat->vectors;
    size_t end = flat->is_free[unknown] ? vectors->column_first[unknown + 1] : 0;
    for (size_t i = vectors->column_first[unknown]; i < end; i++) {
        size_t e = vectors->entry_of_column[i];
        uint32_t v = vectors->row[e];
        flat->along[v] += factor * vectors->factor[e];
        if (!flat->is_touched[v])
            flat->touched[n_touched++] = v;
        flat->is_touched[v] = true;
    }
    return n_touched;
}

/* lower += weight along along', and along is 0 again. */
static void add_square(struct ct_flat *flat, double weight, size_t n_touched)
{
    size_t n = flat->vectors->n_rows;
    for (size_t i = 0; i < n_touched; i++)
        for (size_t j = 0; j < n_touched && fabs(flat->along[flat->touched[i]]) > 0; j++) {
            size_t a = flat->touched[i], b = flat->touched[j];
            if (a >= b)
                flat->lower[a * n + b] += weight * flat->along[a] * flat->along[b];
        }
    for (size_t i = 0; i < n_touched; i++) {
        flat->along[flat->touched[i]] = 0;
        flat->is_touched[flat->touched[i]] = false;
    }
}

static void factorize_matrix(double *lower, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, lower[i * n + i]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = lower[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= lower[i * n + k] * lower[j * n + k];
            if (i == j)
                lower[i * n + i] = sum > rounding * largest ? sqrt(sum) : 0;
            else
                lower[i * n + j] = lower[j * n + j] > 0 ? sum / lower[j * n + j] : 0;
        }
}

void ct_flat_set(struct ct_flat *flat, const struct ct_flat_sum *sum, const double *x)
{
    const struct ct_sparse *matrix = sum->matrix;
    if (!flat->vectors)
        return;
    size_t n = flat->vectors->n_rows;
    memset(flat->lower, 0, n * n * sizeof *flat->lower);
    for (size_t c = 0; c < matrix->n_columns; c++)
        flat->is_free[c] = x[c] > 0;
    for (size_t c = 0; c < matrix->n_columns; c++)
        add_square(flat, sum->hold, touch_unknown(flat, (uint32_t)c, 1, 0));
    for (size_t r = 0; r < matrix->n_rows; r++) {
        size_t n_touched = 0, end = sum->weight[r] > 0 ? matrix->row_first[r + 1] : 0;
        for (size_t e = matrix->row_first[r]; e < end; e++)
            n_touched = touch_unknown(flat, matrix->column[e], sum->factor[e], n_touched);
        add_square(flat, sum->weight[r], n_touched);
    }
    factorize_matrix(flat->lower, n);
}

/* ---- its use ---- */

static void solve_factors(const double *lower, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            x[i] -= lower[i * n + k] * x[k];
        x[i] = lower[i * n + i] > 0 ? x[i] / lower[i * n + i] : 0;
    }
    for (size_t i = n; i-- > 0;) {
        x[i] = lower[i * n + i] > 0 ? x[i] / lower[i * n + i] : 0;
        for (size_t k = 0; k < i; k++)
            x[k] -= lower[i * n + k] * x[i];
    }
}

void ct_flat_add(struct ct_flat *flat, const double *slope, double *way)
{
    const struct ct_sparse *vectors = flat->vectors;
    if (!vectors)
        return;
    ct_sparse_multiply(vectors, vectors->factor, slope, flat->along);
    solve_factors(flat->lower, vectors->n_rows, flat->along);
    for (size_t r = 0; r < vectors->n_rows; r++)
        for (size_t e = vectors->row_first[r]; e < vectors->row_first[r + 1]; e++)
            if (flat->is_free[vectors->column[e]])
                way[vectors->column[e]] += flat->along[r] * vectors->factor[e];
    memset(flat->along, 0, vectors->n_rows * sizeof *flat->along);
}
