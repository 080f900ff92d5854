/** From what the probes of each pair say to what each group of directions has. Internal. */
#pragma once

#include "model/links/nnls.h"
#include "model/links/prior.h"

/** Equations over groups, and room for solving them. */
struct ct_link_solver {
    size_t n_groups, n_pairs;
    struct ct_sparse equations; /**< owned: of paths, n_pairs, then balances; of groups */
    struct ct_sparse flat;      /**< owned: what path sums do not tell, a row a switch */
    struct ct_nnls_room room;   /**< owned */
    struct ct_link_prior prior; /**< owned; of the last ct_link_solve_busy() without a start */
    double *weight, *rhs;       /**< [equations.n_rows] */
    double *slope;              /**< of each entry of the equations */
    double *expected;           /**< [n_pairs] -ln of the share that waits nowhere */
    double *unknown, *held;     /**< [n_groups] */
    double *power;              /**< [n_groups] of the unknowns, by q; then by q - 1 */
    double *busy_by_unknown;    /**< [n_groups] ratio, of the solution before */
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

/** How shares of probes are fitted. */
struct ct_link_fit {
    double dependence;        /**< q, >= 1 */
    bool has_prior;           /**< links of a kind are about as busy (prior.h) */
    const double *start_frac; /**< [n_groups] busy shares < 1 of a solution for much the same
                                   probes, from which few steps lead, with the prior that it
                                   had; NULL: none */
};

/**
 * The busy shares whose likelihood is largest: the probes of a row that wait nowhere are binomial
 * with p = idle_undisturbed exp(-m), m = (sum of y_l^q)^(1/q) over the path, y = -ln(1 - busy
 * share). By Fisher's scoring, each step of which is a non-negative least squares (McCullagh and
 * Nelder, Generalized Linear Models, 2.5).
 *
 * (-ln c)^q itself, which is linear, is not fitted: of few probes a row its variance grows with q,
 * and large q would seem to explain probes less well than they do.
 * @param busy_frac   [out] [n_groups] < 1
 * @return the misfit: the sum over rows of weight times (undisturbed less those of the solution)^2
 *         by their binomial variance; about the sum of weights if all is right
 */
double ct_link_solve_busy(struct ct_link_solver *solver, const struct ct_link_tally *tallies,
                          const struct ct_link_fit *fit, double *busy_frac);

/**
 * @param least_gain  [in]     as for ct_nnls_solve()
 * @param wait_s      [in,out] [n_groups] a guess; then the solution
 * @return CT_OK; CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_link_solve_wait(struct ct_link_solver *solver,
                                  const struct ct_link_tally *tallies, double least_gain,
                                  double *wait_s, struct ct_error *err);
