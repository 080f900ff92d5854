/* Collective calls. */
#include "trace/pmpi/state.h"

#include <stdlib.h>

/* Root as a rank of the world; a request, if there is one. */
static void write_collective(uint64_t start_ns, struct ct_trace_event event, bool known,
                             struct ct_tracer_pending pending)
{
    if (known)
        event.root = (uint32_t)ct_tracer_world_rank(event.comm, (int)event.root);
    if (pending.request)
        ct_tracer_begin_request(start_ns, *pending.request, CT_TRACER_COLLECTIVE, pending.use,
                                !known, event);
    else if (known)
        ct_tracer_write(start_ns, event);
}

/* The same, of an intercommunicator in pieces. */
static void write_any(uint64_t start_ns, struct ct_trace_event event, bool known,
                      const struct ct_tracer_blocks *others, MPI_Comm comm,
                      struct ct_tracer_pending pending)
{
    if (!known || ct_tracer.comms[event.comm].remote.n == 0) {
        write_collective(start_ns, event, known, pending);
    } else if (!ct_tracer_write_between(start_ns, comm, &event, others, pending)) {
        ct_tracer_refuse_others(start_ns);
        write_collective(start_ns, event, false, pending);
    }
}

void ct_tracer_collective(uint64_t start_ns, struct ct_trace_event event,
                          struct ct_tracer_blocks others, MPI_Comm comm,
                          struct ct_tracer_pending pending)
{
    if (!ct_tracer_enter())
        return;
    bool known = ct_tracer_find_comm(start_ns, comm, &event.comm);
    write_any(start_ns, event, known, &others, comm, pending);
    ct_tracer_leave();
}

/* How many blocks a rank gives. */
static size_t count_blocks(uint32_t comm, enum ct_trace_kind kind)
{
    const struct ct_tracer_comm *row = &ct_tracer.comms[comm];
    if (row->remote.n == 0)
        return row->group.n;
    return kind == CT_TRACE_ALLTOALLV ? row->remote.n : row->group.n - row->remote.n;
}

void ct_tracer_vector(uint64_t start_ns, struct ct_trace_event event,
                      struct ct_tracer_blocks blocks, struct ct_tracer_blocks others, MPI_Comm comm,
                      struct ct_tracer_pending pending)
{
    if (!ct_tracer_enter())
        return;
    bool known = ct_tracer_find_comm(start_ns, comm, &event.comm);
    size_t n = known ? count_blocks(event.comm, event.kind) : 0;
    uint64_t *values = malloc((n + 1) * sizeof *values);
    if (!values) {
        ct_tracer_give_up("out of memory");
    } else {
        for (size_t i = 0; i < n; i++)
            values[i] = ct_tracer_block_bytes(&blocks, (int)i);
        event.values = values;
        event.n_values = n;
        write_any(start_ns, event, known, &others, comm, pending);
    }
    free(values);
    ct_tracer_leave();
}

struct neighbours {
    int n_sources, n_destinations;
    int *ranks; /* of the sources, then of the destinations */
};

static bool room_for(struct neighbours *neighbours, int n_sources, int n_destinations)
{
    *neighbours = (struct neighbours){n_sources, n_destinations, NULL};
    neighbours->ranks =
        calloc((size_t)n_sources + (size_t)n_destinations + 1, sizeof *neighbours->ranks);
    return neighbours->ranks != NULL;
}

static bool grid_neighbours(MPI_Comm comm, struct neighbours *neighbours_p)
{
    int dimensions = 0;
    PMPI_Cartdim_get(comm, &dimensions);
    if (!room_for(neighbours_p, 2 * dimensions, 2 * dimensions))
        return false;
    for (int d = 0; d < dimensions; d++) {
        int *low = &neighbours_p->ranks[2 * d];
        PMPI_Cart_shift(comm, d, 1, low, low + 1);
        low[2 * dimensions] = low[0];
        low[2 * dimensions + 1] = low[1];
    }
    return true;
}

static bool graph_neighbours(MPI_Comm comm, struct neighbours *neighbours_p)
{
    int rank, n = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &n);
    if (!room_for(neighbours_p, n, n))
        return false;
    PMPI_Graph_neighbors(comm, rank, n, neighbours_p->ranks);
    PMPI_Graph_neighbors(comm, rank, n, neighbours_p->ranks + n);
    return true;
}

static bool distributed_neighbours(MPI_Comm comm, struct neighbours *neighbours_p)
{
    int in = 0, out = 0, weighted;
    PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    if (!room_for(neighbours_p, in, out))
        return false;
    PMPI_Dist_graph_neighbors(comm, in, neighbours_p->ranks, MPI_UNWEIGHTED, out,
                              neighbours_p->ranks + in, MPI_UNWEIGHTED);
    return true;
}

static bool find_neighbours(MPI_Comm comm, struct neighbours *neighbours_p)
{
    int topology = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &topology);
    if (topology == MPI_CART)
        return grid_neighbours(comm, neighbours_p);
    if (topology == MPI_GRAPH)
        return graph_neighbours(comm, neighbours_p);
    return topology == MPI_DIST_GRAPH && distributed_neighbours(comm, neighbours_p);
}

/* Rank and bytes of each neighbour that there is; a grid has none beyond its edge. */
static size_t put_neighbours(uint32_t comm, const int *ranks, int n, struct ct_tracer_blocks blocks,
                             uint64_t *values)
{
    size_t n_values = 0;
    for (int i = 0; i < n; i++) {
        if (ranks[i] < 0)
            continue;
        values[n_values++] = (uint64_t)ct_tracer_world_rank(comm, ranks[i]);
        values[n_values++] = ct_tracer_block_bytes(&blocks, i);
    }
    return n_values;
}

void ct_tracer_neighbor(uint64_t start_ns, struct ct_tracer_blocks to, struct ct_tracer_blocks from,
                        MPI_Comm comm, struct ct_tracer_pending pending)
{
    if (!ct_tracer_enter())
        return;
    struct ct_trace_event event = {.kind = CT_TRACE_NEIGHBOR};
    struct neighbours near = {0};
    bool known = ct_tracer_find_group(start_ns, comm, &event.comm) && find_neighbours(comm, &near);
    uint64_t *values =
        malloc((2 * ((size_t)near.n_sources + (size_t)near.n_destinations) + 1) * sizeof *values);
    if (!values) {
        ct_tracer_give_up("out of memory");
    } else {
        size_t n = 0;
        if (known) {
            n = 1 + put_neighbours(event.comm, near.ranks + near.n_sources, near.n_destinations, to,
                                   values + 1);
            values[0] = (n - 1) / 2;
            n += put_neighbours(event.comm, near.ranks, near.n_sources, from, values + n);
        }
        event.values = values;
        event.n_values = n;
        write_collective(start_ns, event, known, pending);
    }
    free(values);
    free(near.ranks);
    ct_tracer_leave();
}
