/**
 * Hash table of numbers by number: open addressing, a power of two of slots, at most half in use.
 *
 *     struct ct_map map = {0};
 *     if (!ct_map_set(&map, handle, index + 1))
 *         return CT_ENOMEM;
 *     uint64_t found = ct_map_get(&map, handle); // 0: it has none
 *     ...
 *     ct_map_free(&map);
 *
 * A key may have several values (ct_map_add()), so that a table of texts has their hashes as keys,
 * and ct_map_next() goes through those that share one. Values are not 0: indices are stored plus 1.
 * Not for keys that are chosen to collide. Header only, since the libraries that are loaded into
 * other programs use it too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ct_map_slot {
    uint64_t key;
    uint64_t value; /**< 0: free */
};

enum { CT_MAP_ROOM_MIN = 8 }; /* programs have maps for each of a million ranks */

/** {0} is empty. */
struct ct_map {
    struct ct_map_slot *slots;
    size_t room; /**< 0 or a power of 2, at least CT_MAP_ROOM_MIN */
    size_t n;    /**< values */
};

/** Two numbers of 32 bits as a key. */
static inline uint64_t ct_map_pair(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

/* Where a key is looked for first: neighbours, addresses and pairs must not fall together
 * (Fibonacci hashing: the upper bits of the product; Knuth, The Art of Computer Programming, 6.4).
 */
static inline size_t ct_map_home(const struct ct_map *map, uint64_t key)
{
    return (size_t)(key * 0x9e3779b97f4a7c15U >> (__builtin_clzll(map->room) + 1));
}

/**
 * Values of a key one by one, the one that was added last first.
 * @param at_p  [in,out] 0 at first: slots behind the home of the key that were looked at; valid as
 *                       long as the map is not changed
 * @return 0: there are no more
 */
static inline uint64_t ct_map_next(const struct ct_map *map, uint64_t key, size_t *at_p)
{
    if (map->n == 0)
        return 0;
    for (size_t home = ct_map_home(map, key);;) {
        const struct ct_map_slot *slot = &map->slots[(home + (*at_p)++) & (map->room - 1)];
        if (slot->value == 0 || slot->key == key)
            return slot->value;
    }
}

/** Value of a key, the latest if there are several; 0: none. */
static inline uint64_t ct_map_get(const struct ct_map *map, uint64_t key)
{
    size_t at = 0;
    return ct_map_next(map, key, &at);
}

/** The same, where all values are of 32 bits. */
static inline uint32_t ct_map_find(const struct ct_map *map, uint64_t key)
{
    return (uint32_t)ct_map_get(map, key);
}

/* The values that the key has already move on, so that those of a key that has many are added and
 * found without passing all of them. */
static inline void ct_map_insert(struct ct_map *map, struct ct_map_slot added)
{
    size_t i = ct_map_home(map, added.key);
    for (; map->slots[i].value != 0; i = (i + 1) & (map->room - 1)) {
        if (map->slots[i].key != added.key)
            continue;
        struct ct_map_slot older = map->slots[i];
        map->slots[i] = added;
        added = older;
    }
    map->slots[i] = added;
    map->n++;
}

/* Room for one more. */
static inline bool ct_map_reserve(struct ct_map *map)
{
    if (2 * (map->n + 1) <= map->room)
        return true;
    struct ct_map larger = {.room = map->room ? 2 * map->room : CT_MAP_ROOM_MIN};
    larger.slots = calloc(larger.room, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    /* Backwards from a free slot: of the values of a key, the earliest first. */
    size_t end = 0;
    while (map->room > 0 && map->slots[end].value != 0)
        end++;
    for (size_t k = 1; k < map->room; k++) {
        const struct ct_map_slot *slot = &map->slots[(end - k) & (map->room - 1)];
        if (slot->value != 0)
            ct_map_insert(&larger, *slot);
    }
    free(map->slots);
    *map = larger;
    return true;
}

/**
 * Add a value, beside those that the key has.
 * @param value  [in] not 0
 * @return false: out of memory
 */
static inline bool ct_map_add(struct ct_map *map, uint64_t key, uint64_t value)
{
    if (!ct_map_reserve(map))
        return false;
    ct_map_insert(map, (struct ct_map_slot){key, value});
    return true;
}

/** Remove a value of a key, if it is there. */
static inline void ct_map_remove(struct ct_map *map, uint64_t key, uint64_t value)
{
    if (map->n == 0 || value == 0)
        return;
    struct ct_map_slot *slots = map->slots;
    size_t mask = map->room - 1, gap = ct_map_home(map, key);
    while (slots[gap].value != 0 && (slots[gap].key != key || slots[gap].value != value))
        gap = (gap + 1) & mask;
    if (slots[gap].value == 0)
        return;
    map->n--;
    /* Whatever was pushed past the gap moves up, so that no search ends too early. */
    for (size_t i = (gap + 1) & mask; slots[i].value != 0; i = (i + 1) & mask) {
        if (((i - ct_map_home(map, slots[i].key)) & mask) < ((i - gap) & mask))
            continue;
        slots[gap] = slots[i];
        gap = i;
    }
    slots[gap].value = 0;
}

/** Remove the value that ct_map_get() returns. @return that value; 0: there was none */
static inline uint64_t ct_map_take(struct ct_map *map, uint64_t key)
{
    uint64_t value = ct_map_get(map, key);
    ct_map_remove(map, key, value);
    return value;
}

/** Give a key this value instead of the one that ct_map_get() returns. @return as ct_map_add() */
static inline bool ct_map_set(struct ct_map *map, uint64_t key, uint64_t value)
{
    size_t at = 0;
    if (ct_map_next(map, key, &at) == 0)
        return ct_map_add(map, key, value);
    map->slots[(ct_map_home(map, key) + at - 1) & (map->room - 1)].value = value;
    return true;
}

/**
 * Number of a key among all keys, in the order in which they are asked for first. For maps that are
 * changed by nothing else.
 * @param number_p  [out] 0 .. n - 1; n before the call: the key is new
 * @return false: out of memory
 */
static inline bool ct_map_number(struct ct_map *map, uint64_t key, uint32_t *number_p)
{
    uint32_t found = ct_map_find(map, key);
    *number_p = found ? found - 1 : (uint32_t)map->n;
    return found || ct_map_add(map, key, map->n + 1);
}

static inline void ct_map_free(struct ct_map *map)
{
    free(map->slots);
    *map = (struct ct_map){0};
}

/** Remove all. The memory is kept unless little of it was used: clearing it would take longer. */
static inline void ct_map_clear(struct ct_map *map)
{
    enum { SPARSE = 16 };
    if (map->n == 0)
        return;
    if (map->room > CT_MAP_ROOM_MIN && SPARSE * map->n < map->room) {
        ct_map_free(map);
        return;
    }
    memset(map->slots, 0, map->room * sizeof *map->slots);
    map->n = 0;
}

/** Copy all; what was in `to` is gone. @return false: out of memory, and `to` is empty */
static inline bool ct_map_copy(const struct ct_map *from, struct ct_map *to)
{
    ct_map_free(to);
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
