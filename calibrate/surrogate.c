/* Values and sensitivities of polynomials. */
#include "calibrate/surrogate.h"

#include "calibrate/surrogate_state.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

size_t ct_surrogate_count_terms(size_t n_dims, unsigned order)
{
    size_t n = 1; /* n_dims + 1 choose 1, n_dims + 2 choose 2, .. */
    for (size_t p = 1; p <= order && n <= CT_SURROGATE_TERMS_MAX; p++)
        n = n * (n_dims + p) / p;
    return n;
}

void ct_surrogate_free(struct ct_surrogate *surrogate)
{
    if (!surrogate)
        return;
    free(surrogate->basis.powers);
    free(surrogate->basis.factors);
    free(surrogate->outputs);
    free(surrogate->coefficients);
    free(surrogate);
}

/* Legendre's polynomials of all dimensions and orders, by their recurrence: one table a point. */
void ct_surrogate_basis_at(const struct ct_surrogate_basis *basis, const double *z, double *values)
{
    double legendre[CT_SURROGATE_DIMS_MAX][CT_SURROGATE_ORDER_MAX + 1];
    for (size_t d = 0; d < basis->n_dims; d++) {
        double *p = legendre[d];
        p[0] = 1;
        p[1] = z[d];
        for (unsigned k = 1; k < basis->order; k++)
            p[k + 1] = ((2 * k + 1) * z[d] * p[k] - k * p[k - 1]) / (k + 1);
    }
    values[0] = 1;
    for (size_t t = 1; t < basis->n_terms; t++) {
        const struct ct_surrogate_factor *factor = &basis->factors[t];
        values[t] = values[factor->parent] * legendre[factor->dim][factor->order];
    }
}

static double sum_up(const struct ct_surrogate *surrogate, size_t output, const double *values)
{
    const double *coefficients = ct_surrogate_coefficients(surrogate, output);
    size_t n = ct_surrogate_n_terms(surrogate, output);
    double sums[4] = {0}; /* one sum would wait for each addition: this takes most of the time */
    size_t t = 0;
    /* No output has more terms than the basis. NOLINTBEGIN(clang-analyzer-core.*) */
    for (; t + 4 <= n; t += 4)
        for (size_t i = 0; i < 4; i++)
            sums[i] += coefficients[t + i] * values[t + i];
    for (; t < n; t++)
        sums[0] += coefficients[t] * values[t];
    /* NOLINTEND(clang-analyzer-core.*) */
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void ct_surrogate_evaluate(const struct ct_surrogate *surrogate, const double *z, double *outputs)
{
    double values[CT_SURROGATE_TERMS_MAX];
    ct_surrogate_basis_at(&surrogate->basis, z, values);
    for (size_t i = 0; i < surrogate->n_outputs; i++)
        outputs[i] = sum_up(surrogate, i, values);
}

void ct_surrogate_evaluate_some(const struct ct_surrogate *surrogate, const double *z,
                                const size_t *which, size_t n, double *outputs)
{
    double values[CT_SURROGATE_TERMS_MAX];
    ct_surrogate_basis_at(&surrogate->basis, z, values);
    for (size_t i = 0; i < n; i++)
        outputs[i] = sum_up(surrogate, which[i], values);
}

size_t ct_surrogate_n_dims(const struct ct_surrogate *surrogate)
{
    return surrogate->basis.n_dims;
}

size_t ct_surrogate_n_outputs(const struct ct_surrogate *surrogate)
{
    return surrogate->n_outputs;
}

unsigned ct_surrogate_order(const struct ct_surrogate *surrogate, size_t output)
{
    return surrogate->outputs[output].order;
}

size_t ct_surrogate_n_terms(const struct ct_surrogate *surrogate, size_t output)
{
    return surrogate->basis.n_terms_of[surrogate->outputs[output].order];
}

const unsigned char *ct_surrogate_term(const struct ct_surrogate *surrogate, size_t term)
{
    return surrogate->basis.powers + term * surrogate->basis.n_dims;
}

const double *ct_surrogate_coefficients(const struct ct_surrogate *surrogate, size_t output)
{
    return surrogate->coefficients + output * surrogate->basis.n_terms;
}

double ct_surrogate_loo_variance(const struct ct_surrogate *surrogate, size_t output)
{
    return surrogate->outputs[output].loo_variance;
}

double ct_surrogate_loo_share(const struct ct_surrogate *surrogate, size_t output)
{
    return surrogate->outputs[output].loo_share;
}

double ct_surrogate_mean(const struct ct_surrogate *surrogate, size_t output)
{
    return ct_surrogate_coefficients(surrogate, output)[0];
}

/* What a term adds to the variance over the prior; the constant adds nothing. */
static double term_variance(const struct ct_surrogate *surrogate, size_t output, size_t term)
{
    const unsigned char *powers = ct_surrogate_term(surrogate, term);
    double c = ct_surrogate_coefficients(surrogate, output)[term], norm = 1;
    for (size_t d = 0; d < surrogate->basis.n_dims; d++)
        norm *= 2.0 * powers[d] + 1;
    return term == 0 ? 0 : c * c / norm;
}

double ct_surrogate_variance(const struct ct_surrogate *surrogate, size_t output)
{
    double sum = 0;
    for (size_t t = 1; t < ct_surrogate_n_terms(surrogate, output); t++)
        sum += term_variance(surrogate, output, t);
    return sum;
}

void ct_surrogate_indices(const struct ct_surrogate *surrogate, size_t output, double *first,
                          double *total)
{
    const double rounding = 1e-24; /* of the square of the mean: less variance is none */
    size_t n_dims = surrogate->basis.n_dims;
    double variance = ct_surrogate_variance(surrogate, output);
    double mean = ct_surrogate_mean(surrogate, output);
    bool is_constant = !(variance > rounding * mean * mean);
    double alone[CT_SURROGATE_DIMS_MAX] = {0}, any[CT_SURROGATE_DIMS_MAX] = {0};
    for (size_t t = 1; t < ct_surrogate_n_terms(surrogate, output); t++) {
        const struct ct_surrogate_factor *factor = &surrogate->basis.factors[t];
        const unsigned char *powers = ct_surrogate_term(surrogate, t);
        double part = term_variance(surrogate, output, t);
        if (factor->parent == 0)
            alone[factor->dim] += part;
        for (size_t d = 0; d < n_dims; d++)
            any[d] += powers[d] > 0 ? part : 0;
    }
    for (size_t d = 0; d < n_dims; d++) {
        if (first)
            first[d] = is_constant ? NAN : alone[d] / variance;
        if (total)
            total[d] = is_constant ? NAN : any[d] / variance;
    }
}

double ct_surrogate_variance_without(const struct ct_surrogate *surrogate, size_t output,
                                     const unsigned char *in)
{
    double sum = 0;
    for (size_t t = 1; t < ct_surrogate_n_terms(surrogate, output); t++) {
        const unsigned char *powers = ct_surrogate_term(surrogate, t);
        bool is_left_out = false;
        for (size_t d = 0; d < surrogate->basis.n_dims; d++)
            is_left_out |= powers[d] > 0 && !in[d];
        if (is_left_out)
            sum += term_variance(surrogate, output, t);
    }
    return sum;
}
