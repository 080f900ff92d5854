#include "bench/scan/scan_side.h"

#include "core/units.h"

#include <stdlib.h>
#include <string.h>

static enum ct_status check_ranks(const struct ct_layout *layout, struct ct_error *err)
{
    int fewest = 0, most = 0;
    for (int node = 1; node < layout->n_nodes; node++) {
        if (layout->slots_of_node[node] < layout->slots_of_node[fewest])
            fewest = node;
        if (layout->slots_of_node[node] > layout->slots_of_node[most])
            most = node;
    }
    if (layout->n_nodes < 2)
        return ct_fail(
            err, CT_EINVAL,
            "all %d ranks are on one node, %s: nothing would pass the network; start one "
            "rank or more on each of at least 2 nodes, 4 with a congestor",
            layout->n_ranks, ct_layout_host(layout, 0));
    if (layout->min_slots != layout->max_slots)
        return ct_fail(err, CT_EINVAL,
                       "ranks are not alike: %d on %s, but %d on %s; start as many on each node",
                       layout->min_slots, ct_layout_host(layout, fewest), layout->max_slots,
                       ct_layout_host(layout, most));
    return CT_OK;
}

static void mark_node(struct ct_scan_side *side, int node)
{
    side->n_canary_nodes += !side->canary_node[node];
    side->canary_node[node] = true;
}

/* By its name, or else by its number: virtual nodes of one machine have the same name. */
static enum ct_status find_node(const struct ct_layout *layout, const char *option,
                                const char *name, int *node_p, struct ct_error *err)
{
    uint64_t number;
    int node = 0;
    while (node < layout->n_nodes && strcmp(ct_layout_host(layout, node), name) != 0)
        node++;
    if (node == layout->n_nodes && ct_parse_u64(name, &number, NULL) == CT_OK &&
        number < (uint64_t)layout->n_nodes)
        node = (int)number;
    if (node == layout->n_nodes)
        return ct_fail(
            err, CT_EINVAL,
            "--%s: '%.80s': no host of this run, which has %s to %s, and no number from 0 to %d",
            option, name, ct_layout_host(layout, 0), ct_layout_host(layout, layout->n_nodes - 1),
            layout->n_nodes - 1);
    *node_p = node;
    return CT_OK;
}

static enum ct_status mark_canary(const struct ct_layout *layout, const char *name,
                                  struct ct_scan_side *side, struct ct_error *err)
{
    int node;
    enum ct_status status = find_node(layout, "canaries", name, &node, err);
    if (status == CT_OK)
        mark_node(side, node);
    return status;
}

/* The number of a congestor node among these. */
static enum ct_status add_root(const struct ct_layout *layout, const char *name,
                               struct ct_scan_side *side, struct ct_error *err)
{
    int node, n_before = 0;
    enum ct_status status = find_node(layout, "roots", name, &node, err);
    if (status != CT_OK)
        return status;
    if (side->canary_node[node])
        return ct_fail(err, CT_EINVAL, "--roots: '%.80s': is a canary", name);
    for (int i = 0; i < node; i++)
        n_before += !side->canary_node[i];
    side->roots[side->n_roots++] = n_before;
    return CT_OK;
}

static enum ct_status add_roots(const struct ct_layout *layout, const char *names,
                                struct ct_scan_side *side, struct ct_error *err)
{
    char *copy = strdup(names), *rest = copy;
    enum ct_status status = CT_OK;
    side->roots = calloc(strlen(names) + 1, sizeof *side->roots);
    if (!copy || !side->roots)
        status = ct_no_memory(err, "%d nodes", layout->n_nodes);
    for (char *name; status == CT_OK && *names && (name = strsep(&rest, ","));)
        status = add_root(layout, name, side, err);
    free(copy);
    return status;
}

static enum ct_status mark_canaries(const struct ct_layout *layout, const char *names,
                                    struct ct_scan_side *side, struct ct_error *err)
{
    char *copy = strdup(names), *rest = copy;
    enum ct_status status = CT_OK;
    side->canary_node = calloc((size_t)layout->n_nodes, sizeof *side->canary_node);
    if (!copy || !side->canary_node)
        status = ct_no_memory(err, "%d nodes", layout->n_nodes);
    for (int node = 0; status == CT_OK && !*names && node < layout->n_nodes; node++)
        mark_node(side, node);
    for (char *name; status == CT_OK && *names && (name = strsep(&rest, ","));)
        status = mark_canary(layout, name, side, err);
    free(copy);
    int n_others = layout->n_nodes - side->n_canary_nodes;
    if (status == CT_OK && side->n_canary_nodes < 2)
        status = ct_fail(err, CT_EINVAL, "--canaries: %d node; at least two are needed",
                         side->n_canary_nodes);
    if (status == CT_OK && n_others == 1)
        status = ct_fail(err, CT_EINVAL,
                         "--canaries: they leave one node for congestors, which need two");
    return status;
}

/* Nodes of the side by their numbers in the bench. */
static enum ct_status number_nodes(struct ct_scan_side *side, struct ct_error *err)
{
    const struct ct_layout *whole = &side->bench->layout;
    side->node_of = calloc((size_t)side->layout.n_nodes, sizeof *side->node_of);
    if (!side->node_of)
        return ct_no_memory(err, "%d nodes", side->layout.n_nodes);
    for (int node = 0, n = 0; node < whole->n_nodes; node++)
        if (side->canary_node[node] == side->is_canary)
            side->node_of[n++] = node;
    side->node = side->layout.node_of_rank[side->rank];
    side->slot = side->layout.slot_of_rank[side->rank];
    return CT_OK;
}

/* The first rank of a side: the lowest one in the bench. */
static int find_root(const struct ct_scan_side *side, bool of_canaries)
{
    const struct ct_layout *whole = &side->bench->layout;
    for (int rank = 0; rank < whole->n_ranks; rank++)
        if (side->canary_node[whole->node_of_rank[rank]] == of_canaries)
            return rank;
    return -1;
}

enum ct_status ct_scan_side_new(struct ct_bench *bench, const char *names, const char *roots,
                                struct ct_scan_side *side_p, struct ct_error *err)
{
    struct ct_scan_side side = {.bench = bench, .comm = MPI_COMM_NULL};
    enum ct_status status = check_ranks(&bench->layout, err);
    if (status == CT_OK)
        status = mark_canaries(&bench->layout, names, &side, err);
    if (status == CT_OK)
        status = add_roots(&bench->layout, roots, &side, err);
    status = ct_bench_agree(bench, status, err);
    if (status == CT_OK) {
        side.is_canary = side.canary_node[bench->layout.node_of_rank[bench->rank]];
        side.canary_root = find_root(&side, true);
        side.congestor_root = find_root(&side, false);
        MPI_Comm_split(bench->comm, side.is_canary, bench->rank, &side.comm);
        MPI_Comm_rank(side.comm, &side.rank);
        status = ct_layout_discover(side.comm, &side.layout, err);
        if (status == CT_OK)
            status = number_nodes(&side, err);
        status = ct_bench_agree(bench, status, err);
    }
    if (status == CT_OK)
        *side_p = side;
    else
        ct_scan_side_free(&side);
    return status;
}

void ct_scan_side_free(struct ct_scan_side *side)
{
    if (side->comm != MPI_COMM_NULL)
        MPI_Comm_free(&side->comm);
    ct_layout_free(&side->layout);
    free(side->canary_node);
    free(side->node_of);
    free(side->roots);
}
