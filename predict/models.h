/**
 * Models that predict a slowdown, a row each. A new model is a row in models.c and, where no method
 * (predict/method.h) fits, a function.
 */
#pragma once

#include "predict/predict.h"

/** Remarks on an answer: code, short text for a table, explanation. */
#define CT_PREDICTION_FLAG_MAP(X)                                                                  \
    X(PLAIN, "", "")                                                                               \
    X(CLAMPED, "clamped",                                                                          \
      "the co-runner uses more of the network than every configuration under which the "           \
      "application was timed; the answer is its slowdown at the highest of these")                 \
    X(EXTRAPOLATED, "extrapolated",                                                                \
      "the probe reads more beside the co-runner than beside every configuration under which the " \
      "application was timed; the answer follows its line beyond the highest of these")            \
    X(TIE, "tie",                                                                                  \
      "several configurations are equally near to the co-runner; the first in order of P, M, B "   \
      "is taken")                                                                                  \
    X(FALLBACK, "fallback",                                                                        \
      "no configuration has anything in common with the co-runner; the one with the nearest mean " \
      "latency is taken")                                                                          \
    X(NO_PROBE, "no probe", "the network was not probed beside the co-runner")                     \
    X(NO_CURVE, "no curve",                                                                        \
      "the application has no baseline, or was timed under no configuration that was probed too")  \
    X(NO_CALIBRATION, "no calibration",                                                            \
      "the load of no configuration is known, so that the model has no K; record what "            \
      "compressionb sends, or the switch's counters")                                              \
    X(NO_CO_RUN, "no co-run", "no other co-run was measured, and the model is made from these")    \
    X(NO_SCHEDULE, "not available",                                                                \
      "no schedule of the application, for packets also of what runs beside it, or "               \
      "no LogGP "                                                                                  \
      "parameters; 'crosstalk predict --explain' says which")

enum ct_prediction_flag {
#define CT_PREDICTION_FLAG_ENUM(name, text, meaning) CT_PREDICTION_##name,
    CT_PREDICTION_FLAG_MAP(CT_PREDICTION_FLAG_ENUM)
#undef CT_PREDICTION_FLAG_ENUM
        CT_PREDICTION_N_FLAGS
};

const char *ct_prediction_flag_text(enum ct_prediction_flag flag);
const char *ct_prediction_flag_meaning(enum ct_prediction_flag flag);

/** A question: how much is app slowed beside a load, and what must a model not use to answer? */
struct ct_predict_query {
    size_t app;
    const struct ct_predict_load *load; /**< what runs beside app, as the probe saw it */
    const size_t *beside; /**< [n_beside] numbers of its loads, as in measurements.h: one
                             application or several, or one configuration; borrowed */
    size_t n_beside;      /**< >= 1 */
    size_t excluded; /**< a configuration that the model must not use; CT_PREDICT_NO_CONFIG: it may
                          use all */
    const size_t *left_out; /**< [n_left_out] different applications: the model must not use a
                               co-run with one of them; borrowed */
    size_t n_left_out;
};

/** Errors from which the interval of a prediction is made: predict/interval.h. */
#define CT_INTERVAL_SOURCE_MAP(X)                                                                  \
    X(NOTHING, "")                      /* no interval was asked for, or no prediction made */     \
    X(CO_RUNS, "co-runs")               /* for measured co-runs */                                 \
    X(CONFIGS, "configurations")        /* for configurations, each left out in turn */            \
    X(EXAMPLES, "examples")             /* in campaigns of examples/, where both are too few */    \
    X(TOO_FEW, "too few errors")        /* of either kind: there is no interval */                 \
    X(SEVERAL, "one of these, by pair") /* of a set of predictions: not the same for all */

enum ct_interval_source {
#define CT_INTERVAL_SOURCE_ENUM(name, text) CT_INTERVAL_FROM_##name,
    CT_INTERVAL_SOURCE_MAP(CT_INTERVAL_SOURCE_ENUM)
#undef CT_INTERVAL_SOURCE_ENUM
        CT_N_INTERVAL_SOURCES
};

const char *ct_interval_source_text(enum ct_interval_source source);

struct ct_prediction {
    double slowdown_frac; /**< NaN: the model cannot answer; flag has the reason */
    double spread_frac; /**< standard deviation of it between the phases that programs may meet at;
                             NaN: the model has no phases, or saw one */
    size_t n_phases;    /**< that the mean is over; not set where spread_frac is NaN */
    enum ct_prediction_flag flag;
    struct ct_interval interval; /**< NaN: none was asked for, or none can be made
                                      (predict/interval.h) */
    enum ct_interval_source interval_from;
    size_t n_errors; /**< number of errors from which the interval is made, or which are too few */
    size_t config;   /**< the configuration that a look-up table chose; CT_PREDICT_NO_CONFIG: the
                          model is no look-up table */
    double at;       /**< utilization at which the curve was read; NaN: the model has no curve */
};

/** Properties of a model that its callers need to know. */
enum ct_model_capability {
    CT_MODEL_NEEDS_SCHEDULE = 1 << 0,    /**< it needs schedules of applications */
    CT_MODEL_NEEDS_NO_PROBE = 1 << 1,    /**< it answers for loads that were not probed, too */
    CT_MODEL_JUDGED_BY_CO_RUNS = 1 << 2, /**< its errors for co-runs are not those for
                                              configurations: predict/interval.h */
    CT_MODEL_KNOWS_CO_RUNS = 1 << 3,     /**< it is made from measured co-runs, so that leaving some
                                              out changes its answers */
    CT_MODEL_IS_NULL = 1 << 4            /**< a null model, which other models must beat */
};

struct ct_predict_method;

struct ct_predict_model {
    const char *key;       /**< name in options and output */
    const char *words;     /**< what it is, for who does not know the key, as a text */
    const char *needs;     /**< its input, as a text */
    const char *rule;      /**< the step from its input to the answer, as a text */
    const char *scores;    /**< meaning and unit of the scores of ct_predict_group(), as a text */
    unsigned capabilities; /**< a mask of enum ct_model_capability */
    const struct ct_predict_method *method; /**< private: predict/method.h */
};

/** The rows; their number is CT_N_PREDICT_MODELS. */
enum { CT_N_PREDICT_MODELS = 10 };
extern const struct ct_predict_model ct_predict_models[CT_N_PREDICT_MODELS];

static inline bool ct_predict_model_is(const struct ct_predict_model *model,
                                       enum ct_model_capability what)
{
    return model->capabilities & what;
}

/** The curve of an application that the model reads; NULL: the model reads no curve, or the
 *  application has none. */
const struct ct_curve *ct_predict_model_curve(const struct ct_predict_model *model,
                                              const struct ct_predict_analysis *analysis,
                                              size_t app);

/** What there is to predict from. */
enum ct_predict_facts {
    CT_HAS_ALL_SCHEDULES = 1 << 0, /**< of all applications, with parameters */
    CT_HAS_CONFIGS = 1 << 1,       /**< probed, and an application was timed under one */
    CT_HAS_A_SCHEDULE = 1 << 2,    /**< of an application */
    CT_HAS_CO_RUNS = 1 << 3        /**< measured */
};

/** The model that answers where none is named: the best one that the inputs allow. One table, in
 * models.c, for crosstalk predict and report, and for libcrosstalk. */
struct ct_predict_default {
    const char *key;
    const char *why; /**< a text: "schedules of all applications are there" */
    unsigned facts;  /**< of enum ct_predict_facts: all of them must be there */
};

const struct ct_predict_default *ct_predict_default(unsigned facts);

/**
 * The row of a key, or of the successor of a model of earlier versions.
 * @param key      [in]  the first length characters count
 * @param model_p  [out] index in ct_predict_models; unchanged on error
 * @return CT_OK; CT_EUSAGE, with a list of the keys
 */
enum ct_status ct_predict_model_find(const char *key, size_t length, size_t *model_p,
                                     struct ct_error *err);

/** The key of the model that is taken for one of earlier versions; NULL: it is none of these. */
const char *ct_predict_model_successor(const char *key, size_t length);

/**
 * Slowdown of app beside n applications that run at the same time (ct_predict_combine()).
 * @param with          [in]  n >= 1 applications
 * @param scores        [out] [config] score of each configuration, with the meaning that the row of
 *                            the model states; NaN: none; NULL: not asked for
 * @param prediction_p  [out] the answer; its interval is NaN
 * @return CT_OK, also if the answer is NaN; CT_ENOMEM
 */
enum ct_status ct_predict_group(const struct ct_predict_model *model,
                                const struct ct_predict_analysis *analysis, size_t app,
                                const size_t *with, size_t n, double *scores,
                                struct ct_prediction *prediction_p);

/**
 * Predict the slowdown of an application beside a configuration, which is left out: as if it had
 * not been measured.
 * @return as above
 */
enum ct_status ct_predict_config(const struct ct_predict_model *model,
                                 const struct ct_predict_analysis *analysis, size_t app,
                                 size_t config, struct ct_prediction *prediction_p);

/**
 * The same as ct_predict_group(), without the co-runs of some applications.
 * @param left_out  [in]  n_left_out different applications
 * @return as above
 */
enum ct_status ct_predict_without(const struct ct_predict_model *model,
                                  const struct ct_predict_analysis *analysis, size_t app,
                                  const size_t *with, size_t n, const size_t *left_out,
                                  size_t n_left_out, struct ct_prediction *prediction_p);
