#include "calibrate/chains.h"

#include "calibrate/constants.h"
#include "core/parallel.h"
#include "core/random.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Where the proposal's covariance becomes that of the values since the last time, as parts of the
   warm-up: what came before the chain found its place is forgotten, and the end adapts the scale
   only. */
static const double renewals[] = {1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 3.0 / 4};
enum { N_RENEWALS = sizeof renewals / sizeof *renewals };

struct chain {
    const struct ct_chains_setup *setup;
    gsl_rng *rng;
    gsl_vector *at, *proposed; /* n_dims each */
    double log_density;
    gsl_matrix *factor; /* lower triangle: proposal = at + scale * factor * normal */
    double log_scale;
    size_t n_adapted; /* steps since the scale had another covariance */
    /* Values since the last renewal. */
    gsl_vector *mean;
    gsl_matrix *products; /* sum of products of deviations from the mean */
    size_t n_values, n_accepted;
};

static void free_chain(struct chain *chain)
{
    gsl_rng_free(chain->rng);
    gsl_vector_free(chain->at);
    gsl_vector_free(chain->proposed);
    gsl_matrix_free(chain->factor);
    gsl_vector_free(chain->mean);
    gsl_matrix_free(chain->products);
}

static bool make_chain(const struct ct_chains_setup *setup, size_t number, struct chain *chain)
{
    const double first_width = 0.3; /* of -1 .. 1, before anything is known */
    size_t n = setup->n_dims;
    *chain = (struct chain){.setup = setup,
                            .rng = gsl_rng_alloc(gsl_rng_mt19937),
                            .at = gsl_vector_alloc(n),
                            .proposed = gsl_vector_alloc(n),
                            .factor = gsl_matrix_alloc(n, n),
                            .mean = gsl_vector_calloc(n),
                            .products = gsl_matrix_calloc(n, n)};
    if (!chain->rng || !chain->at || !chain->proposed || !chain->factor || !chain->mean ||
        !chain->products)
        return false;
    gsl_rng_set(chain->rng, ct_random_fold(ct_random_at(setup->seed, number)));
    gsl_matrix_set_identity(chain->factor);
    gsl_matrix_scale(chain->factor, first_width);
    return true;
}

/* NaN counts as a density of 0. */
static double density_at(const struct chain *chain, const gsl_vector *z)
{
    double value = chain->setup->log_density(z->data, chain->setup->data);
    return isnan(value) ? -INFINITY : value;
}

/* The best of some points. False if the density is 0 at all of them. */
static bool start_chain(struct chain *chain)
{
    size_t tries = (size_t)ct_calibrate_constant(CT_CALIBRATE_STARTS);
    chain->log_density = -INFINITY;
    for (size_t i = 0; i < tries; i++) {
        for (size_t d = 0; d < chain->setup->n_dims; d++)
            gsl_vector_set(chain->proposed, d, gsl_ran_flat(chain->rng, -1, 1));
        double density = density_at(chain, chain->proposed);
        if (density > chain->log_density) {
            chain->log_density = density;
            gsl_vector_memcpy(chain->at, chain->proposed);
        }
    }
    return chain->log_density > -INFINITY;
}

static bool is_inside(const gsl_vector *z)
{
    return gsl_vector_min(z) >= -1 && gsl_vector_max(z) <= 1;
}

/* One step of Metropolis; the probability with which the proposal is accepted. */
static double step_chain(struct chain *chain)
{
    size_t n = chain->setup->n_dims;
    double scale = exp(chain->log_scale) * 2.38 / sqrt((double)n);
    for (size_t d = 0; d < n; d++)
        gsl_vector_set(chain->proposed, d, scale * gsl_ran_ugaussian(chain->rng));
    gsl_blas_dtrmv(CblasLower, CblasNoTrans, CblasNonUnit, chain->factor, chain->proposed);
    gsl_vector_add(chain->proposed, chain->at);
    double u = gsl_rng_uniform(chain->rng), density = -INFINITY;
    if (is_inside(chain->proposed))
        density = density_at(chain, chain->proposed);
    double probability = fmin(1, exp(density - chain->log_density));
    if (u < probability) {
        gsl_vector_memcpy(chain->at, chain->proposed);
        chain->log_density = density;
        chain->n_accepted++;
    }
    return probability;
}

/* Mean and products, value by value (Welford). */
static void remember_point(struct chain *chain)
{
    gsl_vector *deviation = chain->proposed; /* free between steps */
    gsl_vector_memcpy(deviation, chain->at);
    gsl_vector_sub(deviation, chain->mean);
    double share = 1 / (double)++chain->n_values;
    gsl_blas_daxpy(share, deviation, chain->mean);
    gsl_blas_dsyr(CblasLower, 1 - share, deviation, chain->products); /* the new mean is nearer */
}

/* The covariance of the values since the last time, if the chain has moved enough to tell it. */
static void renew_proposal(struct chain *chain)
{
    const double least = 1e-12; /* added to variances; the range is -1 .. 1 */
    const size_t moves_per_dim = 10;
    size_t n = chain->setup->n_dims;
    if (chain->n_accepted >= moves_per_dim * n) {
        gsl_matrix_scale(chain->products, 1 / (double)(chain->n_values - 1));
        for (size_t d = 0; d < n; d++)
            *gsl_matrix_ptr(chain->products, d, d) += least;
        gsl_matrix_memcpy(chain->factor, chain->products);
        gsl_linalg_cholesky_decomp1(chain->factor);
        chain->log_scale = 0;
        chain->n_adapted = 0;
    }
    gsl_vector_set_zero(chain->mean);
    gsl_matrix_set_zero(chain->products);
    chain->n_values = chain->n_accepted = 0;
}

static void warm_up(struct chain *chain)
{
    const double target = ct_calibrate_constant(CT_CALIBRATE_ACCEPTANCE);
    const double forgetting = 0.6; /* between 1/2 and 1: Andrieu and Thoms */
    size_t n = chain->setup->n_warmup, next = 0;
    for (size_t i = 1; i <= n; i++) {
        double probability = step_chain(chain);
        double gain = pow((double)++chain->n_adapted, -forgetting);
        chain->log_scale += gain * (probability - target);
        remember_point(chain);
        if (next < N_RENEWALS && (double)i >= renewals[next] * (double)n) {
            renew_proposal(chain);
            next++;
        }
    }
    chain->n_accepted = 0;
}

/* ---- all chains ---- */

struct run {
    const struct ct_chains_setup *setup;
    struct ct_chains chains;
    enum ct_status *status; /* [chain] */
};

static void run_chain(void *data, size_t number)
{
    struct run *run = data;
    const struct ct_chains_setup *setup = run->setup;
    struct chain chain;
    enum ct_status status = CT_ENOMEM;
    if (!make_chain(setup, number, &chain))
        goto free_this;
    status = CT_ENODATA;
    if (!start_chain(&chain))
        goto free_this;
    warm_up(&chain);
    for (size_t i = 0; i < setup->n_steps; i++) {
        for (size_t s = 0; s < setup->thin; s++)
            step_chain(&chain);
        size_t at = number * setup->n_steps + i;
        memcpy(run->chains.z + at * setup->n_dims, chain.at->data,
               setup->n_dims * sizeof *run->chains.z);
        run->chains.log_density[at] = chain.log_density;
    }
    run->chains.acceptance[number] =
        (double)chain.n_accepted / (double)(setup->n_steps * setup->thin);
    status = CT_OK;
free_this:
    free_chain(&chain);
    run->status[number] = status;
}

enum ct_status ct_chains_check(const struct ct_chains_setup *setup, struct ct_error *err)
{
    if (setup->n_dims == 0 || setup->n_dims > CT_CHAINS_DIMS_MAX)
        return ct_fail(err, CT_EINVAL, "chains: %zu parameters: 1 to %d are supported",
                       setup->n_dims, CT_CHAINS_DIMS_MAX);
    if (setup->n_chains == 0 || setup->n_chains > CT_CHAINS_MAX)
        return ct_fail(err, CT_EINVAL, "chains: %zu chains: 1 to %d are supported", setup->n_chains,
                       CT_CHAINS_MAX);
    if (setup->n_warmup < CT_CHAINS_WARMUP_MIN || setup->n_steps < CT_CHAINS_STEPS_MIN ||
        setup->n_steps > CT_CHAINS_STEPS_MAX || setup->thin == 0 || setup->threads == 0)
        return ct_fail(err, CT_EINVAL,
                       "chains: %zu steps to warm up, %zu values, every %zu steps, %u threads: at "
                       "least %d, %d to %d, at least 1 and 1 are supported",
                       setup->n_warmup, setup->n_steps, setup->thin, setup->threads,
                       CT_CHAINS_WARMUP_MIN, CT_CHAINS_STEPS_MIN, CT_CHAINS_STEPS_MAX);
    return CT_OK;
}

static enum ct_status collect_draws(const struct run *run, struct ct_error *err)
{
    for (size_t c = 0; c < run->setup->n_chains; c++) {
        if (run->status[c] == CT_ENOMEM)
            return ct_no_memory(err, "chains");
        if (run->status[c] != CT_OK)
            return ct_fail(err, run->status[c],
                           "chains: the density is 0 at all points at which chain %zu could start",
                           c);
    }
    return CT_OK;
}

enum ct_status ct_chains_run(const struct ct_chains_setup *setup, struct ct_chains *chains_p,
                             struct ct_error *err)
{
    CT_TRY(ct_chains_check(setup, err));
    size_t n = setup->n_chains * setup->n_steps;
    struct run run = {.setup = setup,
                      .chains = {.n_dims = setup->n_dims,
                                 .n_chains = setup->n_chains,
                                 .n_steps = setup->n_steps,
                                 .z = malloc(n * setup->n_dims * sizeof(double)),
                                 .log_density = malloc(n * sizeof(double)),
                                 .acceptance = malloc(setup->n_chains * sizeof(double))},
                      .status = calloc(setup->n_chains, sizeof *run.status)};
    enum ct_status status = CT_OK;
    if (run.chains.z && run.chains.log_density && run.chains.acceptance && run.status) {
        ct_parallel_run(setup->n_chains, setup->threads, run_chain, &run);
        status = collect_draws(&run, err);
    } else {
        status = ct_no_memory(err, "chains");
    }
    free(run.status);
    if (status == CT_OK)
        *chains_p = run.chains;
    else
        ct_chains_free(&run.chains);
    return status;
}

void ct_chains_free(struct ct_chains *chains)
{
    free(chains->z);
    free(chains->log_density);
    free(chains->acceptance);
    *chains = (struct ct_chains){0};
}
