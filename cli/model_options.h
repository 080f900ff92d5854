/** Parameters of the LogGPS model as options, and as a table. */
#ifndef CT_CLI_MODEL_OPTIONS_H
#define CT_CLI_MODEL_OPTIONS_H

#include "core/option.h"
#include "core/report.h"
#include "study/parameters.h"

/** Values as written, so that what was not given can be told: NULL. */
struct ct_model_settings {
    const char *L, *o, *G, *S;
    const char *logp_path;
};

/** Rows --o, --G, --S, --logp; offsets in struct ct_model_settings. L is each command's own. */
extern const struct ct_option ct_model_options[];

/** Values of what was given. @param given_p  [out] unchanged on error. @return CT_OK; CT_EUSAGE */
enum ct_status ct_model_given(const struct ct_model_settings *settings,
                              struct ct_parameters_given *given_p, struct ct_error *err);

/** ct_parameters_make() of what was given. @return as that; CT_EUSAGE */
enum ct_status ct_model_parameters(const struct ct_model_settings *settings, bool needs_L,
                                   struct ct_parameters *parameters_p, struct ct_error *err);

/** Table "parameters": each value with its origin. */
void ct_parameters_report(const struct ct_parameters *model, struct ct_report *report);

#endif
