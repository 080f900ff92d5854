#include "bench/workloads/grid.h"

static int largest_prime_factor(int n)
{
    int largest = 1;
    for (int factor = 2; factor <= n / factor; factor++)
        for (; n % factor == 0; n /= factor)
            largest = factor;
    return n > 1 ? n : largest;
}

struct ct_grid ct_grid_make(int n_ranks, int n_axes, bool wraps)
{
    struct ct_grid grid = {.n_axes = n_axes, .wraps = wraps};
    for (int axis = 0; axis < n_axes; axis++)
        grid.side[axis] = 1;
    while (n_ranks > 1) {
        int factor = largest_prime_factor(n_ranks), shortest = n_axes - 1;
        for (int axis = n_axes - 2; axis >= 0; axis--)
            if (grid.side[axis] < grid.side[shortest])
                shortest = axis;
        grid.side[shortest] *= factor;
        n_ranks /= factor;
    }
    for (int done = 1; done < n_axes; done++) /* insertion sort */
        for (int i = done; i > 0 && grid.side[i] < grid.side[i - 1]; i--) {
            int side = grid.side[i];
            grid.side[i] = grid.side[i - 1];
            grid.side[i - 1] = side;
        }
    return grid;
}

void ct_grid_position(const struct ct_grid *grid, int rank, int position[CT_GRID_AXES_MAX])
{
    for (int axis = 0; axis < grid->n_axes; axis++) {
        position[axis] = rank % grid->side[axis];
        rank /= grid->side[axis];
    }
}

bool ct_grid_neighbour(const struct ct_grid *grid, int rank, int axis, int steps, int *peer_p)
{
    int position[CT_GRID_AXES_MAX] = {0}, stride = 1, side = grid->side[axis];
    ct_grid_position(grid, rank, position);
    for (int below = 0; below < axis; below++)
        stride *= grid->side[below];
    int there = position[axis] + steps;
    if (there < 0 || there >= side) {
        if (!grid->wraps)
            return false;
        there = (there % side + side) % side;
    }
    *peer_p = rank + (there - position[axis]) * stride;
    return true;
}
