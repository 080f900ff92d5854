/**
 * Queue of items in the order in which they are due; items that are due at the same time are in the
 * order in which they were added. A binary heap.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_due_item {
    int64_t due_ns; /**< on the caller's clock */
    uint64_t order; /**< number of its addition */
    int kind;       /**< the caller's */
    void *what;     /**< the caller's */
};

/** Begins as {0}; ends with free(items). */
struct ct_due {
    struct ct_due_item *items;
    size_t n, room;
    uint64_t added;
};

/** @return false: out of memory; nothing has changed */
bool ct_due_add(struct ct_due *due, int64_t due_ns, int kind, void *what);

/** The time of the first one; INT64_MAX: there is none. */
static inline int64_t ct_due_first_ns(const struct ct_due *due)
{
    return due->n > 0 ? due->items[0].due_ns : INT64_MAX;
}

/**
 * Remove the first item if it is due.
 * @param item_p  [out] unchanged if false is returned
 */
bool ct_due_take(struct ct_due *due, int64_t now_ns, struct ct_due_item *item_p);
