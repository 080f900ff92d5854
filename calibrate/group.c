/* The likelihood of a group, and the maximum of its posterior. */
#include "calibrate/posterior_state.h"

#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>

/* Prior of dimension d of a group. */
static const struct ct_prior *prior_at(const struct ct_group *group, size_t d)
{
    return d < group->n_parameters
               ? &group->work->calibration->parameters[group->parameters[d]].prior
               : &group->work->setup->discrepancy;
}

double ct_group_log_likelihood(const double *z, void *data)
{
    enum { AT_ONCE = 64 };
    const struct ct_group *group = data;
    const struct ct_work *work = group->work;
    double all[CT_SURROGATE_DIMS_MAX] = {0}, predicted[AT_ONCE], sum = 0, discrepancy = 0;
    for (size_t d = 0; d < group->n_parameters; d++)
        all[group->parameters[d]] = z[d];
    if (group->n_dims > group->n_parameters)
        discrepancy = ct_prior_value(&work->setup->discrepancy, z[group->n_parameters]);
    for (size_t begin = 0; begin < group->n_outputs; begin += AT_ONCE) {
        size_t n = group->n_outputs - begin < AT_ONCE ? group->n_outputs - begin : AT_ONCE;
        const size_t *outputs = group->outputs + begin;
        ct_surrogate_evaluate_some(work->calibration->surrogate, all, outputs, n, predicted);
        for (size_t i = 0; i < n; i++) {
            const struct ct_observed_summary *measured = &work->data[outputs[i]];
            double variance =
                ct_likelihood_variance(work->setup->likelihood, measured,
                                       work->surrogate_variance[outputs[i]], discrepancy);
            sum += ct_likelihood_log(predicted[i], measured->mean, variance);
        }
    }
    return sum;
}

enum ct_status ct_group_make(const struct ct_work *work, int number, struct ct_group *group,
                             struct ct_error *err)
{
    *group = (struct ct_group){.work = work, .number = number};
    group->outputs = malloc(work->n_outputs * sizeof *group->outputs);
    if (!group->outputs)
        return ct_no_memory(err, "calibration");
    for (size_t d = 0; d < work->n_parameters; d++)
        if (work->groups.of_parameter[d] == number)
            group->parameters[group->n_parameters++] = d;
    for (size_t i = 0; i < work->n_outputs; i++)
        if (work->groups.of_output[i] == number)
            group->outputs[group->n_outputs++] = i;
    group->n_dims = group->n_parameters + (work->has_discrepancy ? 1 : 0);
    return CT_OK;
}

/* ---- maximum: the simplex of Nelder and Mead ---- */

struct search {
    const struct ct_group *group;
    double z[CT_SURROGATE_DIMS_MAX + 1];
};

/* Outside of -1 .. 1 it rises from the value at the bound, so that the simplex comes back. */
static double find_height(const gsl_vector *at, void *data)
{
    const double slope = 1e3;
    struct search *search = data;
    const struct ct_group *group = search->group;
    double outside = 0, weight = 0;
    for (size_t d = 0; d < group->n_dims; d++) {
        double z = gsl_vector_get(at, d);
        search->z[d] = fmax(-1, fmin(1, z));
        outside += fabs(z - search->z[d]);
        weight += ct_prior_log_weight(prior_at(group, d), search->z[d]);
    }
    return slope * outside - weight - ct_group_log_likelihood(search->z, (void *)group);
}

/* One search, from z and back to it. @return the height there */
static double descend_simplex(gsl_multimin_fminimizer *simplex, struct search *search,
                              gsl_vector *z, gsl_vector *sizes)
{
    const double first_size = 0.05, last_size = 1e-7; /* of -1 .. 1 */
    const size_t steps_per_dim = 200;
    gsl_multimin_function function = {find_height, z->size, search};
    gsl_vector_set_all(sizes, first_size);
    gsl_multimin_fminimizer_set(simplex, &function, z, sizes);
    for (size_t i = 0; i < steps_per_dim * z->size; i++)
        if (gsl_multimin_fminimizer_iterate(simplex) != GSL_SUCCESS ||
            gsl_multimin_fminimizer_size(simplex) < last_size)
            break;
    gsl_vector_memcpy(z, simplex->x);
    return simplex->fval;
}

/* A simplex that has become flat begins anew, until that gains nothing. */
enum ct_status ct_group_most_likely(const struct ct_group *group, double *z, struct ct_error *err)
{
    const double least_gain = 1e-6;
    const size_t searches_max = 20;
    size_t n = group->n_dims;
    struct search search = {.group = group};
    gsl_vector_view at = gsl_vector_view_array(z, n);
    gsl_vector *sizes = gsl_vector_alloc(n);
    gsl_multimin_fminimizer *simplex =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, n);
    enum ct_status status = CT_OK;
    if (sizes && simplex) {
        double before = INFINITY, now = descend_simplex(simplex, &search, &at.vector, sizes);
        for (size_t i = 1; i < searches_max && before - now > least_gain; i++) {
            before = now;
            now = descend_simplex(simplex, &search, &at.vector, sizes);
        }
    } else {
        status = ct_no_memory(err, "calibration");
    }
    for (size_t d = 0; d < n; d++)
        z[d] = fmax(-1, fmin(1, z[d]));
    gsl_vector_free(sizes);
    gsl_multimin_fminimizer_free(simplex);
    return status;
}
