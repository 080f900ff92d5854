/**
 * A calibration from beginning to end: a design, its simulations, polynomials in their place, and
 * the posterior of the parameters (calibrate/calibrate.h).
 *
 * Polynomials and likelihood are those of the logarithm of each output: throughput spans decades
 * over the priors, and errors are in proportion to it.
 *
 * Polynomials over all of the priors smooth the kinks where another stage of a message becomes the
 * slowest, so the posterior is found in rounds: each makes simulations and polynomials in a box
 * around the posterior of the one before. The box of a parameter is its interval, and as much again
 * on both sides, within the prior; that of a normal prior, and of a parameter that the data say
 * nothing of, is the prior. Sensitivities are those of the first round.
 */
#pragma once

#include "calibrate/calibrate.h"
#include "calibrate/data.h"
#include "calibrate/runs/calibration_points.h"

/** What is calibrated to what, and how. Borrowed. */
struct ct_calibration_request {
    const struct ct_unknowns *unknowns;
    const struct ct_measured *measured;
    const struct ct_benchmark_setup *benchmark;
    const struct ct_calibration_loads *loads; /**< NULL: none; that the latencies of measured are
                                                 of, of all of them, last */
    const char *network; /**< what the benchmark's network is, as a text: a part of the keys under
                              which simulations are stored */
    enum ct_design_kind design;
    size_t points;   /**< of the design; of a sparse grid: it has at most so many */
    unsigned order;  /**< of polynomials; 0: chosen by leave-one-out error */
    unsigned refine; /**< rounds after the first, 0 .. CT_CALIBRATION_ROUNDS_MAX - 1 */
    struct ct_calibration_setup posterior;
    const char *output;
    struct ct_log *log;
};

enum { CT_OUTPUT_NAME_MAX = 64, CT_CALIBRATION_ROUNDS_MAX = 10 };

/** A round. */
struct ct_calibration_round {
    struct ct_unknowns unknowns; /**< with priors that end at the box */
    struct ct_design design;
    unsigned level;  /**< of a sparse grid */
    double *outputs; /**< [point * n_outputs + output]: bytes per second or seconds */
    struct ct_calibration_counts counts;
    struct ct_surrogate *surrogate; /**< of logarithms */
};

/** All that was found; ct_calibration_answer_free(). {0} is empty. */
struct ct_calibration_answer {
    size_t n_outputs;
    char (*names)[CT_OUTPUT_NAME_MAX];     /**< [n_outputs] "throughput at 4KiB" */
    double *logarithms;                    /**< of all repetitions, one output after the other */
    struct ct_observed *observed;          /**< [n_outputs]: logarithms */
    struct ct_observed_summary *summaries; /**< [n_outputs]: of logarithms */
    struct ct_calibration_round rounds[CT_CALIBRATION_ROUNDS_MAX];
    size_t n_rounds;
    struct ct_posterior *posterior; /**< of the last round, of logarithms; `prior` and `prior_mean`
                                         of the first. Parameters have their own units */
};

/**
 * @param answer_p  [out] unchanged on error
 * @return CT_OK; CT_ENODATA (data that say nothing of their noise, too few points for a
 *         polynomial), CT_EINVAL, CT_ENOMEM: what ct_observed_summarize(), ct_design_make(),
 *         ct_calibration_simulate(), ct_surrogate_fit() and ct_calibrate() return
 */
enum ct_status ct_calibration_find(const struct ct_calibration_request *request,
                                   struct ct_calibration_answer *answer_p, struct ct_error *err);
void ct_calibration_answer_free(struct ct_calibration_answer *answer);

/** The first round, over all of the priors, and the last one, which the posterior is from. */
static inline const struct ct_calibration_round *
ct_calibration_first(const struct ct_calibration_answer *answer)
{
    return &answer->rounds[0];
}
static inline const struct ct_calibration_round *
ct_calibration_last(const struct ct_calibration_answer *answer)
{
    return &answer->rounds[answer->n_rounds - 1];
}

/** The calibration with its priors, for checks of calibrate/calibrate.h. Refers to both. */
struct ct_calibration ct_calibration_of(const struct ct_calibration_request *request,
                                        const struct ct_calibration_answer *answer);
