/**
 * Markov chains whose values are distributed as a density says: adaptive Metropolis (Haario,
 * Saksman and Tamminen, Bernoulli 7, 2001) in [-1, 1]^n, several chains at a time.
 *
 * The proposal is normal, with the covariance of the chain's own values times s^2 2.38^2 / n. While
 * the chain warms up, its covariance is renewed five times, from the values since the last time,
 * and s follows the share of accepted proposals (chain_acceptance of constants.h; Andrieu and
 * Thoms, Stat. Comput. 18, 2008, algorithm 4). Then both stay, so that the values that are kept are
 * those of an ordinary Metropolis chain. A chain starts at the best of chain_starts points drawn
 * from [-1, 1]^n.
 */
#pragma once

#include "core/status.h"

#include <stdint.h>

enum {
    CT_CHAINS_MAX = 64,
    CT_CHAINS_DIMS_MAX = 64,
    CT_CHAINS_WARMUP_MIN = 100,
    CT_CHAINS_STEPS_MIN = 10,
    CT_CHAINS_STEPS_MAX = 1000000
};

/**
 * Logarithm of a density, but for a constant. Called from several threads.
 * @param z     [in] n_dims coordinates in [-1, 1]
 * @return -INFINITY where the density is 0; NaN counts as that
 */
typedef double ct_log_density(const double *z, void *data);

struct ct_chains_setup {
    ct_log_density *log_density;
    void *data;
    size_t n_dims;    /**< 1 .. CT_CHAINS_DIMS_MAX */
    size_t n_chains;  /**< 1 .. CT_CHAINS_MAX; R-hat splits chains, so that one is enough for it */
    size_t n_warmup;  /**< steps that are dropped, >= CT_CHAINS_WARMUP_MIN */
    size_t n_steps;   /**< values that are kept of each chain, CT_CHAINS_STEPS_MIN .. _MAX */
    size_t thin;      /**< steps from one kept value to the next, >= 1 */
    uint64_t seed;    /**< that of chain c is ct_random_at(seed, c) */
    unsigned threads; /**< chains at the same time, >= 1 */
};

struct ct_chains {
    size_t n_dims, n_chains, n_steps;
    double *z;           /**< [(chain * n_steps + step) * n_dims + dimension]; owned */
    double *log_density; /**< [chain * n_steps + step]; owned */
    double *acceptance;  /**< [chain] share of proposals accepted after the warm-up; owned */
};

/**
 * Check a setup, but for its density. @return CT_OK; CT_EINVAL, which names the range
 */
enum ct_status ct_chains_check(const struct ct_chains_setup *setup, struct ct_error *err);

/**
 * Run chains. The same setup gives the same values, for any number of threads.
 * @param chains_p  [out] ct_chains_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (a value outside its range); CT_ENODATA (the density is 0 at all points
 * at which a chain could start); CT_ENOMEM
 */
enum ct_status ct_chains_run(const struct ct_chains_setup *setup, struct ct_chains *chains_p,
                             struct ct_error *err);

void ct_chains_free(struct ct_chains *chains);

/** Values of several chains. Borrowed. */
struct ct_chain_values {
    const double *x; /**< the value of a chain's step is at x[(chain * n_steps + step) * stride] */
    size_t stride, n_chains, n_steps;
};

/**
 * Split R-hat: each chain is cut into halves; 1 if all halves agree (Gelman et al., Bayesian Data
 * Analysis, 3rd edition, 11.4). NaN if there are fewer than 4 steps; 1 if no value
 * differs, infinite if only halves differ.
 */
double ct_chains_r_hat(const struct ct_chain_values *values);

/**
 * Effective sample size of all chains: their number of steps divided by the sum of autocorrelations
 * up to where pairs of these become negative (Geyer's initial monotone sequence, with the variogram
 * of all halves; ibid. 11.5). At most the number of steps. NaN where R-hat is.
 */
double ct_chains_effective(const struct ct_chain_values *values);
