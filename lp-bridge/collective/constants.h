/** Constants of collective algorithms: core/constant.h. Rules choose the algorithm. */
#pragma once

#include "core/constant.h"

enum ct_collective_constant {
    CT_COLLECTIVE_CHUNK,
    CT_COLLECTIVE_AT_ONCE,
    CT_COLLECTIVE_AT_ONCE_SMPI,
    CT_COLLECTIVE_N_CONSTANTS
};

CT_CONSTANTS(collective, COLLECTIVE)
