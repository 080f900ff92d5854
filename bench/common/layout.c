#include "bench/common/layout.h"

#include "core/parts.h"

#include <stdlib.h>
#include <string.h>

void ct_layout_free(struct ct_layout *layout)
{
    free(layout->node_of_rank);
    free(layout->slot_of_rank);
    free(layout->slots_of_node);
    free(layout->hosts);
    *layout = (struct ct_layout){0};
}

/* Names of all ranks' hosts, as long as the longest one with its NUL. */
struct names {
    char *text; /* [rank * width] */
    int width;
};

static const char *name_of(const struct names *names, int rank)
{
    return names->text + (size_t)rank * (size_t)names->width;
}

/* Lowest rank of the node that this rank is on. In a simulation names tell it: SMPI splits a
 * communicator by messages of one rank with all others, in a time that grows with their square. */
static int find_leader(MPI_Comm comm, int rank, const struct names *names)
{
    MPI_Comm node;
    int leader = rank;
    if (CT_SIMULATED) {
        for (leader = 0; strcmp(name_of(names, leader), name_of(names, rank)) != 0;)
            leader++;
        return leader;
    }
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Bcast(&leader, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    return leader;
}

/* Collective: a rank without an error of its own gets one if another rank has one. */
static enum ct_status agree_on(MPI_Comm comm, enum ct_status status, struct ct_error *err)
{
    int failed = status != CT_OK, any_failed;
    MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, comm);
    if (status == CT_OK && any_failed)
        return ct_fail(err, CT_ENOMEM, "layout: another rank is out of memory");
    return status;
}

static enum ct_status allocate_layout(int n_ranks, struct ct_layout *layout, int **leader_p,
                                      struct ct_error *err)
{
    size_t n = (size_t)n_ranks;
    layout->n_ranks = n_ranks;
    layout->node_of_rank = malloc(n * sizeof *layout->node_of_rank);
    layout->slot_of_rank = malloc(n * sizeof *layout->slot_of_rank);
    layout->slots_of_node = calloc(n, sizeof *layout->slots_of_node);
    *leader_p = malloc(n * sizeof **leader_p);
    if (layout->node_of_rank && layout->slot_of_rank && layout->slots_of_node && *leader_p)
        return CT_OK;
    return ct_no_memory(err, "layout of %d ranks", n_ranks);
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

/* Collective. They travel, and take memory, with the length of the longest one: a few bytes instead
 * of CT_HOST_MAX for each rank on each rank.
 * @param names_p  [out] free() its text */
static enum ct_status gather_names(MPI_Comm comm, int n_ranks, struct names *names_p,
                                   struct ct_error *err)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "", mine[CT_HOST_MAX] = "";
    int length = 0;
    MPI_Get_processor_name(name, &length);
    memcpy(mine, name, strnlen(name, CT_HOST_MAX - 1));
    length = (int)strlen(mine) + 1;
    MPI_Allreduce(&length, &names_p->width, 1, MPI_INT, MPI_MAX, comm);
    names_p->text = malloc((size_t)n_ranks * (size_t)names_p->width);
    CT_TRY(agree_on(comm, names_p->text ? CT_OK : ct_no_memory(err, "layout of %d ranks", n_ranks),
                    err));
    MPI_Allgather(mine, names_p->width, MPI_CHAR, names_p->text, names_p->width, MPI_CHAR, comm);
    return CT_OK;
}

/* The names of leaders move to the front, where they stay: a leader's rank is at least the number
 * of its node. @param names  its text is the layout's from here on */
static void name_nodes(const int *leader, struct names *names, struct ct_layout *layout)
{
    size_t width = (size_t)names->width;
    for (int rank = 0; rank < layout->n_ranks; rank++)
        if (leader[rank] == rank)
            memmove(names->text + (size_t)layout->node_of_rank[rank] * width, name_of(names, rank),
                    width);
    layout->hosts = names->text;
    layout->host_bytes = names->width;
    names->text = NULL;
}

enum ct_status ct_layout_discover(MPI_Comm comm, struct ct_layout *layout_p, struct ct_error *err)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    struct ct_layout layout = {0};
    struct names names = {0};
    int *leader = NULL;
    enum ct_status status = agree_on(comm, allocate_layout(size, &layout, &leader, err), err);
    if (status == CT_OK)
        status = gather_names(comm, size, &names, err);
    if (status == CT_OK) {
        int mine = find_leader(comm, rank, &names);
        MPI_Allgather(&mine, 1, MPI_INT, leader, 1, MPI_INT, comm);
        number_nodes(leader, &layout);
        name_nodes(leader, &names, &layout);
        *layout_p = layout;
    } else {
        ct_layout_free(&layout);
    }
    free(names.text);
    free(leader);
    return status;
}

const char *ct_layout_host(const struct ct_layout *layout, int node)
{
    return layout->hosts + (size_t)node * (size_t)layout->host_bytes;
}

int ct_layout_rank(const struct ct_layout *layout, int node, int slot)
{
    for (int rank = 0; rank < layout->n_ranks; rank++)
        if (layout->node_of_rank[rank] == node && layout->slot_of_rank[rank] == slot)
            return rank;
    return -1;
}
