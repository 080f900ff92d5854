/* Collectives of intercommunicators, as MPICH 4 makes them (src/mpi/coll, the files *_inter_*.c):
 * of the rank's own group, and messages between the groups, most of them of the first rank of each.
 */
#include "trace/pmpi/state.h"

/* Of the messages, which are in a communicator of their own. */
enum { TAG = 0 };

/* Below so many bytes together a gather and a scatter go through the first rank of their group
 * (MPIR_CVAR_GATHER_INTER_SHORT_MSG_SIZE, MPIR_CVAR_SCATTER_INTER_SHORT_MSG_SIZE). */
enum { SHORT_BYTES = 2048 };

/* A call: where this rank is in it. */
struct between {
    uint64_t start_ns;
    uint32_t comm, local, both; /* numbers */
    int rank, n_local, n_remote;
    int root; /* rank of the other group; MPI_ROOT: this one; MPI_PROC_NULL: one beside it */
};

static struct ct_trace_message message_of(const struct between *call, int rank, uint64_t bytes)
{
    return (struct ct_trace_message){ct_tracer_world_rank(call->comm, rank), TAG, bytes};
}

static void write_send(const struct between *call, int to, uint64_t bytes)
{
    ct_tracer_write(call->start_ns, (struct ct_trace_event){.kind = CT_TRACE_SEND,
                                                            .comm = call->both,
                                                            .to = message_of(call, to, bytes)});
}

static void write_receive(const struct between *call, int from, uint64_t bytes)
{
    ct_tracer_write(call->start_ns, (struct ct_trace_event){.kind = CT_TRACE_RECEIVE,
                                                            .comm = call->both,
                                                            .from = message_of(call, from, bytes)});
}

static void write_sendrecv(const struct between *call, int to, uint64_t sent, int from,
                           uint64_t received)
{
    ct_tracer_write(call->start_ns,
                    (struct ct_trace_event){.kind = CT_TRACE_SENDRECV,
                                            .comm = call->both,
                                            .to = message_of(call, to, sent),
                                            .from = message_of(call, from, received)});
}

/* Of the own group; where there is a root it is the first rank. */
static void write_local(const struct between *call, enum ct_trace_kind kind, uint64_t bytes)
{
    const bool has_root = ct_trace_kind_fields(kind) & CT_TRACE_ROOT;
    ct_tracer_write(call->start_ns,
                    (struct ct_trace_event){
                        .kind = kind,
                        .comm = call->local,
                        .root = has_root ? (uint32_t)ct_tracer_world_rank(call->local, 0) : 0,
                        .bytes = bytes});
}

/* ---- from or to one rank ---- */

static void write_bcast(const struct between *call, uint64_t bytes)
{
    if (call->root == MPI_ROOT)
        write_send(call, 0, bytes);
    if (call->root < 0)
        return;
    if (call->rank == 0)
        write_receive(call, call->root, bytes);
    write_local(call, CT_TRACE_BCAST, bytes);
}

static void write_reduce(const struct between *call, uint64_t bytes)
{
    if (call->root == MPI_ROOT)
        write_receive(call, 0, bytes);
    if (call->root < 0)
        return;
    write_local(call, CT_TRACE_REDUCE, bytes);
    if (call->rank == 0)
        write_send(call, call->root, bytes);
}

/* bytes: of one rank of the group without the root */
static void write_gather(const struct between *call, uint64_t bytes)
{
    const int n = call->root == MPI_ROOT ? call->n_remote : call->n_local;
    const bool is_short = bytes * (uint64_t)n < SHORT_BYTES;
    if (call->root == MPI_ROOT) {
        for (int i = 0; i < (is_short ? 1 : n); i++)
            write_receive(call, i, is_short ? bytes * (uint64_t)n : bytes);
    } else if (call->root >= 0 && is_short) {
        write_local(call, CT_TRACE_GATHER, bytes);
        if (call->rank == 0)
            write_send(call, call->root, bytes * (uint64_t)n);
    } else if (call->root >= 0) {
        write_send(call, call->root, bytes);
    }
}

static void write_scatter(const struct between *call, uint64_t bytes)
{
    const int n = call->root == MPI_ROOT ? call->n_remote : call->n_local;
    const bool is_short = bytes * (uint64_t)n < SHORT_BYTES;
    if (call->root == MPI_ROOT) {
        for (int i = 0; i < (is_short ? 1 : n); i++)
            write_send(call, i, is_short ? bytes * (uint64_t)n : bytes);
    } else if (call->root >= 0 && is_short) {
        if (call->rank == 0)
            write_receive(call, call->root, bytes * (uint64_t)n);
        write_local(call, CT_TRACE_SCATTER, bytes);
    } else if (call->root >= 0) {
        write_receive(call, call->root, bytes);
    }
}

/* ---- of all ranks ---- */

/* Each group to the other, by its first rank: first the one that is first in the trace. */
static void write_two_bcasts(const struct between *call, uint64_t sent, uint64_t received)
{
    const bool is_first =
        ct_tracer_world_rank(call->local, 0) < ct_tracer_world_rank(call->comm, 0);
    for (int i = 0; i < 2; i++) {
        struct between one_way = *call;
        const bool sends = (i == 0) == is_first;
        if (sends)
            one_way.root = call->rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
        else
            one_way.root = 0;
        write_bcast(&one_way, sends ? sent : received);
    }
}

static void write_barrier(const struct between *call)
{
    write_local(call, CT_TRACE_BARRIER, 0);
    write_two_bcasts(call, 1, 1);
}

static void write_allreduce(const struct between *call, uint64_t bytes)
{
    write_local(call, CT_TRACE_REDUCE, bytes);
    if (call->rank == 0)
        write_sendrecv(call, 0, bytes, 0, bytes);
    write_local(call, CT_TRACE_BCAST, bytes);
}

static void write_allgather(const struct between *call, uint64_t sent, uint64_t received)
{
    write_local(call, CT_TRACE_GATHER, sent);
    write_two_bcasts(call, sent * (uint64_t)call->n_local, received * (uint64_t)call->n_remote);
}

static void write_alltoall(const struct between *call, uint64_t sent, uint64_t received)
{
    const int n = call->n_local > call->n_remote ? call->n_local : call->n_remote;
    for (int i = 0; i < n; i++) {
        const int from = (call->rank - i + n) % n, to = (call->rank + i) % n;
        const bool receives = from < call->n_remote, sends = to < call->n_remote;
        if (sends && receives)
            write_sendrecv(call, to, sent, from, received);
        else if (sends)
            write_send(call, to, sent);
        else if (receives)
            write_receive(call, from, received);
    }
}

static bool write_call(const struct between *call, const struct ct_trace_event *event,
                       uint64_t received)
{
    switch (event->kind) {
    case CT_TRACE_BARRIER:
        write_barrier(call);
        return true;
    case CT_TRACE_BCAST:
        write_bcast(call, event->bytes);
        return true;
    case CT_TRACE_REDUCE:
        write_reduce(call, event->bytes);
        return true;
    case CT_TRACE_ALLREDUCE:
        write_allreduce(call, event->bytes);
        return true;
    case CT_TRACE_GATHER:
        write_gather(call, event->bytes);
        return true;
    case CT_TRACE_SCATTER:
        write_scatter(call, event->bytes);
        return true;
    case CT_TRACE_ALLGATHER:
        write_allgather(call, event->bytes, received);
        return true;
    case CT_TRACE_ALLTOALL:
        write_alltoall(call, event->bytes, received);
        return true;
    default:
        return false;
    }
}

/* The communicators of its collectives, made in the first one; false after giving up. */
static bool find_groups(struct between *call, MPI_Comm comm)
{
    struct ct_tracer_comm *row = &ct_tracer.comms[call->comm];
    call->local = row->local;
    call->both = row->both;
    if (call->local == 0 && (!ct_tracer_add_copy(call->start_ns, comm, &call->both) ||
                             !ct_tracer_add_local(call->start_ns, comm, &call->local)))
        return false;
    row = &ct_tracer.comms[call->comm]; /* the table may have moved */
    row->local = call->local;
    row->both = call->both;
    return true;
}

bool ct_tracer_write_between(uint64_t start_ns, MPI_Comm comm, const struct ct_trace_event *event,
                             uint64_t received)
{
    struct between call = {.start_ns = start_ns, .comm = event->comm, .root = (int)event->root};
    if (event->vector)
        return false;
    PMPI_Comm_rank(comm, &call.rank);
    PMPI_Comm_size(comm, &call.n_local);
    PMPI_Comm_remote_size(comm, &call.n_remote);
    if (!find_groups(&call, comm))
        return true;
    uint64_t n_events = ct_tracer.n_events;
    bool is_known = write_call(&call, event, received);
    if (is_known && n_events == ct_tracer.n_events)
        ct_tracer_pass(start_ns);
    return is_known;
}
