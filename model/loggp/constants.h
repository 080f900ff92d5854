/** Constants of LogP and LogGPS: core/constant.h. */
#pragma once

#include "core/constant.h"

/** Rows of the table. */
enum ct_loggp_constant {
    CT_LOGGP_OVERLAP,
    CT_LOGGP_SMALL_BYTES,
    CT_LOGGP_REPLICATES,
    CT_LOGGP_TRIP_ERROR,
    CT_LOGGP_GAPS_MISFIT,
    CT_LOGGP_RENDEZVOUS_JUMP,
    CT_LOGGP_RENDEZVOUS_PENALTY,
    CT_LOGGP_RENDEZVOUS_CONFIDENCE,
    CT_LOGGP_EMIT_TOLERANCE,
    CT_LOGGP_EMIT_NETWORK,
    CT_LOGGP_N_CONSTANTS
};

extern const struct ct_constant ct_loggp_constants[CT_LOGGP_N_CONSTANTS];

static inline double ct_loggp_constant(enum ct_loggp_constant row)
{
    return ct_loggp_constants[row].value;
}
