/** Options that the commands for the analysis of runs have in common, and their provenance. */
#pragma once

#include "core/option_rows.h"
#include "core/stats.h"

struct ct_analysis_settings {
    int format; /**< enum ct_format */
    struct ct_view view;
    uint64_t seed;
    double confidence_frac;
};

/** Rows --format, --quiet, --confidence, --seed; offsets in struct ct_analysis_settings. */
extern const struct ct_option ct_analysis_options[];

/** The bootstrap of these settings; block lengths by rule. */
struct ct_bootstrap ct_analysis_bootstrap(const struct ct_analysis_settings *settings);

/** The same for predictions, with fewer replicates, since each one repeats all fits. */
struct ct_bootstrap ct_predict_bootstrap(const struct ct_analysis_settings *settings);

/** ct_predict_model_find(), with a warning where another model is taken for a former one. */
enum ct_status ct_analysis_find_model(const char *key, size_t length, size_t *model_p,
                                      struct ct_error *err);
