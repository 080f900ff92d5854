#include "lp-bridge/place/network.h"

#include "core/array.h"

#include <math.h>
#include <stdlib.h>

static struct ct_loggps class_of_switches(const struct ct_wires_setup *setup,
                                          const struct ct_loggps *at, uint32_t h)
{
    const struct ct_path_latencies *measured = &setup->by_switches;
    if (measured->n < 2)
        return (struct ct_loggps){at->o_ns, (h + 1) * at->L_ns + h * setup->switch_ns,
                                  at->G_ns_per_byte};
    return (struct ct_loggps){at->o_ns, fmax(at->L_ns + ct_path_latency_beyond_ns(measured, h), 0),
                              fmax(at->G_ns_per_byte + ct_path_gap_beyond_ns(measured, h), 0)};
}

/* Class 0 is of a node itself, class 1 + h of h switches. */
static enum ct_status fill_pairs(const struct ct_wires_setup *setup, const struct ct_loggps *at,
                                 const uint32_t *nodes, struct ct_router *router,
                                 struct ct_pairs *pairs, struct ct_error *err)
{
    uint32_t n = pairs->n_places;
    for (uint32_t from = 0; from < n; from++)
        for (uint32_t to = 0; to < n; to++) {
            uint32_t h = 0;
            enum ct_status status = CT_OK;
            if (from != to)
                status = ct_route_switches(router, nodes ? nodes[from] : from,
                                           nodes ? nodes[to] : to, &h, err);
            if (status != CT_OK)
                return status;
            if (from != to && h + 2 > pairs->n_classes) {
                if (!CT_ARRAY_RESIZE(pairs->classes, h + (size_t)2))
                    return ct_no_memory(err, "placement");
                for (uint32_t c = pairs->n_classes; c < h + 2; c++)
                    pairs->classes[c] = class_of_switches(setup, at, c - 1);
                pairs->n_classes = h + 2;
            }
            pairs->class_of[(size_t)from * n + to] = from == to ? 0 : h + 1;
        }
    return CT_OK;
}

enum ct_status ct_place_network(const struct ct_wires_setup *setup, const struct ct_loggps *at,
                                const uint32_t *nodes, uint32_t n_nodes, struct ct_pairs *pairs_p,
                                struct ct_error *err)
{
    const struct ct_topology *topology = setup->topology;
    uint32_t n = nodes ? n_nodes : topology->n_nodes;
    if (n > CT_PAIRS_PLACES_MAX)
        return ct_fail(err, CT_EINVAL, "%s: %u nodes; at most %d", topology->name, n,
                       CT_PAIRS_PLACES_MAX);
    struct ct_pairs pairs = {.n_places = n,
                             .ranks_per_place = setup->ranks_per_node,
                             .class_of = malloc((size_t)n * n * sizeof *pairs.class_of),
                             .classes = malloc(sizeof *pairs.classes),
                             .n_classes = 1,
                             .o_self_ns = at->o_ns};
    struct ct_router *router = NULL;
    enum ct_status status = pairs.class_of && pairs.classes ? ct_router_new(topology, &router, err)
                                                            : ct_no_memory(err, "placement");
    if (status == CT_OK) {
        pairs.classes[0] =
            (struct ct_loggps){at->o_ns, setup->L_node_ns, setup->G_node_ns_per_byte};
        status = fill_pairs(setup, at, nodes, router, &pairs, err);
    }
    ct_router_free(router);
    if (status == CT_OK)
        *pairs_p = pairs;
    else
        ct_pairs_free(&pairs);
    return status;
}
