#include "bench/workloads/multigrid.h"

struct ct_multigrid ct_multigrid_make(int n_ranks, size_t n)
{
    struct ct_multigrid multigrid = {.grid = ct_grid_make(n_ranks, CT_MULTIGRID_AXES, false)};
    int longest = multigrid.grid.side[CT_MULTIGRID_AXES - 1];
    struct ct_multigrid_level level = {.edge = n, .spacing = 1};
    multigrid.levels[multigrid.n_levels++] = level;
    while (level.edge > 1 || level.spacing < longest) {
        if (level.edge > 1)
            level.edge = level.edge / 2 + level.edge % 2;
        else
            level.spacing *= 2;
        multigrid.levels[multigrid.n_levels++] = level;
    }
    return multigrid;
}

int ct_multigrid_owner(const struct ct_multigrid *multigrid, int level, int rank)
{
    int position[CT_GRID_AXES_MAX] = {0}, owner = rank;
    ct_grid_position(&multigrid->grid, rank, position);
    for (int axis = 0; axis < CT_MULTIGRID_AXES; axis++)
        ct_grid_neighbour(&multigrid->grid, owner, axis,
                          -(position[axis] % multigrid->levels[level].spacing), &owner);
    return owner;
}

bool ct_multigrid_holds(const struct ct_multigrid *multigrid, int level, int rank)
{
    return ct_multigrid_owner(multigrid, level, rank) == rank;
}

int ct_multigrid_children(const struct ct_multigrid *multigrid, int level, int rank,
                          int children[CT_MULTIGRID_CHILDREN_MAX])
{
    if (level == 0 || !ct_multigrid_holds(multigrid, level, rank))
        return 0;
    int finer = multigrid->levels[level - 1].spacing, n = 0;
    if (finer == multigrid->levels[level].spacing)
        return 0;
    for (int corner = 1; corner <= CT_MULTIGRID_CHILDREN_MAX; corner++) {
        int child = rank;
        bool exists = true;
        for (int axis = 0; axis < CT_MULTIGRID_AXES && exists; axis++)
            if (corner >> axis & 1)
                exists = ct_grid_neighbour(&multigrid->grid, child, axis, finer, &child);
        if (exists)
            children[n++] = child;
    }
    return n;
}

/* Points of a rank at its face in a direction, in the index space of the level. */
static struct ct_region find_face(const struct ct_multigrid *multigrid, int level, int rank,
                                  int direction)
{
    size_t edge = multigrid->levels[level].edge, spacing = (size_t)multigrid->levels[level].spacing;
    int position[CT_GRID_AXES_MAX] = {0};
    ct_grid_position(&multigrid->grid, rank, position);
    struct ct_region region = {.extent = {1, edge, edge, edge}};
    uint64_t stride = 1;
    for (int axis = 0; axis < CT_MULTIGRID_AXES; axis++) {
        int slot = CT_REGION_AXES - 1 - axis;
        size_t first = (size_t)position[axis] / spacing * edge;
        if (axis == direction / 2) {
            region.extent[slot] = 1;
            first += direction % 2 ? 0 : edge - 1;
        }
        region.stride[slot] = stride;
        region.origin += first * stride;
        stride *= ((size_t)multigrid->grid.side[axis] + spacing - 1) / spacing * edge;
    }
    return region;
}

static bool find_neighbour(const struct ct_multigrid *multigrid, int level, int rank, int direction,
                           int *peer_p)
{
    int spacing = multigrid->levels[level].spacing;
    return ct_grid_neighbour(&multigrid->grid, rank, direction / 2,
                             direction % 2 ? -spacing : spacing, peer_p);
}

bool ct_multigrid_send(const struct ct_multigrid *multigrid, int level, int rank, int direction,
                       int *peer_p, struct ct_region *region_p)
{
    if (!find_neighbour(multigrid, level, rank, direction, peer_p))
        return false;
    *region_p = find_face(multigrid, level, rank, direction);
    return true;
}

bool ct_multigrid_receive(const struct ct_multigrid *multigrid, int level, int rank, int direction,
                          int *peer_p, struct ct_region *region_p)
{
    if (!find_neighbour(multigrid, level, rank, direction, peer_p))
        return false;
    *region_p = find_face(multigrid, level, *peer_p, direction ^ 1);
    return true;
}
