/**
 * Exchange of boundaries between the cubes of a three-dimensional grid, one cube a rank: which
 * nodes or elements each rank sends to which neighbour. Pure: no MPI.
 *
 * The ranks form a cube of side^3, x fastest, without wrapping around; each holds n^3 elements, and
 * so (n + 1)^3 nodes, of which those on a common face, edge or corner exist on all ranks that touch
 * it. A rank has up to 26 neighbours: 6 across faces, 12 across edges, 8 across corners.
 *
 *     message                        | face            | edge       | corner
 *     nodes, f fields (words)        | f (n + 1)^2     | f (n + 1)  | f
 *     elements, f fields (words)     | f n^2           | f n        | f
 */
#pragma once

#include "bench/workloads/region.h"
#include "core/status.h"

enum { CT_HALO_NEIGHBOURS_MAX = 26 };

/** The grid as a whole. */
struct ct_halo_grid {
    int side; /**< ranks along an axis */
    size_t n; /**< elements along an axis of one rank, >= 1 */
};

/** An exchange of all ranks. */
struct ct_halo_exchange {
    unsigned fields; /**< values per node or element, >= 1 */
    bool nodes;      /**< nodes, which neighbours share; else elements, which they do not */
    bool faces_only; /**< no edges and corners */
    bool to_lower;   /**< sent to neighbours of lower rank only, which take the owner's value */
};

struct ct_halo_message {
    int peer;
    struct ct_region region; /**< of the sender; axes field, z, y, x */
};

/**
 * Side of the cube that n_ranks form.
 * @param side_p  [out] unchanged on error
 * @return CT_OK; CT_EUSAGE if n_ranks is not a cube: the message names the nearest cubes
 */
enum ct_status ct_halo_side(int n_ranks, int *side_p, struct ct_error *err);

/**
 * Messages that a rank sends in an exchange, in the order of the receivers' ranks.
 * @param rank      [in]  0..side^3-1
 * @param messages  [out] the first of CT_HALO_NEIGHBOURS_MAX
 * @return number of messages
 */
size_t ct_halo_sends(const struct ct_halo_grid *grid, const struct ct_halo_exchange *exchange,
                     int rank, struct ct_halo_message messages[CT_HALO_NEIGHBOURS_MAX]);

/** Messages that a rank receives, in the order of the senders' ranks. */
size_t ct_halo_receives(const struct ct_halo_grid *grid, const struct ct_halo_exchange *exchange,
                        int rank, struct ct_halo_message messages[CT_HALO_NEIGHBOURS_MAX]);
