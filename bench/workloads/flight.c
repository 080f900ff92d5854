#include "bench/workloads/flight.h"

#include "core/random.h"

/* Every bit in changes every bit out. */
static uint64_t scatter_bits(uint64_t x)
{
    return ct_random_at(x, 0);
}

/* 0 where nothing leaves. The remainder's bias is below max_particles / 2^32. */
static size_t count_particles(const struct ct_flight *flight, const struct ct_flight_way *way)
{
    uint64_t way_number = (uint64_t)way->rank * CT_FLIGHT_DIRECTIONS + (uint64_t)way->direction;
    uint64_t draw =
        scatter_bits(scatter_bits(scatter_bits(flight->seed) ^ way->slice) ^ way_number);
    if (draw % CT_FLIGHT_RARITY)
        return 0;
    return 1 + (size_t)(draw >> 32) % flight->max_particles;
}

bool ct_flight_leaves(const struct ct_flight *flight, const struct ct_flight_way *way, int *peer_p,
                      struct ct_region *region_p)
{
    size_t n = count_particles(flight, way);
    if (n == 0 || !ct_grid_neighbour(&flight->grid, way->rank, way->direction / 2,
                                     way->direction % 2 ? -1 : 1, peer_p))
        return false;
    uint64_t way_number = (uint64_t)way->rank * CT_FLIGHT_DIRECTIONS + (uint64_t)way->direction;
    *region_p =
        (struct ct_region){.origin = way_number * flight->max_particles * CT_FLIGHT_PARTICLE_WORDS,
                           .extent = {1, 1, n, CT_FLIGHT_PARTICLE_WORDS},
                           .stride = {0, 0, CT_FLIGHT_PARTICLE_WORDS, 1}};
    return true;
}

uint64_t ct_flight_arrivals(const struct ct_flight *flight, int rank, uint64_t first,
                            uint64_t n_slices)
{
    uint64_t n = 0;
    for (int direction = 0; direction < CT_FLIGHT_DIRECTIONS; direction++) {
        struct ct_flight_way way = {.direction = direction ^ 1};
        if (!ct_grid_neighbour(&flight->grid, rank, direction / 2, direction % 2 ? -1 : 1,
                               &way.rank))
            continue;
        for (way.slice = first; way.slice < first + n_slices; way.slice++)
            n += count_particles(flight, &way) > 0;
    }
    return n;
}
