/**
 * Particles that leave the domain of a rank in a Monte Carlo simulation: how many, when and where
 * to is drawn from a seed that all ranks share, so that the receiver can check every message
 * without further information. Pure: no MPI.
 *
 * A step is divided into slices. In each slice and direction nothing leaves with probability 1 -
 * 1/CT_FLIGHT_RARITY; else 1..max_particles particles of CT_FLIGHT_PARTICLE_WORDS words leave, each
 * number with the same probability. Directions: 2 axis for the next rank along the axis, 2 axis + 1
 * for the one before; particles that reach the border of the grid are reflected and stay.
 */
#pragma once

#include "bench/workloads/grid.h"
#include "bench/workloads/region.h"

enum {
    CT_FLIGHT_AXES = 3,
    CT_FLIGHT_DIRECTIONS = 2 * CT_FLIGHT_AXES,
    CT_FLIGHT_RARITY = 3,
    CT_FLIGHT_PARTICLE_WORDS = 8 /**< position, direction, energy, weight */
};

struct ct_flight {
    struct ct_grid grid; /**< three axes, does not wrap */
    uint64_t seed;
    size_t max_particles; /**< of a message, >= 1 */
};

/** A slice, a rank and a direction; slices are numbered through all steps. */
struct ct_flight_way {
    uint64_t slice;
    int rank, direction; /**< of the sender */
};

/**
 * Particles that leave a rank.
 * @param peer_p    [out] receiver; unchanged if nothing leaves
 * @param region_p  [out] of the sender: axes -, -, particle, word
 * @return false: nothing leaves
 */
bool ct_flight_leaves(const struct ct_flight *flight, const struct ct_flight_way *way, int *peer_p,
                      struct ct_region *region_p);

/** Messages that reach a rank in slices first..first + n_slices - 1. */
uint64_t ct_flight_arrivals(const struct ct_flight *flight, int rank, uint64_t first,
                            uint64_t n_slices);
