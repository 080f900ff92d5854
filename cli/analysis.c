#include "cli/analysis.h"

#include "predict/constants.h"
#include "predict/models.h"
#include "study/constants.h"

const struct ct_option ct_analysis_options[] = {
    CT_ROW_FORMAT(struct ct_analysis_settings, format, "format of the output"),
    CT_ROW_CONFIDENCE(struct ct_analysis_settings, confidence_frac, "level of the intervals"),
    CT_ROW_SEED(struct ct_analysis_settings, seed, "seed of the random numbers of the bootstrap"),
    CT_ROWS_VIEW(struct ct_analysis_settings, view),
    {0}};

struct ct_bootstrap ct_analysis_bootstrap(const struct ct_analysis_settings *settings)
{
    return (struct ct_bootstrap){.replicates = ct_study_count(CT_STUDY_REPLICATES),
                                 .level = settings->confidence_frac,
                                 .seed = settings->seed};
}

struct ct_bootstrap ct_predict_bootstrap(const struct ct_analysis_settings *settings)
{
    struct ct_bootstrap setup = ct_analysis_bootstrap(settings);
    setup.replicates = ct_predict_count(CT_PREDICT_REPLICATES);
    return setup;
}

enum ct_status ct_analysis_find_model(const char *key, size_t length, size_t *model_p,
                                      struct ct_error *err)
{
    const char *successor = ct_predict_model_successor(key, length);
    if (successor)
        fprintf(stderr,
                "crosstalk: warning: model %.*s: %s is taken instead; the name %.*s goes in 0.4\n",
                (int)length, key, successor, (int)length, key);
    return ct_predict_model_find(key, length, model_p, err);
}
