/** Constants of collective algorithms: core/constant.h. Rules choose the algorithm. */
#pragma once

#include "core/constant.h"

/** Rows of the table. */
enum ct_collective_constant {
    CT_COLLECTIVE_CHUNK,
    CT_COLLECTIVE_AT_ONCE,
    CT_COLLECTIVE_AT_ONCE_SMPI,
    CT_COLLECTIVE_N_CONSTANTS
};

extern const struct ct_constant ct_collective_constants[CT_COLLECTIVE_N_CONSTANTS];
