#include "lp-bridge/convert/allprof_rank.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A communicator's handle as the file has it; its number is its place. */
struct handle {
    uint64_t handle, size;
};

/* A request under way: the event that began it. */
struct open_request {
    uint32_t event;
    bool is_tested; /* `tested` was the last call that may have completed it */
    uint32_t tested;
};

struct reader {
    struct ct_allprof_rank *of;
    uint64_t line;
    uint64_t request_bytes; /* from one handle of an array to the next */
    struct handle *handles;
    size_t n_handles;
    struct ct_handle_map comms;  /* handle -> number + 1 */
    uint64_t n_copies, n_selves; /* communicators of all ranks but MPI_COMM_WORLD, and of one */
    struct open_request *open;   /* all there were, in the order of their begin */
    size_t n_open, room_open;
    struct ct_handle_map requests;   /* address -> place in open + 1 */
    struct ct_handle_map persistent; /* address -> place in templates + 1 */
    struct ct_trace_event *templates;
    size_t n_templates, room_templates;
    struct ct_error *err;
};

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "traces: out of memory");
}

void ct_allprof_rank_free(struct ct_allprof_rank *rank)
{
    free(rank->events);
    free(rank->values);
    free(rank->completions);
    free(rank->scratch);
    *rank = (struct ct_allprof_rank){.rank = rank->rank, .n_ranks = rank->n_ranks};
}

static bool make_room(void *array_p, size_t n, size_t *room, size_t item_size)
{
    void *array = *(void **)array_p;
    if (n < *room)
        return true;
    size_t larger = n + n / 2 + 64;
    array = realloc(array, larger * item_size);
    if (!array)
        return false;
    *(void **)array_p = array;
    *room = larger;
    return true;
}

static enum ct_status add_event(struct reader *reader, struct ct_trace_event event)
{
    struct ct_allprof_rank *of = reader->of;
    if (of->n >= UINT32_MAX - 1 || !make_room(&of->events, of->n, &of->room, sizeof *of->events))
        return no_memory(reader->err);
    of->events[of->n++] = (struct ct_allprof_event){
        .event = event, .line = reader->line, .first_value = of->n_values - event.n_values};
    return CT_OK;
}

static enum ct_status add_value(struct reader *reader, uint64_t value)
{
    struct ct_allprof_rank *of = reader->of;
    if (!make_room(&of->values, of->n_values, &of->room_values, sizeof *of->values))
        return no_memory(reader->err);
    of->values[of->n_values++] = value;
    return CT_OK;
}

/* ---- communicators ---- */

static enum ct_status refuse_comm(struct reader *reader, const struct ct_allprof_call *call)
{
    return ct_fail(reader->err, CT_EUNSUPPORTED,
                   "%.*s on a communicator in which this is rank %" PRIu64 " of %" PRIu64
                   ": liballprof's form does not say which ranks its members are; trace the "
                   "program by `crosstalk trace`",
                   (int)call->name.n, call->name.at, call->comm_rank, call->comm_size);
}

/* MPICH and its relatives give their objects numbers that begin with the kind of the object. */
static bool is_mpich(uint64_t comm)
{
    enum { KIND_SHIFT = 26, BUILTIN = 0x11, DIRECT = 0x21, INDIRECT = 0x31 };
    uint64_t high = comm >> 32, kind = (comm & UINT32_MAX) >> KIND_SHIFT;
    return (high == 0 || high == UINT32_MAX) &&
           (kind == BUILTIN || kind == DIRECT || kind == INDIRECT);
}

static bool is_mpich_world(uint64_t comm)
{
    return is_mpich(comm) && (comm & UINT32_MAX) == 0x44000000;
}

static bool is_world(const struct reader *reader, const struct ct_allprof_call *call)
{
    return call->comm_size == reader->of->n_ranks && call->comm_rank == reader->of->rank;
}

/* Communicators of all ranks are told apart by the order in which they appear; elsewhere than in
 * MPICH the first is MPI_COMM_WORLD, whose size programs ask for before anything else. */
static uint64_t ordinal_of(struct reader *reader, const struct ct_allprof_call *call)
{
    if (!is_world(reader, call))
        return reader->n_selves++;
    if (is_mpich_world(call->comm))
        return 0;
    return is_mpich(call->comm) ? 1 + reader->n_copies++ : reader->n_copies++;
}

/* A communicator appears with its first use: its members in a "comm" event. */
static enum ct_status find_comm(struct reader *reader, const struct ct_allprof_call *call,
                                uint32_t *number_p)
{
    struct ct_allprof_rank *of = reader->of;
    uint32_t found = ct_handle_map_find(&reader->comms, call->comm);
    /* A handle that was freed may come again for another communicator. */
    if (found != 0 && reader->handles[found - 1].size == call->comm_size) {
        *number_p = found - 1;
        return CT_OK;
    }
    bool world = is_world(reader, call);
    if (!world && (call->comm_size != 1 || call->comm_rank != 0))
        return refuse_comm(reader, call);
    struct handle *handles =
        realloc(reader->handles, (reader->n_handles + 1) * sizeof *reader->handles);
    if (!handles)
        return no_memory(reader->err);
    reader->handles = handles;
    handles[reader->n_handles] = (struct handle){call->comm, call->comm_size};
    *number_p = (uint32_t)reader->n_handles++;
    if (!ct_handle_map_add(&reader->comms, call->comm, *number_p + 1))
        return no_memory(reader->err);
    enum ct_status status = add_value(reader, ordinal_of(reader, call));
    for (uint32_t i = 0; i < call->comm_size && status == CT_OK; i++)
        status = add_value(reader, world ? i : of->rank);
    if (status != CT_OK)
        return status;
    return add_event(reader, (struct ct_trace_event){.kind = CT_TRACE_NEW_COMM,
                                                     .start_ns = call->start_ns,
                                                     .end_ns = call->start_ns,
                                                     .comm = *number_p,
                                                     .n_values = (size_t)call->comm_size + 1});
}

/* -1 and -2 are MPI_PROC_NULL and MPI_ANY_SOURCE, or the other way round. */
static bool from_nobody(const struct ct_allprof_call *call)
{
    return call->source == (is_mpich(call->comm) ? -1 : -2);
}

/* ---- requests ---- */

static enum ct_status begin_request(struct reader *reader, uint64_t address)
{
    uint32_t before = ct_handle_map_find(&reader->requests, address);
    if (before != 0)
        ct_handle_map_remove(&reader->requests, address, before);
    if (!make_room(&reader->open, reader->n_open, &reader->room_open, sizeof *reader->open))
        return no_memory(reader->err);
    uint32_t event = (uint32_t)(reader->of->n - 1);
    reader->of->events[event].event.request = event + 1;
    reader->open[reader->n_open++] = (struct open_request){.event = event};
    return ct_handle_map_add(&reader->requests, address, (uint32_t)reader->n_open)
               ? CT_OK
               : no_memory(reader->err);
}

static enum ct_status add_completion(struct reader *reader, uint32_t event, uint32_t completes)
{
    struct ct_allprof_rank *of = reader->of;
    if (!make_room(&of->completions, of->n_completions, &of->room_completions,
                   sizeof *of->completions))
        return no_memory(reader->err);
    of->completions[of->n_completions++] = (struct ct_allprof_completion){event, completes};
    return CT_OK;
}

/* Requests that a call names, one after the other: those that are under way. */
static struct open_request *next_named(struct reader *reader, const struct ct_allprof_call *call,
                                       uint64_t *i, uint64_t *address_p)
{
    while (*i < call->n_requests) {
        *address_p = call->request + *i * reader->request_bytes;
        ++*i;
        uint32_t found = ct_handle_map_find(&reader->requests, *address_p);
        if (found != 0)
            return &reader->open[found - 1];
    }
    return NULL;
}

static void forget(struct reader *reader, uint64_t address)
{
    ct_handle_map_remove(&reader->requests, address,
                         ct_handle_map_find(&reader->requests, address));
}

static struct ct_trace_event timed(const struct ct_allprof_call *call, enum ct_trace_kind kind)
{
    return (struct ct_trace_event){
        .kind = kind, .start_ns = call->start_ns, .end_ns = call->end_ns};
}

static enum ct_status on_wait(struct reader *reader, const struct ct_allprof_call *call)
{
    uint64_t i = 0, address;
    enum ct_status status = add_event(reader, timed(call, CT_TRACE_WAIT));
    uint32_t event = (uint32_t)(reader->of->n - 1);
    for (struct open_request *open;
         status == CT_OK && (open = next_named(reader, call, &i, &address));) {
        status = add_completion(reader, event, open->event);
        open->is_tested = false;
        forget(reader, address);
    }
    return status;
}

static enum ct_status on_test(struct reader *reader, const struct ct_allprof_call *call)
{
    uint64_t i = 0, address;
    enum ct_status status = add_event(reader, timed(call, CT_TRACE_TEST));
    for (struct open_request *open;
         status == CT_OK && (open = next_named(reader, call, &i, &address));) {
        open->is_tested = true;
        open->tested = (uint32_t)(reader->of->n - 1);
    }
    return status;
}

static enum ct_status on_request(struct reader *reader, const struct ct_allprof_call *call)
{
    bool frees = call->row.does == CT_ALLPROF_FREE;
    uint64_t i = 0, address;
    struct open_request *open = next_named(reader, call, &i, &address);
    struct ct_trace_event event = timed(call, frees ? CT_TRACE_FREE : CT_TRACE_CANCEL);
    if (frees)
        ct_handle_map_remove(&reader->persistent, call->request,
                             ct_handle_map_find(&reader->persistent, call->request));
    if (!open)
        return CT_OK;
    event.request = open->event + 1;
    if (frees)
        forget(reader, address);
    return add_event(reader, event);
}

/* ---- events ---- */

/* MPI_IN_PLACE is -1 in MPICH, 1 in Open MPI. */
static bool is_in_place(uint64_t buffer)
{
    return buffer == UINT64_MAX || buffer == 1;
}

static enum ct_status bytes_of(struct reader *reader, uint64_t count, uint64_t size,
                               uint64_t *bytes_p)
{
    if (__builtin_mul_overflow(count, size, bytes_p))
        return ct_fail(reader->err, CT_EFORMAT, "%" PRIu64 " elements of %" PRIu64 " B", count,
                       size);
    return CT_OK;
}

/* Blocks of each member, in values. */
static enum ct_status take_list(struct reader *reader, const struct ct_allprof_call *call,
                                struct ct_allprof_text list, uint64_t size,
                                struct ct_trace_event *event)
{
    enum ct_status status = CT_OK;
    uint64_t count, block;
    while (status == CT_OK && list.n > 0 && ct_allprof_next(&list, &count)) {
        status = bytes_of(reader, count, size, &block);
        if (status == CT_OK)
            status = add_value(reader, block);
        event->bytes += block;
        event->n_values++;
    }
    if (status == CT_OK && event->n_values != call->comm_size)
        status = ct_fail(reader->err, CT_EFORMAT,
                         "%.*s: %zu counts for %" PRIu64 " ranks: liballprof did not record them; "
                         "trace the program by `crosstalk trace`",
                         (int)call->name.n, call->name.at, event->n_values, call->comm_size);
    return status;
}

/* One block of a list: this rank's. */
static enum ct_status own_of_list(struct reader *reader, const struct ct_allprof_call *call,
                                  struct ct_allprof_text list, uint64_t *count_p)
{
    for (uint64_t i = 0; i <= call->comm_rank; i++)
        if (list.n == 0 || !ct_allprof_next(&list, count_p))
            return ct_fail(reader->err, CT_EFORMAT, "%.*s: no count for rank %" PRIu64,
                           (int)call->name.n, call->name.at, call->comm_rank);
    return CT_OK;
}

/* Size of a collective without a list: what this rank gives (scatter: gets), unless it is there
 * already. Reductions have one count, behind both buffers. */
static enum ct_status take_size(struct reader *reader, const struct ct_allprof_call *call,
                                struct ct_trace_event *event)
{
    bool scatters = event->kind == CT_TRACE_SCATTER;
    bool two_sided = call->n_sizes == 2;
    bool listed = call->n_lists > 0, use_second = two_sided && scatters;
    if (two_sided && is_in_place(call->buffer[scatters ? 1 : 0]))
        use_second = !use_second;
    /* Of two sides one may have a list; its counts are then in the list, not in count[]. */
    bool list_is_second = !scatters;
    uint64_t count = call->count[use_second && !listed ? 1 : 0];
    if (listed && use_second == list_is_second) {
        enum ct_status status = own_of_list(reader, call, call->list[0], &count);
        if (status != CT_OK)
            return status;
    }
    return bytes_of(reader, count, call->size[use_second ? 1 : 0], &event->bytes);
}

static enum ct_status take_collective(struct reader *reader, const struct ct_allprof_call *call,
                                      struct ct_trace_event *event)
{
    if (ct_trace_kind_fields(event->kind) & CT_TRACE_ROOT) {
        if (call->root < 0 || (uint64_t)call->root >= call->comm_size)
            return ct_fail(reader->err, CT_EFORMAT, "%.*s: root %" PRId64, (int)call->name.n,
                           call->name.at, call->root);
        event->root = call->comm_size == 1 ? reader->of->rank : (uint32_t)call->root;
    }
    switch (event->kind) {
    case CT_TRACE_BARRIER:
        return CT_OK;
    case CT_TRACE_ALLTOALLV: {
        bool in_place = is_in_place(call->buffer[0]);
        enum ct_status status =
            take_list(reader, call, call->list[in_place], call->size[in_place], event);
        event->bytes = 0;
        return status;
    }
    case CT_TRACE_REDUCE_SCATTER: {
        uint64_t block = 0;
        enum ct_status status = bytes_of(reader, call->count[0], call->size[0], &block);
        if (call->n_lists > 0)
            return take_list(reader, call, call->list[0], call->size[0], event);
        for (uint64_t i = 0; i < call->comm_size && status == CT_OK; i++)
            status = add_value(reader, block);
        event->n_values = (size_t)call->comm_size;
        return status == CT_OK ? bytes_of(reader, block, call->comm_size, &event->bytes) : status;
    }
    default:
        return take_size(reader, call, event);
    }
}

static enum ct_status take_rank(struct reader *reader, const struct ct_allprof_call *call,
                                int64_t given, int64_t tag, struct ct_trace_message *message)
{
    if (given >= (int64_t)call->comm_size || tag > INT32_MAX)
        return ct_fail(reader->err, CT_EFORMAT,
                       "%.*s with rank %" PRId64 ", tag %" PRId64 ": there are ranks 0 to %" PRIu64,
                       (int)call->name.n, call->name.at, given, tag, call->comm_size - 1);
    message->rank = given < 0 ? -1 : (int32_t)given;
    if (given >= 0 && call->comm_size == 1)
        message->rank = (int32_t)reader->of->rank;
    message->tag = tag < 0 ? -1 : (int32_t)tag;
    return CT_OK;
}

/* Both sides of a message; *silent_p: with MPI_PROC_NULL on all of them. */
static enum ct_status take_message(struct reader *reader, const struct ct_allprof_call *call,
                                   struct ct_trace_event *event, bool *silent_p)
{
    bool sends = event->kind != CT_TRACE_RECEIVE && call->peer >= 0;
    bool receives = event->kind != CT_TRACE_SEND && !from_nobody(call);
    size_t received = call->n_counts == 2 ? 1 : 0;
    enum ct_status status = CT_OK;
    *silent_p = !sends && !receives;
    if (event->kind == CT_TRACE_SENDRECV && !*silent_p && !(sends && receives))
        event->kind = sends ? CT_TRACE_SEND : CT_TRACE_RECEIVE;
    if (sends)
        status = take_rank(reader, call, call->peer, call->tag, &event->to);
    if (status == CT_OK && sends)
        status = bytes_of(reader, call->count[0], call->size[0], &event->to.bytes);
    if (status == CT_OK && receives)
        status = take_rank(reader, call, call->source, call->source_tag, &event->from);
    if (status == CT_OK && receives)
        status = bytes_of(reader, call->count[received], call->size[received], &event->from.bytes);
    return status;
}

/* The event of a call that communicates. */
static enum ct_status make_event(struct reader *reader, const struct ct_allprof_call *call,
                                 struct ct_trace_event *event, bool *silent_p)
{
    *event = timed(call, call->row.kind);
    event->mode = call->row.mode;
    *silent_p = false;
    if (!call->row.arguments) /* begin and end */
        return CT_OK;
    enum ct_status status = find_comm(reader, call, &event->comm);
    if (status != CT_OK)
        return status;
    bool message = event->kind == CT_TRACE_SEND || event->kind == CT_TRACE_RECEIVE ||
                   event->kind == CT_TRACE_SENDRECV;
    return message ? take_message(reader, call, event, silent_p)
                   : take_collective(reader, call, event);
}

static enum ct_status on_event(struct reader *reader, const struct ct_allprof_call *call)
{
    struct ct_trace_event event;
    bool silent, request = call->row.arguments && call->n_requests > 0;
    enum ct_status status = make_event(reader, call, &event, &silent);
    if (status != CT_OK)
        return status;
    if (silent) /* its time passes */
        return add_event(reader, timed(call, CT_TRACE_TEST));
    status = add_event(reader, event);
    return status == CT_OK && request ? begin_request(reader, call->request) : status;
}

static enum ct_status on_init(struct reader *reader, const struct ct_allprof_call *call)
{
    struct ct_trace_event event;
    bool silent;
    enum ct_status status = make_event(reader, call, &event, &silent);
    uint32_t before = ct_handle_map_find(&reader->persistent, call->request);
    if (status != CT_OK)
        return status;
    if (before != 0)
        ct_handle_map_remove(&reader->persistent, call->request, before);
    if (silent)
        return add_event(reader, timed(call, CT_TRACE_TEST));
    if (!make_room(&reader->templates, reader->n_templates, &reader->room_templates,
                   sizeof *reader->templates))
        return no_memory(reader->err);
    reader->templates[reader->n_templates++] = event;
    if (!ct_handle_map_add(&reader->persistent, call->request, (uint32_t)reader->n_templates))
        return no_memory(reader->err);
    return add_event(reader, timed(call, CT_TRACE_TEST));
}

static enum ct_status on_start(struct reader *reader, const struct ct_allprof_call *call)
{
    enum ct_status status = add_event(reader, timed(call, CT_TRACE_TEST));
    for (uint64_t i = 0; i < call->n_requests && status == CT_OK; i++) {
        uint64_t address = call->request + i * reader->request_bytes;
        uint32_t found = ct_handle_map_find(&reader->persistent, address);
        if (found == 0)
            continue;
        struct ct_trace_event event = reader->templates[found - 1];
        event.start_ns = event.end_ns = call->end_ns;
        status = add_event(reader, event);
        if (status == CT_OK)
            status = begin_request(reader, address);
    }
    return status;
}

static enum ct_status on_unmodelled(struct reader *reader, const struct ct_allprof_call *call)
{
    struct ct_trace_event event = timed(call, CT_TRACE_UNMODELLED);
    enum ct_status status = CT_OK;
    /* The text is gone when the event is used: its characters are kept as values. */
    event.n_text = call->name.n < CT_TRACE_TEXT_MAX ? call->name.n : CT_TRACE_TEXT_MAX;
    for (size_t i = 0; i < event.n_text && status == CT_OK; i++, event.n_values++)
        status = add_value(reader, (unsigned char)call->name.at[i]);
    return status == CT_OK ? add_event(reader, event) : status;
}

/* Time in a call is no compute. */
static enum ct_status on_nothing(struct reader *reader, const struct ct_allprof_call *call)
{
    uint32_t number;
    if (call->row.arguments && is_world(reader, call) && find_comm(reader, call, &number) != CT_OK)
        return reader->err->status;
    return add_event(reader, timed(call, CT_TRACE_TEST));
}

/* ---- lines ---- */

typedef enum ct_status handler(struct reader *reader, const struct ct_allprof_call *call);

static handler *const handlers[] = {
    [CT_ALLPROF_NOTHING] = on_nothing,
    [CT_ALLPROF_EVENT] = on_event,
    [CT_ALLPROF_INIT] = on_init,
    [CT_ALLPROF_START] = on_start,
    [CT_ALLPROF_WAIT] = on_wait,
    [CT_ALLPROF_TEST] = on_test,
    [CT_ALLPROF_CANCEL] = on_request,
    [CT_ALLPROF_FREE] = on_request,
    [CT_ALLPROF_UNMODELLED] = on_unmodelled,
};

static enum ct_status read_line(struct reader *reader, const struct ct_allprof_call *call)
{
    enum { REQUESTS_MAX = 1 << 20 };
    if (call->n_requests > REQUESTS_MAX)
        return ct_fail(reader->err, CT_EFORMAT, "%.*s of %" PRIu64 " requests", (int)call->name.n,
                       call->name.at, call->n_requests);
    return handlers[call->row.does](reader, call);
}

static enum ct_status each_line(struct reader *reader, struct ct_allprof_text text, handler *handle)
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
            ct_fail_within(reader->err, "line %" PRIu64, reader->line);
    }
    return status;
}

static enum ct_status find_request_size(struct reader *reader, const struct ct_allprof_call *call)
{
    if (call->row.arguments && call->n_requests > 0 && call->request % 8 != 0)
        reader->request_bytes = 4;
    return CT_OK;
}

/* What only tests have named. */
static enum ct_status complete_tested(struct reader *reader)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < reader->n_open && status == CT_OK; i++)
        if (reader->open[i].is_tested)
            status = add_completion(reader, reader->open[i].tested, reader->open[i].event);
    return status;
}

static int by_event(const void *a, const void *b)
{
    const struct ct_allprof_completion *x = a, *y = b;
    if (x->event != y->event)
        return x->event < y->event ? -1 : 1;
    return (x->completes > y->completes) - (x->completes < y->completes);
}

enum ct_status ct_allprof_rank_read(struct ct_allprof_rank *rank, struct ct_allprof_text text,
                                    struct ct_error *err)
{
    struct reader reader = {.of = rank, .request_bytes = 8, .err = err};
    enum ct_status status = each_line(&reader, text, find_request_size);
    if (status == CT_OK)
        status = each_line(&reader, text, read_line);
    if (status == CT_OK)
        status = complete_tested(&reader);
    if (status == CT_OK && rank->n_completions > 0)
        qsort(rank->completions, rank->n_completions, sizeof *rank->completions, by_event);
    free(reader.handles);
    free(reader.open);
    free(reader.templates);
    ct_handle_map_free(&reader.comms);
    ct_handle_map_free(&reader.requests);
    ct_handle_map_free(&reader.persistent);
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
    if (!make_room(&rank->scratch, n, &rank->room_scratch, sizeof *rank->scratch))
        return no_memory(err);
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
                                    uint64_t *place_p, struct ct_error *err)
{
    *event_p = (struct ct_trace_event){0};
    if (rank->next_event >= rank->n)
        return CT_OK;
    const struct ct_allprof_event *next = &rank->events[rank->next_event];
    enum ct_status status = CT_OK;
    *event_p = next->event;
    *place_p = next->line;
    if (event_p->kind == CT_TRACE_WAIT || event_p->kind == CT_TRACE_TEST) {
        status = fill_completions(rank, event_p, err);
    } else if (event_p->kind == CT_TRACE_UNMODELLED) {
        if (!make_room(&rank->scratch, event_p->n_text, &rank->room_scratch, sizeof *rank->scratch))
            return no_memory(err);
        for (size_t i = 0; i < event_p->n_text; i++)
            ((char *)rank->scratch)[i] = (char)rank->values[next->first_value + i];
        event_p->text = (const char *)rank->scratch;
        event_p->n_values = 0;
    } else if (event_p->n_values > 0) {
        event_p->values = rank->values + next->first_value;
    }
    rank->next_event++;
    return status;
}
