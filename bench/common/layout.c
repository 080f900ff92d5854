#include "bench/common/layout.h"

#include <stdlib.h>
#include <string.h>

void ct_layout_free(struct ct_layout *layout)
{
    free(layout->node_of_rank);
    free(layout->slot_of_rank);
    free(layout->slots_of_node);
    free(layout->host_of_node);
    *layout = (struct ct_layout){0};
}

/* Lowest rank of the node that this rank is on. */
static int find_leader(MPI_Comm comm, int rank)
{
    MPI_Comm node;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    int leader = rank;
    MPI_Bcast(&leader, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    return leader;
}

static enum ct_status allocate(int n_ranks, struct ct_layout *layout, int **leader_p,
                               struct ct_error *err)
{
    size_t n = (size_t)n_ranks;
    layout->n_ranks = n_ranks;
    layout->node_of_rank = malloc(n * sizeof *layout->node_of_rank);
    layout->slot_of_rank = malloc(n * sizeof *layout->slot_of_rank);
    layout->slots_of_node = calloc(n, sizeof *layout->slots_of_node);
    layout->host_of_node = calloc(n, sizeof *layout->host_of_node);
    *leader_p = malloc(n * sizeof **leader_p);
    if (layout->node_of_rank && layout->slot_of_rank && layout->slots_of_node &&
        layout->host_of_node && *leader_p)
        return CT_OK;
    return ct_fail(err, CT_ENOMEM, "layout of %d ranks: out of memory", n_ranks);
}

/* A leader comes before the other ranks of its node, so its node has a number already. */
static void number_nodes(const int *leader, struct ct_layout *layout)
{
    for (int rank = 0; rank < layout->n_ranks; rank++) {
        int node = leader[rank] == rank ? layout->n_nodes++ : layout->node_of_rank[leader[rank]];
        layout->node_of_rank[rank] = node;
        layout->slot_of_rank[rank] = layout->slots_of_node[node]++;
    }
    layout->min_slots = layout->max_slots = layout->slots_of_node[0];
    for (int node = 1; node < layout->n_nodes; node++) {
        int slots = layout->slots_of_node[node];
        layout->min_slots = slots < layout->min_slots ? slots : layout->min_slots;
        layout->max_slots = slots > layout->max_slots ? slots : layout->max_slots;
    }
}

static void name_nodes(MPI_Comm comm, const int *leader, char (*hosts)[CT_HOST_MAX],
                       struct ct_layout *layout)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "", mine[CT_HOST_MAX] = "";
    int length = 0;
    MPI_Get_processor_name(name, &length);
    memcpy(mine, name, strnlen(name, CT_HOST_MAX - 1));
    MPI_Allgather(mine, CT_HOST_MAX, MPI_CHAR, hosts, CT_HOST_MAX, MPI_CHAR, comm);
    for (int rank = 0; rank < layout->n_ranks; rank++)
        if (leader[rank] == rank)
            memcpy(layout->host_of_node[layout->node_of_rank[rank]], hosts[rank], CT_HOST_MAX);
}

enum ct_status ct_layout_discover(MPI_Comm comm, struct ct_layout *layout_p, struct ct_error *err)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    struct ct_layout layout = {0};
    int *leader = NULL;
    enum ct_status status = allocate(size, &layout, &leader, err);
    char(*hosts)[CT_HOST_MAX] = malloc((size_t)size * sizeof *hosts);
    if (status == CT_OK && !hosts)
        status = ct_fail(err, CT_ENOMEM, "layout of %d ranks: out of memory", size);
    int failed = status != CT_OK, any_failed;
    MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, comm);
    if (status == CT_OK && !any_failed) {
        int mine = find_leader(comm, rank);
        MPI_Allgather(&mine, 1, MPI_INT, leader, 1, MPI_INT, comm);
        number_nodes(leader, &layout);
        name_nodes(comm, leader, hosts, &layout);
        *layout_p = layout;
    } else {
        ct_layout_free(&layout);
        if (status == CT_OK)
            status = ct_fail(err, CT_ENOMEM, "layout: another rank is out of memory");
    }
    free(leader);
    free(hosts);
    return status;
}

int ct_layout_rank(const struct ct_layout *layout, int node, int slot)
{
    for (int rank = 0; rank < layout->n_ranks; rank++)
        if (layout->node_of_rank[rank] == node && layout->slot_of_rank[rank] == slot)
            return rank;
    return -1;
}
