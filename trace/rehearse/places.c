#include "trace/rehearse/places.h"

#include "core/array.h"

#include <stdlib.h>

void ct_places_free(struct ct_places *places)
{
    ct_map_free(&places->numbers);
    free(places->places);
    free(places->free);
    free(places->values);
    *places = (struct ct_places){0};
}

void ct_places_restart(struct ct_places *places)
{
    ct_map_free(&places->numbers);
    places->n = places->n_free = 0;
}

/* The one that was free last of those that are free for all threads. */
static bool take_place(struct ct_places *places, uint64_t after, uint32_t *place_p)
{
    for (uint32_t i = places->n_free; i-- > 0;) {
        *place_p = places->free[i];
        if (places->places[*place_p].free_from > after)
            continue;
        for (places->n_free--; i < places->n_free; i++)
            places->free[i] = places->free[i + 1];
        return true;
    }
    *place_p = places->n;
    if (!CT_ARRAY_RESERVE(places->places, places->room, (size_t)places->n + 1) ||
        !CT_ARRAY_RESERVE(places->free, places->room_free, (size_t)places->n + 1))
        return false;
    places->n++;
    return true;
}

static void give_place(struct ct_places *places, uint32_t request, uint64_t index)
{
    uint32_t found = ct_map_find(&places->numbers, request);
    if (found == 0)
        return;
    ct_map_remove(&places->numbers, request, found);
    places->places[found - 1].free_from = index + 1;
    places->free[places->n_free++] = found - 1;
}

static bool is_persistent(const struct ct_places *places, uint32_t request)
{
    uint32_t found = ct_map_find(&places->numbers, request);
    return found != 0 && places->places[found - 1].persistent;
}

static bool begins_request(const struct ct_trace_event *event)
{
    return ct_trace_kind_fields(event->kind) & CT_TRACE_REQUEST && event->request != 0 &&
           event->starts == 0 && event->kind != CT_TRACE_CANCEL && event->kind != CT_TRACE_FREE;
}

bool ct_places_pass(struct ct_places *places, const struct ct_trace_event *event, uint64_t index)
{
    struct ct_trace_completion completion;
    uint32_t place = 0;
    if (event->kind == CT_TRACE_FREE)
        give_place(places, event->request, index);
    if (event->kind == CT_TRACE_WAIT || event->kind == CT_TRACE_TEST)
        for (size_t at = 0; ct_trace_completion_next(event, &at, &completion);)
            if (!is_persistent(places, completion.request))
                give_place(places, completion.request, index);
    if (!begins_request(event) || ct_map_find(&places->numbers, event->request) != 0)
        return true;
    if (!take_place(places, event->after, &place))
        return false;
    places->places[place] = (struct ct_place){.persistent = event->kind == CT_TRACE_SEND_INIT ||
                                                            event->kind == CT_TRACE_RECEIVE_INIT};
    return ct_map_add(&places->numbers, event->request, place + 1);
}

static uint32_t number_of(const struct ct_places *places, uint32_t request)
{
    uint32_t found = ct_map_find(&places->numbers, request);
    return found != 0 ? found : UINT32_MAX;
}

/* What an event completes. A damaged rest of the list stays as it is. */
static bool translate_values(struct ct_places *places, struct ct_trace_event *event)
{
    struct ct_trace_completion completion;
    size_t n = 0, at = 0;
    if (!CT_ARRAY_RESERVE(places->values, places->room_values, event->n_values + 1))
        return false;
    while (ct_trace_completion_next(event, &at, &completion)) {
        completion.request = number_of(places, completion.request);
        n = ct_trace_completion_put(&completion, places->values, n);
    }
    for (; at < event->n_values; at++)
        places->values[n++] = event->values[at];
    event->values = places->values;
    event->n_values = n;
    return true;
}

bool ct_places_translate(struct ct_places *places, struct ct_trace_event *event, uint64_t index)
{
    struct ct_trace_event translated = *event;
    bool is_new = begins_request(event);
    if (is_new && !ct_places_pass(places, event, index))
        return false;
    if (ct_trace_kind_fields(event->kind) & CT_TRACE_REQUEST && event->request != 0)
        translated.request = number_of(places, event->request);
    if ((event->kind == CT_TRACE_WAIT || event->kind == CT_TRACE_TEST) &&
        !translate_values(places, &translated))
        return false;
    if (!is_new && !ct_places_pass(places, event, index))
        return false;
    *event = translated;
    return true;
}
