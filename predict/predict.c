#include "predict/predict.h"

#include "core/random.h"
#include "predict/analysis.h"
#include "predict/replays.h"
#include "predict/resample.h"

#include <math.h>
#include <stdlib.h>

/* As ct_stats_quantile(), without sorting all. */
static double quantile(double *values, size_t n, double p)
{
    double at = p * (double)(n - 1), below = floor(at);
    size_t k = (size_t)below;
    ct_stats_select(values, n, k);
    double next = INFINITY;
    for (size_t i = k + 1; i < n; i++)
        next = values[i] < next ? values[i] : next;
    return at > below ? values[k] + (at - below) * (next - values[k]) : values[k];
}

struct ct_interval ct_predict_interval_of(double *values, size_t n, double level)
{
    struct ct_interval interval = {NAN, NAN};
    size_t n_defined = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            values[n_defined++] = values[i];
    if (n_defined * 2 < n || n_defined == 0)
        return interval;
    interval.lo = quantile(values, n_defined, (1 - level) / 2);
    interval.hi = quantile(values, n_defined, (1 + level) / 2);
    return interval;
}

void ct_predict_rng_set(gsl_rng *rng, uint64_t seed)
{
    gsl_rng_set(rng, ct_random_fold(seed));
}

gsl_rng *ct_predict_rng(uint64_t seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng)
        ct_predict_rng_set(rng, seed);
    return rng;
}

/* ---- the whole ---- */

static enum ct_status out_of_memory(const struct ct_predict_input *input, struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "analysis of %zu applications: out of memory",
                   input->measured->n_apps);
}

enum ct_status ct_predict_analyse(const struct ct_predict_input *input,
                                  const struct ct_bootstrap *setup,
                                  struct ct_predict_analysis *analysis_p, struct ct_error *err)
{
    if (setup && (setup->replicates < 20 || !(setup->level > 0 && setup->level < 1)))
        return ct_fail(err, CT_EINVAL, "bootstrap: %zu replicates, level %g", setup->replicates,
                       setup->level);
    struct ct_predict_summaries *summaries;
    struct ct_predict_analysis analysis;
    enum ct_status status = ct_predict_summarize(input, &summaries, err);
    if (status != CT_OK)
        return status;
    status = ct_predict_analysis_make(summaries, NULL, &analysis);
    if (status != CT_OK) {
        ct_predict_summaries_free(summaries);
        return out_of_memory(input, err);
    }
    analysis.summaries = summaries;
    /* Responses need utilizations, which need an analysis. */
    status = ct_predict_replays_ask(input, &analysis, err);
    if (status == CT_OK && setup && ct_predict_resample(&analysis, setup) != CT_OK)
        status = out_of_memory(input, err);
    if (status == CT_OK)
        *analysis_p = analysis;
    else
        ct_predict_analysis_free(&analysis);
    return status;
}
