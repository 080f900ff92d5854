/* In place of cores_hwloc.c where the library is not. */
#include "campaign/cores.h"

enum ct_status ct_cores_read(struct ct_cores *cores_p, struct ct_error *err)
{
    (void)cores_p;
    return ct_fail(err, CT_EUNSUPPORTED,
                   "cores: crosstalk was built without hwloc, which tells the cores of a host: "
                   "install libhwloc-dev and configure with -DCROSSTALK_HWLOC=ON, or set "
                   "launcher: {placement: none}");
}
