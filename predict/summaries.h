/**
 * A campaign as the models need it, small enough to be resampled many times: blocks of probe
 * latencies (model/probe/probe.h) and durations of passes, run by run.
 */
#ifndef CT_PREDICT_SUMMARIES_H
#define CT_PREDICT_SUMMARIES_H

#include "predict/predict.h"

#include <gsl/gsl_rng.h>

/**
 * One pass over all latencies.
 * @param summaries  [out] one for each load, ct_probe_summary_free(); all empty on error
 * @return as ct_predict_summarize()
 */
enum ct_status ct_predict_summarize_probes(const struct ct_measurements *measured,
                                           struct ct_probe_summary *summaries,
                                           struct ct_error *err);

/**
 * @param input         [in]  borrowed for the call; summaries of its loads until these are freed
 * @param summaries_p   [out] ct_predict_summaries_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (idle network: fewer than 2 latencies); CT_EINVAL (a latency or a
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
 * Fill in what was measured: profiles of loads, slowdowns, known and true loads. Everything else,
 * intervals too, becomes NaN.
 *
 * A replicate draws blocks of each probe series, and for each timed cell runs, then passes within
 * each run. Runs drawn from n of them vary too little, by (n - 1) / n, and from a single one not at
 * all: the mean is multiplied by a normal factor 1 + sigma z / n, with the sigma of
 * ct_predict_between_runs(), which makes up for it. A cell of one pass is NaN in replicates where
 * that is 0.
 * @param rng       [in]  draws a replicate; NULL: the data as they are
 * @param analysis  [out] its arrays loads, slowdowns and masses are there already
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_draw(const struct ct_predict_summaries *summaries, gsl_rng *rng,
                               struct ct_predict_analysis *analysis);

/**
 * Relative standard deviation of the means of runs that measure the same, beyond what differs from
 * pass to pass: over all cells with two runs or more (method of moments). 0 where there are none.
 */
double ct_predict_between_runs(const struct ct_predict_summaries *summaries);

#endif
