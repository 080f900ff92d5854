/** From what the probes of each pair say to what each group of directions has. Internal. */
#ifndef CT_MODEL_LINKS_SOLVE_H
#define CT_MODEL_LINKS_SOLVE_H

#include "model/links/links.h"

/** Equations over groups, and room for solving them. */
struct ct_link_solver {
    size_t n_groups, n_pairs;
    struct ct_link_rows paths, balances; /**< owned; each group once a row, with its factor */
    double *gram, *rhs;                  /**< [n_groups][n_groups], [n_groups] */
    double *expected;                    /**< [n_pairs] -ln of the share that waits nowhere */
    double *unknown;                     /**< [n_groups] */
    double *busy_by_unknown;             /**< [n_groups] ratio, of the solution before */
    double *slope;                       /**< of each factor of paths, links of flows */
};

/** What the probes of a row say. */
struct ct_link_tally {
    double n;                /**< probes; 0: none, and the rest has no meaning */
    double weight;           /**< of its equations, 1 for probes that meet the network as it is */
    double undisturbed;      /**< of these, that did not wait */
    double idle_undisturbed; /**< share that did not wait of probes of the idle network, above 0 */
    double excess_s;         /**< mean time, less that of the idle network */
};

/** @return CT_OK; CT_ENOMEM. ct_link_solver_free() is due in both cases. */
enum ct_status ct_link_solver_new(const struct ct_link_system *system, const uint32_t *group,
                                  size_t n_groups, struct ct_link_solver *solver,
                                  struct ct_error *err);
void ct_link_solver_free(struct ct_link_solver *solver);

/**
 * @param dependence  [in]  q, >= 1
 * @param busy_frac   [out] [n_groups]
 * @param misfit_p    [out] sum over rows of weight times (undisturbed less those of the solution)^2
 *                          by their binomial variance; about the sum of weights if all is right
 * @return CT_OK; CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_link_solve_busy(struct ct_link_solver *solver,
                                  const struct ct_link_tally *tallies, double dependence,
                                  double *busy_frac, double *misfit_p, struct ct_error *err);

/**
 * The same for links of flows, whose q is large: by steps of Gauss and Newton for -ln c itself,
 * since its power q would make the noise of few probes large.
 */
enum ct_status ct_link_solve_flows(struct ct_link_solver *solver,
                                   const struct ct_link_tally *tallies, double dependence,
                                   double *busy_frac, double *misfit_p, struct ct_error *err);

/** @param wait_s  [out] [n_groups] @return CT_OK; CT_EINVAL; CT_ENOMEM */
enum ct_status ct_link_solve_wait(struct ct_link_solver *solver,
                                  const struct ct_link_tally *tallies, double *wait_s,
                                  struct ct_error *err);

#endif
