/** From a drawn campaign to what the models work on: utilizations, calibration, curves. */
#ifndef CT_PREDICT_ANALYSIS_H
#define CT_PREDICT_ANALYSIS_H

#include "predict/curve.h"
#include "predict/summaries.h"

/**
 * Draw and derive; intervals are NaN, and summaries stays NULL.
 * @param rng         [in]  of a replicate; NULL: the data as they are
 * @param analysis_p  [out] ct_predict_analysis_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_analysis_make(const struct ct_predict_summaries *summaries, gsl_rng *rng,
                                        struct ct_predict_analysis *analysis_p);

/**
 * An application's slowdown over utilization, through the configurations under which it was timed.
 * The baseline is a point too: what uses as much of the network as nothing does slows nobody down.
 * @param excluded  [in]  a configuration that does not count, or CT_PREDICT_NO_CONFIG
 * @param curve_p   [out] ct_curve_free(); NULL where no configuration has both; unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_curve_make(const struct ct_predict_analysis *analysis, size_t app,
                                     enum ct_utilization_kind kind, size_t excluded,
                                     struct ct_curve **curve_p);

/**
 * What the probe would see beside several loads together: waits add up as independent ones do, so
 * that means and variances beyond those of the idle network add, and distributions of delays beyond
 * its median are folded; arrival rates, and with them utilizations, add up to 1 at most.
 * @param with  [in]  n >= 1 applications
 * @param mass    [out] room for the histograms of one load, which load_p points to for n > 1
 * @param load_p  [out] not measured where one of them is not; unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_combine(const struct ct_predict_analysis *analysis, const size_t *with,
                                  size_t n, double *mass, struct ct_predict_load *load_p);

/** Percentile interval of replicates; NaN where less than half are defined. Sorts values. */
struct ct_interval ct_predict_interval_of(double *values, size_t n, double level);

/**
 * A generator for replicates, gsl_rng_free(); NULL: out of memory. It takes 32 bits of a seed: they
 * are folded, so that seeds that differ anywhere differ here.
 */
gsl_rng *ct_predict_rng(uint64_t seed);
void ct_predict_rng_set(gsl_rng *rng, uint64_t seed);

/** Doubles that the histograms of one load need. */
size_t ct_predict_mass_size(const struct ct_predict_analysis *analysis);

#endif
