/* Point-to-point calls. */
#include "trace/pmpi/state.h"

/* Fills what a message names; false where there is nothing to record. */
static bool translate_message(uint64_t start_ns, const struct ct_tracer_message *message,
                              struct ct_trace_event *event, struct ct_trace_message *message_p)
{
    if (message->rank == MPI_PROC_NULL ||
        !ct_tracer_find_comm(start_ns, message->comm, &event->comm))
        return false;
    *message_p = (struct ct_trace_message){ct_tracer_world_rank(event->comm, message->rank),
                                           message->tag < 0 ? -1 : message->tag,
                                           ct_tracer_bytes(message->count, message->type)};
    return true;
}

void ct_tracer_send(uint64_t start_ns, struct ct_tracer_message message, enum ct_trace_mode mode,
                    const MPI_Request *request, enum ct_tracer_use use)
{
    if (!ct_tracer_enter())
        return;
    struct ct_trace_event event = {.kind = CT_TRACE_SEND, .mode = mode};
    bool recorded = translate_message(start_ns, &message, &event, &event.to);
    if (request)
        ct_tracer_begin_request(start_ns, *request, CT_TRACER_SEND, use, !recorded, event);
    else if (recorded)
        ct_tracer_write(start_ns, event);
    ct_tracer_leave();
}

void ct_tracer_receive_request(uint64_t start_ns, struct ct_tracer_message message,
                               const MPI_Request *request, enum ct_tracer_use use)
{
    if (!ct_tracer_enter())
        return;
    struct ct_trace_event event = {.kind = CT_TRACE_RECEIVE};
    bool recorded = translate_message(start_ns, &message, &event, &event.from);
    ct_tracer_begin_request(start_ns, *request, CT_TRACER_RECEIVE, use, !recorded, event);
    ct_tracer_leave();
}

void ct_tracer_received(uint64_t start_ns, MPI_Comm comm, const MPI_Status *status)
{
    if (!ct_tracer_enter())
        return;
    struct ct_trace_event event = {.kind = CT_TRACE_RECEIVE};
    if (ct_tracer_find_comm(start_ns, comm, &event.comm) &&
        ct_tracer_arrived(status, event.comm, &event.from))
        ct_tracer_write(start_ns, event);
    ct_tracer_leave();
}

void ct_tracer_cut(uint64_t start_ns, int code, struct ct_tracer_message room,
                   const MPI_Status *status)
{
    int class = MPI_SUCCESS;
    if (PMPI_Error_class(code, &class) != MPI_SUCCESS || class != MPI_ERR_TRUNCATE ||
        !ct_tracer_enter())
        return;
    struct ct_trace_event event = {.kind = CT_TRACE_RECEIVE, .cut = true};
    if (ct_tracer_find_comm(start_ns, room.comm, &event.comm) &&
        ct_tracer_arrived(status, event.comm, &event.from)) {
        event.from.bytes = ct_tracer_bytes(room.count, room.type);
        ct_tracer_write(start_ns, event);
    }
    ct_tracer_leave();
}

/* One of the two may be with MPI_PROC_NULL. */
void ct_tracer_sendrecv(uint64_t start_ns, struct ct_tracer_message to, const MPI_Status *status)
{
    if (!ct_tracer_enter())
        return;
    struct ct_trace_event event = {.kind = CT_TRACE_SENDRECV};
    if (ct_tracer_find_comm(start_ns, to.comm, &event.comm)) {
        bool sent = translate_message(start_ns, &to, &event, &event.to);
        bool received = ct_tracer_arrived(status, event.comm, &event.from);
        if (!received)
            event.kind = CT_TRACE_SEND;
        else if (!sent)
            event.kind = CT_TRACE_RECEIVE;
        if (sent || received)
            ct_tracer_write(start_ns, event);
    }
    ct_tracer_leave();
}

/* The status of such a request is not that of its receive in all MPI libraries (MPICH 4.0 leaves it
 * as it was): a receive from any source, or with any tag, is known by name only. */
void ct_tracer_isendrecv(uint64_t start_ns, struct ct_tracer_message to,
                         struct ct_tracer_message from, const MPI_Request *request)
{
    if (!ct_tracer_enter())
        return;
    struct ct_trace_event send = {.kind = CT_TRACE_SEND}, receive = {.kind = CT_TRACE_RECEIVE};
    bool sends = translate_message(start_ns, &to, &send, &send.to);
    bool receives = translate_message(start_ns, &from, &receive, &receive.from);
    if (receives && (receive.from.rank < 0 || receive.from.tag < 0)) {
        static const char name[] = "MPI_Isendrecv";
        ct_tracer_begin_request(start_ns, *request, CT_TRACER_RECEIVE, CT_TRACER_ONCE, true,
                                receive);
        ct_tracer_write(start_ns, (struct ct_trace_event){.kind = CT_TRACE_UNMODELLED,
                                                          .text = name,
                                                          .n_text = sizeof name - 1});
    } else if (sends && receives) {
        const struct ct_tracer_piece both[] = {{.event = send}, {.event = receive}};
        ct_tracer_begin_pieces(start_ns, *request, CT_TRACER_ONCE, both, 2);
    } else if (sends) {
        ct_tracer_begin_request(start_ns, *request, CT_TRACER_SEND, CT_TRACER_ONCE, false, send);
    } else {
        ct_tracer_begin_request(start_ns, *request, CT_TRACER_RECEIVE, CT_TRACER_ONCE, !receives,
                                receive);
        ct_tracer_trust_begin(*request, 0);
    }
    ct_tracer_leave();
}

/* A part waits for the receiver to be ready, so the message is a synchronous one. */
void ct_tracer_parts(uint64_t start_ns, enum ct_trace_kind kind, struct ct_tracer_message message,
                     int n_parts, const MPI_Request *request)
{
    if (!ct_tracer_enter())
        return;
    bool sends = kind == CT_TRACE_SEND;
    struct ct_trace_event event = {.kind = kind,
                                   .mode = sends ? CT_TRACE_SYNCHRONOUS : CT_TRACE_STANDARD};
    message.count *= n_parts;
    bool recorded = translate_message(start_ns, &message, &event, sends ? &event.to : &event.from);
    ct_tracer_begin_request(start_ns, *request, sends ? CT_TRACER_SEND : CT_TRACER_RECEIVE,
                            CT_TRACER_PLANNED, !recorded, event);
    ct_tracer_trust_begin(*request, n_parts);
    ct_tracer_leave();
}

void ct_tracer_probed(uint64_t start_ns, MPI_Comm comm, const MPI_Status *status,
                      MPI_Message message)
{
    if (!ct_tracer_enter())
        return;
    struct ct_trace_event event = {.kind = CT_TRACE_PROBE};
    if (ct_tracer_find_comm(start_ns, comm, &event.comm) &&
        ct_tracer_arrived(status, event.comm, &event.from)) {
        ct_tracer_write(start_ns, event);
        if (message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC &&
            !ct_map_add(&ct_tracer.message_comms, CT_TRACER_HANDLE(message), event.comm + 1))
            ct_tracer_give_up("out of memory");
    }
    ct_tracer_leave();
}

void ct_tracer_matched_receive(uint64_t start_ns, MPI_Message message, MPI_Count count,
                               MPI_Datatype type, const MPI_Status *status,
                               const MPI_Request *request)
{
    if (!ct_tracer_enter())
        return;
    uint32_t comm = ct_map_find(&ct_tracer.message_comms, CT_TRACER_HANDLE(message));
    struct ct_trace_event event = {.kind = CT_TRACE_RECEIVE, .comm = comm ? comm - 1 : 0};
    ct_map_remove(&ct_tracer.message_comms, CT_TRACER_HANDLE(message), comm);
    if (request) {
        event.from = (struct ct_trace_message){-1, -1, ct_tracer_bytes(count, type)};
        ct_tracer_begin_request(start_ns, *request, CT_TRACER_RECEIVE, CT_TRACER_ONCE, comm == 0,
                                event);
    } else if (comm != 0 && ct_tracer_arrived(status, event.comm, &event.from)) {
        ct_tracer_write(start_ns, event);
    }
    ct_tracer_leave();
}
