#include "trace/rehearse/script.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

static void restart_script(struct ct_script *script, struct ct_events_place place)
{
    script->ahead = place;
    script->ahead_ends = false;
    script->first = script->n = 0;
    script->dropped = 0;
    ct_map_free(&script->posted);
    ct_places_restart(&script->places);
}

void ct_script_open(const struct ct_events *events, uint32_t rank, struct ct_script *script_p)
{
    *script_p = (struct ct_script){.events = events, .rank = rank};
    script_p->start = events->tell(events->context, rank);
    restart_script(script_p, script_p->start);
}

enum ct_status ct_script_open_thread(const struct ct_events *events, uint32_t rank, uint32_t thread,
                                     struct ct_script *script_p, struct ct_error *err)
{
    *script_p = (struct ct_script){.rank = rank};
    struct ct_events *own = calloc(1, sizeof *own);
    if (!own)
        return ct_no_memory(err, "traces");
    enum ct_status status = events->again(events->context, rank, own, err);
    if (status != CT_OK) {
        free(own);
        return status;
    }
    ct_script_open(own, rank, script_p);
    script_p->own = own;
    script_p->is_of_thread = true;
    script_p->thread = thread;
    return CT_OK;
}

void ct_script_free(struct ct_script *script)
{
    ct_map_free(&script->posted);
    ct_places_free(&script->places);
    free(script->outcomes);
    script->outcomes = NULL;
    if (script->own)
        script->own->close(script->own->context);
    free(script->own);
    script->own = NULL;
}

enum ct_status ct_script_count_threads(const struct ct_events *events, uint32_t rank, uint32_t *n_p,
                                       struct ct_error *err)
{
    struct ct_trace_event event;
    uint64_t position;
    uint32_t n = 1;
    struct ct_events_place here = events->tell(events->context, rank);
    enum ct_status status = CT_OK;
    while (events->has_threads &&
           (status = events->next(events->context, rank, &event, &position, err)) == CT_OK &&
           event.kind != CT_TRACE_NONE)
        n = event.thread < n ? n : event.thread + 1;
    events->seek(events->context, rank, here);
    if (status == CT_OK && n > CT_SCRIPT_THREADS_MAX)
        return ct_fail(err, CT_EUNSUPPORTED, "rank %u: %u threads call MPI; a replay takes %d",
                       rank, n, CT_SCRIPT_THREADS_MAX);
    if (status == CT_OK)
        *n_p = n;
    return status;
}

struct ct_events_place ct_script_tell(const struct ct_script *script)
{
    return script->events->tell(script->events->context, script->rank);
}

void ct_script_seek(struct ct_script *script, struct ct_events_place place)
{
    script->events->seek(script->events->context, script->rank, place);
    restart_script(script, place);
}

/* ---- reading ahead ---- */

static struct ct_outcome *find_posted(struct ct_script *script, uint32_t request)
{
    uint32_t found = ct_map_find(&script->posted, request);
    if (found == 0 || found - 1 < script->dropped)
        return NULL;
    size_t i = script->first + (found - 1 - script->dropped);
    return i < script->n ? &script->outcomes[i] : NULL;
}

/* A number that is used again stands for nothing before. */
static void forget_request(struct ct_script *script, uint32_t request)
{
    struct ct_outcome *outcome = find_posted(script, request);
    uint32_t found = ct_map_find(&script->posted, request);
    if (outcome)
        outcome->known = true;
    if (found != 0)
        ct_map_remove(&script->posted, request, found);
}

static enum ct_status add_posted(struct ct_script *script, uint32_t request, struct ct_error *err)
{
    if (script->first > 0 && script->n == script->room) {
        memmove(script->outcomes, script->outcomes + script->first,
                (script->n - script->first) * sizeof *script->outcomes);
        script->n -= script->first;
        script->first = 0;
    }
    if (!CT_ARRAY_RESERVE(script->outcomes, script->room, script->n + 1))
        return ct_no_memory(err, "traces");
    script->outcomes[script->n++] = (struct ct_outcome){0};
    uint32_t number = script->dropped + (uint32_t)(script->n - script->first);
    return ct_map_add(&script->posted, request, number) ? CT_OK : ct_no_memory(err, "traces");
}

static bool is_own(const struct ct_script *script, const struct ct_trace_event *event)
{
    return !script->is_of_thread || event->thread == script->thread;
}

static enum ct_status look_at(struct ct_script *script, const struct ct_trace_event *event,
                              struct ct_error *err)
{
    struct ct_trace_completion completion;
    if (event->kind == CT_TRACE_WAIT || event->kind == CT_TRACE_TEST) {
        for (size_t at = 0; ct_trace_completion_next(event, &at, &completion);) {
            struct ct_outcome *outcome = find_posted(script, completion.request);
            if (outcome && completion.received)
                *outcome = (struct ct_outcome){
                    .arrives = true, .message = completion.from, .cut = completion.cut};
            forget_request(script, completion.request);
        }
        return CT_OK;
    }
    if (!(ct_trace_kind_fields(event->kind) & CT_TRACE_REQUEST) || event->request == 0 ||
        event->kind == CT_TRACE_CANCEL)
        return CT_OK;
    struct ct_outcome *outcome = find_posted(script, event->request);
    if (outcome && event->kind == CT_TRACE_FREE)
        outcome->freed = true;
    forget_request(script, event->request);
    return event->kind == CT_TRACE_RECEIVE && is_own(script, event)
               ? add_posted(script, event->request, err)
               : CT_OK;
}

/* Read on until it is known what becomes of the oldest receive. */
static enum ct_status read_ahead(struct ct_script *script, struct ct_error *err)
{
    const struct ct_events *events = script->events;
    struct ct_events_place here = ct_script_tell(script);
    enum ct_status status = CT_OK;
    events->seek(events->context, script->rank, script->ahead);
    while (status == CT_OK && !script->ahead_ends &&
           (script->first == script->n || !script->outcomes[script->first].known)) {
        struct ct_trace_event event;
        uint64_t position;
        status = events->next(events->context, script->rank, &event, &position, err);
        if (status != CT_OK)
            break;
        script->ahead_ends = event.kind == CT_TRACE_NONE || event.kind == CT_TRACE_END;
        status = look_at(script, &event, err);
    }
    script->ahead = ct_script_tell(script);
    events->seek(events->context, script->rank, here);
    return status;
}

static enum ct_status next_outcome(struct ct_script *script, struct ct_outcome *outcome_p,
                                   struct ct_error *err)
{
    CT_TRY(read_ahead(script, err));
    if (script->first < script->n) {
        *outcome_p = script->outcomes[script->first++];
        script->dropped++;
    }
    return CT_OK;
}

/* Those of other threads are passed. */
static enum ct_status next_of_thread(struct ct_script *script, struct ct_trace_event *event_p,
                                     struct ct_error *err)
{
    const struct ct_events *events = script->events;
    for (;;) {
        enum ct_status status =
            events->next(events->context, script->rank, event_p, &script->position, err);
        if (status != CT_OK || event_p->kind == CT_TRACE_NONE)
            return status;
        uint64_t index = script->position - 1;
        bool own = is_own(script, event_p);
        if (own ? !ct_places_translate(&script->places, event_p, index)
                : !ct_places_pass(&script->places, event_p, index))
            return ct_no_memory(err, "traces");
        if (own)
            return CT_OK;
    }
}

enum ct_status ct_script_next(struct ct_script *script, struct ct_trace_event *event_p,
                              struct ct_outcome *outcome_p, struct ct_error *err)
{
    const struct ct_events *events = script->events;
    *outcome_p = (struct ct_outcome){0};
    CT_TRY(script->is_of_thread
               ? next_of_thread(script, event_p, err)
               : events->next(events->context, script->rank, event_p, &script->position, err));
    if (event_p->kind == CT_TRACE_RECEIVE && event_p->request != 0)
        CT_TRY(next_outcome(script, outcome_p, err));
    return CT_OK;
}
