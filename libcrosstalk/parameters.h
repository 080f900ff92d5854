/** LogGPS parameters as a caller gives them, completed by a run of logpb. */
#pragma once

#include "libcrosstalk/facade.h"
#include "study/parameters.h"

/**
 * @param model_p  [out] ct_parameters_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (not allowed, or missing); what ct_parameters_measure() returns
 */
enum ct_status ct_facade_parameters(const struct crosstalk_parameters *given, bool needs_L,
                                    struct ct_parameters *model_p, struct ct_error *err);
