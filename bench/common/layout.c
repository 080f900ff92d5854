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

static enum ct_status no_memory(int n_ranks, struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "layout of %d ranks: out of memory", n_ranks);
}

/* Collective: a rank without an error of its own gets one if another rank has one. */
static enum ct_status agree(MPI_Comm comm, enum ct_status status, struct ct_error *err)
{
    int failed = status != CT_OK, any_failed;
    MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, comm);
    if (status == CT_OK && any_failed)
        return ct_fail(err, CT_ENOMEM, "layout: another rank is out of memory");
    return status;
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
    return no_memory(n_ranks, err);
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

/* Names travel, and take memory, with the length of the longest one: a few bytes instead of
 * CT_HOST_MAX for each rank on each rank. */
static enum ct_status name_nodes(MPI_Comm comm, const int *leader, struct ct_layout *layout,
                                 struct ct_error *err)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "", mine[CT_HOST_MAX] = "";
    int length = 0, width;
    MPI_Get_processor_name(name, &length);
    memcpy(mine, name, strnlen(name, CT_HOST_MAX - 1));
    length = (int)strlen(mine) + 1;
    MPI_Allreduce(&length, &width, 1, MPI_INT, MPI_MAX, comm);
    char *names = malloc((size_t)layout->n_ranks * (size_t)width);
    enum ct_status status = agree(comm, names ? CT_OK : no_memory(layout->n_ranks, err), err);
    if (status == CT_OK) {
        MPI_Allgather(mine, width, MPI_CHAR, names, width, MPI_CHAR, comm);
        for (int rank = 0; rank < layout->n_ranks; rank++)
            if (leader[rank] == rank)
                memcpy(layout->host_of_node[layout->node_of_rank[rank]],
                       names + (size_t)rank * (size_t)width, (size_t)width);
    }
    free(names);
    return status;
}

enum ct_status ct_layout_discover(MPI_Comm comm, struct ct_layout *layout_p, struct ct_error *err)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    struct ct_layout layout = {0};
    int *leader = NULL;
    enum ct_status status = agree(comm, allocate(size, &layout, &leader, err), err);
    if (status == CT_OK) {
        int mine = find_leader(comm, rank);
        MPI_Allgather(&mine, 1, MPI_INT, leader, 1, MPI_INT, comm);
        number_nodes(leader, &layout);
        status = name_nodes(comm, leader, &layout, err);
    }
    if (status == CT_OK)
        *layout_p = layout;
    else
        ct_layout_free(&layout);
    free(leader);
    return status;
}

int ct_layout_rank(const struct ct_layout *layout, int node, int slot)
{
    for (int rank = 0; rank < layout->n_ranks; rank++)
        if (layout->node_of_rank[rank] == node && layout->slot_of_rank[rank] == slot)
            return rank;
    return -1;
}
