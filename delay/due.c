#include "delay/due.h"

#include "core/array.h"

static bool is_before(const struct ct_due_item *a, const struct ct_due_item *b)
{
    return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->order < b->order;
}

bool ct_due_add(struct ct_due *due, int64_t due_ns, int kind, void *what)
{
    if (!CT_ARRAY_RESERVE(due->items, due->room, due->n + 1))
        return false;
    struct ct_due_item item = {due_ns, due->added++, kind, what};
    size_t at = due->n++;
    while (at > 0 && is_before(&item, &due->items[(at - 1) / 2])) {
        due->items[at] = due->items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    due->items[at] = item;
    return true;
}

/* The last item moves down from the top, past all that are due before it. */
static void sink_last(struct ct_due *due)
{
    struct ct_due_item item = due->items[--due->n];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= due->n)
            break;
        if (child + 1 < due->n && is_before(&due->items[child + 1], &due->items[child]))
            child++;
        if (!is_before(&due->items[child], &item))
            break;
        due->items[at] = due->items[child];
        at = child;
    }
    if (due->n > 0)
        due->items[at] = item;
}

bool ct_due_take(struct ct_due *due, int64_t now_ns, struct ct_due_item *item_p)
{
    if (ct_due_first_ns(due) > now_ns || due->n == 0)
        return false;
    *item_p = due->items[0];
    sink_last(due);
    return true;
}
