/* What all generators do alike. */
#include "topology/generators.h"

#include <math.h>
#include <stdio.h>

enum ct_status ct_generate_nodes(struct ct_topology_builder *builder, uint32_t n,
                                 struct ct_error *err)
{
    for (uint32_t i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "n%u", i);
        CT_TRY(ct_topology_add(builder, CT_ROLE_NODE, name, 0, NULL, err));
    }
    return CT_OK;
}

enum ct_status ct_generate_link(struct ct_topology_builder *builder, uint32_t a, uint32_t b,
                                bool of_node, const struct ct_topology_settings *settings,
                                struct ct_error *err)
{
    struct ct_link link = {.end = {a, b},
                           .rate_bit_per_s = of_node || isnan(settings->uplink_bit_per_s)
                                                 ? settings->rate_bit_per_s
                                                 : settings->uplink_bit_per_s,
                           .latency_s = settings->wire_s};
    return ct_topology_connect(builder, &link, err);
}
