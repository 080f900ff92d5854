#include "bench/workloads/halo.h"

#include <stdlib.h>

enum { X, Y, Z, N_AXES };

enum ct_status ct_halo_side(int n_ranks, int *side_p, struct ct_error *err)
{
    long side = 1;
    while ((side + 1) * (side + 1) * (side + 1) <= n_ranks)
        side++;
    long below = side * side * side, above = (side + 1) * (side + 1) * (side + 1);
    if (below != n_ranks)
        return ct_fail(err, CT_EUSAGE,
                       "%d ranks: the number of ranks must be a cube; the nearest are %ld and %ld",
                       n_ranks, below, above);
    *side_p = (int)side;
    return CT_OK;
}

static void position_of(const struct ct_halo_grid *grid, int rank, int position[N_AXES])
{
    position[X] = rank % grid->side;
    position[Y] = rank / grid->side % grid->side;
    position[Z] = rank / grid->side / grid->side;
}

/* Go one step along each axis; false at the border of the grid. */
static bool step_to(const struct ct_halo_grid *grid, const int from[N_AXES], const int step[N_AXES],
                    int to[N_AXES])
{
    for (int axis = 0; axis < N_AXES; axis++) {
        to[axis] = from[axis] + step[axis];
        if (to[axis] < 0 || to[axis] >= grid->side)
            return false;
    }
    return true;
}

static int rank_of(const struct ct_halo_grid *grid, const int position[N_AXES])
{
    return (position[Z] * grid->side + position[Y]) * grid->side + position[X];
}

/* Nodes or elements of the rank at a position that lie at its boundary in a direction. */
static struct ct_region find_boundary(const struct ct_halo_grid *grid,
                                      const struct ct_halo_exchange *exchange,
                                      const int position[N_AXES], const int direction[N_AXES])
{
    size_t points = grid->n + exchange->nodes; /* along an axis of the rank */
    size_t line = (size_t)grid->side * grid->n + exchange->nodes;
    const uint64_t stride[N_AXES] = {[X] = exchange->fields,
                                     [Y] = exchange->fields * line,
                                     [Z] = exchange->fields * line * line};
    struct ct_region region = {.origin = 0,
                               .extent = {exchange->fields, 1, 1, 1},
                               .stride = {1, stride[Z], stride[Y], stride[X]}};
    for (int axis = 0; axis < N_AXES; axis++) {
        size_t first = (size_t)position[axis] * grid->n;
        if (direction[axis] > 0)
            first += points - 1;
        region.origin += first * stride[axis];
        region.extent[CT_REGION_AXES - 1 - axis] = direction[axis] == 0 ? points : 1;
    }
    return region;
}

/* Does a message go from a rank in a direction? */
static bool is_sent(const struct ct_halo_exchange *exchange, const int direction[N_AXES])
{
    int distance = abs(direction[X]) + abs(direction[Y]) + abs(direction[Z]);
    if (distance == 0 || (exchange->faces_only && distance > 1))
        return false;
    /* Ranks count x first, then y, then z: the slowest axis that moves decides. */
    int order = direction[Z] ? direction[Z] : direction[Y] ? direction[Y] : direction[X];
    return order < 0 || !exchange->to_lower;
}

static size_t list_messages(const struct ct_halo_grid *grid,
                            const struct ct_halo_exchange *exchange, int rank, bool sending,
                            struct ct_halo_message messages[CT_HALO_NEIGHBOURS_MAX])
{
    size_t n = 0;
    int here[N_AXES], there[N_AXES];
    position_of(grid, rank, here);
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                const int away[N_AXES] = {x, y, z}, towards[N_AXES] = {-x, -y, -z};
                const int *direction = sending ? away : towards; /* the way the message goes */
                if (!is_sent(exchange, direction) || !step_to(grid, here, away, there))
                    continue;
                messages[n++] = (struct ct_halo_message){
                    .peer = rank_of(grid, there),
                    .region = find_boundary(grid, exchange, sending ? here : there, direction)};
            }
    return n;
}

size_t ct_halo_sends(const struct ct_halo_grid *grid, const struct ct_halo_exchange *exchange,
                     int rank, struct ct_halo_message messages[CT_HALO_NEIGHBOURS_MAX])
{
    return list_messages(grid, exchange, rank, true, messages);
}

size_t ct_halo_receives(const struct ct_halo_grid *grid, const struct ct_halo_exchange *exchange,
                        int rank, struct ct_halo_message messages[CT_HALO_NEIGHBOURS_MAX])
{
    return list_messages(grid, exchange, rank, false, messages);
}
