/** Constants of the search for a placement: core/constant.h. */
#pragma once

#include "core/constant.h"

/** Rows of the table. */
enum ct_place_constant {
    CT_PLACE_WORK,
    CT_PLACE_PATIENCE,
    CT_PLACE_PRICED_PAIRS,
    CT_PLACE_CONTENTION_WORK,
    CT_PLACE_N_CONSTANTS
};

extern const struct ct_constant ct_place_constants[CT_PLACE_N_CONSTANTS];

static inline double ct_place_constant(enum ct_place_constant which)
{
    return ct_place_constants[which].value;
}
