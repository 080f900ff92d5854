/* A file of liballprof's form as events: its requests, and its lines. */
#include "core/array.h"
#include "core/order.h"
#include "trace/convert/allprof_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void ct_allprof_rank_free(struct ct_allprof_rank *rank)
{
    free(rank->records);
    free(rank->bindings);
    free(rank->comms);
    free(rank->events);
    free(rank->values);
    free(rank->completions);
    free(rank->scratch);
    *rank = (struct ct_allprof_rank){.rank = rank->rank, .n_ranks = rank->n_ranks};
}

/* ---- requests ---- */

static enum ct_status note_made(struct ct_allprof_reader *reader, uint64_t address)
{
    return ct_map_find(&reader->made, address) != 0 || ct_map_add(&reader->made, address, 1)
               ? CT_OK
               : ct_no_memory(reader->err, "traces");
}

static enum ct_status begin_request(struct ct_allprof_reader *reader, uint64_t address)
{
    CT_TRY(note_made(reader, address));
    uint32_t before = ct_map_find(&reader->requests, address);
    if (before != 0)
        ct_map_remove(&reader->requests, address, before);
    if (!CT_ARRAY_RESERVE(reader->open, reader->room_open, reader->n_open + 1))
        return ct_no_memory(reader->err, "traces");
    uint32_t event = (uint32_t)(reader->of->n - 1);
    if (reader->of->events[event].event.request == 0)
        reader->of->events[event].event.request = event + 1;
    reader->open[reader->n_open++] = (struct ct_allprof_open_request){.event = event};
    return ct_map_add(&reader->requests, address, (uint32_t)reader->n_open)
               ? CT_OK
               : ct_no_memory(reader->err, "traces");
}

static enum ct_status add_completion(struct ct_allprof_reader *reader, uint32_t event,
                                     uint32_t completes)
{
    struct ct_allprof_rank *of = reader->of;
    if (!CT_ARRAY_RESERVE(of->completions, of->room_completions, of->n_completions + 1))
        return ct_no_memory(reader->err, "traces");
    of->completions[of->n_completions++] = (struct ct_allprof_completion){event, completes};
    return CT_OK;
}

/* Requests that a call names, one after the other: those that are under way. */
static struct ct_allprof_open_request *next_named(struct ct_allprof_reader *reader,
                                                  const struct ct_allprof_call *call, uint64_t *i,
                                                  uint64_t *address_p)
{
    while (*i < call->n_requests) {
        *address_p = call->request + *i * reader->of->request_bytes;
        ++*i;
        uint32_t found = ct_map_find(&reader->requests, *address_p);
        if (found != 0)
            return &reader->open[found - 1];
    }
    return NULL;
}

static void forget_address(struct ct_allprof_reader *reader, uint64_t address)
{
    ct_map_remove(&reader->requests, address, ct_map_find(&reader->requests, address));
}

/* A text is gone when its event is used: its characters are kept as values. */
static enum ct_status add_unmodelled(struct ct_allprof_reader *reader,
                                     const struct ct_allprof_call *call, const char *text, size_t n)
{
    struct ct_trace_event event = ct_allprof_timed(call, CT_TRACE_UNMODELLED);
    enum ct_status status = CT_OK;
    event.n_text = n < CT_TRACE_TEXT_MAX ? n : CT_TRACE_TEXT_MAX;
    for (size_t i = 0; i < event.n_text && status == CT_OK; i++, event.n_values++)
        status = ct_allprof_add_value(reader, (unsigned char)text[i]);
    return status == CT_OK ? ct_allprof_add_event(reader, event) : status;
}

/* Requests at addresses where no call of the file has made one: of a call that liballprof does not
 * wrap, or none. */
static bool waits_for_unmade(const struct ct_allprof_reader *reader,
                             const struct ct_allprof_call *call)
{
    if (strncmp(call->row.name, "Wait", 4) != 0 || call->n_requests == 0)
        return false;
    for (uint64_t i = 0; i < call->n_requests; i++)
        if (ct_map_find(&reader->made, call->request + i * reader->of->request_bytes) != 0)
            return false;
    return true;
}

static enum ct_status on_unmade(struct ct_allprof_reader *reader,
                                const struct ct_allprof_call *call)
{
    static const char text[] = "a wait for requests that no call made (or MPI_REQUEST_NULL)";
    return add_unmodelled(reader, call, text, sizeof text - 1);
}

static enum ct_status on_wait(struct ct_allprof_reader *reader, const struct ct_allprof_call *call)
{
    uint64_t i = 0, address;
    if (waits_for_unmade(reader, call))
        return on_unmade(reader, call);
    enum ct_status status = ct_allprof_add_event(reader, ct_allprof_timed(call, CT_TRACE_WAIT));
    uint32_t event = (uint32_t)(reader->of->n - 1);
    for (struct ct_allprof_open_request *open;
         status == CT_OK && (open = next_named(reader, call, &i, &address));) {
        status = add_completion(reader, event, open->event);
        open->is_tested = false;
        forget_address(reader, address);
    }
    return status;
}

static enum ct_status on_test(struct ct_allprof_reader *reader, const struct ct_allprof_call *call)
{
    uint64_t i = 0, address;
    if (waits_for_unmade(reader, call))
        return on_unmade(reader, call);
    CT_TRY(ct_allprof_add_event(reader, ct_allprof_timed(call, CT_TRACE_TEST)));
    for (struct ct_allprof_open_request *open; (open = next_named(reader, call, &i, &address));) {
        open->is_tested = true;
        open->tested = (uint32_t)(reader->of->n - 1);
    }
    return CT_OK;
}

static enum ct_status on_request(struct ct_allprof_reader *reader,
                                 const struct ct_allprof_call *call)
{
    bool frees = call->row.does == CT_ALLPROF_FREE;
    uint64_t i = 0, address = 0;
    uint32_t persistent = frees ? ct_map_find(&reader->persistent, call->request) : 0;
    struct ct_allprof_open_request *open = next_named(reader, call, &i, &address);
    struct ct_trace_event event = ct_allprof_timed(call, frees ? CT_TRACE_FREE : CT_TRACE_CANCEL);
    if (persistent != 0) {
        ct_map_remove(&reader->persistent, call->request, persistent);
        event.request = reader->templates[persistent - 1].request;
    }
    if (open)
        event.request = reader->of->events[open->event].event.request;
    if (open && frees)
        forget_address(reader, address);
    return event.request != 0 ? ct_allprof_add_event(reader, event) : CT_OK;
}

static enum ct_status on_event(struct ct_allprof_reader *reader, const struct ct_allprof_call *call)
{
    struct ct_trace_event event;
    bool silent, request = call->row.arguments && call->n_requests > 0;
    CT_TRY(ct_allprof_make_event(reader, call, &event, &silent));
    enum ct_status status = CT_OK;
    if (silent && request)
        status = note_made(reader, call->request);
    if (silent && status == CT_OK) /* its time passes */
        status = ct_allprof_add_event(reader, ct_allprof_timed(call, CT_TRACE_TEST));
    if (silent || status != CT_OK)
        return status;
    status = ct_allprof_add_event(reader, event);
    return status == CT_OK && request ? begin_request(reader, call->request) : status;
}

static enum ct_status on_init(struct ct_allprof_reader *reader, const struct ct_allprof_call *call)
{
    struct ct_trace_event event;
    bool silent;
    enum ct_status status = ct_allprof_make_event(reader, call, &event, &silent);
    uint32_t before = ct_map_find(&reader->persistent, call->request);
    if (status == CT_OK)
        status = note_made(reader, call->request);
    if (status != CT_OK)
        return status;
    if (before != 0)
        ct_map_remove(&reader->persistent, call->request, before);
    if (silent)
        return ct_allprof_add_event(reader, ct_allprof_timed(call, CT_TRACE_TEST));
    if (!CT_ARRAY_RESERVE(reader->templates, reader->room_templates, reader->n_templates + 1))
        return ct_no_memory(reader->err, "traces");
    /* As that of any request: the number of the event that it begins with. */
    event.request = (uint32_t)reader->of->n + 1;
    reader->templates[reader->n_templates++] = event;
    if (!ct_map_add(&reader->persistent, call->request, (uint32_t)reader->n_templates))
        return ct_no_memory(reader->err, "traces");
    event.kind = event.kind == CT_TRACE_SEND ? CT_TRACE_SEND_INIT : CT_TRACE_RECEIVE_INIT;
    return ct_allprof_add_event(reader, event);
}

static uint32_t find_persistent(struct ct_allprof_reader *reader,
                                const struct ct_allprof_call *call, uint64_t i, uint64_t *address_p)
{
    *address_p = call->request + i * reader->of->request_bytes;
    return ct_map_find(&reader->persistent, *address_p);
}

/* The first of the requests has the time of the call. */
static enum ct_status on_start(struct ct_allprof_reader *reader, const struct ct_allprof_call *call)
{
    uint64_t address;
    uint32_t starts = 0, start = 0;
    for (uint64_t i = 0; i < call->n_requests; i++)
        starts += find_persistent(reader, call, i, &address) != 0;
    if (starts == 0) /* its time passes */
        return ct_allprof_add_event(reader, ct_allprof_timed(call, CT_TRACE_TEST));
    for (uint64_t i = 0; i < call->n_requests; i++) {
        uint32_t found = find_persistent(reader, call, i, &address);
        if (found == 0)
            continue;
        struct ct_trace_event event = reader->templates[found - 1];
        event.start_ns = start == 0 ? call->start_ns : call->end_ns;
        event.end_ns = call->end_ns;
        event.starts = starts;
        event.start = start++;
        CT_TRY(ct_allprof_add_event(reader, event));
        CT_TRY(begin_request(reader, address));
    }
    return CT_OK;
}

static enum ct_status on_unmodelled(struct ct_allprof_reader *reader,
                                    const struct ct_allprof_call *call)
{
    return add_unmodelled(reader, call, call->name.at, call->name.n);
}

/* Time in a call is no compute. */
static enum ct_status on_nothing(struct ct_allprof_reader *reader,
                                 const struct ct_allprof_call *call)
{
    return ct_allprof_add_event(reader, ct_allprof_timed(call, CT_TRACE_TEST));
}

/* ---- lines ---- */

static ct_allprof_handler *const handlers[] = {
    [CT_ALLPROF_NOTHING] = on_nothing,   [CT_ALLPROF_EVENT] = on_event,
    [CT_ALLPROF_INIT] = on_init,         [CT_ALLPROF_START] = on_start,
    [CT_ALLPROF_WAIT] = on_wait,         [CT_ALLPROF_TEST] = on_test,
    [CT_ALLPROF_CANCEL] = on_request,    [CT_ALLPROF_FREE] = on_request,
    [CT_ALLPROF_DUP] = on_nothing,       [CT_ALLPROF_SPLIT] = on_nothing,
    [CT_ALLPROF_CART] = on_nothing,      [CT_ALLPROF_INTER] = on_nothing,
    [CT_ALLPROF_MAKE] = on_nothing,      [CT_ALLPROF_MAKE_APART] = on_nothing,
    [CT_ALLPROF_COMM_FREE] = on_nothing, [CT_ALLPROF_UNMODELLED] = on_unmodelled,
};

static enum ct_status read_line(struct ct_allprof_reader *reader,
                                const struct ct_allprof_call *call)
{
    enum { REQUESTS_MAX = 1 << 20 };
    if (call->n_requests > REQUESTS_MAX)
        return ct_fail(reader->err, CT_EFORMAT, "%.*s of %" PRIu64 " requests", (int)call->name.n,
                       call->name.at, call->n_requests);
    return handlers[call->row.does](reader, call);
}

enum ct_status ct_allprof_each_line(struct ct_allprof_reader *reader, struct ct_allprof_text text,
                                    ct_allprof_handler *handle)
{
    struct ct_allprof_call call;
    enum ct_status status = CT_OK;
    for (reader->line = 1; text.n > 0 && status == CT_OK; reader->line++) {
        const char *end = memchr(text.at, '\n', text.n);
        struct ct_allprof_text line = {text.at, end ? (size_t)(end - text.at) : text.n};
        size_t used = line.n + (end != NULL);
        text.at += used;
        text.n -= used;
        status = ct_allprof_parse(line, &call, reader->err);
        /* A program that was killed leaves half a line; of MPI_Finalize the end shows. */
        if (!end && (status == CT_EFORMAT || call.row.kind != CT_TRACE_END))
            return CT_OK;
        if (status == CT_OK && call.row.name)
            status = handle(reader, &call);
        if (status != CT_OK && status != CT_ENOMEM)
            ct_fail_within(reader->err, status, "line %" PRIu64, reader->line);
    }
    return status;
}

/* What only tests have named. */
static enum ct_status complete_tested(struct ct_allprof_reader *reader)
{
    for (size_t i = 0; i < reader->n_open; i++)
        if (reader->open[i].is_tested)
            CT_TRY(add_completion(reader, reader->open[i].tested, reader->open[i].event));
    return CT_OK;
}

CT_ORDER(by_event, struct ct_allprof_completion, event, completes)

enum ct_status ct_allprof_rank_read(struct ct_allprof_rank *rank,
                                    const struct ct_allprof_comms *comms,
                                    struct ct_allprof_text text, struct ct_error *err)
{
    struct ct_allprof_reader reader = {.of = rank, .table = comms, .err = err};
    enum ct_status status = ct_allprof_each_line(&reader, text, read_line);
    if (status == CT_OK)
        status = complete_tested(&reader);
    if (status == CT_OK && rank->n_completions > 0)
        qsort(rank->completions, rank->n_completions, sizeof *rank->completions, by_event);
    free(reader.open);
    free(reader.templates);
    ct_map_free(&reader.comms);
    ct_map_free(&reader.numbers);
    ct_map_free(&reader.requests);
    ct_map_free(&reader.persistent);
    ct_map_free(&reader.made);
    return status;
}

/* ---- giving them out ---- */

static enum ct_status fill_completions(struct ct_allprof_rank *rank, struct ct_trace_event *event,
                                       struct ct_error *err)
{
    size_t end = rank->next_completion;
    while (end < rank->n_completions && rank->completions[end].event == rank->next_event)
        end++;
    size_t n = (end - rank->next_completion) * CT_TRACE_COMPLETION_VALUES;
    if (!CT_ARRAY_RESERVE(rank->scratch, rank->room_scratch, n + 1))
        return ct_no_memory(err, "traces");
    event->n_values = 0;
    for (; rank->next_completion < end; rank->next_completion++) {
        const struct ct_trace_event *begun =
            &rank->events[rank->completions[rank->next_completion].completes].event;
        struct ct_trace_completion completion = {.request = begun->request};
        if (begun->kind == CT_TRACE_RECEIVE) {
            completion.received = begun->from.rank >= 0 && begun->from.tag >= 0;
            completion.from = begun->from;
        }
        event->n_values = ct_trace_completion_put(&completion, rank->scratch, event->n_values);
    }
    event->values = rank->scratch;
    return CT_OK;
}

enum ct_status ct_allprof_rank_next(struct ct_allprof_rank *rank, struct ct_trace_event *event_p,
                                    uint64_t *position_p, struct ct_error *err)
{
    *event_p = (struct ct_trace_event){0};
    if (rank->next_event >= rank->n)
        return CT_OK;
    const struct ct_allprof_event *next = &rank->events[rank->next_event];
    enum ct_status status = CT_OK;
    *event_p = next->event;
    *position_p = next->line;
    if (event_p->kind == CT_TRACE_WAIT || event_p->kind == CT_TRACE_TEST) {
        status = fill_completions(rank, event_p, err);
    } else if (event_p->kind == CT_TRACE_UNMODELLED) {
        if (!CT_ARRAY_RESERVE(rank->scratch, rank->room_scratch, event_p->n_text + 1))
            return ct_no_memory(err, "traces");
        for (size_t i = 0; i < event_p->n_text; i++)
            ((char *)rank->scratch)[i] = (char)rank->values[next->first_value + i];
        event_p->text = (const char *)rank->scratch;
        event_p->n_values = 0;
    } else if (event_p->n_values > 0 && event_p->list == 0) {
        event_p->values = rank->values + next->first_value;
    }
    rank->next_event++;
    return status;
}

void ct_allprof_rank_rewind(struct ct_allprof_rank *rank)
{
    rank->next_event = 0;
    rank->next_completion = 0;
}
