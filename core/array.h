/**
 * Arrays that grow. An array is a pointer, the number of its elements, and, where it grows one by
 * one, for how many there is room; they are members of the struct they belong to.
 *
 *     struct { struct item *items; size_t n, room; } list = {0};
 *     if (!CT_ARRAY_RESERVE(list.items, list.room, list.n + 1))
 *         return CT_ENOMEM;
 *     list.items[list.n++] = item;
 *     ...
 *     free(list.items);
 *
 * Arguments are evaluated more than once. Header only: what is loaded into foreign programs uses it
 * too.
 */
#ifndef CT_CORE_ARRAY_H
#define CT_CORE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/**
 * Room for `needed` elements, at least; by half more at a time, so that elements that are added one
 * by one are copied about twice.
 * @param array   [in,out] pointer to elements; NULL: none yet
 * @param room    [in,out] of any unsigned type
 * @param needed  [in]     count; of type size_t where n + 1 of a narrower one could wrap
 * @return bool; false: out of memory, or more than fits into memory or the type of room: nothing
 * has changed
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
 * Room for exactly that many elements, for arrays that grow rarely and have no count of their room.
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

/** The array with room for `needed` elements or more, which is at most `limit`; NULL as above. */
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

#endif
