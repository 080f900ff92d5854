/** A hash table from pointers to pairs of pointers. */
#ifndef CT_DELAY_UCX_MAP_H
#define CT_DELAY_UCX_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_map_entry {
    uintptr_t key; /**< 0: free */
    void *first, *second;
};

/** Begins as {0}; ends with free(entries). */
struct ct_map {
    struct ct_map_entry *entries;
    size_t n, room; /**< room: a power of two, or 0 */
};

/** Add or replace. @param key  [in] not 0 @return false: out of memory */
bool ct_map_set(struct ct_map *map, uintptr_t key, void *first, void *second);
/** NULL: it has none. Valid until the map is changed. */
struct ct_map_entry *ct_map_get(const struct ct_map *map, uintptr_t key);
/** Remove what ct_map_get() has found. */
void ct_map_remove(struct ct_map *map, struct ct_map_entry *entry);

#endif
