/**
 * Derives what the models work on (utilizations, calibration, curves) from the measurements of a
 * campaign, or from a replicate of these.
 */
#pragma once

#include "predict/curve.h"
#include "predict/summaries.h"

/**
 * Draw a replicate and derive utilizations and slowdowns from it, but nothing that only answers of
 * models need. Intervals are NaN, and the member summaries is NULL. Threads may draw at the same
 * time.
 * @param rng         [in,out] of a replicate; NULL: the data as they are
 * @param analysis_p  [out]    ct_predict_analysis_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_analysis_draw(const struct ct_predict_summaries *summaries, gsl_rng *rng,
                                        struct ct_predict_analysis *analysis_p);

/**
 * The whole analysis of the data as they are. Intervals are NaN, and the member summaries is NULL.
 * @param analysis_p  [out] ct_predict_analysis_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_analysis_make(const struct ct_predict_summaries *summaries,
                                        struct ct_predict_analysis *analysis_p);

/**
 * Degradation curve of an application, through the configurations under which it was timed. The
 * curve begins at the utilization of the idle network, where the slowdown is 0.
 * @param excluded  [in]  a configuration to leave out, or CT_PREDICT_NO_CONFIG
 * @param curve_p   [out] ct_curve_free(); NULL if no configuration has both a utilization and a
 *                        slowdown of the application; unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_curve_make(const struct ct_predict_analysis *analysis, size_t app,
                                     enum ct_utilization_kind kind, size_t excluded,
                                     struct ct_curve **curve_p);

/**
 * What the probe would see beside several applications that run at the same time. Their delays are
 * taken to be independent. So the excess of means and variances over the idle network adds up, and
 * the distributions of delays beyond the idle median are convolved. Utilizations add up, to 1 at
 * most.
 * @param with    [in]  n >= 1 applications
 * @param mass    [out] ct_predict_mass_size() doubles; load_p points to them for n > 1
 * @param load_p  [out] the combined load; not measured if an application was not probed; unchanged
 *                      on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_combine(const struct ct_predict_analysis *analysis, const size_t *with,
                                  size_t n, double *mass, struct ct_predict_load *load_p);

/**
 * Percentile interval of replicates.
 * @param values  [in,out] n replicates, those that are NaN left out; order changes
 * @param level   [in]     0 < level < 1
 * @return NaN if fewer than half of the values are numbers
 */
struct ct_interval ct_predict_interval_of(double *values, size_t n, double level);

/**
 * Random number generator for replicates. The generator takes 32 bits: both halves of the seed are
 * folded into these.
 * @return to be freed by gsl_rng_free(); NULL: out of memory
 */
gsl_rng *ct_predict_rng(uint64_t seed);
void ct_predict_rng_set(gsl_rng *rng, uint64_t seed);

/** Doubles that the histograms of one load need. */
size_t ct_predict_mass_size(const struct ct_predict_analysis *analysis);
