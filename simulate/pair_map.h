/** Numbers of pairs, in the order in which they are asked for first: a hash table. */
#ifndef CT_SIMULATE_PAIR_MAP_H
#define CT_SIMULATE_PAIR_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** {0} at first; ct_pair_map_free(). */
struct ct_pair_map {
    struct ct_pair_entry *entries; /**< [size], a power of 2 */
    size_t size;
    uint32_t n; /**< pairs that have a number */
};

/**
 * @param number_p  [out] 0 .. n - 1; n before the call: the pair is new
 * @return false: out of memory
 */
bool ct_pair_map_find(struct ct_pair_map *map, uint32_t from, uint32_t to, uint32_t *number_p);
void ct_pair_map_free(struct ct_pair_map *map);

#endif
