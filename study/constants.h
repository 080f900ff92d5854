/** Constants of the analysis of a folder of runs: core/constant.h. */
#pragma once

#include "core/constant.h"

/** Rows of the table. */
enum ct_study_constant {
    CT_STUDY_REPLICATES,
    CT_STUDY_NOISY_IDLE,
    CT_STUDY_SAME_NETWORK,
    CT_STUDY_DRIFT_LEVEL,
    CT_STUDY_MESSAGE_BYTES,
    CT_STUDY_EPSILON,
    CT_STUDY_INTERVAL_EDGES,
    CT_STUDY_POSTERIOR_DRAWS,
    CT_STUDY_BUSY_QUANTILE,
    CT_STUDY_LATE_NOTED,
    CT_STUDY_VALIDATION_LEVEL,
    CT_STUDY_VALIDATION_LONGER,
    CT_STUDY_PROCESSORS_NOTED,
    CT_STUDY_IDLE_WAIT_NOTED,
    CT_STUDY_DRAWN_OPERATIONS,
    CT_STUDY_TIMES_WORK,
    CT_STUDY_FAULT_DRAWS,
    CT_STUDY_SCAN_LEVEL,
    CT_STUDY_SCAN_OUTLIER,
    CT_STUDY_SCAN_QUIET,
    CT_STUDY_N_CONSTANTS
};

extern const struct ct_constant ct_study_constants[CT_STUDY_N_CONSTANTS];

static inline double ct_study_constant(enum ct_study_constant row)
{
    return ct_study_constants[row].value;
}

/** Value of a row that is a whole number. */
static inline size_t ct_study_count(enum ct_study_constant row)
{
    return (size_t)ct_study_constants[row].value;
}
