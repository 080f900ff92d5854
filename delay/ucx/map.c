#include "delay/ucx/map.h"

#include "core/random.h"

#include <stdlib.h>

static size_t place(const struct ct_map *map, uintptr_t key)
{
    return (size_t)ct_random_mix(key) & (map->room - 1);
}

/* Where the key is, or the free entry where it would be. There is always one. */
static struct ct_map_entry *find(const struct ct_map *map, uintptr_t key)
{
    size_t at = place(map, key);
    while (map->entries[at].key != 0 && map->entries[at].key != key)
        at = (at + 1) & (map->room - 1);
    return &map->entries[at];
}

static bool grow(struct ct_map *map)
{
    size_t room = map->room > 0 ? 2 * map->room : 64;
    struct ct_map larger = {calloc(room, sizeof *larger.entries), map->n, room};
    if (!larger.entries)
        return false;
    for (size_t i = 0; i < map->room; i++)
        if (map->entries[i].key != 0)
            *find(&larger, map->entries[i].key) = map->entries[i];
    free(map->entries);
    *map = larger;
    return true;
}

bool ct_map_set(struct ct_map *map, uintptr_t key, void *first, void *second)
{
    if (2 * (map->n + 1) > map->room && !grow(map))
        return false;
    struct ct_map_entry *entry = find(map, key);
    map->n += entry->key == 0;
    *entry = (struct ct_map_entry){key, first, second};
    return true;
}

struct ct_map_entry *ct_map_get(const struct ct_map *map, uintptr_t key)
{
    if (map->room == 0)
        return NULL;
    struct ct_map_entry *entry = find(map, key);
    return entry->key != 0 ? entry : NULL;
}

void ct_map_remove(struct ct_map *map, struct ct_map_entry *entry)
{
    size_t hole = (size_t)(entry - map->entries), at = hole;
    map->n--;
    for (;;) { /* what was put further on because of this entry moves up */
        at = (at + 1) & (map->room - 1);
        if (map->entries[at].key == 0)
            break;
        size_t wanted = place(map, map->entries[at].key);
        if (((at - wanted) & (map->room - 1)) >= ((at - hole) & (map->room - 1))) {
            map->entries[hole] = map->entries[at];
            hole = at;
        }
    }
    map->entries[hole] = (struct ct_map_entry){0};
}
