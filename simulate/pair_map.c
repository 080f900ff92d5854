#include "simulate/pair_map.h"

#include "core/random.h"

#include <stdlib.h>

/* A pair, or a free place. */
struct ct_pair_entry {
    uint32_t from, to;
    uint32_t number; /* + 1; 0: free */
};

/* Where a pair is looked for first. */
static size_t home_of(const struct ct_pair_map *map, uint32_t from, uint32_t to)
{
    return (size_t)ct_random_mix((uint64_t)from << 32 | to) & (map->size - 1);
}

/* Where a pair is, or would be. */
static struct ct_pair_entry *place_of(const struct ct_pair_map *map, uint32_t from, uint32_t to)
{
    size_t at = home_of(map, from, to);
    struct ct_pair_entry *entry = &map->entries[at];
    while (entry->number != 0 && (entry->from != from || entry->to != to)) {
        at = (at + 1) & (map->size - 1);
        entry = &map->entries[at];
    }
    return entry;
}

/* At most three quarters of the places are in use. */
static bool grow(struct ct_pair_map *map)
{
    struct ct_pair_map larger = {.size = map->size > 0 ? 2 * map->size : 64, .n = map->n};
    larger.entries = calloc(larger.size, sizeof *larger.entries);
    if (!larger.entries)
        return false;
    for (size_t i = 0; i < map->size; i++)
        if (map->entries[i].number != 0)
            *place_of(&larger, map->entries[i].from, map->entries[i].to) = map->entries[i];
    free(map->entries);
    *map = larger;
    return true;
}

bool ct_pair_map_find(struct ct_pair_map *map, uint32_t from, uint32_t to, uint32_t *number_p)
{
    if (4 * ((size_t)map->n + 1) > 3 * map->size && !grow(map))
        return false;
    struct ct_pair_entry *entry = place_of(map, from, to);
    if (entry->number == 0)
        *entry = (struct ct_pair_entry){from, to, ++map->n};
    *number_p = entry->number - 1;
    return true;
}

void ct_pair_map_free(struct ct_pair_map *map)
{
    free(map->entries);
    *map = (struct ct_pair_map){0};
}
