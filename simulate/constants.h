/** Constants of simulations: core/constant.h. */
#ifndef CT_SIMULATE_CONSTANTS_H
#define CT_SIMULATE_CONSTANTS_H

#include "core/constant.h"

/** Rows of the table. */
enum ct_simulate_constant {
    CT_SIMULATE_PACKET_BYTES,
    CT_SIMULATE_AHEAD_PACKETS_MAX,
    CT_SIMULATE_WORK_MAX,
    CT_SIMULATE_WORK_MAX_ALONE,
    CT_SIMULATE_N_CONSTANTS
};

extern const struct ct_constant ct_simulate_constants[CT_SIMULATE_N_CONSTANTS];

static inline double ct_simulate_constant(enum ct_simulate_constant row)
{
    return ct_simulate_constants[row].value;
}

#endif
