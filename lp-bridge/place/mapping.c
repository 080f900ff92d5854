#include "lp-bridge/place/mapping.h"

#include "core/random.h"

#include <string.h>

void ct_mapping_block(struct ct_place_room room, uint32_t *node_of_p)
{
    for (uint32_t r = 0; r < room.n_ranks; r++)
        node_of_p[r] = r / room.ranks_per_node;
}

void ct_mapping_round_robin(struct ct_place_room room, uint32_t *node_of_p)
{
    uint32_t n_used = (room.n_ranks + room.ranks_per_node - 1) / room.ranks_per_node;
    for (uint32_t r = 0; r < room.n_ranks; r++)
        node_of_p[r] = r % n_used;
}

void ct_mapping_random(struct ct_place_room room, uint64_t *state, uint32_t *slots,
                       uint32_t *node_of_p)
{
    uint32_t n_slots = room.n_nodes * room.ranks_per_node;
    for (uint32_t s = 0; s < n_slots; s++)
        slots[s] = s;
    for (uint32_t r = 0; r < room.n_ranks && r < n_slots; r++) {
        uint32_t other = r + (uint32_t)(ct_random_next(state) % (n_slots - r));
        uint32_t taken = slots[other];
        slots[other] = slots[r];
        slots[r] = taken;
        node_of_p[r] = taken / room.ranks_per_node;
    }
}

/*
 * Node by node: c ranks of those that are left may be on it, which is a binomial coefficient. In
 * floating point, exact far beyond any limit that is of use.
 */
uint64_t ct_mapping_count(struct ct_place_room room, uint64_t limit)
{
    enum { RANKS_MAX = 20 };
    double ways[RANKS_MAX + 1] = {1}; /* to have placed so many ranks */
    uint32_t n = room.n_ranks;
    if (n > RANKS_MAX)
        return limit + 1;
    for (uint32_t node = 0; node < room.n_nodes; node++)
        for (uint32_t placed = n; placed > 0; placed--) {
            double choices = 1; /* (n - before) over c, before = placed - c */
            for (uint32_t c = 1; c <= placed && c <= room.ranks_per_node; c++) {
                uint32_t left = n - (placed - c);
                choices = 1;
                for (uint32_t i = 0; i < c; i++)
                    choices = choices * (left - i) / (i + 1);
                ways[placed] += ways[placed - c] * choices;
            }
        }
    return ways[n] > (double)limit ? limit + 1 : (uint64_t)ways[n];
}

/* The last rank that can be on a later node goes there; those after it take the first nodes. */
bool ct_mapping_next(struct ct_place_room room, uint32_t *node_of, uint32_t *used)
{
    uint32_t r = room.n_ranks;
    while (r > 0) {
        uint32_t node = node_of[--r];
        used[node]--;
        for (node++; node < room.n_nodes && used[node] == room.ranks_per_node; node++)
            ;
        if (node == room.n_nodes)
            continue;
        node_of[r] = node;
        used[node]++;
        uint32_t first = 0;
        for (r++; r < room.n_ranks; r++) {
            while (used[first] == room.ranks_per_node)
                first++;
            node_of[r] = first;
            used[first]++;
        }
        return true;
    }
    return false;
}

bool ct_mapping_is_valid(struct ct_place_room room, const uint32_t *node_of, uint32_t *used)
{
    memset(used, 0, room.n_nodes * sizeof *used);
    for (uint32_t r = 0; r < room.n_ranks; r++)
        if (node_of[r] >= room.n_nodes || ++used[node_of[r]] > room.ranks_per_node)
            return false;
    return true;
}
