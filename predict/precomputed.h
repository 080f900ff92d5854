/**
 * Parts of answers that many pairs have in common, computed once per analysis. With ten thousand
 * pairs and hundreds of replicates, each answer then takes a few steps.
 */
#pragma once

#include "predict/predict.h"

enum { CT_PREDICT_N_LOOKUPS = 3 };

/** The look-up tables, in the order of ct_predict_precomputed.choices. */
extern const struct ct_lookup_model *const ct_predict_lookups[CT_PREDICT_N_LOOKUPS];

struct ct_predict_precomputed {
    /** [lookup * n_apps + with]: choice among all configurations that were probed. It is the answer
     *  for an application that was timed under all of them. */
    struct ct_lookup_choice *choices;
    double *speed;     /**< [app * n_configs + config]: 1 / (1 + slowdown), where the configuration
                            was probed and the application timed under it; else NaN */
    double *highest_s; /**< [app]: the largest mean latency beside a configuration with a speed;
                            NaN: there is no such configuration */
    bool *is_complete; /**< [app]: there is a speed for every configuration that was probed */
};

/** @return CT_OK; CT_ENOMEM */
enum ct_status ct_predict_precomputed_make(const struct ct_predict_analysis *analysis,
                                           struct ct_predict_precomputed **precomputed_p);
void ct_predict_precomputed_free(struct ct_predict_precomputed *precomputed);
