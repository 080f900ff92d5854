/**
 * Boundaries of a four-dimensional lattice of even and odd sites: the messages of a rank when a
 * field on the sites of one parity is gathered from the neighbours in all eight directions. Pure:
 * no MPI.
 *
 * Each rank holds edge[0] x ... x edge[3] sites, all edges even, so that the whole lattice can be
 * divided into even and odd sites although it wraps around, and each face has as many even sites as
 * odd ones. The parity of a site is that of the sum of its coordinates. A face across axis a, one
 * parity, has
 *
 *     sites = (edge[0] edge[1] edge[2] edge[3] / edge[a]) / 2
 */
#pragma once

#include "bench/workloads/grid.h"
#include "bench/workloads/region.h"

enum { CT_LATTICE_AXES = 4, CT_LATTICE_DIRECTIONS = 2 * CT_LATTICE_AXES };

struct ct_lattice {
    struct ct_grid grid;          /**< four axes, wraps */
    size_t edge[CT_LATTICE_AXES]; /**< sites of one rank, even */
    size_t site_words;            /**< of the field that is sent, >= 1 */
};

/** Words in a message across an axis. */
size_t ct_lattice_face_words(const struct ct_lattice *lattice, int axis);

/**
 * The message from a rank to its neighbour in a direction: 2 axis for the next one along the axis,
 * 2 axis + 1 for the one before.
 * @param odd       [in]  parity of the sites that are sent
 * @param peer_p    [out] receiver; unchanged if there is none
 * @param region_p  [out] the sender's: axes face, 1, site (compacted, as MILC's gather), word. The
 *                        key of a site's first word is unique among all ranks, faces and parities
 * @return false: the rank is its own neighbour there and nothing is sent
 */
bool ct_lattice_send(const struct ct_lattice *lattice, int rank, int direction, bool odd,
                     int *peer_p, struct ct_region *region_p);

/**
 * The message to a rank from its neighbour in a direction, which the neighbour sends in the
 * opposite one.
 */
bool ct_lattice_receive(const struct ct_lattice *lattice, int rank, int direction, bool odd,
                        int *peer_p, struct ct_region *region_p);
