#include "bench/workloads/lattice.h"

static size_t sites_of(const struct ct_lattice *lattice)
{
    size_t sites = 1;
    for (int axis = 0; axis < CT_LATTICE_AXES; axis++)
        sites *= lattice->edge[axis];
    return sites;
}

size_t ct_lattice_face_words(const struct ct_lattice *lattice, int axis)
{
    return sites_of(lattice) / lattice->edge[axis] / 2 * lattice->site_words;
}

static struct ct_region find_face(const struct ct_lattice *lattice, int rank, int direction,
                                  bool odd)
{
    size_t words = ct_lattice_face_words(lattice, direction / 2);
    uint64_t message = ((uint64_t)rank * CT_LATTICE_DIRECTIONS + (uint64_t)direction) * 2 + odd;
    /* A face never has more words than the whole of the rank's lattice: keys of two do not meet. */
    return (struct ct_region){.origin = message * sites_of(lattice) * lattice->site_words,
                              .extent = {1, 1, words / lattice->site_words, lattice->site_words},
                              .stride = {0, 0, lattice->site_words, 1}};
}

static bool find_neighbour(const struct ct_lattice *lattice, int rank, int direction, int *peer_p)
{
    if (lattice->grid.side[direction / 2] == 1)
        return false;
    return ct_grid_neighbour(&lattice->grid, rank, direction / 2, direction % 2 ? -1 : 1, peer_p);
}

bool ct_lattice_send(const struct ct_lattice *lattice, int rank, int direction, bool odd,
                     int *peer_p, struct ct_region *region_p)
{
    if (!find_neighbour(lattice, rank, direction, peer_p))
        return false;
    *region_p = find_face(lattice, rank, direction, odd);
    return true;
}

bool ct_lattice_receive(const struct ct_lattice *lattice, int rank, int direction, bool odd,
                        int *peer_p, struct ct_region *region_p)
{
    if (!find_neighbour(lattice, rank, direction, peer_p))
        return false;
    *region_p = find_face(lattice, *peer_p, direction ^ 1, odd);
    return true;
}
