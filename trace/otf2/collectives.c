#include "trace/otf2/collectives.h"

#include "trace/otf2/event_list.h"
#include "trace/otf2/sizes.h"
#include "trace/unmodelled.h"

enum ct_trace_kind ct_otf2_kind_of(OTF2_CollectiveOp op)
{
    switch (op) {
    case OTF2_COLLECTIVE_OP_BARRIER:
        return CT_TRACE_BARRIER;
    case OTF2_COLLECTIVE_OP_BCAST:
        return CT_TRACE_BCAST;
    case OTF2_COLLECTIVE_OP_GATHER:
    case OTF2_COLLECTIVE_OP_GATHERV:
        return CT_TRACE_GATHER;
    case OTF2_COLLECTIVE_OP_SCATTER:
    case OTF2_COLLECTIVE_OP_SCATTERV:
        return CT_TRACE_SCATTER;
    case OTF2_COLLECTIVE_OP_ALLGATHER:
    case OTF2_COLLECTIVE_OP_ALLGATHERV:
        return CT_TRACE_ALLGATHER;
    case OTF2_COLLECTIVE_OP_ALLTOALL:
        return CT_TRACE_ALLTOALL;
    case OTF2_COLLECTIVE_OP_ALLTOALLV:
    case OTF2_COLLECTIVE_OP_ALLTOALLW:
        return CT_TRACE_ALLTOALLV;
    case OTF2_COLLECTIVE_OP_ALLREDUCE:
        return CT_TRACE_ALLREDUCE;
    case OTF2_COLLECTIVE_OP_REDUCE:
        return CT_TRACE_REDUCE;
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK:
        return CT_TRACE_REDUCE_SCATTER;
    case OTF2_COLLECTIVE_OP_SCAN:
        return CT_TRACE_SCAN;
    case OTF2_COLLECTIVE_OP_EXSCAN:
        return CT_TRACE_EXSCAN;
    default: /* of communicators, windows and files */
        return CT_TRACE_NONE;
    }
}

static bool is_vector(OTF2_CollectiveOp op)
{
    return op == OTF2_COLLECTIVE_OP_GATHERV || op == OTF2_COLLECTIVE_OP_SCATTERV ||
           op == OTF2_COLLECTIVE_OP_ALLGATHERV || op == OTF2_COLLECTIVE_OP_REDUCE_SCATTER;
}

/* The list of an event: as crosstalk wrote it, else equal blocks. */
static enum ct_status add_list(struct ct_otf2_calls *calls, struct ct_trace_event *event,
                               uint32_t n)
{
    enum ct_status status = CT_OK;
    uint64_t sum = event->bytes;
    event->n_values = calls->open.has_list ? calls->open.n_list : n;
    for (size_t i = 0; i < event->n_values && status == CT_OK; i++)
        status = ct_otf2_add_value(calls, calls->open.has_list ? calls->open.list[i]
                                                               : sum / n + (i < sum % n));
    if (event->kind != CT_TRACE_REDUCE_SCATTER)
        event->bytes = 0;
    return status;
}

enum ct_status ct_otf2_add_collective(struct ct_otf2_calls *calls, struct ct_otf2_posted what,
                                      uint32_t request, uint64_t start_ns, uint64_t end_ns,
                                      uint64_t position)
{
    struct ct_trace_event event = {.kind = ct_otf2_kind_of(what.op),
                                   .vector = is_vector(what.op),
                                   .request = request,
                                   .start_ns = start_ns,
                                   .end_ns = end_ns};
    const struct ct_otf2_comm *comm = NULL;
    struct ct_otf2_place place = {.n = 1};
    if (event.kind == CT_TRACE_NONE)
        return CT_OK;
    if (calls->open.region && calls->open.region->call == CT_OTF2_NEIGHBOR) {
        if (!calls->open.has_list)
            return ct_otf2_add_unmodelled(calls, calls->open.region->name, end_ns, position);
        event.kind = CT_TRACE_NEIGHBOR;
        event.vector = false;
    }
    CT_TRY(ct_otf2_need_comm(calls, what.comm, &comm));
    event.comm = comm->number;
    place.n = ct_otf2_size_of(comm);
    if (!ct_otf2_member_of(comm, calls->rank, &place.member))
        return ct_fail(calls->err, CT_EFORMAT, "a collective on a communicator of others");
    enum ct_status status = CT_OK;
    if (ct_trace_kind_fields(event.kind) & CT_TRACE_ROOT) {
        place.is_root = comm->is_self || what.peer == place.member;
        status = ct_otf2_need_rank(calls, comm, comm->is_self ? 0 : what.peer, &event.root);
    }
    event.bytes =
        ct_otf2_bytes_of(event.kind, (struct ct_otf2_sizes){what.bytes, what.received}, place);
    bool listed = ct_trace_kind_fields(event.kind) & CT_TRACE_VALUES;
    bool known = calls->open.has_list || (event.kind == CT_TRACE_REDUCE_SCATTER &&
                                          what.bytes == what.received && what.bytes % place.n == 0);
    if (status == CT_OK && listed)
        status = add_list(calls, &event, place.n);
    if (status == CT_OK)
        status = ct_otf2_add_event(calls, event, position);
    if (status == CT_OK && !calls->all->sizes_are_known && place.n > 1 &&
        (what.bytes > 0 || what.received > 0))
        status = ct_otf2_add_unmodelled(calls, CT_TRACE_SIZES, end_ns, position);
    if (status == CT_OK && listed && !known)
        status = ct_otf2_add_unmodelled(calls,
                                        event.kind == CT_TRACE_ALLTOALLV
                                            ? "how the bytes of an alltoallv are divided"
                                            : "how the bytes of a reduce_scatter are divided",
                                        end_ns, position);
    return status;
}
