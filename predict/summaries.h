/**
 * Summaries of the measurements of a campaign, small enough to draw many replicates from: blocks of
 * probe latencies (model/probe/probe.h), and durations of passes by run.
 */
#pragma once

#include "predict/predict.h"

#include <gsl/gsl_rng.h>

/**
 * Summarize the latencies of each load, in one pass over them.
 * @param summaries  [out] [load], ct_probe_summary_free(); all empty on error
 * @return as ct_predict_summarize()
 */
enum ct_status ct_predict_summarize_probes(const struct ct_measurements *measured,
                                           struct ct_probe_summary *summaries,
                                           struct ct_error *err);

/**
 * Summarize a campaign.
 * @param input         [in]  borrowed for the call; the summaries of its loads are borrowed until
 *                            summaries_p is freed
 * @param summaries_p   [out] ct_predict_summaries_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (idle network: one latency); CT_EINVAL (a latency or a
 *         duration is not finite or not above 0); CT_ENOMEM
 */
enum ct_status ct_predict_summarize(const struct ct_predict_input *input,
                                    struct ct_predict_summaries **summaries_p,
                                    struct ct_error *err);
void ct_predict_summaries_free(struct ct_predict_summaries *summaries);

/** Doubles that the histograms of all loads need. */
size_t ct_predict_masses_size(const struct ct_predict_summaries *summaries);

/** Applications and configurations. */
size_t ct_predict_n_apps(const struct ct_predict_summaries *summaries);
size_t ct_predict_n_configs(const struct ct_predict_summaries *summaries);

/**
 * Fill in profiles of loads, slowdowns, known and true loads. Everything else is NaN, intervals
 * too.
 *
 * A replicate draws blocks of each probe series. For each application beside each load (a cell) it
 * draws runs, then passes within each run. The variance of a mean of n drawn runs is too small, by
 * a factor (n - 1) / n; with a single run it is 0. Therefore the mean is multiplied by a normal
 * factor 1 + sigma z / n, with the sigma of ct_predict_between_runs(). If sigma is 0, a cell of a
 * single pass is NaN in replicates.
 * @param rng       [in]  draws a replicate; NULL: the data as they are
 * @param analysis  [out] its arrays of loads, slowdowns and masses are allocated by the caller
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_draw(const struct ct_predict_summaries *summaries, gsl_rng *rng,
                               struct ct_predict_analysis *analysis);

/**
 * How much the means of repetitions differ, in excess of what the scatter of passes explains: over
 * all cells with two runs or more (method of moments).
 */
struct ct_between_runs ct_predict_between_runs(const struct ct_predict_summaries *summaries);
