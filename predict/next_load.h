/**
 * Which load to measure next, so that few of them give the predictions that all would give. Pure.
 *
 * Predictions read an application's curve, slowdown over utilization, where the co-runners are on
 * the axis. So a curve has to be known there; elsewhere it is enough that no wide part of the axis
 * is empty. With resolution r, utilizations u, and curves as in predict/curve.h through the points
 * measured so far, there is need for a further load
 *
 *   reach    beyond the last point, if an application is beyond it: a curve answers nothing there;
 *   gap      between consecutive points further apart than 4 r, up to the heaviest application;
 *   bend     at an application at u between points a and b, if a curve rises between them and u
 *            is far from both:  (T(b) - T(a)) / (1 + T(b)) * 2 min(u - a, b - u) / (b - a)  > r,
 *            with b - u alone in place of the minimum where a is the idle network;
 *   scatter  around an application, among the k points whose odds u/(1-u) are within a factor of 2
 *            of its own, if their distances d from the curve leave its height uncertain:
 *            sqrt(sum d^2) / k / (1 + mean of the curve there)  > r.
 *
 * A curve that rises by less than r between two points cannot be off by more between them, if it is
 * monotone; bend asks for less, since it takes a point beside the application for the answer.
 * What is largest in multiples of its limit is met first (reach before all others), with the open
 * load that is expected nearest to the place; a need that no open load is expected to meet is
 * passed over.
 *
 * Expected utilization of an open load: odds u/(1-u) grow with the mean excess latency of the probe
 * (equation (3) of Casas and Bronevetsky, IPDPS 2014, solved for it), and that about as a power of
 * each factor of the load. So log odds are fitted to the measured loads, linear in the logarithms
 * of the factors, starting from powers that hold about on an emulated switch (Bayesian linear
 * regression with a normal prior). If they are wrong for a network, the first choices are worse.
 */
#ifndef CT_PREDICT_NEXT_LOAD_H
#define CT_PREDICT_NEXT_LOAD_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

enum ct_next_load_state {
    CT_NEXT_LOAD_OPEN,     /**< may be picked */
    CT_NEXT_LOAD_MEASURED, /**< a point of the curves */
    CT_NEXT_LOAD_CLOSED    /**< neither: its runs failed, or are under way */
};

/** What the utilization by a load grows with; see CompressionB. */
enum ct_next_load_factor {
    CT_NEXT_LOAD_PARTNERS,
    CT_NEXT_LOAD_MESSAGES,
    CT_NEXT_LOAD_DENSITY, /**< time of a message on a link / pause */
    CT_NEXT_LOAD_DUTY,    /**< share of the time that bursts take; 1 without */
    CT_NEXT_LOAD_N_FACTORS
};

struct ct_next_load_candidate {
    enum ct_next_load_state state;
    bool has_factors;                       /**< false: measured, but says nothing about others */
    double factors[CT_NEXT_LOAD_N_FACTORS]; /**< > 0; of every open load */
    double utilization_frac;                /**< where measured; NaN makes it none */
    const double *slowdown_frac;            /**< [app], where measured; NaN: not known; borrowed */
};

struct ct_next_load_question {
    size_t n_apps, n_loads;
    double idle_utilization_frac;
    const double
        *app_utilization_frac; /**< [app]; NaN: not known. All NaN: the whole axis counts */
    const struct ct_next_load_candidate *loads;
    double resolution_frac; /**< r, > 0 */
};

enum ct_next_load_reason {
    CT_NEXT_LOAD_DONE, /**< no need, or none that an open load is expected to meet */
    CT_NEXT_LOAD_REACH,
    CT_NEXT_LOAD_GAP,
    CT_NEXT_LOAD_BEND,
    CT_NEXT_LOAD_SCATTER,
    CT_NEXT_LOAD_N_REASONS
};
const char *ct_next_load_reason_text(enum ct_next_load_reason reason); /**< for people */

struct ct_next_load {
    enum ct_next_load_reason reason;
    size_t load;               /**< unless done */
    double expected_frac;      /**< its utilization */
    double from_frac, to_frac; /**< the part of the axis that needs it */
    bool is_met;               /**< when done: no need is left */
};

/**
 * The next load.
 * @param pick_p  [out] unchanged on error
 * @return CT_OK; CT_EINVAL (the idle utilization is not finite, a factor or the resolution is not
 *         above 0); CT_ENOMEM
 */
enum ct_status ct_next_load_choose(const struct ct_next_load_question *question,
                                   struct ct_next_load *pick_p);

#endif
