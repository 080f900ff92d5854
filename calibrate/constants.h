/** Constants of calibrations: core/constant.h. */
#pragma once

#include "core/constant.h"

/** Rows of the table. */
enum ct_calibrate_constant {
    CT_CALIBRATE_NORMAL_CUT,      /* prior.h */
    CT_CALIBRATE_ORDER,           /* surrogate.h */
    CT_CALIBRATE_POINTS_PER_TERM, /* surrogate.h */
    CT_CALIBRATE_ACCEPTANCE,      /* chains.h */
    CT_CALIBRATE_STARTS,
    CT_CALIBRATE_DISCREPANCY_LO, /* calibrate.h */
    CT_CALIBRATE_DISCREPANCY_HI,
    CT_CALIBRATE_GROUP_INDEX,
    CT_CALIBRATE_CHAINS,
    CT_CALIBRATE_STEPS,
    CT_CALIBRATE_WARMUP,
    CT_CALIBRATE_THIN,
    CT_CALIBRATE_LEVEL,
    CT_CALIBRATE_R_HAT_MAX,
    CT_CALIBRATE_MISFIT_PROBABILITY,
    CT_CALIBRATE_PILE_SHARE,
    CT_CALIBRATE_PILE_EDGE,
    CT_CALIBRATE_CONFIG_ROUNDS,
    CT_CALIBRATE_LOADS,
    CT_CALIBRATE_PROBES,
    CT_CALIBRATE_PARTS,
    CT_CALIBRATE_WAIT_ERROR,
    CT_CALIBRATE_N_CONSTANTS
};

extern const struct ct_constant ct_calibrate_constants[CT_CALIBRATE_N_CONSTANTS];

/** Value of a row. */
static inline double ct_calibrate_constant(enum ct_calibrate_constant row)
{
    return ct_calibrate_constants[row].value;
}

/** Value of a row that is a whole number. */
static inline size_t ct_calibrate_count(enum ct_calibrate_constant row)
{
    return (size_t)ct_calibrate_constants[row].value;
}
