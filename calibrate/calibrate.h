/**
 * Calibration: parameters of a simulated network with their uncertainty, from measurements. Start
 * reading here.
 *
 *  1. prior.h       parameters and what is known of them beforehand
 *  2. design.h      points at which the caller makes simulations
 *  3. surrogate.h   polynomials of these, sensitivities
 *  4. observed.h    measurements; likelihood.h: how likely they are
 *  5. ct_calibrate()  groups, chains (chains.h), posterior
 *
 * Sources: [D] 4.3 and its appendix; docs/models.md has the equations, and what was corrected.
 */
#pragma once

#include "calibrate/likelihood.h"
#include "calibrate/prior.h"
#include "calibrate/surrogate.h"
#include "core/stats.h"

#include <stdbool.h>

/** What is calibrated to what. Borrowed; the posterior does not refer to it. */
struct ct_calibration {
    const struct ct_parameter *parameters; /**< in the order of the surrogate's dimensions */
    const struct ct_observed *observed;    /**< in the order of its outputs */
    const struct ct_surrogate *surrogate;
};

struct ct_calibration_setup {
    enum ct_likelihood_kind likelihood;
    bool has_discrepancy;        /**< `corrected` only: delta of likelihood.h is sampled */
    struct ct_prior discrepancy; /**< its prior, >= 0: a share of the output */
    double group_index; /**< total index up to which an output does not depend on a parameter;
                             0: all parameters and outputs are one group */
    size_t chains, steps, warmup, thin; /**< of each group: chains.h */
    uint64_t seed;                      /**< the caller records it */
    unsigned threads;
    double level; /**< of intervals, 0 < level < 1 */
};

/** Setup with the values of constants.h: corrected, discrepancy log-uniform, groups, 4 chains. */
struct ct_calibration_setup ct_calibration_default(void);

enum { CT_CALIBRATION_NO_GROUP = -1 };

/** What is known of a parameter afterwards. */
struct ct_posterior_parameter {
    double most_likely; /**< of all parameters together, by ct_prior_log_weight() */
    double mean, deviation, median;
    struct ct_interval interval; /**< of quantiles */
    double r_hat, effective;     /**< NaN without a group */
    int group; /**< 0 .. n_groups - 1; CT_CALIBRATION_NO_GROUP: no output depends on it, so that its
                    posterior is its prior */
};

/** What is predicted of an output. */
struct ct_posterior_output {
    int group;                /**< CT_CALIBRATION_NO_GROUP: it depends on no parameter */
    struct ct_interval prior; /**< of quantiles, over the prior */
    double prior_mean;
    double most_likely, mean;    /**< at the most likely values; over the posterior */
    struct ct_interval interval; /**< of quantiles: what parameters contribute */
    struct ct_interval run; /**< of quantiles: of one further repetition, so parameters, errors of
                               surrogate and simulator, and scatter of runs */
    double variance_parameters; /**< parts of the variance of one further repetition: over the
                                   posterior, */
    double variance_model;      /**< the surrogate's error and the discrepancy, */
    double variance_runs;       /**< and the repetitions */
    double measured;            /**< mean of the repetitions */
    double misfit; /**< (predicted - measured mean) / its standard deviation, at the most likely
                      values */
};

/** Result. */
struct ct_posterior {
    size_t n_parameters, n_outputs, n_groups;
    size_t n_chains, n_steps;
    double *draws;       /**< [(chain * n_steps + step) * n_parameters + parameter], in units of
                            parameters; owned */
    double *discrepancy; /**< [(chain * n_steps + step) * n_groups + group]; NULL: none; owned */
    struct ct_prior discrepancy_prior; /**< of the setup; without meaning if there is none */
    double *log_likelihood;            /**< [chain * n_steps + step], of all groups; owned */
    struct ct_posterior_parameter *parameters;    /**< [n_parameters]; owned */
    struct ct_posterior_output *outputs;          /**< [n_outputs]; owned */
    struct ct_posterior_parameter *discrepancies; /**< [n_groups]; NULL: none; owned */
    double *acceptance;                           /**< [group * n_chains + chain]; owned */
    double r_hat, effective;                      /**< the worst of all that is sampled */
    double misfit;                                /**< sum of the squares of the outputs' misfits */
};

/**
 * Calibrate.
 *
 * Groups ([D], equation 9): parameters and outputs are in one group if the output's total index of
 * the parameter is above group_index, or if others connect them. Each group has its own chains, and
 * its own discrepancy; in its outputs other parameters stay at z = 0. The posterior is the product
 * of the groups and of the priors of parameters that are in none.
 * @param posterior_p  [out] ct_posterior_free(); unchanged on error
 * @return CT_OK; those of ct_parameters_check(), ct_observed_summarize() and ct_chains_run();
 *         CT_EINVAL (setup); CT_ENODATA (no output depends on any parameter)
 */
enum ct_status ct_calibrate(const struct ct_calibration *calibration,
                            const struct ct_calibration_setup *setup,
                            struct ct_posterior **posterior_p, struct ct_error *err);

void ct_posterior_free(struct ct_posterior *posterior);

/**
 * Whether the prior excludes the measurements: the misfit at the most likely values is beyond what
 * chi-square has with probability misfit_probability (constants.h), or more than pile_share of a
 * parameter's draws are in the pile_edge of the prior next to a bound, or of a discrepancy's next
 * to its upper one: it then excuses what the parameters cannot explain.
 * @return CT_OK; CT_EINVAL, which names the output with the largest misfit, and the parameter and
 * its bound. The posterior is what it is in both cases, so that a caller may write it and warn.
 */
enum ct_status ct_posterior_check(const struct ct_calibration *calibration,
                                  const struct ct_posterior *posterior, struct ct_error *err);

/** Whether the chains have converged: r_hat at most r_hat_max (constants.h). @return CT_OK;
 * CT_ENODATA, which names the parameter and the remedy */
enum ct_status ct_posterior_converged(const struct ct_calibration *calibration,
                                      const struct ct_posterior *posterior, struct ct_error *err);
