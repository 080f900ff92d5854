/**
 * Ranks on a grid of up to four axes. Pure: no MPI.
 *
 * Rank = position[0] + side[0] * (position[1] + side[1] * (position[2] + ...)): axis 0 is fastest.
 */
#pragma once

#include <stdbool.h>

enum { CT_GRID_AXES_MAX = 4 };

struct ct_grid {
    int n_axes;
    int side[CT_GRID_AXES_MAX]; /**< ranks along an axis, >= 1 */
    bool wraps;                 /**< the last rank of an axis is the neighbour of the first */
};

/**
 * Grid of all ranks with sides as equal as prime factors allow: each prime factor, the largest
 * first, multiplies the side that is shortest so far; longer axes come last. This is the rule of
 * MILC's layout_hyper_prime on a lattice of equal sides. It has a result for any number of ranks.
 * @param n_ranks  [in] >= 1
 * @param n_axes   [in] 1..CT_GRID_AXES_MAX
 */
struct ct_grid ct_grid_make(int n_ranks, int n_axes, bool wraps);

/** @param position  [out] n_axes numbers */
void ct_grid_position(const struct ct_grid *grid, int rank, int position[CT_GRID_AXES_MAX]);

/**
 * Rank at a distance of `steps` along an axis.
 * @param peer_p  [out] may be the rank itself if the grid wraps; unchanged if there is none
 * @return false: beyond the border of a grid that does not wrap
 */
bool ct_grid_neighbour(const struct ct_grid *grid, int rank, int axis, int steps, int *peer_p);
