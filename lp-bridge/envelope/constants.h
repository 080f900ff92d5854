/** Constants of T(L): core/constant.h. */
#pragma once

#include "core/constant.h"

/** Rows of the table. */
enum ct_envelope_constant { CT_ENVELOPE_SAME_LINE, CT_ENVELOPE_N_CONSTANTS };

extern const struct ct_constant ct_envelope_constants[CT_ENVELOPE_N_CONSTANTS];
