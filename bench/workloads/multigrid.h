/**
 * Levels of a multigrid solver on a three-dimensional grid of points: which faces each rank
 * exchanges with which neighbour. Pure: no MPI.
 *
 * On level 0 each rank holds n^3 points. A coarser level has half the points along each axis: n/2
 * (rounded up) per rank, until one is left; then half the ranks along each axis, those whose
 * position is a multiple of the spacing 2, 4, ...: the others are idle. On the coarsest level one
 * rank is left.
 */
#pragma once

#include "bench/workloads/grid.h"
#include "bench/workloads/region.h"

enum {
    CT_MULTIGRID_AXES = 3,
    CT_MULTIGRID_DIRECTIONS = 2 * CT_MULTIGRID_AXES,
    CT_MULTIGRID_LEVELS_MAX = 96, /**< 64 halvings of points, 30 of ranks */
    CT_MULTIGRID_CHILDREN_MAX = 7
};

struct ct_multigrid {
    struct ct_grid grid; /**< three axes, does not wrap */
    int n_levels;
    struct ct_multigrid_level {
        size_t edge; /**< points along an axis of one rank that is not idle */
        int spacing; /**< of the positions of ranks that are not idle */
    } levels[CT_MULTIGRID_LEVELS_MAX];
};

/**
 * @param n_ranks  [in] 1..2^30
 * @param n        [in] points along an axis of one rank, >= 1
 */
struct ct_multigrid ct_multigrid_make(int n_ranks, size_t n);

/** Whether a rank holds points of a level. A rank that does holds points of all finer levels. */
bool ct_multigrid_holds(const struct ct_multigrid *multigrid, int level, int rank);

/**
 * Face that a rank sends to its neighbour on a level: 2 axis for the next one along the axis,
 * 2 axis + 1 for the one before.
 * @param rank      [in]  one that holds points of the level
 * @param region_p  [out] of the sender; edge^2 words, axes -, z, y, x
 * @return false: there is no neighbour
 */
bool ct_multigrid_send(const struct ct_multigrid *multigrid, int level, int rank, int direction,
                       int *peer_p, struct ct_region *region_p);

/**
 * The face from the neighbour in a direction.
 * @return as ct_multigrid_send()
 */
bool ct_multigrid_receive(const struct ct_multigrid *multigrid, int level, int rank, int direction,
                          int *peer_p, struct ct_region *region_p);

/**
 * Rank that holds, on a level, the points that this rank held on the next finer level; often the
 * rank itself.
 */
int ct_multigrid_owner(const struct ct_multigrid *multigrid, int level, int rank);

/**
 * Other ranks that held points on the finer level before and whose owner is this rank.
 * @return number of them; 0 if the rank is not an owner, on level 0, and if no rank becomes idle
 */
int ct_multigrid_children(const struct ct_multigrid *multigrid, int level, int rank,
                          int children[CT_MULTIGRID_CHILDREN_MAX]);
