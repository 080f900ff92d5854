#include "predict/predict.h"

#include "predict/analysis.h"

#include <math.h>
#include <stdlib.h>

/* ---- intervals of what was measured ---- */

/* Quantities of an analysis that have an interval, one after the other. */
struct quantity {
    double value;
    struct ct_interval *interval;
};

static size_t n_quantities(const struct ct_predict_analysis *analysis)
{
    size_t n_loads = 1 + analysis->n_apps + analysis->n_configs;
    return CT_N_UTILIZATIONS * n_loads +
           analysis->n_apps * (analysis->n_apps + analysis->n_configs);
}

static struct quantity *list_load(struct ct_predict_load *load, struct quantity *next)
{
    *next++ = (struct quantity){load->utilization_frac, &load->utilization_interval};
    *next++ = (struct quantity){load->calibrated.frac, &load->calibrated.interval};
    *next++ = (struct quantity){load->waiting.frac, &load->waiting.interval};
    *next++ = (struct quantity){load->mixture.frac, &load->mixture.interval};
    return next;
}

static void list(struct ct_predict_analysis *analysis, struct quantity *next)
{
    size_t n_apps = analysis->n_apps, n_configs = analysis->n_configs;
    next = list_load(&analysis->idle, next);
    for (size_t i = 0; i < n_apps; i++)
        next = list_load(&analysis->apps[i], next);
    for (size_t i = 0; i < n_configs; i++)
        next = list_load(&analysis->configs[i], next);
    for (size_t i = 0; i < n_apps * n_configs; i++)
        *next++ =
            (struct quantity){analysis->under_config[i].frac, &analysis->under_config[i].interval};
    for (size_t i = 0; i < n_apps * n_apps; i++)
        *next++ =
            (struct quantity){analysis->beside_app[i].frac, &analysis->beside_app[i].interval};
}

static enum ct_status replicate(struct ct_predict_analysis *analysis,
                                const struct ct_bootstrap *setup, struct quantity *quantities,
                                double *values)
{
    size_t n = n_quantities(analysis);
    gsl_rng *rng = ct_predict_rng(setup->seed);
    enum ct_status status = rng ? CT_OK : CT_ENOMEM;
    for (size_t r = 0; r < setup->replicates && status == CT_OK; r++) {
        struct ct_predict_analysis drawn;
        status = ct_predict_analysis_make(analysis->summaries, rng, &drawn);
        if (status != CT_OK)
            break;
        list(&drawn, quantities);
        for (size_t i = 0; i < n; i++)
            values[i * setup->replicates + r] = quantities[i].value;
        ct_predict_analysis_free(&drawn);
    }
    if (rng)
        gsl_rng_free(rng);
    return status;
}

static enum ct_status set_intervals(struct ct_predict_analysis *analysis,
                                    const struct ct_bootstrap *setup)
{
    size_t n = n_quantities(analysis);
    struct quantity *quantities = malloc(n * sizeof *quantities);
    double *values = malloc(n * setup->replicates * sizeof *values);
    enum ct_status status = CT_ENOMEM;
    if (quantities && values)
        status = replicate(analysis, setup, quantities, values);
    if (status == CT_OK) {
        list(analysis, quantities);
        for (size_t i = 0; i < n; i++)
            *quantities[i].interval = ct_predict_interval_of(values + i * setup->replicates,
                                                             setup->replicates, setup->level);
    }
    free(quantities);
    free(values);
    return status;
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
    ct_stats_sort(values, n_defined);
    ct_stats_quantile(values, n_defined, (1 - level) / 2, &interval.lo);
    ct_stats_quantile(values, n_defined, (1 + level) / 2, &interval.hi);
    return interval;
}

/* The generator takes 32 bits: fold, so that seeds that differ anywhere differ here. */
gsl_rng *ct_predict_rng(uint64_t seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng)
        gsl_rng_set(rng, (seed ^ seed >> 32) & UINT32_MAX);
    return rng;
}

/* ---- the whole ---- */

static enum ct_status out_of_memory(const struct ct_predict_input *input, struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "analysis of %zu applications: out of memory", input->n_apps);
}

/* Responses need utilizations, which need an analysis. */
static enum ct_status add_responses(const struct ct_predict_input *input, uint64_t seed,
                                    struct ct_predict_analysis *analysis, struct ct_error *err)
{
    struct ct_predict_replays *replays;
    enum ct_status status = ct_predict_replays_make(input, analysis, seed, &replays, err);
    if (status != CT_OK)
        return status;
    ct_predict_replays_draw(replays, NULL, analysis->n_apps,
                            1 + analysis->n_apps + analysis->n_configs, analysis->responses);
    ct_predict_summaries_attach(analysis->summaries, replays);
    return CT_OK;
}

enum ct_status ct_predict_analyse(const struct ct_predict_input *input,
                                  const struct ct_bootstrap *setup,
                                  struct ct_predict_analysis *analysis_p, struct ct_error *err)
{
    if (setup->replicates < 20 || !(setup->level > 0 && setup->level < 1))
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
    status = set_intervals(&analysis, setup) == CT_OK
                 ? add_responses(input, setup->seed, &analysis, err)
                 : out_of_memory(input, err);
    if (status == CT_OK)
        *analysis_p = analysis;
    else
        ct_predict_analysis_free(&analysis);
    return status;
}
