#include "predict/predict.h"

#include "predict/analysis.h"
#include "predict/method.h"
#include "predict/resample.h"

#include <stdlib.h>

static const struct ct_predict_load *load_of(const struct ct_predict_analysis *analysis,
                                             size_t load)
{
    if (load == 0)
        return &analysis->idle;
    return load <= analysis->n_apps ? &analysis->apps[load - 1]
                                    : &analysis->configs[load - 1 - analysis->n_apps];
}

/* Loads that were probed, the idle network first, and what each adds to the mean latency. */
static size_t list_probed(const struct ct_predict_analysis *analysis, size_t n_loads, size_t *loads,
                          double *extra_s)
{
    size_t n = 0;
    for (size_t load = 0; load < n_loads && analysis->idle.profile.latency_s.n > 0; load++) {
        const struct ct_summary *latency_s = &load_of(analysis, load)->profile.latency_s;
        if (latency_s->n == 0)
            continue;
        extra_s[n] = latency_s->mean - analysis->idle.profile.latency_s.mean;
        loads[n++] = load;
    }
    return n;
}

/* Ask the models of the input: their slowdowns are run time beside a load, whose mean delay is that
 * of the probe, over run time beside the idle network, minus 1. */
static enum ct_status ask_responses(const struct ct_predict_input *input,
                                    struct ct_predict_analysis *analysis, struct ct_error *err)
{
    if (!input->responses)
        return CT_OK;
    const struct ct_measurements *measured = input->measured;
    size_t n_loads = ct_measured_n_loads(measured);
    size_t *loads = malloc((n_loads + 1) * sizeof *loads);
    double *extra_s = malloc((n_loads + 1) * sizeof *extra_s);
    double *runtime_s = malloc((n_loads + 1) * sizeof *runtime_s);
    enum ct_status status =
        loads && extra_s && runtime_s ? CT_OK : ct_no_memory(err, "run times by schedules");
    size_t n = status == CT_OK ? list_probed(analysis, n_loads, loads, extra_s) : 0;
    for (size_t app = 0; app < measured->n_apps && status == CT_OK && n > 0; app++) {
        const struct ct_predict_response *response = &input->responses[app];
        double *slowdown_frac = analysis->responses + app * n_loads;
        if (!response->model)
            continue;
        status = response->runtimes(response->model, extra_s, n, runtime_s, err);
        if (status != CT_OK)
            ct_fail_within(err, status, "schedule of %s", ct_measured_app(measured, app)->name);
        for (size_t i = 0; i < n && status == CT_OK; i++)
            slowdown_frac[loads[i]] = runtime_s[i] / runtime_s[0] - 1;
    }
    free(loads);
    free(extra_s);
    free(runtime_s);
    return status;
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
    CT_TRY(ct_predict_summarize(input, &summaries, err));
    enum ct_status status = ct_predict_analysis_make(summaries, &analysis);
    if (status != CT_OK) {
        ct_predict_summaries_free(summaries);
        return ct_no_memory(err, "analysis of %zu applications", input->measured->n_apps);
    }
    analysis.summaries = summaries;
    /* Responses need the mean latencies, which an analysis has. */
    status = ask_responses(input, &analysis, err);
    if (status == CT_OK && ct_probe_effects_add(&analysis, analysis.lines) != CT_OK)
        status = ct_no_memory(err, "analysis of %zu applications", input->measured->n_apps);
    if (status == CT_OK && setup && ct_predict_resample(&analysis, setup) != CT_OK)
        status = ct_no_memory(err, "analysis of %zu applications", input->measured->n_apps);
    if (status == CT_OK)
        *analysis_p = analysis;
    else
        ct_predict_analysis_free(&analysis);
    return status;
}
