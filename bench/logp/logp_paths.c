#include "bench/logp/logp_paths.h"

#include <stdlib.h>

struct maker {
    const struct ct_layout *layout;
    const struct ct_impact_network *network;
    struct ct_path_row *paths;
    size_t n;
};

static void add_pair(struct maker *maker, int a, int b, uint32_t path_class)
{
    maker->paths[maker->n++] = (struct ct_path_row){.rank_a = (uint32_t)(a < b ? a : b),
                                                    .rank_b = (uint32_t)(a < b ? b : a),
                                                    .path_class = path_class};
}

static void add_inside(struct maker *maker)
{
    const struct ct_layout *layout = maker->layout;
    if (layout->n_nodes == 1) {
        for (int a = 0; a < layout->n_ranks; a++)
            for (int b = a + 1; b < layout->n_ranks; b++)
                add_pair(maker, a, b, 0);
        return;
    }
    for (int node = 0; node < layout->n_nodes; node++)
        if (layout->slots_of_node[node] > 1)
            add_pair(maker, ct_layout_rank(layout, node, 0), ct_layout_rank(layout, node, 1), 0);
}

static enum ct_status add_between(struct maker *maker, struct ct_error *err)
{
    const struct ct_layout *layout = maker->layout;
    const struct ct_impact_network *network = maker->network;
    enum ct_status status = CT_OK;
    for (int a = 0; a < layout->n_nodes; a++)
        for (int b = a + 1; b < layout->n_nodes && status == CT_OK; b++) {
            uint32_t switches = 1;
            if (network->known)
                status = ct_route_switches(network->router, network->vertex[a], network->vertex[b],
                                           &switches, err);
            /* Two nodes on one link have no switch between them, and are no less two nodes. */
            if (status == CT_OK)
                add_pair(maker, ct_layout_rank(layout, a, 0), ct_layout_rank(layout, b, 0),
                         switches > 0 ? switches : 1);
        }
    return status;
}

enum ct_status ct_logp_paths_make(const struct ct_layout *layout,
                                  const struct ct_impact_network *network,
                                  struct ct_path_row **paths_p, size_t *n_p, struct ct_error *err)
{
    if (layout->n_ranks < 2)
        return ct_fail(err, CT_EINVAL,
                       "one rank: two are needed to measure; start it with mpiexec -n 2, best a "
                       "rank on each node");
    size_t n = (size_t)(layout->n_nodes > 1 ? layout->n_nodes : layout->n_ranks);
    struct maker maker = {
        .layout = layout, .network = network, .paths = malloc((n * n + n) * sizeof *maker.paths)};
    if (!maker.paths)
        return ct_no_memory(err, "paths between nodes");
    add_inside(&maker);
    enum ct_status status = add_between(&maker, err);
    if (status != CT_OK) {
        free(maker.paths);
        return status;
    }
    *paths_p = maker.paths;
    *n_p = maker.n;
    return CT_OK;
}
