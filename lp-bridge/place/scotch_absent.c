#include "lp-bridge/place/scotch.h"

enum ct_status ct_place_scotch(const struct ct_placer *placer, uint32_t *mapping_p,
                               struct ct_error *err)
{
    (void)placer;
    (void)mapping_p;
    return ct_fail(err, CT_EUNSUPPORTED,
                   "built without Scotch: install libscotch-dev, configure with "
                   "-DCROSSTALK_SCOTCH=ON");
}
