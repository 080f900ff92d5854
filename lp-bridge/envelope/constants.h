/** Constants of T(L): core/constant.h. */
#pragma once

#include "core/constant.h"

enum ct_envelope_constant { CT_ENVELOPE_SAME_LINE, CT_ENVELOPE_N_CONSTANTS };

CT_CONSTANTS(envelope, ENVELOPE)
