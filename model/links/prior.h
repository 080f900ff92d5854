/**
 * What links are expected to be before probes tell: links of one kind, such as all that lead from a
 * node to its switch, are about as busy. Internal.
 *
 * With y = -ln(1 - busy share), y_l = m_k / r_l + a normal deviation of variance v, for a link l of
 * the kind k with the rate r_l beside the slowest; m_k = M + a normal deviation of variance w. v,
 * w, m and M follow from the probes (empirical Bayes; Efron and Morris, JASA 68, 1973), by steps of
 * expectation and maximization: a squared deviation is expected to be that of the estimate, and the
 * variance that probes leave it. So few probes leave a link near the mean of its kind, many decide
 * by themselves. A kind that no probe tells anything of carries as many bytes as the others.
 *
 * Assumption: what probes leave open of one link does not depend on others (only the diagonal of
 * the information matrix is used).
 */
#pragma once

#include "model/links/links.h"

struct ct_link_prior {
    size_t n_groups, n_kinds;
    uint32_t *kind;         /**< [n_groups] that of the first direction */
    double *rate;           /**< [n_groups] r */
    double *mean;           /**< [n_kinds] m */
    double *information;    /**< [n_kinds] of probes on m */
    double *size;           /**< [n_kinds] groups */
    double within, between; /**< v, w */
    double dispersion;      /**< >= 1: how much more probes vary than the model says */
};

/** @return CT_OK; CT_ENOMEM. ct_link_prior_free() is due in both cases. */
enum ct_status ct_link_prior_new(const struct ct_link_system *system, const uint32_t *group,
                                 size_t n_groups, struct ct_link_prior *prior_p,
                                 struct ct_error *err);
void ct_link_prior_free(struct ct_link_prior *prior);

/** All kinds have the mean of these values, and deviations are as large; probes vary as the model
 * says. @param y  [n_groups] */
void ct_link_prior_start(struct ct_link_prior *prior, const double *y);

/**
 * One step.
 * @param y      [in] [n_groups] estimates
 * @param known  [in] [n_groups] information of probes on each by the model, reciprocal of a
 *                    variance; 0: none
 * @param misfit [in] sum of squares of what probes tell and the estimates, by the model's variance
 * @param n      [in] probes' rows of that sum
 */
void ct_link_prior_improve(struct ct_link_prior *prior, const double *y, const double *known,
                           double misfit, double n);

/** What the prior weighs beside information by the model. */
double ct_link_prior_precision(const struct ct_link_prior *prior);

/** The value that a group is expected to have. */
double ct_link_prior_mean(const struct ct_link_prior *prior, size_t group);
