#include "core/array.h"
#include "trace/call.h"
#include "trace/otf2/writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- requests ---- */

static struct ct_otf2_writer_request *find_request(struct ct_otf2_writer *writer, uint32_t number)
{
    uint32_t found = ct_map_find(&writer->now.requests, number);
    return found ? &writer->now.under_way[found - 1] : NULL;
}

static void end_request(struct ct_otf2_writer *writer, uint32_t number)
{
    uint32_t found = ct_map_find(&writer->now.requests, number);
    if (found == 0)
        return;
    ct_map_remove(&writer->now.requests, number, found);
    writer->now.under_way[found - 1].next_unused = writer->now.unused;
    writer->now.unused = found;
}

static enum ct_status begin_request(struct ct_otf2_writer *writer, uint32_t number,
                                    struct ct_otf2_writer_request request, uint64_t *id_p)
{
    end_request(writer, number);
    uint32_t place = writer->now.unused;
    if (place != 0) {
        writer->now.unused = writer->now.under_way[place - 1].next_unused;
    } else {
        if (writer->now.n_under_way >= UINT32_MAX - 1 ||
            !CT_ARRAY_RESERVE(writer->now.under_way, writer->now.room_under_way,
                              writer->now.n_under_way + 1))
            return ct_no_memory(writer->err, "archive");
        place = (uint32_t)++writer->now.n_under_way;
    }
    request.id = *id_p = writer->now.n_requests++;
    writer->now.under_way[place - 1] = request;
    return ct_map_add(&writer->now.requests, number, place) ? CT_OK
                                                            : ct_no_memory(writer->err, "archive");
}

/* A request of one message: a new one, or a persistent one again. */
static enum ct_status begin_message(struct ct_otf2_writer *writer,
                                    const struct ct_trace_event *event, uint64_t *id_p)
{
    const struct ct_otf2_writer_request *found = find_request(writer, event->request);
    if (event->starts > 0 && found && found->persistent && found->kind == event->kind) {
        *id_p = found->id;
        return CT_OK;
    }
    return begin_request(writer, event->request,
                         (struct ct_otf2_writer_request){.kind = event->kind, .comm = event->comm},
                         id_p);
}

/* ---- records in a call ---- */

static void add_number(struct ct_otf2_writer *writer, enum ct_otf2_attribute which, uint64_t value)
{
    ct_otf2_keep(writer,
                 OTF2_AttributeList_AddUint64(writer->attributes, (OTF2_AttributeRef)which, value));
}

/* which: source or destination */
static enum ct_status add_message_attributes(struct ct_otf2_writer *writer,
                                             enum ct_otf2_attribute which, uint32_t number,
                                             const struct ct_trace_message *message)
{
    const struct ct_comm *comm;
    OTF2_CommRef ref = 0;
    enum ct_status status = ct_otf2_comm_ref(writer, number, &comm, &ref);
    add_number(writer, which, (uint64_t)((int64_t)message->rank + 1));
    add_number(writer, CT_OTF2_ATTRIBUTE_TAG, (uint64_t)((int64_t)message->tag + 1));
    add_number(writer, CT_OTF2_ATTRIBUTE_BYTES, message->bytes);
    add_number(writer, CT_OTF2_ATTRIBUTE_COMM, ref);
    return status;
}

static enum ct_status add_receive_attributes(struct ct_otf2_writer *writer,
                                             const struct ct_trace_event *event)
{
    return add_message_attributes(writer, CT_OTF2_ATTRIBUTE_SOURCE, event->comm, &event->from);
}

/* A persistent request is made: all that is known of it is in attributes. */
static enum ct_status add_init_attributes(struct ct_otf2_writer *writer,
                                          const struct ct_trace_event *event)
{
    bool sends = event->kind == CT_TRACE_SEND_INIT;
    uint64_t id = 0;
    enum ct_status status = add_message_attributes(
        writer, sends ? CT_OTF2_ATTRIBUTE_DESTINATION : CT_OTF2_ATTRIBUTE_SOURCE, event->comm,
        sends ? &event->to : &event->from);
    if (status == CT_OK)
        status = begin_request(
            writer, event->request,
            (struct ct_otf2_writer_request){.kind = sends ? CT_TRACE_SEND : CT_TRACE_RECEIVE,
                                            .persistent = true,
                                            .comm = event->comm},
            &id);
    add_number(writer, CT_OTF2_ATTRIBUTE_REQUEST, id);
    return status;
}

static enum ct_status write_send(struct ct_otf2_writer *writer, const struct ct_trace_event *event,
                                 uint64_t at_ns)
{
    const struct ct_comm *comm = NULL;
    OTF2_CommRef ref = 0;
    uint32_t member = 0;
    uint64_t id;
    CT_TRY(ct_otf2_comm_ref(writer, event->comm, &comm, &ref));
    CT_TRY(ct_otf2_writer_member(writer, comm, event->to.rank, &member));
    if (event->to.tag < 0)
        return ct_fail(writer->err, CT_EFORMAT, "a message with tag %d", event->to.tag);
    if (event->request == 0) {
        ct_otf2_keep(writer, OTF2_EvtWriter_MpiSend(writer->events, NULL, at_ns, member, ref,
                                                    (uint32_t)event->to.tag, event->to.bytes));
        return CT_OK;
    }
    CT_TRY(begin_message(writer, event, &id));
    ct_otf2_keep(writer, OTF2_EvtWriter_MpiIsend(writer->events, NULL, at_ns, member, ref,
                                                 (uint32_t)event->to.tag, event->to.bytes, id));
    return CT_OK;
}

/* A receive that is over: MpiRecv, with the attributes that were added, or MpiIrecv of a request.
 */
static enum ct_status write_received(struct ct_otf2_writer *writer, const struct ct_comm *comm,
                                     OTF2_CommRef ref, const struct ct_trace_message *from,
                                     const uint64_t *id, uint64_t at_ns)
{
    uint32_t member = 0;
    CT_TRY(ct_otf2_writer_member(writer, comm, from->rank, &member));
    if (from->tag < 0)
        return ct_fail(writer->err, CT_EFORMAT, "a message with tag %d", from->tag);
    ct_otf2_keep(writer,
                 id ? OTF2_EvtWriter_MpiIrecv(writer->events, NULL, at_ns, member, ref,
                                              (uint32_t)from->tag, from->bytes, *id)
                    : OTF2_EvtWriter_MpiRecv(writer->events, writer->attributes, at_ns, member, ref,
                                             (uint32_t)from->tag, from->bytes));
    return CT_OK;
}

static enum ct_status write_receive(struct ct_otf2_writer *writer,
                                    const struct ct_trace_event *event, uint64_t start_ns,
                                    uint64_t end_ns)
{
    const struct ct_comm *comm = NULL;
    OTF2_CommRef ref = 0;
    uint64_t id;
    CT_TRY(ct_otf2_comm_ref(writer, event->comm, &comm, &ref));
    if (event->cut)
        add_number(writer, CT_OTF2_ATTRIBUTE_CUT, 1);
    if (event->request == 0)
        return write_received(writer, comm, ref, &event->from, NULL, end_ns);
    CT_TRY(begin_message(writer, event, &id));
    CT_TRY(add_receive_attributes(writer, event));
    ct_otf2_keep(writer,
                 OTF2_EvtWriter_MpiIrecvRequest(writer->events, writer->attributes, start_ns, id));
    return CT_OK;
}

static OTF2_CollectiveOp op_of(const struct ct_trace_event *event)
{
    static const OTF2_CollectiveOp ops[CT_TRACE_N_KINDS] = {
        [CT_TRACE_BARRIER] = OTF2_COLLECTIVE_OP_BARRIER,
        [CT_TRACE_BCAST] = OTF2_COLLECTIVE_OP_BCAST,
        [CT_TRACE_REDUCE] = OTF2_COLLECTIVE_OP_REDUCE,
        [CT_TRACE_ALLREDUCE] = OTF2_COLLECTIVE_OP_ALLREDUCE,
        [CT_TRACE_SCAN] = OTF2_COLLECTIVE_OP_SCAN,
        [CT_TRACE_EXSCAN] = OTF2_COLLECTIVE_OP_EXSCAN,
        [CT_TRACE_GATHER] = OTF2_COLLECTIVE_OP_GATHER,
        [CT_TRACE_SCATTER] = OTF2_COLLECTIVE_OP_SCATTER,
        [CT_TRACE_ALLGATHER] = OTF2_COLLECTIVE_OP_ALLGATHER,
        [CT_TRACE_ALLTOALL] = OTF2_COLLECTIVE_OP_ALLTOALL,
        [CT_TRACE_ALLTOALLV] = OTF2_COLLECTIVE_OP_ALLTOALLV,
        [CT_TRACE_REDUCE_SCATTER] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK,
        [CT_TRACE_NEIGHBOR] = OTF2_COLLECTIVE_OP_ALLTOALLV,
    };
    static const OTF2_CollectiveOp vector_ops[CT_TRACE_N_KINDS] = {
        [CT_TRACE_GATHER] = OTF2_COLLECTIVE_OP_GATHERV,
        [CT_TRACE_SCATTER] = OTF2_COLLECTIVE_OP_SCATTERV,
        [CT_TRACE_ALLGATHER] = OTF2_COLLECTIVE_OP_ALLGATHERV,
        [CT_TRACE_REDUCE_SCATTER] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
    };
    return ct_trace_is_vector(event) ? vector_ops[event->kind] : ops[event->kind];
}

static enum ct_status describe_collective(const struct ct_otf2_writer *writer,
                                          const struct ct_trace_event *event,
                                          struct ct_otf2_writer_request *what_p)
{
    const struct ct_comm *comm = NULL;
    struct ct_otf2_place place = {.n = 1};
    struct ct_otf2_writer_request what = {
        .kind = event->kind, .op = op_of(event), .root = OTF2_COLLECTIVE_ROOT_NONE};
    enum ct_status status = ct_otf2_comm_ref(writer, event->comm, &comm, &what.ref);
    if (status == CT_OK)
        status = ct_otf2_writer_member(writer, comm, writer->now.rank, &place.member);
    if (status == CT_OK && ct_trace_kind_fields(event->kind) & CT_TRACE_ROOT) {
        status = ct_otf2_writer_member(writer, comm, event->root, &what.root);
        place.is_root = what.root == place.member;
    }
    if (status != CT_OK)
        return status;
    place.n = comm->group.n;
    what.sizes = ct_otf2_sizes_of(event->kind, ct_trace_sent_bytes(event), place);
    *what_p = what;
    return CT_OK;
}

static enum ct_status write_collective(struct ct_otf2_writer *writer,
                                       const struct ct_trace_event *event, uint64_t start_ns,
                                       uint64_t end_ns)
{
    struct ct_otf2_writer_request what = {.kind = CT_TRACE_NONE};
    uint64_t id;
    CT_TRY(describe_collective(writer, event, &what));
    if (event->request == 0) {
        ct_otf2_keep(writer, OTF2_EvtWriter_MpiCollectiveBegin(writer->events, NULL, start_ns));
        ct_otf2_keep(writer, OTF2_EvtWriter_MpiCollectiveEnd(writer->events, NULL, end_ns, what.op,
                                                             what.ref, what.root, what.sizes.sent,
                                                             what.sizes.received));
        return CT_OK;
    }
    CT_TRY(begin_request(writer, event->request, what, &id));
    ct_otf2_keep(writer,
                 OTF2_EvtWriter_NonBlockingCollectiveRequest(writer->events, NULL, start_ns, id));
    return CT_OK;
}

static enum ct_status write_completion(struct ct_otf2_writer *writer,
                                       const struct ct_trace_completion *completion, uint64_t at_ns)
{
    const struct ct_otf2_writer_request *found = find_request(writer, completion->request);
    if (!found)
        return ct_fail(writer->err, CT_EFORMAT, "completes request %u, which was not begun",
                       completion->request);
    struct ct_otf2_writer_request request = *found;
    if (!request.persistent)
        end_request(writer, completion->request);
    if (request.kind == CT_TRACE_SEND) {
        ct_otf2_keep(writer,
                     OTF2_EvtWriter_MpiIsendComplete(writer->events, NULL, at_ns, request.id));
    } else if (request.kind == CT_TRACE_RECEIVE && !completion->received) {
        ct_otf2_keep(writer,
                     OTF2_EvtWriter_MpiRequestCancelled(writer->events, NULL, at_ns, request.id));
    } else if (request.kind == CT_TRACE_RECEIVE) {
        const struct ct_comm *comm = NULL;
        enum ct_status status = ct_otf2_comm_ref(writer, request.comm, &comm, &request.ref);
        if (completion->cut)
            add_number(writer, CT_OTF2_ATTRIBUTE_CUT, 1);
        return status == CT_OK ? write_received(writer, comm, request.ref, &completion->from,
                                                &request.id, at_ns)
                               : status;
    } else {
        ct_otf2_keep(writer, OTF2_EvtWriter_NonBlockingCollectiveComplete(
                                 writer->events, NULL, at_ns, request.op, request.ref, request.root,
                                 request.sizes.sent, request.sizes.received, request.id));
    }
    return CT_OK;
}

static enum ct_status write_completions(struct ct_otf2_writer *writer,
                                        const struct ct_trace_event *event, uint64_t at_ns)
{
    struct ct_trace_completion completion;
    size_t at = 0;
    enum ct_status status = CT_OK;
    while (status == CT_OK && ct_trace_completion_next(event, &at, &completion))
        status = write_completion(writer, &completion, at_ns);
    if (status == CT_OK && at < event->n_values)
        status = ct_fail(writer->err, CT_EFORMAT, "a damaged list of completions");
    return status;
}

/* ---- calls ---- */

/* Numbers with blanks between, as a string of the archive. */
static enum ct_status add_list(struct ct_otf2_writer *writer, const struct ct_trace_event *event)
{
    enum { DIGITS_MAX = 21 };
    OTF2_StringRef ref = 0;
    size_t room = DIGITS_MAX * event->n_values + 1, n = 0;
    char *text = malloc(room);
    if (!text)
        return ct_no_memory(writer->err, "archive");
    *text = '\0';
    for (size_t i = 0; i < event->n_values && n < room; i++)
        n += (size_t)snprintf(text + n, room - n, "%s%" PRIu64, i > 0 ? " " : "", event->values[i]);
    enum ct_status status = ct_otf2_write_text(writer, text, &ref);
    if (status == CT_OK)
        ct_otf2_keep(writer, OTF2_AttributeList_AddStringRef(writer->attributes,
                                                             CT_OTF2_ATTRIBUTE_VALUES, ref));
    free(text);
    return status;
}

/* A one-sided access has no records. */
static enum ct_status add_access_attributes(struct ct_otf2_writer *writer,
                                            const struct ct_trace_event *event)
{
    const uint64_t values[] = {(uint64_t)event->mode, event->bytes};
    struct ct_trace_event list = *event;
    uint64_t id;
    list.values = values;
    list.n_values = sizeof values / sizeof *values;
    enum ct_status status =
        add_message_attributes(writer, CT_OTF2_ATTRIBUTE_DESTINATION, event->comm, &event->to);
    if (status == CT_OK)
        status = add_list(writer, &list);
    if (status != CT_OK || event->request == 0)
        return status;
    status = begin_request(writer, event->request,
                           (struct ct_otf2_writer_request){.kind = CT_TRACE_SEND}, &id);
    if (status == CT_OK)
        add_number(writer, CT_OTF2_ATTRIBUTE_REQUEST, id);
    return status;
}

static enum ct_status add_comm(struct ct_otf2_writer *writer, uint32_t number)
{
    const struct ct_comm *comm;
    OTF2_CommRef ref = 0;
    enum ct_status status = ct_otf2_comm_ref(writer, number, &comm, &ref);
    add_number(writer, CT_OTF2_ATTRIBUTE_COMM, ref);
    return status;
}

/* What the records of a call cannot say. */
static enum ct_status add_attributes(struct ct_otf2_writer *writer,
                                     const struct ct_trace_event *event)
{
    const struct ct_otf2_writer_request *request;
    switch (event->kind) {
    case CT_TRACE_NEW_COMM:
        return add_comm(writer, event->comm);
    case CT_TRACE_ACCESS:
        return add_access_attributes(writer, event);
    case CT_TRACE_WINDOW_FLUSH:
        CT_TRY(add_comm(writer, event->comm));
        return add_list(writer, event);
    case CT_TRACE_PROBE:
        return add_receive_attributes(writer, event);
    case CT_TRACE_SEND_INIT:
    case CT_TRACE_RECEIVE_INIT:
        return add_init_attributes(writer, event);
    case CT_TRACE_CANCEL:
    case CT_TRACE_FREE:
        request = find_request(writer, event->request);
        if (request)
            add_number(writer, CT_OTF2_ATTRIBUTE_REQUEST, request->id);
        return CT_OK;
    case CT_TRACE_ALLTOALLV:
    case CT_TRACE_REDUCE_SCATTER:
    case CT_TRACE_NEIGHBOR:
    case CT_TRACE_STAGES:
        return add_list(writer, event);
    default:
        return CT_OK;
    }
}

static enum ct_status write_records(struct ct_otf2_writer *writer,
                                    const struct ct_trace_event *event, uint64_t start_ns,
                                    uint64_t end_ns)
{
    switch (event->kind) {
    case CT_TRACE_SEND:
        return write_send(writer, event, start_ns);
    case CT_TRACE_RECEIVE:
        return write_receive(writer, event, start_ns, end_ns);
    case CT_TRACE_SENDRECV:
        CT_TRY(write_send(writer, event, start_ns));
        return write_receive(writer, event, start_ns, end_ns);
    case CT_TRACE_WAIT:
    case CT_TRACE_TEST:
        return write_completions(writer, event, end_ns);
    case CT_TRACE_FREE:
        end_request(writer, event->request);
        return CT_OK;
    default:
        return ct_trace_class_of(event->kind) == CT_TRACE_CLASS_COLLECTIVE
                   ? write_collective(writer, event, start_ns, end_ns)
                   : CT_OK;
    }
}

void ct_otf2_write_leave(struct ct_otf2_writer *writer, uint32_t next_thread)
{
    uint64_t end_ns = writer->now.threads[writer->now.thread].end_ns;
    if (!writer->now.is_open)
        return;
    if (next_thread != writer->now.thread)
        add_number(writer, CT_OTF2_ATTRIBUTE_THREAD, next_thread);
    ct_otf2_keep(
        writer, OTF2_EvtWriter_Leave(writer->events, writer->attributes, end_ns, writer->now.open));
    OTF2_AttributeList_RemoveAllAttributes(writer->attributes);
    writer->now.is_open = false;
}

/* The region of the event; events of a call that starts several requests have one together. A
 * region is left when the next event is known: its end tells the thread of that. */
static enum ct_status enter_call(struct ct_otf2_writer *writer, const struct ct_trace_event *event,
                                 uint64_t start_ns)
{
    OTF2_RegionRef region = 0;
    if (writer->now.is_open && event->start > 0 && event->start == writer->now.next_start &&
        event->thread == writer->now.thread)
        return CT_OK;
    ct_otf2_write_leave(writer, event->thread);
    writer->now.thread = event->thread;
    writer->events = writer->now.threads[event->thread].events;
    if (writer->now.n_threads > 1)
        add_number(writer, CT_OTF2_ATTRIBUTE_AFTER, event->after);
    CT_TRY(event->kind == CT_TRACE_NEW_COMM ? ct_otf2_have_comm(writer, event) : CT_OK);
    CT_TRY(ct_otf2_write_region(writer, event, &region));
    CT_TRY(add_attributes(writer, event));
    ct_otf2_keep(writer,
                 OTF2_EvtWriter_Enter(writer->events, writer->attributes, start_ns, region));
    writer->now.open = region;
    writer->now.is_open = true;
    return CT_OK;
}

enum ct_status ct_otf2_write_event(struct ct_otf2_writer *writer,
                                   const struct ct_trace_event *event)
{
    uint64_t start_ns = event->start_ns + writer->now.shift_ns;
    uint64_t end_ns = event->end_ns + writer->now.shift_ns;
    if (event->thread >= writer->now.n_threads)
        return ct_fail(writer->err, CT_EFORMAT, "the trace changed while it was read");
    uint64_t *last_ns = &writer->now.threads[event->thread].end_ns;
    if (start_ns < *last_ns)
        start_ns = *last_ns;
    if (end_ns < start_ns)
        end_ns = start_ns;
    if (end_ns > writer->last_ns)
        writer->last_ns = end_ns;
    OTF2_AttributeList_RemoveAllAttributes(writer->attributes);
    enum ct_status status = enter_call(writer, event, start_ns);
    OTF2_AttributeList_RemoveAllAttributes(writer->attributes);
    *last_ns = end_ns;
    if (status == CT_OK)
        status = write_records(writer, event, start_ns, end_ns);
    OTF2_AttributeList_RemoveAllAttributes(writer->attributes);
    if (status != CT_OK)
        return status;
    writer->now.next_start = event->starts > event->start + 1 ? event->start + 1 : 0;
    return ct_otf2_writer_check(writer);
}
