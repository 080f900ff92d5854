/* In place of spec.c where libyaml is not: no campaign file can be read. */
#include "campaign/spec.h"

enum ct_status ct_campaign_spec_parse(const char *text, size_t size, const char *source,
                                      struct ct_campaign_spec *spec_p, struct ct_error *err)
{
    (void)text;
    (void)size;
    (void)spec_p;
    return ct_fail(err, CT_EUNSUPPORTED,
                   "%s: crosstalk was built without campaigns: install libyaml-dev and configure "
                   "with -DCROSSTALK_CAMPAIGN=ON",
                   source);
}

enum ct_status ct_campaign_spec_parse_begun(const char *text, size_t size, const char *source,
                                            bool is_without_placement,
                                            struct ct_campaign_spec *spec_p, struct ct_error *err)
{
    (void)is_without_placement;
    return ct_campaign_spec_parse(text, size, source, spec_p, err);
}

void ct_campaign_spec_free(struct ct_campaign_spec *spec)
{
    (void)spec;
}
