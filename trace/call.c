#include "trace/call.h"

#include <stdio.h>

static const struct {
    enum ct_trace_class class;
    const char *blocking, *nonblocking; /* the latter NULL: there is none */
} calls[CT_TRACE_N_KINDS] = {
    [CT_TRACE_NONE] = {CT_TRACE_CLASS_OTHER, "none", NULL},
    [CT_TRACE_BEGIN] = {CT_TRACE_CLASS_OTHER, "MPI_Init", NULL},
    [CT_TRACE_END] = {CT_TRACE_CLASS_OTHER, "MPI_Finalize", NULL},
    [CT_TRACE_NEW_COMM] = {CT_TRACE_CLASS_OTHER, "new communicator", NULL},
    [CT_TRACE_SEND] = {CT_TRACE_CLASS_SEND, NULL, NULL}, /* by its mode */
    [CT_TRACE_RECEIVE] = {CT_TRACE_CLASS_RECEIVE, "MPI_Recv", "MPI_Irecv"},
    [CT_TRACE_SENDRECV] = {CT_TRACE_CLASS_SEND, "MPI_Sendrecv", NULL},
    [CT_TRACE_PROBE] = {CT_TRACE_CLASS_WAIT, "MPI_Probe", NULL},
    [CT_TRACE_WAIT] = {CT_TRACE_CLASS_WAIT, "MPI_Wait", NULL},
    [CT_TRACE_TEST] = {CT_TRACE_CLASS_WAIT, "MPI_Test", NULL},
    [CT_TRACE_CANCEL] = {CT_TRACE_CLASS_OTHER, "MPI_Cancel", NULL},
    [CT_TRACE_FREE] = {CT_TRACE_CLASS_OTHER, "MPI_Request_free", NULL},
    [CT_TRACE_BARRIER] = {CT_TRACE_CLASS_COLLECTIVE, "MPI_Barrier", "MPI_Ibarrier"},
    [CT_TRACE_BCAST] = {CT_TRACE_CLASS_COLLECTIVE, "MPI_Bcast", "MPI_Ibcast"},
    [CT_TRACE_REDUCE] = {CT_TRACE_CLASS_COLLECTIVE, "MPI_Reduce", "MPI_Ireduce"},
    [CT_TRACE_ALLREDUCE] = {CT_TRACE_CLASS_COLLECTIVE, "MPI_Allreduce", "MPI_Iallreduce"},
    [CT_TRACE_SCAN] = {CT_TRACE_CLASS_COLLECTIVE, "MPI_Scan", "MPI_Iscan"},
    [CT_TRACE_EXSCAN] = {CT_TRACE_CLASS_COLLECTIVE, "MPI_Exscan", "MPI_Iexscan"},
    [CT_TRACE_GATHER] = {CT_TRACE_CLASS_COLLECTIVE, "MPI_Gather", "MPI_Igather"},
    [CT_TRACE_SCATTER] = {CT_TRACE_CLASS_COLLECTIVE, "MPI_Scatter", "MPI_Iscatter"},
    [CT_TRACE_ALLGATHER] = {CT_TRACE_CLASS_COLLECTIVE, "MPI_Allgather", "MPI_Iallgather"},
    [CT_TRACE_ALLTOALL] = {CT_TRACE_CLASS_COLLECTIVE, "MPI_Alltoall", "MPI_Ialltoall"},
    [CT_TRACE_ALLTOALLV] = {CT_TRACE_CLASS_COLLECTIVE, "MPI_Alltoallv", "MPI_Ialltoallv"},
    [CT_TRACE_REDUCE_SCATTER] = {CT_TRACE_CLASS_COLLECTIVE, "MPI_Reduce_scatter",
                                 "MPI_Ireduce_scatter"},
    [CT_TRACE_NEIGHBOR] = {CT_TRACE_CLASS_COLLECTIVE, "MPI_Neighbor", "MPI_Ineighbor"},
    [CT_TRACE_UNMODELLED] = {CT_TRACE_CLASS_OTHER, "call without a model", NULL},
    [CT_TRACE_SEND_INIT] = {CT_TRACE_CLASS_OTHER, NULL, NULL}, /* by its mode */
    [CT_TRACE_SITE] = {CT_TRACE_CLASS_OTHER, "site", NULL},
    [CT_TRACE_RECEIVE_INIT] = {CT_TRACE_CLASS_OTHER, "MPI_Recv_init", NULL},
    [CT_TRACE_ACCESS] = {CT_TRACE_CLASS_SEND, NULL, NULL}, /* by its mode */
    [CT_TRACE_WINDOW_FLUSH] = {CT_TRACE_CLASS_WAIT, "MPI_Win_flush", NULL},
    [CT_TRACE_STAGES] = {CT_TRACE_CLASS_OTHER, "stages", NULL},
};

enum { BLOCKING, NONBLOCKING, PERSISTENT, N_FORMS };
static const char *const sends[CT_TRACE_N_MODES][N_FORMS] = {
    [CT_TRACE_STANDARD] = {"MPI_Send", "MPI_Isend", "MPI_Send_init"},
    [CT_TRACE_SYNCHRONOUS] = {"MPI_Ssend", "MPI_Issend", "MPI_Ssend_init"},
    [CT_TRACE_BUFFERED] = {"MPI_Bsend", "MPI_Ibsend", "MPI_Bsend_init"},
    [CT_TRACE_READY] = {"MPI_Rsend", "MPI_Irsend", "MPI_Rsend_init"},
};

static const char *const accesses[CT_TRACE_ALL_MODES][PERSISTENT] = {
    [CT_TRACE_PUT] = {"MPI_Put", "MPI_Rput"},
    [CT_TRACE_GET] = {"MPI_Get", "MPI_Rget"},
    [CT_TRACE_ACCUMULATE] = {"MPI_Accumulate", "MPI_Raccumulate"},
    [CT_TRACE_GET_ACCUMULATE] = {"MPI_Get_accumulate", "MPI_Rget_accumulate"},
    [CT_TRACE_FETCH_AND_OP] = {"MPI_Fetch_and_op", "MPI_Fetch_and_op"},
    [CT_TRACE_COMPARE_AND_SWAP] = {"MPI_Compare_and_swap", "MPI_Compare_and_swap"},
    [CT_TRACE_LOCK] = {"MPI_Win_lock", "MPI_Win_lock"},
    [CT_TRACE_UNLOCK] = {"MPI_Win_unlock", "MPI_Win_unlock"},
};

static const char *const classes[CT_TRACE_N_CLASSES] = {
#define CT_TRACE_CLASS_TEXT(name, text) [CT_TRACE_CLASS_##name] = (text),
    CT_TRACE_CLASS_MAP(CT_TRACE_CLASS_TEXT)
#undef CT_TRACE_CLASS_TEXT
};

const char *ct_trace_class_text(enum ct_trace_class class)
{
    return classes[(unsigned)class < CT_TRACE_N_CLASSES ? class : CT_TRACE_CLASS_OTHER];
}

enum ct_trace_class ct_trace_class_of(enum ct_trace_kind kind)
{
    return calls[(unsigned)kind < CT_TRACE_N_KINDS ? kind : CT_TRACE_NONE].class;
}

static void copy_text(const struct ct_trace_event *event, char name[CT_TRACE_CALL_MAX])
{
    size_t n = event->n_text < CT_TRACE_TEXT_MAX ? event->n_text : CT_TRACE_TEXT_MAX;
    for (size_t i = 0; i < n; i++)
        name[i] = event->text[i] >= ' ' && event->text[i] <= '~' ? event->text[i] : '?';
    name[n] = '\0';
}

bool ct_trace_is_vector(const struct ct_trace_event *event)
{
    bool equal = true;
    if (event->kind == CT_TRACE_REDUCE_SCATTER)
        for (size_t i = 1; i < event->n_values; i++)
            equal = equal && event->values[i] == event->values[0];
    return ct_trace_kind_has_vector(event->kind) && (event->vector || !equal);
}

/* What the name of the vector form has at its end, or that of the other. */
static const char *suffix_of(const struct ct_trace_event *event)
{
    bool vector = ct_trace_is_vector(event);
    if (event->kind == CT_TRACE_NEIGHBOR)
        return "_alltoallv";
    if (event->kind == CT_TRACE_REDUCE_SCATTER)
        return vector ? "" : "_block";
    return vector ? "v" : "";
}

const char *ct_trace_kind_name(enum ct_trace_kind kind, enum ct_trace_mode mode, bool has_request)
{
    const int form = has_request ? NONBLOCKING : BLOCKING;
    if (kind == CT_TRACE_SEND_INIT)
        return sends[mode < CT_TRACE_N_MODES ? mode : CT_TRACE_STANDARD][PERSISTENT];
    if (kind == CT_TRACE_SEND)
        return sends[mode < CT_TRACE_N_MODES ? mode : CT_TRACE_STANDARD][form];
    if (kind == CT_TRACE_ACCESS)
        return accesses[mode >= CT_TRACE_PUT && mode < CT_TRACE_ALL_MODES ? mode : CT_TRACE_PUT]
                       [form];
    return has_request && calls[kind].nonblocking ? calls[kind].nonblocking : calls[kind].blocking;
}

void ct_trace_call_name(const struct ct_trace_event *event, char name[CT_TRACE_CALL_MAX])
{
    enum ct_trace_kind kind =
        (unsigned)event->kind < CT_TRACE_N_KINDS ? event->kind : CT_TRACE_NONE;
    const char *text = ct_trace_kind_name(kind, event->mode, event->request != 0);
    if (event->starts > 0)
        text = event->starts > 1 ? "MPI_Startall" : "MPI_Start";
    if (kind == CT_TRACE_UNMODELLED && event->n_text > 0)
        copy_text(event, name);
    else
        snprintf(name, CT_TRACE_CALL_MAX, "%s%s", text, suffix_of(event));
}

uint64_t ct_trace_sent_bytes(const struct ct_trace_event *event)
{
    uint64_t bytes = event->to.bytes;
    if (event->kind != CT_TRACE_ACCESS)
        bytes += event->bytes;
    if (event->kind == CT_TRACE_SEND_INIT)
        return 0;
    if (event->kind == CT_TRACE_ALLTOALLV)
        for (size_t i = 0; i < event->n_values; i++)
            bytes += event->values[i];
    if (event->kind == CT_TRACE_NEIGHBOR && event->n_values > 0)
        for (size_t i = 0; i < event->values[0] && 2 * i + 2 < event->n_values; i++)
            bytes += event->values[2 * i + 2];
    return bytes;
}
