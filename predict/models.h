/** Models that foretell a slowdown: one row each. A new model is a function and a row in models.c.
 */
#ifndef CT_PREDICT_MODELS_H
#define CT_PREDICT_MODELS_H

#include "predict/predict.h"

/** What is to be known about an answer: code, short text for a table, explanation. */
#define CT_PREDICTION_FLAG_MAP(X)                                                                  \
    X(PLAIN, "", "")                                                                               \
    X(CLAMPED, "clamped",                                                                          \
      "the co-runner uses more of the network than every configuration under which the "           \
      "application was timed; the answer is its slowdown at the highest of these")                 \
    X(TIE, "tie",                                                                                  \
      "several configurations are equally near to the co-runner; the first in order of P, M, B "   \
      "is taken")                                                                                  \
    X(FALLBACK, "fallback",                                                                        \
      "no configuration has anything in common with the co-runner; the one with the nearest mean " \
      "latency is taken")                                                                          \
    X(NO_PROBE, "no probe", "the network was not probed beside the co-runner")                     \
    X(NO_CURVE, "no curve",                                                                        \
      "the application has no baseline, or was timed under no configuration that was probed too")

enum ct_prediction_flag {
#define CT_PREDICTION_FLAG_ENUM(name, text, meaning) CT_PREDICTION_##name,
    CT_PREDICTION_FLAG_MAP(CT_PREDICTION_FLAG_ENUM)
#undef CT_PREDICTION_FLAG_ENUM
        CT_PREDICTION_N_FLAGS
};

const char *ct_prediction_flag_text(enum ct_prediction_flag flag);
const char *ct_prediction_flag_meaning(enum ct_prediction_flag flag);

struct ct_prediction {
    double slowdown_frac; /**< NaN: the model cannot answer, flag says why */
    enum ct_prediction_flag flag;
};

struct ct_predict_model {
    const char *key;   /**< name in options and output */
    const char *needs; /**< for people: what it works from */
    /** Private to the row: a variant of a model that several rows share; NULL: none. */
    const struct ct_lookup_model *lookup;
    /**
     * Slowdown of app beside with.
     * @return CT_OK, also where the answer is NaN; CT_ENOMEM
     */
    enum ct_status (*predict)(const struct ct_predict_model *model,
                              const struct ct_predict_analysis *analysis, size_t app, size_t with,
                              struct ct_prediction *prediction_p);
};

/** The rows; their number is CT_N_PREDICT_MODELS. */
enum { CT_N_PREDICT_MODELS = 2 };
extern const struct ct_predict_model ct_predict_models[CT_N_PREDICT_MODELS];

#endif
