/* What a call of liballprof's form is as an event: communicator, sizes, ranks. */
#include "core/array.h"
#include "trace/convert/allprof_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum ct_status ct_allprof_add_event(struct ct_allprof_reader *reader, struct ct_trace_event event)
{
    struct ct_allprof_rank *of = reader->of;
    if (of->n >= UINT32_MAX - 1 || !CT_ARRAY_RESERVE(of->events, of->room, of->n + 1))
        return ct_no_memory(reader->err, "traces");
    of->events[of->n++] = (struct ct_allprof_event){
        .event = event, .line = reader->line, .first_value = of->n_values - event.n_values};
    return CT_OK;
}

enum ct_status ct_allprof_add_value(struct ct_allprof_reader *reader, uint64_t value)
{
    struct ct_allprof_rank *of = reader->of;
    if (!CT_ARRAY_RESERVE(of->values, of->room_values, of->n_values + 1))
        return ct_no_memory(reader->err, "traces");
    of->values[of->n_values++] = value;
    return CT_OK;
}

/* ---- communicators ---- */

static enum ct_status refuse_comm(struct ct_allprof_reader *reader,
                                  const struct ct_allprof_call *call,
                                  const struct ct_allprof_binding *binding)
{
    char why[120] = "liballprof's form does not say which ranks its members are";
    if (binding->because)
        snprintf(why, sizeof why, "MPI_%s in line %" PRIu64 " %s", binding->name,
                 binding->because_line, binding->because);
    return ct_fail(reader->err, CT_EUNSUPPORTED,
                   "%.*s on a communicator in which this is rank %" PRIu64 " of %" PRIu64
                   ": %s; trace the program by `crosstalk trace`",
                   (int)call->name.n, call->name.at, call->comm_rank, call->comm_size, why);
}

/* What a call's handle stands for in its line: the last binding up to there. */
static const struct ct_allprof_binding *binding_of(struct ct_allprof_reader *reader,
                                                   const struct ct_allprof_call *call)
{
    const struct ct_allprof_rank *of = reader->of;
    for (; reader->next_binding < of->n_bindings &&
           of->bindings[reader->next_binding].line <= reader->line;
         reader->next_binding++) {
        uint64_t handle = of->bindings[reader->next_binding].handle;
        uint32_t before = ct_map_find(&reader->comms, handle);
        if (before != 0)
            ct_map_remove(&reader->comms, handle, before);
        if (!ct_map_add(&reader->comms, handle, (uint32_t)reader->next_binding + 1))
            return NULL;
    }
    uint32_t found = ct_map_find(&reader->comms, call->comm);
    return found != 0 ? &of->bindings[found - 1] : NULL;
}

/* Its members in a "comm" event. */
static enum ct_status add_comm(struct ct_allprof_reader *reader, const struct ct_allprof_call *call,
                               uint32_t index)
{
    struct ct_allprof_rank *of = reader->of;
    const struct ct_allprof_comm *comm = &reader->table->comms[index];
    if (!CT_ARRAY_RESERVE(of->comms, of->room_comms, of->n_comms + 1))
        return ct_no_memory(reader->err, "traces");
    of->comms[of->n_comms++] = index;
    if (!ct_map_add(&reader->numbers, index, (uint32_t)of->n_comms))
        return ct_no_memory(reader->err, "traces");
    /* The index tells apart those with the same members, on all ranks alike. */
    return ct_allprof_add_event(reader, (struct ct_trace_event){.kind = CT_TRACE_NEW_COMM,
                                                                .start_ns = call->start_ns,
                                                                .end_ns = call->start_ns,
                                                                .comm = (uint32_t)of->n_comms - 1,
                                                                .ordinal = index,
                                                                .list = comm->hash,
                                                                .values = comm->runs,
                                                                .n_values = comm->n_runs});
}

/* A call's communicator, and its number in events, which it gets with its first use.
 * CT_OK; CT_EUNSUPPORTED; CT_ENOMEM */
static enum ct_status find_comm(struct ct_allprof_reader *reader,
                                const struct ct_allprof_call *call, uint32_t *number_p,
                                const struct ct_allprof_comm **comm_p)
{
    const struct ct_allprof_binding *binding = binding_of(reader, call);
    if (!binding)
        return ct_no_memory(reader->err, "traces");
    if (binding->comm == 0)
        return refuse_comm(reader, call, binding);
    uint32_t index = binding->comm - 1, found = ct_map_find(&reader->numbers, index);
    enum ct_status status = found == 0 ? add_comm(reader, call, index) : CT_OK;
    *number_p = found == 0 ? (uint32_t)reader->of->n_comms - 1 : found - 1;
    *comm_p = &reader->table->comms[index];
    return status;
}

/* -1 and -2 are MPI_PROC_NULL and MPI_ANY_SOURCE, or the other way round. */
static bool from_nobody(const struct ct_allprof_call *call)
{
    return call->source == (ct_allprof_is_mpich(call->comm) ? -1 : -2);
}

struct ct_trace_event ct_allprof_timed(const struct ct_allprof_call *call, enum ct_trace_kind kind)
{
    return (struct ct_trace_event){
        .kind = kind, .start_ns = call->start_ns, .end_ns = call->end_ns};
}

/* ---- sizes ---- */

/* MPI_IN_PLACE is -1 in MPICH, 1 in Open MPI. */
static bool is_in_place(uint64_t buffer)
{
    return buffer == UINT64_MAX || buffer == 1;
}

static enum ct_status bytes_of(struct ct_allprof_reader *reader, uint64_t count, uint64_t size,
                               uint64_t *bytes_p)
{
    if (__builtin_mul_overflow(count, size, bytes_p))
        return ct_fail(reader->err, CT_EFORMAT, "%" PRIu64 " elements of %" PRIu64 " B", count,
                       size);
    return CT_OK;
}

/* Blocks of each member, in values. */
static enum ct_status take_list(struct ct_allprof_reader *reader,
                                const struct ct_allprof_call *call, struct ct_allprof_text list,
                                uint64_t size, struct ct_trace_event *event)
{
    enum ct_status status = CT_OK;
    uint64_t count, block;
    while (status == CT_OK && list.n > 0 && ct_allprof_next(&list, &count)) {
        status = bytes_of(reader, count, size, &block);
        if (status == CT_OK)
            status = ct_allprof_add_value(reader, block);
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
static enum ct_status own_of_list(struct ct_allprof_reader *reader,
                                  const struct ct_allprof_call *call, struct ct_allprof_text list,
                                  uint64_t *count_p)
{
    for (uint64_t i = 0; i <= call->comm_rank; i++)
        if (list.n == 0 || !ct_allprof_next(&list, count_p))
            return ct_fail(reader->err, CT_EFORMAT, "%.*s: no count for rank %" PRIu64,
                           (int)call->name.n, call->name.at, call->comm_rank);
    return CT_OK;
}

/* Size of a collective without a list: what this rank gives (scatter: gets), unless it is there
 * already. Reductions have one count, behind both buffers. */
static enum ct_status take_size(struct ct_allprof_reader *reader,
                                const struct ct_allprof_call *call, struct ct_trace_event *event)
{
    bool scatters = event->kind == CT_TRACE_SCATTER;
    bool two_sided = call->n_sizes == 2;
    bool listed = call->n_lists > 0, use_second = two_sided && scatters;
    if (two_sided && is_in_place(call->buffer[scatters ? 1 : 0]))
        use_second = !use_second;
    /* Of two sides one may have a list; its counts are then in the list, not in count[]. */
    bool list_is_second = !scatters;
    uint64_t count = call->count[use_second && !listed ? 1 : 0];
    if (listed && use_second == list_is_second)
        CT_TRY(own_of_list(reader, call, call->list[0], &count));
    return bytes_of(reader, count, call->size[use_second ? 1 : 0], &event->bytes);
}

static enum ct_status take_collective(struct ct_allprof_reader *reader,
                                      const struct ct_allprof_call *call,
                                      const struct ct_allprof_comm *comm,
                                      struct ct_trace_event *event)
{
    if (ct_trace_kind_fields(event->kind) & CT_TRACE_ROOT) {
        if (call->root < 0 || (uint64_t)call->root >= call->comm_size)
            return ct_fail(reader->err, CT_EFORMAT, "%.*s: root %" PRId64, (int)call->name.n,
                           call->name.at, call->root);
        event->root = comm->members[call->root];
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
            status = ct_allprof_add_value(reader, block);
        event->n_values = (size_t)call->comm_size;
        return status == CT_OK ? bytes_of(reader, block, call->comm_size, &event->bytes) : status;
    }
    default:
        return take_size(reader, call, event);
    }
}

static enum ct_status take_rank(struct ct_allprof_reader *reader,
                                const struct ct_allprof_call *call,
                                const struct ct_allprof_comm *comm, int64_t given, int64_t tag,
                                struct ct_trace_message *message)
{
    if (given >= (int64_t)call->comm_size || tag > INT32_MAX)
        return ct_fail(reader->err, CT_EFORMAT,
                       "%.*s with rank %" PRId64 ", tag %" PRId64 ": there are ranks 0 to %" PRIu64,
                       (int)call->name.n, call->name.at, given, tag, call->comm_size - 1);
    message->rank = given < 0 ? -1 : (int32_t)comm->members[given];
    message->tag = tag < 0 ? -1 : (int32_t)tag;
    return CT_OK;
}

/* Both sides of a message; *silent_p: with MPI_PROC_NULL on all of them. */
static enum ct_status take_message(struct ct_allprof_reader *reader,
                                   const struct ct_allprof_call *call,
                                   const struct ct_allprof_comm *comm, struct ct_trace_event *event,
                                   bool *silent_p)
{
    bool sends = event->kind != CT_TRACE_RECEIVE && call->peer >= 0;
    bool receives = event->kind != CT_TRACE_SEND && !from_nobody(call);
    size_t received = call->n_counts == 2 ? 1 : 0;
    *silent_p = !sends && !receives;
    if (event->kind == CT_TRACE_SENDRECV && !*silent_p && !(sends && receives))
        event->kind = sends ? CT_TRACE_SEND : CT_TRACE_RECEIVE;
    if (sends)
        CT_TRY(take_rank(reader, call, comm, call->peer, call->tag, &event->to));
    if (sends)
        CT_TRY(bytes_of(reader, call->count[0], call->size[0], &event->to.bytes));
    if (receives)
        CT_TRY(take_rank(reader, call, comm, call->source, call->source_tag, &event->from));
    if (receives)
        CT_TRY(bytes_of(reader, call->count[received], call->size[received], &event->from.bytes));
    return CT_OK;
}

/* The event of a call that communicates. */
enum ct_status ct_allprof_make_event(struct ct_allprof_reader *reader,
                                     const struct ct_allprof_call *call,
                                     struct ct_trace_event *event, bool *silent_p)
{
    *event = ct_allprof_timed(call, call->row.kind);
    event->mode = call->row.mode;
    event->vector = ct_trace_kind_has_vector(event->kind) && strchr(call->row.arguments, 'l');
    *silent_p = false;
    if (!call->row.arguments) /* begin and end */
        return CT_OK;
    const struct ct_allprof_comm *comm = NULL;
    CT_TRY(find_comm(reader, call, &event->comm, &comm));
    bool message = event->kind == CT_TRACE_SEND || event->kind == CT_TRACE_RECEIVE ||
                   event->kind == CT_TRACE_SENDRECV;
    return message ? take_message(reader, call, comm, event, silent_p)
                   : take_collective(reader, call, comm, event);
}
