/**
 * A calibration from beginning to end: a design, its simulations, polynomials in their place, and
 * the posterior of the parameters (calibrate/calibrate.h).
 *
 * Polynomials and likelihood are those of the logarithm of each output: throughput spans decades
 * over the priors, and errors are in proportion to it.
 */
#ifndef CT_STUDY_CALIBRATION_H
#define CT_STUDY_CALIBRATION_H

#include "calibrate/calibrate.h"
#include "calibrate/data.h"
#include "study/calibration_points.h"

/** What is calibrated to what, and how. Borrowed. */
struct ct_calibration_request {
    const struct ct_unknowns *unknowns;
    const struct ct_measured *measured;
    const struct ct_benchmark_setup *benchmark;
    const char *network; /**< what the benchmark's network is, as a text: a part of the keys under
                              which simulations are stored */
    enum ct_design_kind design;
    size_t points;  /**< of the design; of a sparse grid: it has at most so many */
    unsigned order; /**< of polynomials; 0: chosen by leave-one-out error */
    struct ct_calibration_setup posterior;
    const char *output;
    struct ct_log *log;
};

enum { CT_OUTPUT_NAME_MAX = 64 };

/** All that was found; ct_calibration_answer_free(). {0} is empty. */
struct ct_calibration_answer {
    size_t n_outputs;
    char (*names)[CT_OUTPUT_NAME_MAX];     /**< [n_outputs] "throughput at 4KiB" */
    double *logarithms;                    /**< of all repetitions, one output after the other */
    struct ct_observed *observed;          /**< [n_outputs]: logarithms */
    struct ct_observed_summary *summaries; /**< [n_outputs]: of logarithms */
    struct ct_design design;
    unsigned level;  /**< of a sparse grid */
    double *outputs; /**< [point * n_outputs + output]: bytes per second or seconds */
    struct ct_calibration_counts counts;
    struct ct_surrogate *surrogate; /**< of logarithms */
    struct ct_posterior *posterior; /**< likewise; parameters have their own units */
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

/** The calibration, for functions of calibrate/calibrate.h. Refers to both. */
struct ct_calibration ct_calibration_of(const struct ct_calibration_request *request,
                                        const struct ct_calibration_answer *answer);

#endif
