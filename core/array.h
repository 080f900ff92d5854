/**
 * Arrays that grow. An array is three members of the struct that has it: a pointer, the number of
 * elements, and the room, that is the number of elements that fit. Arrays that do not grow one by
 * one have no room.
 *
 *     struct { struct item *items; size_t n, room; } list = {0};
 *     if (!CT_ARRAY_RESERVE(list.items, list.room, list.n + 1))
 *         return CT_ENOMEM;
 *     list.items[list.n++] = item;
 *     ...
 *     free(list.items);
 *
 * Arguments are evaluated more than once. Header only, since the libraries that are loaded into
 * other programs use it too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/**
 * Make room for at least `needed` elements. The room grows by half, so that each of many elements
 * added one by one is copied about twice.
 * @param array   [in,out] pointer to elements; NULL: none yet
 * @param room    [in,out] of any unsigned type
 * @param needed  [in]     count; as size_t if n + 1 could overflow a narrower type
 * @return bool; false: out of memory, or `needed` is more than memory or the type of room can hold;
 *         nothing has changed
 */
#define CT_ARRAY_RESERVE(array, room, needed)                                                      \
    ((needed) <= (room) || __extension__({                                                         \
         size_t ct_room = (room);                                                                  \
         void *ct_grown =                                                                          \
             ct_array_grow((array), &ct_room, (needed), sizeof *(array), (__typeof__(room))-1);    \
         if (ct_grown) {                                                                           \
             (array) = ct_grown;                                                                   \
             (room) = (__typeof__(room))ct_room;                                                   \
         }                                                                                         \
         ct_grown != NULL;                                                                         \
     }))

/**
 * Make room for exactly n elements, for arrays that grow rarely and do not store their room.
 * @param n  [in] count; 0: room for one
 * @return bool; false: as above
 */
#define CT_ARRAY_RESIZE(array, n)                                                                  \
    __extension__({                                                                                \
        void *ct_resized = ct_array_resize((array), (n), sizeof *(array));                         \
        if (ct_resized)                                                                            \
            (array) = ct_resized;                                                                  \
        ct_resized != NULL;                                                                        \
    })

/** realloc() of n elements; NULL: out of memory, or their size is too large for size_t. */
static inline void *ct_array_resize(void *array, size_t n, size_t item_bytes)
{
    if (n > SIZE_MAX / item_bytes)
        return NULL;
    return realloc(array, (n > 0 ? n : 1) * item_bytes);
}

/**
 * realloc() to room for `needed` elements or more, but at most `limit`. NULL: out of memory, or
 * needed > limit.
 */
static inline void *ct_array_grow(void *array, size_t *room, size_t needed, size_t item_bytes,
                                  size_t limit)
{
    if (needed > limit)
        return NULL;
    size_t more = *room / 2 + 8;
    size_t larger = more < limit - *room ? *room + more : limit;
    if (larger < needed)
        larger = needed;
    void *grown = ct_array_resize(array, larger, item_bytes);
    if (grown)
        *room = larger;
    return grown;
}
