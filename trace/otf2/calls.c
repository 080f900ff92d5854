#include "trace/otf2/calls.h"

#include "core/array.h"
#include "trace/otf2/call_attributes.h"
#include "trace/otf2/event_list.h"
#include "trace/unmodelled.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum ct_status ct_otf2_calls_begin(struct ct_otf2_calls *calls, uint32_t rank, bool scanning)
{
    uint32_t n_threads = ct_otf2_n_threads(calls->all, rank);
    if (!CT_ARRAY_RESIZE(calls->threads, n_threads))
        return ct_otf2_no_memory(calls);
    memset(calls->threads, 0, n_threads * sizeof *calls->threads);
    calls->n_threads = n_threads;
    calls->thread = calls->next_thread = 0;
    calls->rank = rank;
    calls->scanning = scanning;
    calls->found.n_events = calls->found.next_event = calls->found.n_values = 0;
    calls->found.n_before = 0;
    if (scanning)
        calls->posts.n_posted = 0;
    calls->posts.next_posted = 0;
    ct_map_free(&calls->requests.of_id);
    calls->requests.of_id = (struct ct_map){0};
    calls->requests.n_under_way = calls->requests.n_unused = 0;
    calls->open.region = NULL;
    calls->open.depth = 0;
    calls->open.n_completions = 0;
    calls->open.has_list = calls->open.has_extra = calls->open.has_rma = calls->open.tells_after =
        false;
    calls->begun = calls->ended = false;
    calls->collective_start_ns = 0;
    calls->pause.is_off = calls->pause.was_off = calls->pause.flushes =
        calls->requests.has_completions = false;
    calls->open.has_records = false;
    calls->pause.lost_leaves = 0;
    calls->status = CT_OK;
    return CT_OK;
}

void ct_otf2_calls_free(struct ct_otf2_calls *calls)
{
    free(calls->found.events);
    free(calls->found.values);
    free(calls->posts.posted);
    free(calls->requests.under_way);
    free(calls->requests.unused);
    free(calls->open.completions);
    free(calls->open.list);
    free(calls->threads);
    ct_map_free(&calls->requests.of_id);
    *calls = (struct ct_otf2_calls){0};
}

static enum ct_status add_wait(struct ct_otf2_calls *calls, bool tests, uint64_t start_ns,
                               uint64_t end_ns, uint64_t position)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < calls->open.n_completions && status == CT_OK; i++)
        status = ct_otf2_add_value(calls, calls->open.completions[i]);
    if (status == CT_OK)
        status =
            ct_otf2_add_event(calls,
                              (struct ct_trace_event){.kind = tests ? CT_TRACE_TEST : CT_TRACE_WAIT,
                                                      .start_ns = start_ns,
                                                      .end_ns = end_ns,
                                                      .n_values = calls->open.n_completions},
                              position);
    calls->open.n_completions = 0;
    return status;
}

/* The two messages of a sendrecv are one event. */
static void join_sendrecv(struct ct_otf2_calls *calls)
{
    if (calls->found.n_events - calls->open.first_of_call != 2 ||
        strncasecmp(calls->open.region->name, "MPI_Sendrecv", strlen("MPI_Sendrecv")) != 0)
        return;
    struct ct_trace_event *one = &calls->found.events[calls->open.first_of_call].event;
    const struct ct_trace_event *other = &calls->found.events[calls->open.first_of_call + 1].event;
    if (!((one->kind == CT_TRACE_SEND && other->kind == CT_TRACE_RECEIVE) ||
          (one->kind == CT_TRACE_RECEIVE && other->kind == CT_TRACE_SEND)) ||
        one->comm != other->comm || one->request != 0 || other->request != 0)
        return;
    if (one->kind == CT_TRACE_SEND)
        one->from = other->from;
    else
        one->to = other->to;
    one->kind = CT_TRACE_SENDRECV;
    calls->found.n_events--;
}

static void set_unmodelled(struct ct_trace_event *event, const char *text)
{
    event->kind = CT_TRACE_UNMODELLED;
    event->text = text;
    event->n_text = strnlen(text, CT_TRACE_TEXT_MAX);
}

/* A call without events, by its name. Of those that take time in MPI, and no more is known of, a
 * test that found nothing stands. */
static enum ct_status add_empty_call(struct ct_otf2_calls *calls, enum ct_otf2_call call,
                                     uint64_t end_ns, uint64_t position)
{
    struct ct_trace_event event = {.start_ns = calls->open.start_ns, .end_ns = end_ns};
    if (calls->open.made)
        return ct_otf2_add_comm(calls, calls->open.made, calls->open.start_ns, end_ns, position);
    switch (call) {
    case CT_OTF2_INIT:
        event.kind = CT_TRACE_BEGIN;
        break;
    case CT_OTF2_FINALIZE:
        event.kind = CT_TRACE_END;
        calls->ended = true;
        break;
    case CT_OTF2_WITHOUT_MODEL:
    case CT_OTF2_NEIGHBOR:
        set_unmodelled(&event, calls->open.region->name);
        break;
    case CT_OTF2_WAIT:
        event.kind = CT_TRACE_WAIT;
        break;
    case CT_OTF2_TEST:
    case CT_OTF2_PROBE:
    case CT_OTF2_COMM:
        event.kind = CT_TRACE_TEST;
        break;
    case CT_OTF2_MPI:
        if (calls->open.region->communicates && !calls->open.has_records)
            set_unmodelled(&event, calls->open.region->name);
        else if (calls->open.region->communicates) /* with MPI_PROC_NULL */
            event.kind = CT_TRACE_TEST;
        break;
    default:
        break;
    }
    if (calls->open.has_extra) {
        event = calls->open.extra;
        event.start_ns = calls->open.start_ns;
        event.end_ns = end_ns;
    }
    if (event.kind == CT_TRACE_WINDOW_FLUSH || event.kind == CT_TRACE_STAGES)
        for (; event.n_values < calls->open.n_list; event.n_values++)
            if (ct_otf2_add_value(calls, calls->open.list[event.n_values]) != CT_OK)
                return CT_ENOMEM;
    return event.kind != CT_TRACE_NONE ? ct_otf2_add_event(calls, event, position) : CT_OK;
}

/* Persistent requests that a call starts know of each other. */
static void join_starts(struct ct_otf2_calls *calls)
{
    uint32_t starts = 0, start = 0;
    for (size_t i = calls->open.first_of_call; i < calls->found.n_events; i++)
        starts += calls->found.events[i].event.starts > 0;
    for (size_t i = calls->open.first_of_call; i < calls->found.n_events; i++) {
        struct ct_trace_event *event = &calls->found.events[i].event;
        if (event->starts == 0)
            continue;
        event->starts = starts;
        event->start = start++;
    }
}

/* Events of the records in a call share its time: the first has all of it. */
static enum ct_status close_call(struct ct_otf2_calls *calls, uint64_t end_ns, uint64_t position)
{
    enum ct_otf2_call call = calls->open.region->call;
    enum ct_status status = CT_OK;
    if (calls->open.has_rma)
        call = CT_OTF2_WITHOUT_MODEL;
    join_sendrecv(calls);
    join_starts(calls);
    for (size_t i = calls->open.first_of_call; i < calls->found.n_events; i++) {
        calls->found.events[i].event.start_ns =
            i == calls->open.first_of_call ? calls->open.start_ns : end_ns;
        calls->found.events[i].event.end_ns = end_ns;
    }
    bool empty = calls->found.n_events == calls->open.first_of_call;
    if (calls->open.n_completions > 0)
        status = add_wait(calls, call == CT_OTF2_TEST, empty ? calls->open.start_ns : end_ns,
                          end_ns, position);
    else if (empty)
        status = add_empty_call(calls, call, end_ns, position);
    calls->open.region = NULL;
    calls->open.tells_after = false;
    return status;
}

enum ct_status ct_otf2_calls_enter(struct ct_otf2_calls *calls, OTF2_RegionRef ref, uint64_t at_ns,
                                   const OTF2_AttributeList *attributes)
{
    const struct ct_otf2_region *region = ct_otf2_find_region(calls->all, ref);
    if (!region || region->call == CT_OTF2_NO_MPI || calls->open.depth++ > 0)
        return CT_OK;
    calls->open.region = region;
    calls->open.start_ns = at_ns;
    calls->open.first_of_call = calls->found.n_events;
    calls->open.has_rma = calls->open.has_records = false;
    return ct_otf2_take_attributes(calls, attributes);
}

enum ct_status ct_otf2_calls_leave(struct ct_otf2_calls *calls, OTF2_RegionRef ref, uint64_t at_ns,
                                   uint64_t position)
{
    const struct ct_otf2_region *region = ct_otf2_find_region(calls->all, ref);
    if (!region || region->call == CT_OTF2_NO_MPI)
        return CT_OK;
    if (calls->open.depth == 0 && calls->pause.lost_leaves > 0) {
        calls->pause.lost_leaves--;
        return CT_OK;
    }
    if (calls->open.depth == 0)
        return ct_fail(calls->err, CT_EFORMAT, "%s is left, which was not entered", region->name);
    return --calls->open.depth > 0 ? CT_OK : close_call(calls, at_ns, position);
}

enum ct_status ct_otf2_calls_add(struct ct_otf2_calls *calls, struct ct_trace_event event,
                                 uint64_t at_ns, uint64_t position)
{
    event.start_ns = event.end_ns = at_ns;
    return ct_otf2_add_event(calls, event, position);
}

enum ct_status ct_otf2_calls_complete(struct ct_otf2_calls *calls, uint64_t at_ns,
                                      uint64_t position)
{
    return calls->open.region || calls->open.n_completions == 0
               ? CT_OK
               : add_wait(calls, false, at_ns, at_ns, position);
}

enum ct_status ct_otf2_calls_end_program(struct ct_otf2_calls *calls, uint64_t at_ns,
                                         uint64_t position)
{
    calls->ended = true;
    CT_TRY(ct_otf2_begin_events(calls, at_ns, position));
    return ct_otf2_calls_add(calls, (struct ct_trace_event){.kind = CT_TRACE_END}, at_ns, position);
}

/* ---- what is no compute ---- */

static enum ct_status add_part(struct ct_otf2_calls *calls, const char *text, uint64_t start_ns,
                               uint64_t end_ns, uint64_t position)
{
    struct ct_trace_event event = {.start_ns = start_ns, .end_ns = end_ns};
    set_unmodelled(&event, text);
    return ct_otf2_add_event(calls, event, position);
}

enum ct_status ct_otf2_calls_turn_off(struct ct_otf2_calls *calls, uint64_t at_ns,
                                      uint64_t position)
{
    enum ct_status status = CT_OK;
    if (calls->pause.is_off)
        return CT_OK;
    calls->pause.is_off = calls->pause.was_off = true;
    calls->pause.off_ns = at_ns;
    if (calls->open.region) {
        status = close_call(calls, at_ns, position);
        calls->pause.lost_leaves = calls->open.depth;
        calls->open.depth = 0;
    }
    return status;
}

enum ct_status ct_otf2_calls_turn_on(struct ct_otf2_calls *calls, uint64_t at_ns, uint64_t position)
{
    if (!calls->pause.is_off)
        return CT_OK;
    calls->pause.is_off = false;
    return add_part(calls, CT_TRACE_NOT_RECORDED, calls->pause.off_ns, at_ns, position);
}

void ct_otf2_calls_flush(struct ct_otf2_calls *calls, uint64_t at_ns, uint64_t end_ns)
{
    calls->pause.flushes = end_ns > at_ns;
    calls->pause.flush_ns = at_ns;
    calls->pause.flush_end_ns = end_ns;
}

/* The library gives it the time of the record that found the buffer full, which comes behind it:
 * the time until the next one is that of the call that is open by then, if there is one. Time in
 * calls is not used. */
enum ct_status ct_otf2_calls_end_flush(struct ct_otf2_calls *calls, uint64_t at_ns,
                                       uint64_t position)
{
    if (!calls->pause.flushes || at_ns <= calls->pause.flush_ns)
        return CT_OK;
    calls->pause.flushes = false;
    if (calls->open.region || calls->pause.is_off)
        return CT_OK;
    uint64_t end_ns = calls->pause.flush_end_ns < at_ns ? calls->pause.flush_end_ns : at_ns;
    return add_part(calls, CT_TRACE_FLUSH, calls->pause.flush_ns, end_ns, position);
}

enum ct_status ct_otf2_calls_end(struct ct_otf2_calls *calls, uint64_t position)
{
    uint64_t at_ns =
        calls->found.n_events > 0 ? calls->found.events[calls->found.n_events - 1].event.end_ns : 0;
    if (calls->ended)
        return CT_OK;
    if (calls->pause.is_off) {
        CT_TRY(add_part(calls, CT_TRACE_END_NOT_RECORDED, calls->pause.off_ns, calls->pause.off_ns,
                        position));
        return ct_otf2_calls_end_program(calls, calls->pause.off_ns, position);
    }
    /* Some writers end within MPI_Finalize. */
    if (calls->open.region && calls->open.region->call == CT_OTF2_FINALIZE)
        return ct_otf2_calls_end_program(calls, calls->open.start_ns, position);
    return calls->all->has_finalize ? CT_OK : ct_otf2_calls_end_program(calls, at_ns, position);
}
