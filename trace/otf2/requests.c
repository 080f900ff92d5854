#include "trace/otf2/requests.h"

#include "core/array.h"
#include "trace/otf2/event_list.h"
#include "trace/unmodelled.h"

#include <inttypes.h>
#include <string.h>

/* A number is used again only by calls that began after the one that ended its request. */
static bool is_free(const struct ct_otf2_calls *calls, const struct ct_otf2_request *request)
{
    return request->by == calls->thread || !calls->open.tells_after ||
           request->since <= calls->open.after;
}

/* The index of a request that is not used; the latest first. */
static uint32_t take_unused(struct ct_otf2_calls *calls)
{
    size_t i = calls->requests.n_unused;
    while (i > 0 && !is_free(calls, &calls->requests.under_way[calls->requests.unused[i - 1]]))
        i--;
    if (i == 0)
        return (uint32_t)calls->requests.n_under_way++;
    uint32_t index = calls->requests.unused[i - 1];
    memmove(&calls->requests.unused[i - 1], &calls->requests.unused[i],
            (calls->requests.n_unused - i) * sizeof index);
    calls->requests.n_unused--;
    return index;
}

static void remove_request(struct ct_otf2_calls *calls, uint64_t id, uint32_t found)
{
    ct_map_remove(&calls->requests.of_id, id, found);
    calls->requests.under_way[found - 1].by = calls->thread;
    calls->requests.under_way[found - 1].since = calls->found.n_before + calls->found.n_events + 1;
    calls->requests.unused[calls->requests.n_unused++] = found - 1;
}

void ct_otf2_drop_request(struct ct_otf2_calls *calls, uint64_t id)
{
    uint32_t found = ct_map_find(&calls->requests.of_id, id);
    if (found != 0)
        remove_request(calls, id, found);
}

static enum ct_status fail_twice(const struct ct_otf2_calls *calls, uint64_t id)
{
    return ct_fail(calls->err, CT_EFORMAT,
                   calls->requests.has_completions
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
    if (ct_map_find(&calls->requests.of_id, id) != 0) {
        if (!calls->pause.was_off)
            return fail_twice(calls, id);
        ct_otf2_drop_request(calls, id);
    }
    /* Room for all of them to be unused, so that closing one cannot fail. */
    if (calls->requests.n_under_way >= UINT32_MAX - 1 ||
        !CT_ARRAY_RESERVE(calls->requests.under_way, calls->requests.room_under_way,
                          calls->requests.n_under_way + 1) ||
        !CT_ARRAY_RESERVE(calls->requests.unused, calls->requests.room_unused,
                          calls->requests.n_under_way + 1))
        return ct_otf2_no_memory(calls);
    uint32_t index = take_unused(calls);
    *number_p = index + 1;
    calls->requests.under_way[index] =
        (struct ct_otf2_request){.number = *number_p, .sends = sends};
    return ct_map_add(&calls->requests.of_id, id, *number_p) ? CT_OK : ct_otf2_no_memory(calls);
}

enum ct_status ct_otf2_open_null_request(struct ct_otf2_calls *calls, uint64_t id)
{
    uint32_t number = 0;
    CT_TRY(ct_otf2_open_request(calls, id, false, &number));
    calls->requests.under_way[number - 1].is_null = true;
    return CT_OK;
}

enum ct_status ct_otf2_make_request(struct ct_otf2_calls *calls, uint64_t id,
                                    struct ct_trace_event *event)
{
    bool sends = event->kind == CT_TRACE_SEND_INIT;
    CT_TRY(ct_otf2_open_request(calls, id, sends, &event->request));
    struct ct_otf2_request *request = &calls->requests.under_way[event->request - 1];
    request->persistent = request->idle = true;
    request->mode = event->mode;
    return CT_OK;
}

enum ct_status ct_otf2_begin_request(struct ct_otf2_calls *calls, uint64_t id,
                                     struct ct_trace_event *event)
{
    bool sends = event->kind == CT_TRACE_SEND;
    uint32_t found = ct_map_find(&calls->requests.of_id, id);
    if (found == 0 || !calls->requests.under_way[found - 1].idle ||
        calls->requests.under_way[found - 1].sends != sends)
        return ct_otf2_open_request(calls, id, sends, &event->request);
    struct ct_otf2_request *request = &calls->requests.under_way[found - 1];
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
    uint32_t found = ct_map_find(&calls->requests.of_id, id);
    *request_p = (struct ct_otf2_request){0};
    *known_p = false;
    calls->requests.has_completions = true;
    if (found == 0 && calls->pause.was_off)
        return ct_otf2_add_unmodelled(calls, CT_TRACE_BEGUN_BEFORE, at_ns, position);
    if (found == 0 || calls->requests.under_way[found - 1].idle)
        return ct_fail(calls->err, CT_EFORMAT, "request %" PRIu64 " completes, which was not begun",
                       id);
    *request_p = calls->requests.under_way[found - 1];
    *known_p = !request_p->is_null;
    if (request_p->persistent)
        calls->requests.under_way[found - 1].idle = true;
    else
        remove_request(calls, id, found);
    return CT_OK;
}

enum ct_status ct_otf2_add_completion(struct ct_otf2_calls *calls,
                                      struct ct_trace_completion completion)
{
    if (!CT_ARRAY_RESERVE(calls->open.completions, calls->open.room_completions,
                          calls->open.n_completions + CT_TRACE_COMPLETION_VALUES))
        return ct_otf2_no_memory(calls);
    calls->open.n_completions =
        ct_trace_completion_put(&completion, calls->open.completions, calls->open.n_completions);
    return CT_OK;
}

/* ---- what was posted ---- */

enum ct_status ct_otf2_scan_post(struct ct_otf2_calls *calls, uint64_t id, bool is_collective)
{
    if (calls->posts.n_posted >= UINT32_MAX - 1 ||
        !CT_ARRAY_RESERVE(calls->posts.posted, calls->posts.room_posted, calls->posts.n_posted + 1))
        return ct_otf2_no_memory(calls);
    uint32_t before = ct_map_find(&calls->requests.of_id, id);
    if (before != 0)
        ct_map_remove(&calls->requests.of_id, id, before);
    calls->posts.posted[calls->posts.n_posted++] =
        (struct ct_otf2_posted){.is_collective = is_collective};
    return ct_map_add(&calls->requests.of_id, id, (uint32_t)calls->posts.n_posted)
               ? CT_OK
               : ct_otf2_no_memory(calls);
}

void ct_otf2_scan_completion(struct ct_otf2_calls *calls, uint64_t id, struct ct_otf2_posted known)
{
    uint32_t found = ct_map_find(&calls->requests.of_id, id);
    if (found == 0)
        return;
    ct_map_remove(&calls->requests.of_id, id, found);
    known.known = known.is_collective == calls->posts.posted[found - 1].is_collective;
    known.is_collective = calls->posts.posted[found - 1].is_collective;
    calls->posts.posted[found - 1] = known;
}

const struct ct_otf2_posted *ct_otf2_next_posted(struct ct_otf2_calls *calls)
{
    static const struct ct_otf2_posted unknown = {.known = false};
    return calls->posts.next_posted < calls->posts.n_posted
               ? &calls->posts.posted[calls->posts.next_posted++]
               : &unknown;
}
