/**
 * What the uncertainty of parameters contributes to a result: the result for each of several
 * vectors of parameters, draws of a posterior (posterior_draws.h), and the spread of these.
 */
#pragma once

#include "core/stats.h"
#include "core/status.h"

/** What is evaluated. Borrowed. */
struct ct_draws_job {
    size_t n_draws, n_values; /**< >= 2; >= 1 */
    unsigned threads;         /**< draws at the same time, >= 1 */
    /**
     * Results for a draw; several threads call it.
     * @param values  [out] [n_values]; NaN: not known for this draw
     * @return CT_OK; anything else ends the evaluation, with the number of the draw
     */
    enum ct_status (*evaluate)(void *data, size_t draw, double *values, struct ct_error *err);
    void *data;
};

/**
 * @param values  [out] [draw * n_values + value]; undefined on error
 * @return CT_OK; CT_EINVAL (too few draws, no threads); CT_ENOMEM; what evaluate() returns
 */
enum ct_status ct_draws_evaluate(const struct ct_draws_job *job, double *values,
                                 struct ct_error *err);

/** Of the draws for which the value is known. */
struct ct_draws_summary {
    size_t n;
    double mean, variance;       /**< unbiased; NaN if n < 2 */
    struct ct_interval interval; /**< of quantiles; likewise */
};

/**
 * @param values   [in]  [draw * n_values + value]
 * @param value    [in]  which of them
 * @param level    [in]  of the interval, 0 < level < 1
 * @param scratch  [out] room for n_draws numbers
 */
struct ct_draws_summary ct_draws_summarize(const struct ct_draws_job *job, const double *values,
                                           size_t value, double level, double *scratch);
