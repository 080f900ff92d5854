/* What any topology that was read has: ways between its nodes, and pictures. */
#pragma once

#include "topology/draw.h"
#include "topology/measure.h"
#include "topology/read.h"

#include <stdio.h>
#include <stdlib.h>

enum { FUZZ_PAIRS_MAX = 2000, FUZZ_LINKS_MAX = 1000 };

static inline void check_ways(const struct ct_topology *topology)
{
    struct ct_router *router;
    struct ct_route route = {0};
    if (ct_router_new(topology, &router, NULL) != CT_OK)
        return;
    for (uint32_t i = 0; i < FUZZ_PAIRS_MAX && i < topology->n_nodes * topology->n_nodes; i++) {
        uint32_t from = i % topology->n_nodes, to = i / topology->n_nodes;
        if (ct_route_find(router, from, to, &route, NULL) != CT_OK)
            continue;
        if (from != to && (route.n == 0 || route.hops[route.n - 1].to != to))
            abort();
        for (size_t h = 1; h < route.n; h++)
            if (route.hops[h].from < topology->n_nodes ||
                route.hops[h].from != route.hops[h - 1].to)
                abort();
    }
    free(route.hops);
    ct_router_free(router);
}

static inline void check_pictures(const struct ct_topology *topology)
{
    const struct ct_picture picture = {topology, NULL};
    FILE *out = fopen("/dev/null", "w");
    if (!out)
        return;
    if (ct_topology_svg(&picture, out, NULL) != CT_OK ||
        ct_topology_dot(&picture, out, NULL) != CT_OK)
        abort();
    fclose(out);
}

/* A text that begins as a form does is read in this form. */
static inline int check_topology(const uint8_t *data, size_t size)
{
    struct ct_topology topology;
    struct ct_bisection bisection;
    if (ct_topology_parse((const char *)data, size, "input", &topology, NULL) != CT_OK)
        return 0;
    if (topology.n_links <= FUZZ_LINKS_MAX) {
        check_ways(&topology);
        check_pictures(&topology);
        if (topology.n_nodes > 1 && ct_topology_bisect(&topology, &bisection, NULL) != CT_OK)
            abort();
    }
    ct_topology_free(&topology);
    return 0;
}
