#include "cli/switch_options.h"

#include "lab/plan.h"

#include <math.h>
#include <stddef.h>

enum { HOSTS_DEFAULT = 8 };

const struct ct_option ct_lab_switch_options[] = {
    {CT_OPTION(STRING, "topology", struct ct_lab_switch_values, topology), .argument = "TOPOLOGY",
     .help = "several switches: tree:LEAVESxHOSTS, leaves with so many hosts each, all joined to "
             "spines; or another text that 'crosstalk topology' takes. Without this option one "
             "switch"},
    {CT_OPTION(U64, "spines", struct ct_lab_switch_values, spines),
     CT_RANGE(1, CT_LAB_SWITCHES_MAX),
     .help = "spines of a tree; without this option as in its text, or 1"},
    {CT_OPTION(RATE, "uplink", struct ct_lab_switch_values, uplink_bit_per_s),
     CT_RANGE(1e5, 1e13), /* a lab takes less, and says so */
     .help = "rate of every link between switches, each direction; without this option that of "
             "--rate"},
    {0}};

enum ct_status ct_lab_switches_take(const struct ct_lab_switch_values *values,
                                    struct ct_lab_spec *spec, struct ct_error *err)
{
    if (values->topology)
        return ct_lab_spec_topology(values->topology, values->spines, values->uplink_bit_per_s,
                                    spec, err);
    if (values->spines > 0 || !isnan(values->uplink_bit_per_s))
        return ct_fail(err, CT_EUSAGE,
                       "--%s: one switch has none; give --topology tree:LEAVESxHOSTS, too",
                       values->spines > 0 ? "spines" : "uplink");
    if (spec->n_hosts == 0)
        spec->n_hosts = HOSTS_DEFAULT;
    return CT_OK;
}
