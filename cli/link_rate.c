#include "cli/link_rate.h"

#include <math.h>
#include <stddef.h>

const struct ct_option ct_link_rate_options[] = {
    {CT_OPTION(STRING, "link-rate", struct ct_link_rate, text), .argument = "RATE",
     .help = "data rate of a link, such as 100gbit: take the load of configurations from what "
             "recorded compressionb runs sent, instead of from the switch's counters"},
    {0}};

enum ct_status ct_link_rate_parse(const struct ct_link_rate *rate, double *bit_per_s_p,
                                  struct ct_error *err)
{
    double bit_per_s = NAN;
    if (rate->text && ct_parse_rate(rate->text, &bit_per_s, err) != CT_OK)
        return ct_fail_within(err, CT_EUSAGE, "--link-rate");
    if (rate->text && !(bit_per_s > 0))
        return ct_fail(err, CT_EUSAGE, "--link-rate: '%s': not a rate above 0 such as 100gbit",
                       rate->text);
    *bit_per_s_p = bit_per_s;
    return CT_OK;
}
