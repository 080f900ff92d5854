#include "lp-bridge/trace/pmpi/handle_map.h"

#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 64 };

/* Handles are small numbers or addresses: neighbours must not fall together (Fibonacci hashing). */
static size_t home_of(const struct ct_handle_map *map, uint64_t handle)
{
    return (size_t)(handle * 0x9e3779b97f4a7c15U >> 32) & (map->room - 1);
}

static size_t next(const struct ct_handle_map *map, size_t i)
{
    return (i + 1) & (map->room - 1);
}

/* Of several pairs with one handle the last one counts, so that requests that share a handle are
 * found without passing those before; which of them is taken makes no difference. */
uint32_t ct_handle_map_find(const struct ct_handle_map *map, uint64_t handle)
{
    size_t at = 0;
    return ct_handle_map_next(map, handle, &at);
}

/* *at_p: slots behind the first one where the handle may be. */
uint32_t ct_handle_map_next(const struct ct_handle_map *map, uint64_t handle, size_t *at_p)
{
    if (map->n == 0)
        return 0;
    for (;;) {
        size_t i = (home_of(map, handle) + (*at_p)++) & (map->room - 1);
        if (map->slots[i].number == 0 || map->slots[i].handle == handle)
            return map->slots[i].number;
    }
}

static void insert(struct ct_handle_map *map, struct ct_handle_slot new)
{
    size_t i = home_of(map, new.handle);
    for (; map->slots[i].number != 0; i = next(map, i)) {
        if (map->slots[i].handle != new.handle)
            continue;
        struct ct_handle_slot older = map->slots[i];
        map->slots[i] = new;
        new = older;
    }
    map->slots[i] = new;
    map->n++;
}

static bool grow(struct ct_handle_map *map)
{
    struct ct_handle_map larger = {.room = map->room ? 2 * map->room : SMALLEST};
    larger.slots = calloc(larger.room, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < map->room; i++)
        if (map->slots[i].number != 0)
            insert(&larger, map->slots[i]);
    free(map->slots);
    *map = larger;
    return true;
}

bool ct_handle_map_add(struct ct_handle_map *map, uint64_t handle, uint32_t number)
{
    if (2 * (map->n + 1) > map->room && !grow(map))
        return false;
    insert(map, (struct ct_handle_slot){handle, number});
    return true;
}

void ct_handle_map_remove(struct ct_handle_map *map, uint64_t handle, uint32_t number)
{
    if (map->n == 0)
        return;
    size_t gap = home_of(map, handle);
    while (map->slots[gap].number != 0 &&
           (map->slots[gap].handle != handle || map->slots[gap].number != number))
        gap = next(map, gap);
    if (map->slots[gap].number == 0)
        return;
    map->n--;
    /* Whatever was pushed past the gap moves up, so that no search ends too early. */
    for (size_t i = next(map, gap); map->slots[i].number != 0; i = next(map, i)) {
        size_t home = home_of(map, map->slots[i].handle);
        size_t from_home = (i - home) & (map->room - 1), from_gap = (i - gap) & (map->room - 1);
        if (from_home < from_gap)
            continue;
        map->slots[gap] = map->slots[i];
        gap = i;
    }
    map->slots[gap].number = 0;
}

bool ct_handle_map_copy(const struct ct_handle_map *from, struct ct_handle_map *to)
{
    ct_handle_map_free(to);
    if (from->n == 0)
        return true;
    to->slots = malloc(from->room * sizeof *to->slots);
    if (!to->slots)
        return false;
    memcpy(to->slots, from->slots, from->room * sizeof *to->slots);
    to->room = from->room;
    to->n = from->n;
    return true;
}

void ct_handle_map_free(struct ct_handle_map *map)
{
    free(map->slots);
    *map = (struct ct_handle_map){0};
}
