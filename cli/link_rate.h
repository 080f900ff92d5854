/** The rate of a link as an option: with it the load of configurations is known by what they sent.
 */
#ifndef CT_CLI_LINK_RATE_H
#define CT_CLI_LINK_RATE_H

#include "core/option.h"
#include "study/campaign.h"

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

/**
 * ct_loaded_campaign_set_rate(), where the rate is known.
 * @param directory  [in] the campaign's, for the message
 * @return CT_OK; CT_EUSAGE; CT_ENODATA (no recorded compressionb run)
 */
enum ct_status ct_link_rate_use(const struct ct_link_rate *rate, const char *directory,
                                struct ct_loaded_campaign *campaign, struct ct_error *err);

#endif
