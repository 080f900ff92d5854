#include "predict/predict.h"

#include "predict/analysis.h"
#include "predict/method.h"
#include "predict/resample.h"
#include "predict/responses.h"

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
    status = ct_predict_analysis_make(summaries, &analysis);
    if (status != CT_OK) {
        ct_predict_summaries_free(summaries);
        return ct_no_memory(err, "analysis of %zu applications", input->measured->n_apps);
    }
    analysis.summaries = summaries;
    /* Responses need the mean latencies, which an analysis has. */
    status = ct_predict_responses_ask(input, &analysis, err);
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
