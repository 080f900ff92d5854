/** A list of fractions as an option's value: "1%,2%,5%". */
#pragma once

#include "core/table.h"

enum { CT_THRESHOLDS_MAX = 16 };

struct ct_thresholds {
    double frac[CT_THRESHOLDS_MAX]; /**< ascending */
    size_t n;
};

/** Parse for an option row of type CT_OPTION_CUSTOM; field is a struct ct_thresholds. */
enum ct_status ct_thresholds_parse(const char *text, void *field, struct ct_error *err);

/** Append what is tolerated of a threshold: "1.5 % for a run time 1 % longer, 7 % for 5 %". */
void ct_thresholds_append(const struct ct_thresholds *thresholds, size_t i, const char *tolerated,
                          char *text, size_t size);

/**
 * Add the sentence of a tolerance: "Adding 39 us to every message costs 1 %, 72 us 2 %."
 * @param to       [in] "every message"
 * @param added_s  [in] thresholds->n; INFINITY: no latency costs so much
 */
void ct_thresholds_answer(const struct ct_thresholds *thresholds, const char *to,
                          const double *added_s, struct ct_tables *tables);
