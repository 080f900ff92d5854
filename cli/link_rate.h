/** Option for the rate of a link, from which the known loads of configurations are computed. */
#pragma once

#include "core/option.h"

struct ct_link_rate {
    const char *text; /**< NULL: not known */
};

/** Row --link-rate; offset in struct ct_link_rate. */
extern const struct ct_option ct_link_rate_options[];

/**
 * @param bit_per_s_p  [out] > 0; NaN: not given; unchanged on error
 * @return CT_OK; CT_EUSAGE (not a rate above 0)
 */
enum ct_status ct_link_rate_parse(const struct ct_link_rate *rate, double *bit_per_s_p,
                                  struct ct_error *err);
