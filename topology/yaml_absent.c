/* In place of yaml.c where the library is not. */
#include "topology/readers.h"

enum ct_status ct_topology_read_yaml(const char *text, const char *source,
                                     struct ct_topology *topology_p, struct ct_error *err)
{
    (void)text;
    (void)topology_p;
    return ct_fail(err, CT_EUNSUPPORTED,
                   "%s: neither of Slurm nor of ibnetdiscover, and YAML is not read: crosstalk was "
                   "built without libyaml: install libyaml-dev and configure with "
                   "-DCROSSTALK_YAML=ON",
                   source);
}
