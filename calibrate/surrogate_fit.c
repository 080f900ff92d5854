/* Least squares for all outputs and orders by one decomposition. Terms are sorted by order, so the
   first columns of Q and R are the decomposition of each lower order. */
#include "calibrate/constants.h"
#include "calibrate/surrogate.h"
#include "calibrate/surrogate_state.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- terms ---- */

/* Each term of an order comes once from an earlier one, which has no power in its last dimension
   and those behind it. */
static void add_terms(struct ct_surrogate_basis *basis, unsigned order)
{
    size_t n_dims = basis->n_dims, n_before = basis->n_terms;
    for (size_t parent = 0; parent < n_before; parent++) {
        const unsigned char *powers = basis->powers + parent * n_dims;
        unsigned rest = order;
        size_t first = 0;
        for (size_t d = 0; d < n_dims; d++) {
            rest -= powers[d];
            first = powers[d] > 0 ? d + 1 : first;
        }
        for (size_t d = first; d < n_dims; d++) {
            size_t term = basis->n_terms++;
            memcpy(basis->powers + term * n_dims, powers, n_dims);
            basis->powers[term * n_dims + d] = (unsigned char)rest;
            basis->factors[term] = (struct ct_surrogate_factor){(unsigned)parent, (unsigned short)d,
                                                                (unsigned short)rest};
        }
    }
    basis->n_terms_of[order] = basis->n_terms;
}

static enum ct_status make_basis(size_t n_dims, unsigned order, struct ct_surrogate_basis *basis,
                                 struct ct_error *err)
{
    size_t n = ct_surrogate_count_terms(n_dims, order);
    *basis = (struct ct_surrogate_basis){.n_dims = n_dims, .order = order};
    basis->powers = calloc(n, n_dims);
    basis->factors = calloc(n, sizeof *basis->factors);
    if (!basis->powers || !basis->factors)
        return ct_no_memory(err, "surrogate");
    basis->n_terms = basis->n_terms_of[0] = 1;
    for (unsigned p = 1; p <= order; p++)
        add_terms(basis, p);
    return CT_OK;
}

/* ---- which orders ---- */

static enum ct_status check_values(const struct ct_surrogate_data *data, struct ct_error *err)
{
    for (size_t i = 0; i < data->n_points; i++) {
        for (size_t d = 0; d < data->n_dims; d++)
            if (!(fabs(data->points[i * data->n_dims + d]) <= 1))
                return ct_fail(err, CT_EINVAL,
                               "surrogate: simulation %zu, parameter %zu: coordinate %g is not in "
                               "-1 .. 1",
                               i, d, data->points[i * data->n_dims + d]);
        for (size_t k = 0; k < data->n_outputs; k++)
            if (!isfinite(data->outputs[i * data->n_outputs + k]))
                return ct_fail(err, CT_EINVAL,
                               "surrogate: simulation %zu: %.80s is %g, not a finite number", i,
                               data->names[k], data->outputs[i * data->n_outputs + k]);
    }
    return CT_OK;
}

static enum ct_status check_numbers(const struct ct_surrogate_data *data, unsigned order,
                                    unsigned order_max, struct ct_error *err)
{
    if (data->n_dims == 0 || data->n_dims > CT_SURROGATE_DIMS_MAX || data->n_outputs == 0)
        return ct_fail(err, CT_EINVAL,
                       "surrogate: %zu parameters, %zu outputs: 1 to %d parameters and at least "
                       "one output are supported",
                       data->n_dims, data->n_outputs, CT_SURROGATE_DIMS_MAX);
    unsigned highest = order > 0 ? order : order_max;
    if (highest == 0 || highest > CT_SURROGATE_ORDER_MAX)
        return ct_fail(err, CT_EINVAL, "surrogate: order %u: 1 to %d are supported", highest,
                       CT_SURROGATE_ORDER_MAX);
    if (order > 0 && ct_surrogate_count_terms(data->n_dims, order) > CT_SURROGATE_TERMS_MAX)
        return ct_fail(err, CT_EINVAL,
                       "surrogate: order %u of %zu parameters has more than %d terms: take a lower "
                       "order",
                       order, data->n_dims, CT_SURROGATE_TERMS_MAX);
    return check_values(data, err);
}

/* The highest order with enough points. */
static enum ct_status find_highest(const struct ct_surrogate_data *data, unsigned order,
                                   unsigned order_max, unsigned *highest_p, struct ct_error *err)
{
    const double per_term = ct_calibrate_constant(CT_CALIBRATE_POINTS_PER_TERM);
    unsigned highest = order > 0 ? order : order_max;
    size_t needed = 0;
    for (; highest > 0; highest--) {
        size_t terms = ct_surrogate_count_terms(data->n_dims, highest);
        needed = order > 0 ? terms + 1 : (size_t)ceil(per_term * (double)terms);
        if ((terms <= CT_SURROGATE_TERMS_MAX && data->n_points >= needed) || order > 0)
            break;
    }
    *highest_p = highest;
    if (data->n_points >= needed && highest > 0)
        return CT_OK;
    return ct_fail(err, CT_ENODATA,
                   "surrogate: %zu simulations are too few for polynomials of order %u in %zu "
                   "parameters, which need %zu: make more%s",
                   data->n_points, order > 0 ? order : 1, data->n_dims, needed,
                   order > 1 ? ", or take a lower order" : "");
}

/* ---- least squares ---- */

struct fit {
    const struct ct_surrogate_data *data;
    struct ct_surrogate *surrogate;
    gsl_matrix *q;        /* points x terms: columns are orthonormal */
    gsl_matrix *r;        /* terms x terms: upper triangle */
    gsl_matrix *rest;     /* points x outputs: what the terms so far do not explain */
    gsl_matrix *products; /* terms x outputs: Q' y */
    double *leverage;     /* [point], of the terms so far */
};

static enum ct_status start_fit(struct fit *fit, struct ct_error *err)
{
    const struct ct_surrogate_data *data = fit->data;
    const struct ct_surrogate_basis *basis = &fit->surrogate->basis;
    fit->q = gsl_matrix_alloc(data->n_points, basis->n_terms);
    fit->r = gsl_matrix_alloc(basis->n_terms, basis->n_terms);
    fit->rest = gsl_matrix_alloc(data->n_points, data->n_outputs);
    fit->products = gsl_matrix_calloc(basis->n_terms, data->n_outputs);
    fit->leverage = calloc(data->n_points, sizeof *fit->leverage);
    if (!fit->q || !fit->r || !fit->rest || !fit->products || !fit->leverage)
        return ct_no_memory(err, "surrogate");
    for (size_t i = 0; i < data->n_points; i++) {
        ct_surrogate_basis_at(basis, data->points + i * data->n_dims, gsl_matrix_ptr(fit->q, i, 0));
        memcpy(gsl_matrix_ptr(fit->rest, i, 0), data->outputs + i * data->n_outputs,
               data->n_outputs * sizeof(double));
    }
    return CT_OK;
}

static void end_fit(struct fit *fit)
{
    gsl_matrix_free(fit->q);
    gsl_matrix_free(fit->r);
    gsl_matrix_free(fit->rest);
    gsl_matrix_free(fit->products);
    free(fit->leverage);
}

/* Number of columns, from the first, that are independent of those before them. */
static size_t independent_columns(const gsl_matrix *r)
{
    const double least = 1e-9;
    for (size_t j = 0; j < r->size1; j++) {
        gsl_vector_const_view column = gsl_matrix_const_subcolumn(r, j, 0, j + 1);
        if (!(fabs(gsl_matrix_get(r, j, j)) > least * gsl_blas_dnrm2(&column.vector)))
            return j;
    }
    return r->size1;
}

/* R of the terms' values; Q from them by R, which is well conditioned where columns count. */
static enum ct_status decompose_terms(struct fit *fit, size_t *n_columns_p, struct ct_error *err)
{
    gsl_matrix *copy = gsl_matrix_alloc(fit->q->size1, fit->q->size2);
    gsl_matrix *reflectors = gsl_matrix_alloc(fit->q->size2, fit->q->size2);
    enum ct_status status = CT_OK;
    if (!copy || !reflectors) {
        status = ct_no_memory(err, "surrogate");
        goto free_copy;
    }
    gsl_matrix_memcpy(copy, fit->q);
    gsl_linalg_QR_decomp_r(copy, reflectors);
    gsl_matrix_const_view top =
        gsl_matrix_const_submatrix(copy, 0, 0, fit->r->size1, fit->r->size2);
    gsl_matrix_memcpy(fit->r, &top.matrix);
    size_t n = independent_columns(fit->r);
    *n_columns_p = n;
    if (n == 0)
        goto free_copy;
    gsl_matrix_view q = gsl_matrix_submatrix(fit->q, 0, 0, fit->q->size1, n);
    gsl_matrix_view r = gsl_matrix_submatrix(fit->r, 0, 0, n, n);
    gsl_blas_dtrsm(CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, 1, &r.matrix, &q.matrix);
free_copy:
    gsl_matrix_free(copy);
    gsl_matrix_free(reflectors);
    return status;
}

/* Take the terms first .. last - 1 out of what is left of the outputs. */
static void take_terms(struct fit *fit, size_t first, size_t last)
{
    size_t n = last - first;
    gsl_matrix_view q = gsl_matrix_submatrix(fit->q, 0, first, fit->q->size1, n);
    gsl_matrix_view products =
        gsl_matrix_submatrix(fit->products, first, 0, n, fit->products->size2);
    gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1, &q.matrix, fit->rest, 0, &products.matrix);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, -1, &q.matrix, &products.matrix, 1, fit->rest);
    for (size_t i = 0; i < fit->q->size1; i++)
        for (size_t t = first; t < last; t++)
            fit->leverage[i] += gsl_matrix_get(fit->q, i, t) * gsl_matrix_get(fit->q, i, t);
}

/* Leave-one-out error of an output; infinite where the fit cannot do without a point. */
static double leave_one_out(const struct fit *fit, size_t output)
{
    const double least = 1e-9;
    double sum = 0;
    for (size_t i = 0; i < fit->rest->size1; i++) {
        double others = 1 - fit->leverage[i];
        if (!(others > least))
            return INFINITY;
        double error = gsl_matrix_get(fit->rest, i, output) / others;
        sum += error * error;
    }
    return sum / (double)fit->rest->size1;
}

/* Variance of an output over the design, from n values. */
static double design_variance(const struct ct_surrogate_data *data, size_t output)
{
    double mean = 0, sum = 0;
    for (size_t i = 0; i < data->n_points; i++)
        mean += data->outputs[i * data->n_outputs + output] / (double)data->n_points;
    for (size_t i = 0; i < data->n_points; i++) {
        double deviation = data->outputs[i * data->n_outputs + output] - mean;
        sum += deviation * deviation;
    }
    return sum / (double)data->n_points;
}

/* A higher order has to be better by more than rounding: of a polynomial's own values, too. */
static bool is_better(double error, double best, double variance)
{
    const double relative = 1e-6, rounding = 1e-24;
    return error < best * (1 - relative) && !(best <= rounding * variance);
}

/* R c = Q' y, for the terms of the output's order. */
static void solve_output(struct fit *fit, size_t output)
{
    struct ct_surrogate *surrogate = fit->surrogate;
    size_t n = surrogate->basis.n_terms_of[surrogate->outputs[output].order];
    double *coefficients = surrogate->coefficients + output * surrogate->basis.n_terms;
    for (size_t t = 0; t < n; t++)
        coefficients[t] = gsl_matrix_get(fit->products, t, output);
    gsl_matrix_const_view r = gsl_matrix_const_submatrix(fit->r, 0, 0, n, n);
    gsl_vector_view c = gsl_vector_view_array(coefficients, n);
    gsl_blas_dtrsv(CblasUpper, CblasNoTrans, CblasNonUnit, &r.matrix, &c.vector);
}

/* Orders from the lowest; of the best so far each output remembers its error. */
static enum ct_status choose_orders(struct fit *fit, unsigned lowest, size_t n_columns,
                                    struct ct_error *err)
{
    struct ct_surrogate *surrogate = fit->surrogate;
    const struct ct_surrogate_basis *basis = &surrogate->basis;
    size_t taken = 0;
    for (unsigned p = 0; p <= basis->order && basis->n_terms_of[p] <= n_columns; p++) {
        take_terms(fit, taken, basis->n_terms_of[p]);
        taken = basis->n_terms_of[p];
        for (size_t k = 0; p >= lowest && k < surrogate->n_outputs; k++) {
            struct ct_surrogate_output *output = &surrogate->outputs[k];
            double error = leave_one_out(fit, k), variance = design_variance(fit->data, k);
            if (!isfinite(error) ||
                (output->order > 0 && !is_better(error, output->loo_variance, variance)))
                continue;
            *output = (struct ct_surrogate_output){p, error, variance > 0 ? error / variance : 0};
        }
    }
    for (size_t k = 0; k < surrogate->n_outputs; k++) {
        if (surrogate->outputs[k].order == 0)
            return ct_fail(
                err, CT_ENODATA,
                "surrogate: the %zu simulations do not tell all terms of order %u apart: "
                "make more at other values, or take a lower order",
                fit->data->n_points, lowest);
        solve_output(fit, k);
    }
    return CT_OK;
}

enum ct_status ct_surrogate_fit(const struct ct_surrogate_data *data, unsigned order,
                                unsigned order_max, struct ct_surrogate **surrogate_p,
                                struct ct_error *err)
{
    unsigned highest;
    size_t n_columns = 0;
    enum ct_status status = check_numbers(data, order, order_max, err);
    if (status == CT_OK)
        status = find_highest(data, order, order_max, &highest, err);
    if (status != CT_OK)
        return status;
    struct ct_surrogate *surrogate = calloc(1, sizeof *surrogate);
    if (!surrogate)
        return ct_no_memory(err, "surrogate");
    struct fit fit = {.data = data, .surrogate = surrogate};
    surrogate->n_outputs = data->n_outputs;
    status = make_basis(data->n_dims, highest, &surrogate->basis, err);
    if (status != CT_OK)
        goto free_surrogate;
    surrogate->outputs = calloc(data->n_outputs, sizeof *surrogate->outputs);
    surrogate->coefficients = calloc(data->n_outputs * surrogate->basis.n_terms, sizeof(double));
    if (!surrogate->outputs || !surrogate->coefficients) {
        status = ct_no_memory(err, "surrogate");
        goto free_surrogate;
    }
    status = start_fit(&fit, err);
    if (status == CT_OK)
        status = decompose_terms(&fit, &n_columns, err);
    if (status == CT_OK)
        status = choose_orders(&fit, order > 0 ? order : 1, n_columns, err);
    end_fit(&fit);
free_surrogate:
    if (status == CT_OK)
        *surrogate_p = surrogate;
    else
        ct_surrogate_free(surrogate);
    return status;
}
