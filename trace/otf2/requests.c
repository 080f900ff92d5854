#include "trace/otf2/requests.h"

#include "core/array.h"
#include "trace/otf2/event_list.h"
#include "trace/unmodelled.h"

#include <inttypes.h>
#include <string.h>

/* A number is used again only by calls that began after the one that ended its request. */
static bool is_free(const struct ct_otf2_calls *calls, const struct ct_otf2_request *request)
{
    return request->by == calls->thread || !calls->tells_after || request->since <= calls->after;
}

/* The index of a request that is not used; the latest first. */
static uint32_t take_unused(struct ct_otf2_calls *calls)
{
    size_t i = calls->n_unused;
    while (i > 0 && !is_free(calls, &calls->under_way[calls->unused[i - 1]]))
        i--;
    if (i == 0)
        return (uint32_t)calls->n_under_way++;
    uint32_t index = calls->unused[i - 1];
    memmove(&calls->unused[i - 1], &calls->unused[i], (calls->n_unused - i) * sizeof index);
    calls->n_unused--;
    return index;
}

static void remove_request(struct ct_otf2_calls *calls, uint64_t id, uint32_t found)
{
    ct_map_remove(&calls->requests, id, found);
    calls->under_way[found - 1].by = calls->thread;
    calls->under_way[found - 1].since = calls->n_before + calls->n_events + 1;
    calls->unused[calls->n_unused++] = found - 1;
}

void ct_otf2_drop_request(struct ct_otf2_calls *calls, uint64_t id)
{
    uint32_t found = ct_map_find(&calls->requests, id);
    if (found != 0)
        remove_request(calls, id, found);
}

static enum ct_status fail_twice(const struct ct_otf2_calls *calls, uint64_t id)
{
    return ct_fail(calls->err, CT_EFORMAT,
                   calls->has_completions
                       ? "request %" PRIu64 " begins twice"
                       : "request %" PRIu64
                         " begins twice: the archive has no records of what completes requests, "
                         "such as MPI_ISEND_COMPLETE and MPI_IRECV in MPI_Wait, and cannot be used "
                         "without; EZTrace 2.0 leaves them out",
                   id);
}

enum ct_status ct_otf2_open_request(struct ct_otf2_calls *calls, uint64_t id, bool sends,
                                    uint32_t *number_p)
{
    if (ct_map_find(&calls->requests, id) != 0) {
        if (!calls->was_off)
            return fail_twice(calls, id);
        ct_otf2_drop_request(calls, id);
    }
    /* Room for all of them to be unused, so that closing one cannot fail. */
    if (calls->n_under_way >= UINT32_MAX - 1 ||
        !CT_ARRAY_RESERVE(calls->under_way, calls->room_under_way, calls->n_under_way + 1) ||
        !CT_ARRAY_RESERVE(calls->unused, calls->room_unused, calls->n_under_way + 1))
        return ct_otf2_no_memory(calls);
    uint32_t index = take_unused(calls);
    *number_p = index + 1;
    calls->under_way[index] = (struct ct_otf2_request){.number = *number_p, .sends = sends};
    return ct_map_add(&calls->requests, id, *number_p) ? CT_OK : ct_otf2_no_memory(calls);
}

enum ct_status ct_otf2_open_null_request(struct ct_otf2_calls *calls, uint64_t id)
{
    uint32_t number = 0;
    enum ct_status status = ct_otf2_open_request(calls, id, false, &number);
    if (status == CT_OK)
        calls->under_way[number - 1].is_null = true;
    return status;
}

enum ct_status ct_otf2_make_request(struct ct_otf2_calls *calls, uint64_t id,
                                    struct ct_trace_event *event)
{
    bool sends = event->kind == CT_TRACE_SEND_INIT;
    enum ct_status status = ct_otf2_open_request(calls, id, sends, &event->request);
    if (status != CT_OK)
        return status;
    struct ct_otf2_request *request = &calls->under_way[event->request - 1];
    request->persistent = request->idle = true;
    request->mode = event->mode;
    return CT_OK;
}

enum ct_status ct_otf2_begin_request(struct ct_otf2_calls *calls, uint64_t id,
                                     struct ct_trace_event *event)
{
    bool sends = event->kind == CT_TRACE_SEND;
    uint32_t found = ct_map_find(&calls->requests, id);
    if (found == 0 || !calls->under_way[found - 1].idle ||
        calls->under_way[found - 1].sends != sends)
        return ct_otf2_open_request(calls, id, sends, &event->request);
    struct ct_otf2_request *request = &calls->under_way[found - 1];
    request->idle = false;
    event->request = request->number;
    event->mode = request->mode;
    event->starts = 1; /* as long as no other is known of the same call */
    return CT_OK;
}

enum ct_status ct_otf2_close_request(struct ct_otf2_calls *calls, uint64_t id, uint64_t at_ns,
                                     uint64_t position, struct ct_otf2_request *request_p,
                                     bool *known_p)
{
    uint32_t found = ct_map_find(&calls->requests, id);
    *request_p = (struct ct_otf2_request){0};
    *known_p = false;
    calls->has_completions = true;
    if (found == 0 && calls->was_off)
        return ct_otf2_add_unmodelled(calls, CT_TRACE_BEGUN_BEFORE, at_ns, position);
    if (found == 0 || calls->under_way[found - 1].idle)
        return ct_fail(calls->err, CT_EFORMAT, "request %" PRIu64 " completes, which was not begun",
                       id);
    *request_p = calls->under_way[found - 1];
    *known_p = !request_p->is_null;
    if (request_p->persistent)
        calls->under_way[found - 1].idle = true;
    else
        remove_request(calls, id, found);
    return CT_OK;
}

enum ct_status ct_otf2_add_completion(struct ct_otf2_calls *calls,
                                      struct ct_trace_completion completion)
{
    if (!CT_ARRAY_RESERVE(calls->completions, calls->room_completions,
                          calls->n_completions + CT_TRACE_COMPLETION_VALUES))
        return ct_otf2_no_memory(calls);
    calls->n_completions =
        ct_trace_completion_put(&completion, calls->completions, calls->n_completions);
    return CT_OK;
}

/* ---- what was posted ---- */

enum ct_status ct_otf2_scan_post(struct ct_otf2_calls *calls, uint64_t id, bool is_collective)
{
    if (calls->n_posted >= UINT32_MAX - 1 ||
        !CT_ARRAY_RESERVE(calls->posted, calls->room_posted, calls->n_posted + 1))
        return ct_otf2_no_memory(calls);
    uint32_t before = ct_map_find(&calls->requests, id);
    if (before != 0)
        ct_map_remove(&calls->requests, id, before);
    calls->posted[calls->n_posted++] = (struct ct_otf2_posted){.is_collective = is_collective};
    return ct_map_add(&calls->requests, id, (uint32_t)calls->n_posted) ? CT_OK
                                                                       : ct_otf2_no_memory(calls);
}

void ct_otf2_scan_completion(struct ct_otf2_calls *calls, uint64_t id, struct ct_otf2_posted known)
{
    uint32_t found = ct_map_find(&calls->requests, id);
    if (found == 0)
        return;
    ct_map_remove(&calls->requests, id, found);
    known.known = known.is_collective == calls->posted[found - 1].is_collective;
    known.is_collective = calls->posted[found - 1].is_collective;
    calls->posted[found - 1] = known;
}

const struct ct_otf2_posted *ct_otf2_next_posted(struct ct_otf2_calls *calls)
{
    static const struct ct_otf2_posted unknown = {.known = false};
    return calls->next_posted < calls->n_posted ? &calls->posted[calls->next_posted++] : &unknown;
}
