/** What commands need of a posterior file (posterior_file.h): vectors of parameters. */
#pragma once

#include "calibrate/unknowns.h"

#define CT_POSTERIOR_KIND "posterior"
#define CT_POSTERIOR_LEVEL "interval_level" /* attributes */
#define CT_POSTERIOR_NETWORK "option_network"

/** Parameters with their uncertainty; ct_posterior_draws_free(). */
struct ct_posterior_draws {
    struct ct_unknowns unknowns;           /**< fixed values and priors */
    double most_likely[CT_STACK_KEYS];     /**< [unknowns.n] */
    double *draws;                         /**< [draw * unknowns.n + parameter] */
    size_t n;                              /**< draws: those of all chains */
    double level;                          /**< of intervals, 0 < level < 1 */
    enum ct_simulate_network_kind network; /**< that was calibrated */
};

/**
 * Read parameters.
 * @param draws_p  [out] unchanged on error
 * @return what ct_arrays_read() returns; CT_EFORMAT (values that parameters cannot have)
 */
enum ct_status ct_posterior_draws_read(const char *path, struct ct_posterior_draws *draws_p,
                                       struct ct_error *err);
void ct_posterior_draws_free(struct ct_posterior_draws *draws);

/** Draw i of n that are spread evenly over all draws of a posterior. */
struct ct_stack_parameters ct_posterior_draw(const struct ct_posterior_draws *draws, size_t i,
                                             size_t n);
