#include "trace/rehearse/slots.h"

#include "core/array.h"

#include <stdlib.h>

void ct_slots_free(struct ct_slots *slots)
{
    ct_map_free(&slots->places);
    free(slots->free);
    *slots = (struct ct_slots){0};
}

bool ct_slots_find(const struct ct_slots *slots, uint32_t request, uint32_t *place_p)
{
    uint32_t found = ct_map_find(&slots->places, request);
    *place_p = found - 1;
    return found != 0;
}

bool ct_slots_take(struct ct_slots *slots, uint32_t request, uint32_t *place_p)
{
    uint32_t place;
    if (ct_slots_find(slots, request, &place))
        ct_slots_give(slots, request, place);
    if (slots->given) {
        slots->n = request > slots->n ? request : slots->n;
        *place_p = request - 1;
        return ct_map_add(&slots->places, request, request);
    }
    bool is_new = slots->n_free == 0;
    place = is_new ? slots->n : slots->free[slots->n_free - 1];
    /* Room for all of them, so that giving one back cannot fail. */
    if ((is_new && !CT_ARRAY_RESERVE(slots->free, slots->room, (size_t)slots->n + 1)) ||
        !ct_map_add(&slots->places, request, place + 1))
        return false;
    if (is_new)
        slots->n++;
    else
        slots->n_free--;
    *place_p = place;
    return true;
}

void ct_slots_give(struct ct_slots *slots, uint32_t request, uint32_t place)
{
    ct_map_remove(&slots->places, request, place + 1);
    if (!slots->given)
        slots->free[slots->n_free++] = place;
}

bool ct_slots_copy(const struct ct_slots *from, struct ct_slots *to)
{
    if (!CT_ARRAY_RESERVE(to->free, to->room, (size_t)from->n + 1) ||
        !ct_map_copy(&from->places, &to->places))
        return false;
    for (uint32_t i = 0; i < from->n_free; i++)
        to->free[i] = from->free[i];
    to->n_free = from->n_free;
    to->n = from->n;
    return true;
}

uint32_t ct_slots_open(const struct ct_slots *slots)
{
    return (uint32_t)slots->places.n;
}
