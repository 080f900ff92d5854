#include "cli/topology_options.h"

#include "topology/spec.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum ct_status ct_topology_options_check(const char *options, const char *text, bool has_spines,
                                         struct ct_error *err)
{
    if (ct_topology_is_spec(text))
        return CT_OK;
    if (access(text, F_OK) != 0)
        return ct_fail(err, CT_EUSAGE,
                       "%s: '%s' is no kind of network to generate, and no file that is there",
                       options, text);
    return has_spines
               ? ct_fail(err, CT_EUSAGE, "--spines: '%s' is a file, which names its switches", text)
               : CT_OK;
}

void ct_topology_fill_notes(const struct ct_topology *topology, struct ct_tables *tables)
{
    const char *at = topology->notes;
    for (size_t length; at && *at; at += length + 1) {
        length = strcspn(at, "\n");
        ct_tables_note(tables, "%.*s", (int)length, at);
    }
}

void ct_topology_fill_rates_note(const struct ct_topology *topology, struct ct_tables *tables)
{
    bool between = false, known = false;
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct ct_link *link = &topology->links[i];
        known = known || !isnan(link->rate_bit_per_s);
        between =
            between || (link->end[0] >= topology->n_nodes && link->end[1] >= topology->n_nodes);
    }
    if (topology->line && between && !known)
        ct_tables_note(tables,
                       "%s has no rates of links: a link between switches is taken to be as fast "
                       "as that of a node. --rate is the rate of a node's link, --uplink that of "
                       "all links between two switches together.",
                       topology->name);
}
