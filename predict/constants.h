/** Constants of predictions: core/constant.h. */
#ifndef CT_PREDICT_CONSTANTS_H
#define CT_PREDICT_CONSTANTS_H

#include "core/constant.h"

/** Rows of the table. */
enum ct_predict_constant {
    CT_PREDICT_REPLICATES,
    CT_PREDICT_INTERVAL_SCALE,
    CT_PREDICT_COMPARE_LEAST,
    CT_PREDICT_NULL_OFFSET,
    CT_PREDICT_NULL_RIDGE,
    CT_PREDICT_IDLE_QUANTILE,
    CT_PREDICT_DRIFT_LEAST,
    CT_PREDICT_GROUPING_EXACT,
    CT_PREDICT_GROUPING_SEARCHES,
    CT_PREDICT_GROUPING_PRICED,
    CT_PREDICT_GROUPING_TRIALS,
    CT_PREDICT_NEXT_LOAD_GAP,
    CT_PREDICT_NEXT_LOAD_WINDOW,
    CT_PREDICT_NEXT_LOAD_BEYOND,
    CT_PREDICT_NEXT_LOAD_MEAN_CONSTANT,
    CT_PREDICT_NEXT_LOAD_MEAN_PARTNERS,
    CT_PREDICT_NEXT_LOAD_MEAN_MESSAGES,
    CT_PREDICT_NEXT_LOAD_MEAN_DENSITY,
    CT_PREDICT_NEXT_LOAD_MEAN_DUTY,
    CT_PREDICT_NEXT_LOAD_DEVIATION_CONSTANT,
    CT_PREDICT_NEXT_LOAD_DEVIATION_PARTNERS,
    CT_PREDICT_NEXT_LOAD_DEVIATION_MESSAGES,
    CT_PREDICT_NEXT_LOAD_DEVIATION_DENSITY,
    CT_PREDICT_NEXT_LOAD_DEVIATION_DUTY,
    CT_PREDICT_NEXT_LOAD_SCATTER_DEVIATION,
    CT_PREDICT_SIMULATOR_ERROR_MIN,
    CT_PREDICT_SIMULATOR_ERROR_MAX,
    CT_PREDICT_N_CONSTANTS
};

extern const struct ct_constant ct_predict_constants[CT_PREDICT_N_CONSTANTS];

static inline double ct_predict_constant(enum ct_predict_constant row)
{
    return ct_predict_constants[row].value;
}

/** Of a row whose value is a whole number. */
static inline size_t ct_predict_count(enum ct_predict_constant row)
{
    return (size_t)ct_predict_constants[row].value;
}

#endif
