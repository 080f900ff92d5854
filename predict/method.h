/**
 * How models answer. Private to predict/: callers know a model by its row in predict/models.h, and
 * ask it by ct_predict_group(). A function here serves one row or several, which differ in the
 * members of struct ct_predict_method.
 */
#pragma once

#include "predict/models.h"
#include "predict/mutual.h"

/**
 * One way to answer. Scores and answer are those of ct_predict_group(); scores that the method does
 * not have stay as they are.
 * @return CT_OK, also where the answer is NaN; CT_ENOMEM
 */
typedef enum ct_status ct_answer_function(const struct ct_predict_method *method,
                                          const struct ct_predict_analysis *analysis,
                                          const struct ct_predict_query *query, double *scores,
                                          struct ct_prediction *prediction_p);

/** A function and the variant of it that a row stands for. */
struct ct_predict_method {
    ct_answer_function *answer;
    const struct ct_lookup_model *lookup; /**< of ct_answer_by_lookup() */
    bool has_curve;                       /**< it reads the curve over utilization pk */
};

/** method_null.c */
ct_answer_function ct_answer_no_slowdown;      /**< none */
ct_answer_function ct_answer_multiplicatively; /**< predict/multiplicative.h */

/** method_probe.c */
ct_answer_function ct_answer_by_lookup; /**< the configuration that is nearest to the co-runner */
ct_answer_function ct_answer_by_curve;  /**< the degradation curve at the co-runner's utilization:
                                             Casas and Bronevetsky, IPDPS 2014, section V-B */

/** method_mutual.c */
ct_answer_function ct_answer_mutually; /**< mutual: shares of time, model/mixture/mixture.h, and
                                            predict/mutual.h */

/**
 * Speed of the application beside co-runners that it slows, which load the network less then.
 * @param alone    [in]  answers while nobody is slowed
 * @param speed_p  [out] unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_settle_group(const struct ct_predict_analysis *analysis,
                               const struct ct_predict_query *query,
                               const struct ct_predict_model *alone, enum ct_mutual_law law,
                               double *speed_p);

/** method_line.c */
ct_answer_function ct_answer_by_line; /**< probe: predict/probe_lines.h and
                                           predict/co_run_effects.h */
struct ct_probe_lines;

/**
 * Effects of measured co-runs, on what the lines leave over.
 * @param analysis  [in]     whose member lines is this
 * @param lines     [in,out] without effects
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_probe_effects_add(const struct ct_predict_analysis *analysis,
                                    struct ct_probe_lines *lines);

/** method_schedule.c */
ct_answer_function ct_answer_by_schedule;   /**< lp: one execution model a co-runner */
ct_answer_function ct_answer_by_simulation; /**< packets: all at once */

/** A prediction of NaN, with the reason; intervals are NaN too. */
struct ct_prediction ct_prediction_none(enum ct_prediction_flag why);

/** The application that is the only co-runner; n_apps where the co-runner is anything else. */
size_t ct_query_only_app(const struct ct_predict_analysis *analysis,
                         const struct ct_predict_query *query);

/** Whether a method may use a configuration: it is not excluded, it was probed, and the application
 *  was timed under it. */
bool ct_query_may_use(const struct ct_predict_analysis *analysis,
                      const struct ct_predict_query *query, size_t config);

/** Whether there are latencies of the probe beside the load. */
bool ct_load_is_probed(const struct ct_predict_load *load);
