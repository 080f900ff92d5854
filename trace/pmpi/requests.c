/* Requests: their table, start and completion. */
#include "core/array.h"
#include "trace/pmpi/state.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table of requests ---- */

/* Whether a request was made, or dropped, before this thread's call began. */
static bool is_before_call(const struct ct_tracer_request *request)
{
    const struct ct_tracer_thread *thread = &ct_tracer_this_thread;
    return request->by == thread || request->since <= thread->after;
}

/* A number is used again only if it was dropped before the call: so a replay finds it free, too.
 * The list begins with what was dropped last. */
static uint32_t new_number(void)
{
    uint32_t *place = &ct_tracer.free_request;
    while (*place != 0 && !is_before_call(&ct_tracer.requests[*place]))
        place = &ct_tracer.requests[*place].next_free;
    uint32_t number = *place;
    if (number != 0) {
        *place = ct_tracer.requests[number].next_free;
        return number;
    }
    uint32_t n = ct_tracer.n_requests ? 2 * ct_tracer.n_requests : 64;
    if (!CT_ARRAY_RESIZE(ct_tracer.requests, n))
        return 0;
    uint32_t first = ct_tracer.n_requests ? ct_tracer.n_requests : 1;
    for (uint32_t i = n; i-- > first;) {
        ct_tracer.requests[i] = (struct ct_tracer_request){.next_free = ct_tracer.free_request};
        ct_tracer.free_request = i;
    }
    ct_tracer.n_requests = n;
    return new_number();
}

/* Remember a request, by its handle if it has one; its number, 0 after giving up. */
static uint32_t add_request(const MPI_Request *handle, struct ct_tracer_request request)
{
    uint32_t number = new_number();
    if (number == 0 ||
        (handle && !ct_map_add(&ct_tracer.request_numbers, CT_TRACER_HANDLE(*handle), number))) {
        ct_tracer_give_up("out of memory");
        return 0;
    }
    request.by = &ct_tracer_this_thread;
    request.since = request.silent ? ct_tracer.n_events : ct_tracer_events_with_next();
    ct_tracer.requests[number] = request;
    return number;
}

static void release_number(uint32_t number)
{
    free(ct_tracer.requests[number].values);
    ct_tracer.requests[number] = (struct ct_tracer_request){.by = &ct_tracer_this_thread,
                                                            .since = ct_tracer_events_with_next(),
                                                            .next_free = ct_tracer.free_request};
    ct_tracer.free_request = number;
}

static void drop_request(MPI_Request handle, uint32_t number)
{
    ct_map_remove(&ct_tracer.request_numbers, CT_TRACER_HANDLE(handle), number);
    while (number != 0) {
        uint32_t next = ct_tracer.requests[number].next_piece;
        release_number(number);
        number = next;
    }
}

/* The MPI library may give the handle of a request that another thread has just completed to a new
 * one, before that is known here: a call is for the request that there was when it began. */
static uint32_t find_request(MPI_Request handle)
{
    uint32_t number, found = 0;
    size_t at = 0;
    if (handle == MPI_REQUEST_NULL)
        return 0;
    while ((number = (uint32_t)ct_map_next(&ct_tracer.request_numbers, CT_TRACER_HANDLE(handle),
                                           &at)) != 0) {
        const struct ct_tracer_request *request = &ct_tracer.requests[number];
        if (request->by == &ct_tracer_this_thread)
            return number;
        if (found == 0 && is_before_call(request))
            found = number;
    }
    return found;
}

/* What a planned request does at each start: its sizes are kept. */
static bool keep_values(struct ct_tracer_request *request)
{
    size_t size = request->begin.n_values * sizeof *request->values;
    request->values = size > 0 ? malloc(size) : NULL;
    if (request->values)
        memcpy(request->values, request->begin.values, size);
    request->begin.values = request->values;
    return size == 0 || request->values;
}

static uint32_t begin_request(uint64_t start_ns, const MPI_Request *handle,
                              struct ct_tracer_request request)
{
    uint32_t number = add_request(handle, request);
    if (number == 0)
        return 0;
    ct_tracer.requests[number].begin.request = number;
    struct ct_trace_event event = ct_tracer.requests[number].begin;
    if (request.use == CT_TRACER_PLANNED && !keep_values(&ct_tracer.requests[number]))
        ct_tracer_give_up("out of memory");
    if (request.use == CT_TRACER_PERSISTENT)
        event.kind = request.purpose == CT_TRACER_SEND ? CT_TRACE_SEND_INIT : CT_TRACE_RECEIVE_INIT;
    if (!request.silent && request.use != CT_TRACER_PLANNED)
        ct_tracer_write(start_ns, event);
    else if (request.use != CT_TRACER_ONCE)
        ct_tracer_pass(start_ns);
    return number;
}

void ct_tracer_begin_request(uint64_t start_ns, MPI_Request handle, enum ct_tracer_purpose purpose,
                             enum ct_tracer_use use, bool silent, struct ct_trace_event event)
{
    begin_request(start_ns, &handle,
                  (struct ct_tracer_request){.purpose = purpose,
                                             .use = use,
                                             .active = use == CT_TRACER_ONCE,
                                             .silent = silent,
                                             .comm = event.comm,
                                             .begin = event});
}

/* ---- calls of several events ---- */

/* How many begin in each stage, where there are more than one: before the events. */
static void write_stages(uint64_t start_ns, uint32_t number)
{
    size_t n = 1, stage = 0;
    for (uint32_t i = number; i != 0; i = ct_tracer.requests[i].next_piece)
        n += ct_tracer.requests[i].is_later;
    if (n == 1)
        return;
    uint64_t *sizes = calloc(n, sizeof *sizes);
    if (!sizes) {
        ct_tracer_give_up("out of memory");
        return;
    }
    for (uint32_t i = number; i != 0; i = ct_tracer.requests[i].next_piece) {
        stage += ct_tracer.requests[i].is_later;
        sizes[stage]++;
    }
    ct_tracer_write(
        start_ns, (struct ct_trace_event){.kind = CT_TRACE_STAGES, .values = sizes, .n_values = n});
    free(sizes);
}

static void write_pieces(uint64_t start_ns, uint32_t number)
{
    write_stages(start_ns, number);
    for (; number != 0; number = ct_tracer.requests[number].next_piece) {
        ct_tracer.requests[number].active = true;
        ct_tracer_write(start_ns, ct_tracer.requests[number].begin);
    }
}

static enum ct_tracer_purpose purpose_of(enum ct_trace_kind kind)
{
    return kind == CT_TRACE_SEND      ? CT_TRACER_SEND
           : kind == CT_TRACE_RECEIVE ? CT_TRACER_RECEIVE
                                      : CT_TRACER_COLLECTIVE;
}

void ct_tracer_begin_pieces(uint64_t start_ns, MPI_Request handle, enum ct_tracer_use use,
                            const struct ct_tracer_piece *pieces, size_t n)
{
    uint32_t first = 0, last = 0;
    for (size_t i = 0; i < n; i++) {
        struct ct_tracer_request request = {.purpose = purpose_of(pieces[i].event.kind),
                                            .use = use,
                                            .is_later = pieces[i].is_later,
                                            .comm = pieces[i].event.comm,
                                            .is_receipt_given = true,
                                            .begin = pieces[i].event};
        uint32_t number = add_request(i == 0 ? &handle : NULL, request);
        if (number == 0)
            return;
        ct_tracer.requests[number].begin.request = number;
        if (i == 0)
            first = number;
        else
            ct_tracer.requests[last].next_piece = number;
        last = number;
    }
    if (n == 0)
        ct_tracer_begin_request(start_ns, handle, CT_TRACER_COLLECTIVE, use, true,
                                (struct ct_trace_event){0});
    if (n > 0 && use == CT_TRACER_ONCE)
        write_pieces(start_ns, first);
    else if (n > 0 || use == CT_TRACER_ONCE)
        ct_tracer_pass(start_ns);
    for (uint32_t i = first; i != 0; i = ct_tracer.requests[i].next_piece)
        ct_tracer.requests[i].since = ct_tracer.n_events;
}

/* ---- start and completion ---- */

/* How many of the requests that start have events of their own. */
static uint32_t count_recorded(int n, const MPI_Request *requests)
{
    uint32_t recorded = 0;
    for (int i = 0; i < n; i++) {
        uint32_t number = find_request(requests[i]);
        recorded += number != 0 && !ct_tracer.requests[number].silent &&
                    ct_tracer.requests[number].use == CT_TRACER_PERSISTENT;
    }
    return recorded;
}

/* A partitioned message is sent when its parts are ready. */
static bool waits_for_parts(const struct ct_tracer_request *request)
{
    return request->purpose == CT_TRACER_SEND && request->n_ready < request->n_parts;
}

void ct_tracer_started(uint64_t start_ns, int n, const MPI_Request *requests)
{
    if (!ct_tracer_enter())
        return;
    uint32_t starts = count_recorded(n, requests), start = 0;
    bool written = false;
    for (int i = 0; i < n; i++) {
        uint32_t number = find_request(requests[i]);
        if (number == 0)
            continue;
        struct ct_tracer_request *request = &ct_tracer.requests[number];
        request->active = true;
        request->n_ready = 0;
        if (request->silent || waits_for_parts(request))
            continue;
        written = true;
        if (request->next_piece != 0) {
            write_pieces(start_ns, number);
            continue;
        }
        struct ct_trace_event event = request->begin;
        if (request->use == CT_TRACER_PERSISTENT) {
            event.starts = starts;
            event.start = start++;
        }
        ct_tracer_write(start_ns, event);
    }
    if (!written)
        ct_tracer_pass(start_ns);
    ct_tracer_leave();
}

void ct_tracer_trust_begin(MPI_Request handle, int n_parts)
{
    uint32_t number = find_request(handle);
    if (number == 0)
        return;
    ct_tracer.requests[number].n_parts = n_parts;
    ct_tracer.requests[number].is_receipt_given = true;
}

void ct_tracer_ready(uint64_t start_ns, MPI_Request handle, int n_parts)
{
    if (!ct_tracer_enter())
        return;
    uint32_t number = find_request(handle);
    struct ct_tracer_request *request = &ct_tracer.requests[number];
    bool waited = number != 0 && waits_for_parts(request);
    if (waited)
        request->n_ready += n_parts;
    if (waited && !waits_for_parts(request) && !request->silent)
        ct_tracer_write(start_ns, request->begin);
    else
        ct_tracer_pass(start_ns);
    ct_tracer_leave();
}

static bool was_cancelled(const MPI_Status *status)
{
    int cancelled = 0;
    return PMPI_Test_cancelled(status, &cancelled) == MPI_SUCCESS && cancelled;
}

/* What a receive got. */
static bool find_receipt(const struct ct_tracer_request *request, const MPI_Status *status,
                         struct ct_trace_message *from_p)
{
    *from_p = request->begin.from;
    if (request->is_receipt_given)
        return true;
    if (was_cancelled(status))
        return false;
    return ct_tracer_arrived(status, request->comm, from_p);
}

/* Adds what became of a request to values, if that was not known before. */
static size_t put_one(uint64_t start_ns, uint32_t number, bool cut, const MPI_Status *status,
                      uint64_t *values, size_t n)
{
    struct ct_tracer_request *request = &ct_tracer.requests[number];
    bool known = !request->active || request->silent;
    request->active = false;
    if (known)
        return n;
    if (waits_for_parts(request)) /* what made them ready was not seen */
        ct_tracer_write(start_ns, request->begin);
    struct ct_trace_completion completion = {.request = number};
    completion.received =
        request->purpose == CT_TRACER_RECEIVE && find_receipt(request, status, &completion.from);
    completion.cut = cut && completion.received;
    if (completion.cut) /* implementations differ in what they count of such a message */
        completion.from.bytes = request->begin.from.bytes;
    return ct_trace_completion_put(&completion, values, n);
}

/* The same of all its pieces. */
static size_t put_completion(uint64_t start_ns, uint32_t number, bool cut, const MPI_Status *status,
                             uint64_t *values, size_t n)
{
    for (; number != 0; number = ct_tracer.requests[number].next_piece)
        n = put_one(start_ns, number, cut, status, values, n);
    return n;
}

/* Room for the completions of the requests of a call: `few`, where there are few values. */
enum { FEW_VALUES = 32 * CT_TRACE_COMPLETION_VALUES };

static uint64_t *find_room(const MPI_Request *handles, int n, const int *indices, uint64_t *few)
{
    size_t n_values = 0;
    for (int i = 0; i < n; i++)
        for (uint32_t number = find_request(handles[indices ? indices[i] : i]); number != 0;
             number = ct_tracer.requests[number].next_piece)
            n_values += CT_TRACE_COMPLETION_VALUES;
    uint64_t *values = n_values <= FEW_VALUES ? few : malloc(n_values * sizeof *values);
    if (!values)
        ct_tracer_give_up("out of memory");
    return values;
}

/* The error of one request of a call. */
static int class_of(int code, const MPI_Status *status)
{
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        PMPI_Error_class(code, &class);
    if (class == MPI_ERR_IN_STATUS)
        PMPI_Error_class(status->MPI_ERROR, &class);
    return class;
}

/* The same of a request that the call completed. Where it failed, only receives that were cut are
 * known to be complete. */
static size_t end_request(uint64_t start_ns, MPI_Request handle, int code, const MPI_Status *status,
                          uint64_t *values, size_t n)
{
    uint32_t number = find_request(handle);
    int class = class_of(code, status);
    if (number == 0 || (class != MPI_SUCCESS && class != MPI_ERR_TRUNCATE))
        return n;
    n = put_completion(start_ns, number, class == MPI_ERR_TRUNCATE, status, values, n);
    if (ct_tracer.requests[number].use == CT_TRACER_ONCE)
        drop_request(handle, number);
    return n;
}

static void write_completions(uint64_t start_ns, enum ct_trace_kind kind, const uint64_t *values,
                              size_t n_values)
{
    if (n_values > 0)
        ct_tracer_write(start_ns, (struct ct_trace_event){
                                      .kind = kind, .values = values, .n_values = n_values});
    else
        ct_tracer_pass(start_ns);
}

void ct_tracer_seen(uint64_t start_ns, MPI_Request handle, const MPI_Status *status)
{
    uint64_t few[FEW_VALUES];
    if (!ct_tracer_enter())
        return;
    uint32_t number = find_request(handle);
    uint64_t *values = find_room(&handle, 1, NULL, few);
    if (values) {
        size_t n = number != 0 ? put_completion(start_ns, number, false, status, values, 0) : 0;
        write_completions(start_ns, CT_TRACE_TEST, values, n);
    }
    if (values != few)
        free(values);
    ct_tracer_leave();
}

void ct_tracer_completed(uint64_t start_ns, enum ct_trace_kind kind, int code,
                         const MPI_Request *handles, int n, const int *indices,
                         const MPI_Status *statuses)
{
    uint64_t few[FEW_VALUES];
    if (n <= 0 || !ct_tracer_enter())
        return;
    uint64_t *values = find_room(handles, n, indices, few);
    size_t n_values = 0;
    for (int i = 0; values && i < n; i++)
        n_values = end_request(start_ns, handles[indices ? indices[i] : i], code, &statuses[i],
                               values, n_values);
    write_completions(start_ns, kind, values, n_values);
    if (values != few)
        free(values);
    ct_tracer_leave();
}

void ct_tracer_request_event(uint64_t start_ns, enum ct_trace_kind kind, MPI_Request handle)
{
    if (!ct_tracer_enter())
        return;
    uint32_t number = find_request(handle);
    if (number != 0) {
        const struct ct_tracer_request *request = &ct_tracer.requests[number];
        if ((request->active || request->use == CT_TRACER_PERSISTENT) && !request->silent)
            ct_tracer_write(start_ns, (struct ct_trace_event){.kind = kind, .request = number});
        if (kind == CT_TRACE_FREE)
            drop_request(handle, number);
    }
    ct_tracer_leave();
}
