/* Wrappers of point-to-point calls. */
#include "trace/pmpi/wrap.h"

/* A macro each for calls that differ in their names only. */
#define SEND(name, mode)                                                                           \
    CT_TRACE_CALL(                                                                                 \
        name,                                                                                      \
        (const void *buffer, COUNT count, MPI_Datatype type, int rank, int tag, MPI_Comm comm),    \
        (buffer, count, type, rank, tag, comm))                                                    \
    {                                                                                              \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = next_##name(buffer, count, type, rank, tag, comm);                              \
        if (code == MPI_SUCCESS)                                                                   \
            ct_tracer_send(start_ns, (struct ct_tracer_message){count, type, rank, tag, comm},     \
                           mode, NULL, CT_TRACER_ONCE);                                            \
        return code;                                                                               \
    }

SEND(Send, CT_TRACE_STANDARD)
SEND(Ssend, CT_TRACE_SYNCHRONOUS)
SEND(Bsend, CT_TRACE_BUFFERED)
SEND(Rsend, CT_TRACE_READY)

#define SEND_REQUEST(name, mode, use)                                                              \
    CT_TRACE_CALL(name,                                                                            \
                  (const void *buffer, COUNT count, MPI_Datatype type, int rank, int tag,          \
                   MPI_Comm comm, MPI_Request *request),                                           \
                  (buffer, count, type, rank, tag, comm, request))                                 \
    {                                                                                              \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = next_##name(buffer, count, type, rank, tag, comm, request);                     \
        if (code == MPI_SUCCESS)                                                                   \
            ct_tracer_send(start_ns, (struct ct_tracer_message){count, type, rank, tag, comm},     \
                           mode, request, use);                                                    \
        return code;                                                                               \
    }

SEND_REQUEST(Isend, CT_TRACE_STANDARD, CT_TRACER_ONCE)
SEND_REQUEST(Issend, CT_TRACE_SYNCHRONOUS, CT_TRACER_ONCE)
SEND_REQUEST(Ibsend, CT_TRACE_BUFFERED, CT_TRACER_ONCE)
SEND_REQUEST(Irsend, CT_TRACE_READY, CT_TRACER_ONCE)
SEND_REQUEST(Send_init, CT_TRACE_STANDARD, CT_TRACER_PERSISTENT)
SEND_REQUEST(Ssend_init, CT_TRACE_SYNCHRONOUS, CT_TRACER_PERSISTENT)
SEND_REQUEST(Bsend_init, CT_TRACE_BUFFERED, CT_TRACER_PERSISTENT)
SEND_REQUEST(Rsend_init, CT_TRACE_READY, CT_TRACER_PERSISTENT)

#define RECEIVE_REQUEST(name, use)                                                                 \
    CT_TRACE_CALL(name,                                                                            \
                  (void *buffer, COUNT count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, \
                   MPI_Request *request),                                                          \
                  (buffer, count, type, rank, tag, comm, request))                                 \
    {                                                                                              \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = next_##name(buffer, count, type, rank, tag, comm, request);                     \
        if (code == MPI_SUCCESS)                                                                   \
            ct_tracer_receive_request(                                                             \
                start_ns, (struct ct_tracer_message){count, type, rank, tag, comm}, request, use); \
        return code;                                                                               \
    }

RECEIVE_REQUEST(Irecv, CT_TRACER_ONCE)
RECEIVE_REQUEST(Recv_init, CT_TRACER_PERSISTENT)

CT_TRACE_CALL(Recv,
              (void *buffer, COUNT count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Status *status),
              (buffer, count, type, rank, tag, comm, status))
{
    MPI_Status own;
    uint64_t start_ns = ct_tracer_now();
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = next_Recv(buffer, count, type, rank, tag, comm, status);
    if (code == MPI_SUCCESS)
        ct_tracer_received(start_ns, comm, status);
    else
        ct_tracer_cut(start_ns, code, (struct ct_tracer_message){count, type, rank, tag, comm},
                      status);
    return code;
}

CT_TRACE_CALL(Sendrecv,
              (const void *to_buffer, COUNT to_count, MPI_Datatype to_type, int to, int to_tag,
               void *from_buffer, COUNT from_count, MPI_Datatype from_type, int from, int from_tag,
               MPI_Comm comm, MPI_Status *status),
              (to_buffer, to_count, to_type, to, to_tag, from_buffer, from_count, from_type, from,
               from_tag, comm, status))
{
    MPI_Status own;
    uint64_t start_ns = ct_tracer_now();
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = next_Sendrecv(to_buffer, to_count, to_type, to, to_tag, from_buffer, from_count,
                             from_type, from, from_tag, comm, status);
    if (code == MPI_SUCCESS)
        ct_tracer_sendrecv(start_ns,
                           (struct ct_tracer_message){to_count, to_type, to, to_tag, comm}, status);
    return code;
}

CT_TRACE_CALL(Sendrecv_replace,
              (void *buffer, COUNT count, MPI_Datatype type, int to, int to_tag, int from,
               int from_tag, MPI_Comm comm, MPI_Status *status),
              (buffer, count, type, to, to_tag, from, from_tag, comm, status))
{
    MPI_Status own;
    uint64_t start_ns = ct_tracer_now();
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = next_Sendrecv_replace(buffer, count, type, to, to_tag, from, from_tag, comm, status);
    if (code == MPI_SUCCESS)
        ct_tracer_sendrecv(start_ns, (struct ct_tracer_message){count, type, to, to_tag, comm},
                           status);
    return code;
}

#if MPI_VERSION >= 4
CT_TRACE_CALL(Isendrecv,
              (const void *to_buffer, COUNT to_count, MPI_Datatype to_type, int to, int to_tag,
               void *from_buffer, COUNT from_count, MPI_Datatype from_type, int from, int from_tag,
               MPI_Comm comm, MPI_Request *request),
              (to_buffer, to_count, to_type, to, to_tag, from_buffer, from_count, from_type, from,
               from_tag, comm, request))
{
    uint64_t start_ns = ct_tracer_now();
    int code = next_Isendrecv(to_buffer, to_count, to_type, to, to_tag, from_buffer, from_count,
                              from_type, from, from_tag, comm, request);
    if (code == MPI_SUCCESS)
        ct_tracer_isendrecv(
            start_ns, (struct ct_tracer_message){to_count, to_type, to, to_tag, comm},
            (struct ct_tracer_message){from_count, from_type, from, from_tag, comm}, request);
    return code;
}

CT_TRACE_CALL(Isendrecv_replace,
              (void *buffer, COUNT count, MPI_Datatype type, int to, int to_tag, int from,
               int from_tag, MPI_Comm comm, MPI_Request *request),
              (buffer, count, type, to, to_tag, from, from_tag, comm, request))
{
    uint64_t start_ns = ct_tracer_now();
    int code =
        next_Isendrecv_replace(buffer, count, type, to, to_tag, from, from_tag, comm, request);
    if (code == MPI_SUCCESS)
        ct_tracer_isendrecv(start_ns, (struct ct_tracer_message){count, type, to, to_tag, comm},
                            (struct ct_tracer_message){count, type, from, from_tag, comm}, request);
    return code;
}
#endif

/* ---- probes, and receives of what they found ---- */

#ifndef CT_TRACE_LARGE
CT_TRACE_CALL(Probe, (int rank, int tag, MPI_Comm comm, MPI_Status *status),
              (rank, tag, comm, status))
{
    MPI_Status own;
    uint64_t start_ns = ct_tracer_now();
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = next_Probe(rank, tag, comm, status);
    if (code == MPI_SUCCESS)
        ct_tracer_probed(start_ns, comm, status, MPI_MESSAGE_NULL);
    return code;
}

CT_TRACE_CALL(Iprobe, (int rank, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
              (rank, tag, comm, flag, status))
{
    MPI_Status own;
    uint64_t start_ns = ct_tracer_now();
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = next_Iprobe(rank, tag, comm, flag, status);
    if (code == MPI_SUCCESS && *flag)
        ct_tracer_probed(start_ns, comm, status, MPI_MESSAGE_NULL);
    else if (code == MPI_SUCCESS)
        ct_tracer_found_nothing(start_ns);
    return code;
}

CT_TRACE_CALL(Mprobe, (int rank, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
              (rank, tag, comm, message, status))
{
    MPI_Status own;
    uint64_t start_ns = ct_tracer_now();
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = next_Mprobe(rank, tag, comm, message, status);
    if (code == MPI_SUCCESS)
        ct_tracer_probed(start_ns, comm, status, *message);
    return code;
}

CT_TRACE_CALL(Improbe,
              (int rank, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
               MPI_Status *status),
              (rank, tag, comm, flag, message, status))
{
    MPI_Status own;
    uint64_t start_ns = ct_tracer_now();
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = next_Improbe(rank, tag, comm, flag, message, status);
    if (code == MPI_SUCCESS && *flag)
        ct_tracer_probed(start_ns, comm, status, *message);
    else if (code == MPI_SUCCESS)
        ct_tracer_found_nothing(start_ns);
    return code;
}
#endif

CT_TRACE_CALL(Mrecv,
              (void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message,
               MPI_Status *status),
              (buffer, count, type, message, status))
{
    MPI_Status own;
    MPI_Message before = *message;
    uint64_t start_ns = ct_tracer_now();
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = next_Mrecv(buffer, count, type, message, status);
    if (code == MPI_SUCCESS)
        ct_tracer_matched_receive(start_ns, before, count, type, status, NULL);
    return code;
}

CT_TRACE_CALL(Imrecv,
              (void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message,
               MPI_Request *request),
              (buffer, count, type, message, request))
{
    MPI_Message before = *message;
    uint64_t start_ns = ct_tracer_now();
    int code = next_Imrecv(buffer, count, type, message, request);
    if (code == MPI_SUCCESS)
        ct_tracer_matched_receive(start_ns, before, count, type, NULL, request);
    return code;
}
