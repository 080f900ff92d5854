/**
 * Chooses the load to measure next, so that predictions from a few loads are near those from all of
 * them. Pure.
 *
 * A prediction reads an application's curve, slowdown over utilization, at the utilization of the
 * co-runner. The curve has to be known there. Elsewhere it is enough that no wide part of the axis
 * is empty. With resolution r, utilizations u, and curves as in predict/curve.h through the points
 * measured so far, a further load is needed
 *
 *   reach    beyond the last point, if an application is beyond it: curves are not known there;
 *   gap      between consecutive points further apart than 4 r, up to the heaviest application;
 *   bend     at an application at u between points a and b, if a curve rises between them and u
 *            is far from both:  (T(b) - T(a)) / (1 + T(b)) * 2 min(u - a, b - u) / (b - a)  > r,
 *            with b - u alone in place of the minimum where a is the idle network;
 *   scatter  around an application, among the k points whose odds u/(1-u) are within a factor of 2
 *            of its own, if their distances d from the curve leave its height uncertain:
 *            sqrt(sum d^2) / k / (1 + mean of the curve there)  > r.
 *
 * A monotone curve that rises by less than r between two points is known within r between them. The
 * rule bend demands less than that, since a point near the application is enough for the answer.
 *
 * The size of a need is given in multiples of its limit. The largest need is met first, and reach
 * before all others. The load chosen is the open load whose expected utilization is nearest to the
 * place of the need. A need that no open load is expected to meet is skipped.
 *
 * Expected utilization of an open load: odds u/(1-u) are proportional to the mean excess latency of
 * the probe (equation (3) of Casas and Bronevetsky, IPDPS 2014, solved for it). This latency is
 * about a product of powers of the load's factors. So log odds are fitted to the measured loads,
 * linear in the logarithms of the factors, by Bayesian linear regression. The mean of the normal
 * prior are powers that were seen on an emulated switch (predict/constants.c). If they are wrong
 * for a network, the first choices are worse.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

enum ct_next_load_state {
    CT_NEXT_LOAD_OPEN,     /**< may be chosen */
    CT_NEXT_LOAD_MEASURED, /**< a point of the curves */
    CT_NEXT_LOAD_CLOSED    /**< neither: its runs failed, or are not finished */
};

/** Factors of a load with which its utilization grows; see compressionb. */
enum ct_next_load_factor {
    CT_NEXT_LOAD_PARTNERS,
    CT_NEXT_LOAD_MESSAGES,
    CT_NEXT_LOAD_DENSITY, /**< time of a message on a link / pause */
    CT_NEXT_LOAD_DUTY,    /**< share of the time that bursts take; 1: no bursts */
    CT_NEXT_LOAD_N_FACTORS
};

struct ct_next_load_candidate {
    enum ct_next_load_state state;
    bool has_factors;                       /**< false: not used in the fit; never an open load */
    double factors[CT_NEXT_LOAD_N_FACTORS]; /**< > 0, if has_factors */
    double utilization_frac;                /**< of a measured load; NaN: no point of the curves */
    const double *slowdown_frac; /**< [app], of a measured load; NaN: not known; borrowed */
};

struct ct_next_load_question {
    size_t n_apps, n_loads;
    double idle_utilization_frac;
    const double
        *app_utilization_frac; /**< [app]; NaN: not known. All NaN: curves are needed up to 1 */
    const struct ct_next_load_candidate *loads;
    double resolution_frac; /**< r, > 0 */
};

enum ct_next_load_reason {
    CT_NEXT_LOAD_DONE, /**< there is no need, or no open load is expected to meet one */
    CT_NEXT_LOAD_REACH,
    CT_NEXT_LOAD_GAP,
    CT_NEXT_LOAD_BEND,
    CT_NEXT_LOAD_SCATTER,
    CT_NEXT_LOAD_N_REASONS
};
const char *ct_next_load_reason_text(enum ct_next_load_reason reason);

struct ct_next_load {
    enum ct_next_load_reason reason;
    size_t load;               /**< index of the load; not set if done */
    double expected_frac;      /**< its expected utilization */
    double from_frac, to_frac; /**< the part of the axis where it is needed */
    bool is_met;               /**< if done: no need is left */
};

/**
 * Choose the next load.
 * @param next_p  [out] unchanged on error
 * @return CT_OK; CT_EINVAL (the idle utilization is not finite, a factor or the resolution is not
 *         above 0); CT_ENOMEM
 */
enum ct_status ct_next_load_choose(const struct ct_next_load_question *question,
                                   struct ct_next_load *next_p);
