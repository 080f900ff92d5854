/** The rate of a link as an option: with it the load of configurations is known by what they sent.
 */
#ifndef CT_CLI_LINK_RATE_H
#define CT_CLI_LINK_RATE_H

#include "core/option.h"

struct ct_link_rate {
    const char *text; /**< NULL: not known */
};

/** Row --link-rate; offset in struct ct_link_rate. */
extern const struct ct_option ct_link_rate_options[];

/**
 * @param bit_per_s_p  [out] > 0, or NaN where it is not known; unchanged on error
 * @return CT_OK; CT_EUSAGE with a message
 */
enum ct_status ct_link_rate_parse(const struct ct_link_rate *rate, double *bit_per_s_p,
                                  struct ct_error *err);

#endif
