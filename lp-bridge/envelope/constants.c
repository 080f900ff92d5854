#include "lp-bridge/envelope/constants.h"

#include "lp-bridge/envelope/envelope.h"

const struct ct_constant ct_envelope_constants[CT_ENVELOPE_N_CONSTANTS] = {
    [CT_ENVELOPE_SAME_LINE] = {"envelope_tolerance", CT_ENVELOPE_TOLERANCE, "1", "envelope",
                               CT_CONSTANT_CHOSEN,
                               "lines that differ by less of T count as one: rounding", NULL},
};
