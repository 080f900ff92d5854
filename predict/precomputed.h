/**
 * What answers about pairs have in common, made once per analysis: of ten thousand pairs and
 * hundreds of replicates each answer is then a few steps.
 */
#ifndef CT_PREDICT_PRECOMPUTED_H
#define CT_PREDICT_PRECOMPUTED_H

#include "predict/predict.h"

enum { CT_PREDICT_N_LOOKUPS = 4 };

/** The tables, in the order of choices. */
extern const struct ct_lookup_model *const ct_predict_lookups[CT_PREDICT_N_LOOKUPS];

struct ct_predict_precomputed {
    /** [lookup * n_apps + with]: among all configurations that were probed. It holds for an
     *  application that was timed under all of these. */
    struct ct_lookup_choice *choices;
    double *speed;     /**< [app * n_configs + config]: 1 / (1 + slowdown), where the configuration
                            was probed and the application timed under it; else NaN */
    double *highest_s; /**< [app]: mean latency beside the configuration where it is longest, of
                            those with a speed; NaN: none */
    bool *is_complete; /**< [app]: it has a speed under every configuration that was probed */
};

/** @return CT_OK; CT_ENOMEM */
enum ct_status ct_predict_precomputed_make(const struct ct_predict_analysis *analysis,
                                           struct ct_predict_precomputed **precomputed_p);
void ct_predict_precomputed_free(struct ct_predict_precomputed *precomputed);

#endif
