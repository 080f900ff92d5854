/** A list of fractions as an option's value: "1%,2%,5%". */
#ifndef CT_CLI_THRESHOLDS_H
#define CT_CLI_THRESHOLDS_H

#include "core/status.h"

#include <stddef.h>

enum { CT_THRESHOLDS_MAX = 16 };

struct ct_thresholds {
    double frac[CT_THRESHOLDS_MAX]; /**< ascending */
    size_t n;
};

/** Parse for an option row of type CT_OPTION_CUSTOM; field is a struct ct_thresholds. */
enum ct_status ct_thresholds_parse(const char *text, void *field, struct ct_error *err);

#endif
