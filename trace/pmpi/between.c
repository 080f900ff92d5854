/* Collectives of intercommunicators, as MPICH 4 makes them (src/mpi/coll, the files *_inter_*.c):
 * of the rank's own group, and messages between the groups, most of them of the first rank of each.
 * A call becomes a list of these pieces, in stages; what blocks makes them one after the other.
 */
#include "core/array.h"
#include "trace/pmpi/state.h"

#include <stdlib.h>

/* Of the messages, which are in a communicator of their own: of calls that block, and the first of
 * those that do not, which have one each, as several may be under way. */
enum { TAG = 0, TAG_FIRST = 1, N_TAGS = 32767 };

/* Below so many elements together a gather and a scatter go through the first rank of their group
 * (MPIR_CVAR_GATHER_INTER_SHORT_MSG_SIZE, MPIR_CVAR_SCATTER_INTER_SHORT_MSG_SIZE: MPICH 4.0
 * compares counts with them, of elements of any size, as trace_between.c sees). */
enum { SHORT_ELEMENTS = 2048 };

/* A call: where this rank is in it, and its pieces so far. */
struct between {
    uint32_t comm, local, both; /* numbers */
    int rank, n_local, n_remote;
    int root; /* rank of the other group; MPI_ROOT: this one; MPI_PROC_NULL: one beside it */
    bool blocks, is_first; /* the own group is the first one of the trace */
    int32_t tag;
    struct ct_tracer_piece *pieces;
    size_t n, room;
    bool ends_stage; /* the next piece waits for those before */
    bool no_memory;
};

static void add_piece(struct between *call, struct ct_trace_event event)
{
    if (!CT_ARRAY_RESERVE(call->pieces, call->room, call->n + 1)) {
        call->no_memory = true;
        return;
    }
    call->pieces[call->n++] =
        (struct ct_tracer_piece){.event = event, .is_later = call->ends_stage};
    call->ends_stage = false;
}

static void end_stage(struct between *call)
{
    call->ends_stage = call->n > 0;
}

static struct ct_trace_message message_of(const struct between *call, int rank, uint64_t bytes)
{
    return (struct ct_trace_message){ct_tracer_world_rank(call->comm, rank), call->tag, bytes};
}

static void add_send(struct between *call, int to, uint64_t bytes)
{
    add_piece(call, (struct ct_trace_event){.kind = CT_TRACE_SEND,
                                            .comm = call->both,
                                            .to = message_of(call, to, bytes)});
}

static void add_receive(struct between *call, int from, uint64_t bytes)
{
    add_piece(call, (struct ct_trace_event){.kind = CT_TRACE_RECEIVE,
                                            .comm = call->both,
                                            .from = message_of(call, from, bytes)});
}

/* At the same time. */
static void add_exchange(struct between *call, int to, uint64_t sent, int from, uint64_t received)
{
    if (!call->blocks) {
        add_send(call, to, sent);
        add_receive(call, from, received);
        return;
    }
    add_piece(call, (struct ct_trace_event){.kind = CT_TRACE_SENDRECV,
                                            .comm = call->both,
                                            .to = message_of(call, to, sent),
                                            .from = message_of(call, from, received)});
}

/* Of the own group; where there is a root it is the first rank. */
static void add_local(struct between *call, enum ct_trace_kind kind, uint64_t bytes, bool vector)
{
    const bool has_root = ct_trace_kind_fields(kind) & CT_TRACE_ROOT;
    add_piece(call, (struct ct_trace_event){
                        .kind = kind,
                        .comm = call->local,
                        .root = has_root ? (uint32_t)ct_tracer_world_rank(call->local, 0) : 0,
                        .bytes = bytes,
                        .vector = vector});
}

/* ---- from or to one rank ---- */

static void add_bcast(struct between *call, uint64_t bytes)
{
    if (call->root == MPI_ROOT)
        add_send(call, 0, bytes);
    if (call->root < 0)
        return;
    if (call->rank == 0) {
        add_receive(call, call->root, bytes);
        end_stage(call);
    }
    add_local(call, CT_TRACE_BCAST, bytes, false);
}

static void add_reduce(struct between *call, uint64_t bytes)
{
    if (call->root == MPI_ROOT)
        add_receive(call, 0, bytes);
    if (call->root >= 0) {
        add_local(call, CT_TRACE_REDUCE, bytes, false);
        end_stage(call);
        if (call->rank == 0)
            add_send(call, call->root, bytes);
    }
    end_stage(call);
}

/* bytes, count: of one rank of the group without the root */
static void add_gather(struct between *call, uint64_t bytes, MPI_Count count)
{
    const int n = call->root == MPI_ROOT ? call->n_remote : call->n_local;
    const bool is_short = count < (SHORT_ELEMENTS + n - 1) / n;
    if (call->root == MPI_ROOT) {
        for (int i = 0; i < (is_short ? 1 : n); i++)
            add_receive(call, i, is_short ? bytes * (uint64_t)n : bytes);
    } else if (call->root >= 0 && is_short) {
        add_local(call, CT_TRACE_GATHER, bytes, false);
        end_stage(call);
        if (call->rank == 0)
            add_send(call, call->root, bytes * (uint64_t)n);
    } else if (call->root >= 0) {
        add_send(call, call->root, bytes);
    }
}

static void add_scatter(struct between *call, uint64_t bytes, MPI_Count count)
{
    const int n = call->root == MPI_ROOT ? call->n_remote : call->n_local;
    const bool is_short = count < (SHORT_ELEMENTS + n - 1) / n;
    if (call->root == MPI_ROOT) {
        for (int i = 0; i < (is_short ? 1 : n); i++)
            add_send(call, i, is_short ? bytes * (uint64_t)n : bytes);
    } else if (call->root >= 0 && is_short) {
        if (call->rank == 0) {
            add_receive(call, call->root, bytes * (uint64_t)n);
            end_stage(call);
        }
        add_local(call, CT_TRACE_SCATTER, bytes, false);
    } else if (call->root >= 0) {
        add_receive(call, call->root, bytes);
    }
}

/* Vectors go from and to each rank, without empty messages. bytes: of this rank; others: those of
 * the group without the root, which the root knows. */
static void add_gatherv(struct between *call, uint64_t bytes, const struct ct_tracer_blocks *others)
{
    for (int i = 0; call->root == MPI_ROOT && i < call->n_remote; i++)
        if (ct_tracer_block_bytes(others, i) > 0)
            add_receive(call, i, ct_tracer_block_bytes(others, i));
    if (call->root >= 0 && bytes > 0)
        add_send(call, call->root, bytes);
}

static void add_scatterv(struct between *call, uint64_t bytes,
                         const struct ct_tracer_blocks *others)
{
    for (int i = 0; call->root == MPI_ROOT && i < call->n_remote; i++)
        if (ct_tracer_block_bytes(others, i) > 0)
            add_send(call, i, ct_tracer_block_bytes(others, i));
    if (call->root >= 0 && bytes > 0)
        add_receive(call, call->root, bytes);
}

/* ---- of all ranks ---- */

/* One direction of a call of all: towards the first rank of the other group, or of this one. */
static void set_root(struct between *call, bool is_here)
{
    call->root = !is_here ? 0 : call->rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
}

/* Each group to the other, by its first rank: first the one that is first in the trace. */
static void add_two_bcasts(struct between *call, uint64_t sent, uint64_t received, bool in_turn)
{
    for (int i = 0; i < 2; i++) {
        const bool sends = (i == 0) == call->is_first;
        set_root(call, sends);
        if (i == 1 && in_turn)
            end_stage(call);
        if ((sends ? sent : received) > 0)
            add_bcast(call, sends ? sent : received);
    }
}

static void add_barrier(struct between *call)
{
    add_local(call, CT_TRACE_BARRIER, 0, false);
    end_stage(call);
    add_two_bcasts(call, 1, 1, true);
}

/* The first group has the sum of the other one first. */
static void add_two_reduces(struct between *call, uint64_t bytes)
{
    for (int i = 0; i < 2; i++) {
        set_root(call, (i == 0) == call->is_first);
        add_reduce(call, bytes);
    }
}

static void add_allreduce(struct between *call, uint64_t bytes)
{
    if (call->blocks) {
        add_local(call, CT_TRACE_REDUCE, bytes, false);
        if (call->rank == 0)
            add_exchange(call, 0, bytes, 0, bytes);
    } else {
        add_two_reduces(call, bytes);
    }
    add_local(call, CT_TRACE_BCAST, bytes, false);
}

/* bytes: that this rank has afterwards, of the whole vector */
static void add_reduce_scatter(struct between *call, const struct ct_trace_event *event)
{
    add_two_reduces(call, event->bytes);
    add_local(call, CT_TRACE_SCATTER, event->values[call->rank], event->vector);
}

static void add_allgather(struct between *call, uint64_t sent, uint64_t received)
{
    if (sent > 0) {
        add_local(call, CT_TRACE_GATHER, sent, false);
        end_stage(call);
    }
    add_two_bcasts(call, sent * (uint64_t)call->n_local, received * (uint64_t)call->n_remote,
                   false);
}

static void add_allgatherv(struct between *call, uint64_t sent,
                           const struct ct_tracer_blocks *received)
{
    uint64_t sum = 0;
    for (int i = 0; i < 2; i++) {
        set_root(call, (i == 0) == call->is_first);
        add_gatherv(call, sent, received);
    }
    for (int i = 0; i < call->n_remote; i++)
        sum += ct_tracer_block_bytes(received, i);
    end_stage(call);
    add_local(call, CT_TRACE_BCAST, sum, false);
}

/* sent: NULL: `bytes` to each. Empty messages are sent but by MPI_Ialltoallv, whose blocks have one
 * type. */
static void add_alltoall(struct between *call, const uint64_t *sent, uint64_t bytes,
                         const struct ct_tracer_blocks *received)
{
    const int n = call->n_local > call->n_remote ? call->n_local : call->n_remote;
    const bool skips_empty = !call->blocks && sent && !received->types;
    for (int i = 0; i < n; i++) {
        const int from = (call->rank - i + n) % n, to = (call->rank + i) % n;
        const uint64_t in = from < call->n_remote ? ct_tracer_block_bytes(received, from) : 0,
                       out = to >= call->n_remote ? 0
                             : sent               ? sent[to]
                                                  : bytes;
        const bool receives = from < call->n_remote && !(skips_empty && in == 0),
                   sends = to < call->n_remote && !(skips_empty && out == 0);
        if (sends && receives)
            add_exchange(call, to, out, from, in);
        else if (sends)
            add_send(call, to, out);
        else if (receives)
            add_receive(call, from, in);
        end_stage(call);
    }
}

static bool add_call(struct between *call, const struct ct_trace_event *event,
                     const struct ct_tracer_blocks *others)
{
    switch (event->kind) {
    case CT_TRACE_BARRIER:
        add_barrier(call);
        return true;
    case CT_TRACE_BCAST:
        add_bcast(call, event->bytes);
        return true;
    case CT_TRACE_REDUCE:
        add_reduce(call, event->bytes);
        return true;
    case CT_TRACE_ALLREDUCE:
        add_allreduce(call, event->bytes);
        return true;
    case CT_TRACE_GATHER:
        if (event->vector)
            add_gatherv(call, event->bytes, others);
        else
            add_gather(call, event->bytes, others->count);
        return true;
    case CT_TRACE_SCATTER:
        if (event->vector)
            add_scatterv(call, event->bytes, others);
        else
            add_scatter(call, event->bytes, others->count);
        return true;
    case CT_TRACE_ALLGATHER:
        if (event->vector)
            add_allgatherv(call, event->bytes, others);
        else
            add_allgather(call, event->bytes, ct_tracer_block_bytes(others, 0));
        return true;
    case CT_TRACE_ALLTOALL:
        add_alltoall(call, NULL, event->bytes, others);
        return true;
    case CT_TRACE_ALLTOALLV:
        add_alltoall(call, event->values, 0, others);
        return true;
    case CT_TRACE_REDUCE_SCATTER:
        add_reduce_scatter(call, event);
        return true;
    default:
        return false;
    }
}

/* The communicators of its collectives, made in the first one; false after giving up. */
static bool find_groups(struct between *call, uint64_t start_ns, MPI_Comm comm)
{
    struct ct_tracer_comm *row = &ct_tracer.comms[call->comm];
    call->local = row->local;
    call->both = row->both;
    if (call->local == 0 && (!ct_tracer_add_copy(start_ns, comm, &call->both) ||
                             !ct_tracer_add_local(start_ns, comm, &call->local)))
        return false;
    row = &ct_tracer.comms[call->comm]; /* the table may have moved */
    row->local = call->local;
    row->both = call->both;
    if (!call->blocks)
        call->tag = TAG_FIRST + (int32_t)(row->n_pending++ % N_TAGS);
    call->is_first = ct_tracer_world_rank(call->local, 0) < ct_tracer_world_rank(call->comm, 0);
    return true;
}

static void write_pieces(const struct between *call, uint64_t start_ns)
{
    for (size_t i = 0; i < call->n; i++)
        ct_tracer_write(start_ns, call->pieces[i].event);
    if (call->n == 0)
        ct_tracer_pass(start_ns);
}

bool ct_tracer_write_between(uint64_t start_ns, MPI_Comm comm, const struct ct_trace_event *event,
                             const struct ct_tracer_blocks *others,
                             struct ct_tracer_pending pending)
{
    struct between call = {
        .comm = event->comm, .root = (int)event->root, .blocks = !pending.request, .tag = TAG};
    PMPI_Comm_rank(comm, &call.rank);
    PMPI_Comm_size(comm, &call.n_local);
    PMPI_Comm_remote_size(comm, &call.n_remote);
    if (!find_groups(&call, start_ns, comm))
        return true;
    const bool is_known = add_call(&call, event, others);
    if (call.no_memory)
        ct_tracer_give_up("out of memory");
    else if (is_known && call.blocks)
        write_pieces(&call, start_ns);
    else if (is_known)
        ct_tracer_begin_pieces(start_ns, *pending.request, pending.use, call.pieces, call.n);
    free(call.pieces);
    return is_known;
}
