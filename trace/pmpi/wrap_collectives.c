/* Wrappers of collectives: blocking, nonblocking and persistent. */
#include "trace/pmpi/wrap.h"

#if MPI_VERSION >= 4
#define PERSISTENT(name, parameters, arguments, record)                                            \
    CT_TRACE_CALL(name, (UNPACK parameters, MPI_Info info, MPI_Request * request),                 \
                  (UNPACK arguments, info, request))                                               \
    {                                                                                              \
        const struct ct_tracer_pending pending = {request, CT_TRACER_PLANNED};                     \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = next_##name(UNPACK arguments, info, request);                                   \
        if (code == MPI_SUCCESS)                                                                   \
            (record);                                                                              \
        return code;                                                                               \
    }
#else
#define PERSISTENT(name, parameters, arguments, record)
#endif

/* All forms of a collective. parameters and arguments are lists in parentheses; record is what to
 * tell the tracer, in terms of them, start_ns and pending. */
#define COLLECTIVE(blocking, nonblocking, parameters, arguments, record)                           \
    CT_TRACE_CALL(blocking, parameters, arguments)                                                 \
    {                                                                                              \
        const struct ct_tracer_pending pending = {0};                                              \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = next_##blocking arguments;                                                      \
        if (code == MPI_SUCCESS)                                                                   \
            (record);                                                                              \
        return code;                                                                               \
    }                                                                                              \
    CT_TRACE_CALL(nonblocking, (UNPACK parameters, MPI_Request * request),                         \
                  (UNPACK arguments, request))                                                     \
    {                                                                                              \
        const struct ct_tracer_pending pending = {request, CT_TRACER_ONCE};                        \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = next_##nonblocking(UNPACK arguments, request);                                  \
        if (code == MPI_SUCCESS)                                                                   \
            (record);                                                                              \
        return code;                                                                               \
    }                                                                                              \
    PERSISTENT(blocking##_init, parameters, arguments, record)

/* Of an intercommunicator, a rank beside the root gives MPI_PROC_NULL, and may give any type. */
static void record_form(uint64_t start_ns, struct ct_trace_event event, MPI_Count count,
                        MPI_Datatype type, int root, MPI_Comm comm,
                        struct ct_tracer_pending pending)
{
    event.root = (uint32_t)root;
    event.bytes = root == MPI_PROC_NULL ? 0 : ct_tracer_bytes(count, type);
    ct_tracer_collective(start_ns, event, 0, comm, pending);
}

/* Collectives of one size. */
static void record_simple(uint64_t start_ns, enum ct_trace_kind kind, MPI_Count count,
                          MPI_Datatype type, int root, MPI_Comm comm,
                          struct ct_tracer_pending pending)
{
    record_form(start_ns, (struct ct_trace_event){.kind = kind}, count, type, root, comm, pending);
}

/* Each rank sends to all, and receives from all. */
static void record_exchange(uint64_t start_ns, enum ct_trace_kind kind, uint64_t sent,
                            uint64_t received, MPI_Comm comm, struct ct_tracer_pending pending)
{
    ct_tracer_collective(start_ns, (struct ct_trace_event){.kind = kind, .bytes = sent}, received,
                         comm, pending);
}

/* Collectives with a size for each member, of which this rank's is recorded. */
static void record_own(uint64_t start_ns, enum ct_trace_kind kind, MPI_Count count,
                       MPI_Datatype type, int root, MPI_Comm comm, struct ct_tracer_pending pending)
{
    record_form(start_ns, (struct ct_trace_event){.kind = kind, .vector = true}, count, type, root,
                comm, pending);
}

#ifndef CT_TRACE_LARGE
COLLECTIVE(Barrier, Ibarrier, (MPI_Comm comm), (comm),
           record_simple(start_ns, CT_TRACE_BARRIER, 0, MPI_BYTE, 0, comm, pending))
#endif

COLLECTIVE(Bcast, Ibcast, (void *buffer, COUNT count, MPI_Datatype type, int root, MPI_Comm comm),
           (buffer, count, type, root, comm),
           record_simple(start_ns, CT_TRACE_BCAST, count, type, root, comm, pending))

#define REDUCTION_PARAMETERS                                                                       \
    (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
#define REDUCTION(blocking, nonblocking, kind)                                                     \
    COLLECTIVE(blocking, nonblocking, REDUCTION_PARAMETERS, (from, to, count, type, op, comm),     \
               record_simple(start_ns, kind, count, type, 0, comm, pending))

REDUCTION(Allreduce, Iallreduce, CT_TRACE_ALLREDUCE)
REDUCTION(Scan, Iscan, CT_TRACE_SCAN)
REDUCTION(Exscan, Iexscan, CT_TRACE_EXSCAN)

COLLECTIVE(Reduce, Ireduce,
           (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm comm),
           (from, to, count, type, op, root, comm),
           record_simple(start_ns, CT_TRACE_REDUCE, count, type, root, comm, pending))

/* ---- gather and scatter: with MPI_IN_PLACE the other side's arguments count ---- */

/* SimGrid's MPI has no intercommunicators, and MPI_ROOT is a rank there. */
#define ROOT_GIVES_OTHER(buffer, root)                                                             \
    ((buffer) == MPI_IN_PLACE || (!CT_SIMULATED && (root) == MPI_ROOT))

COLLECTIVE(Gather, Igather,
           (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, COUNT to_count,
            MPI_Datatype to_type, int root, MPI_Comm comm),
           (from, from_count, from_type, to, to_count, to_type, root, comm),
           record_simple(start_ns, CT_TRACE_GATHER,
                         ROOT_GIVES_OTHER(from, root) ? to_count : from_count,
                         ROOT_GIVES_OTHER(from, root) ? to_type : from_type, root, comm, pending))

COLLECTIVE(Scatter, Iscatter,
           (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, COUNT to_count,
            MPI_Datatype to_type, int root, MPI_Comm comm),
           (from, from_count, from_type, to, to_count, to_type, root, comm),
           record_simple(start_ns, CT_TRACE_SCATTER,
                         ROOT_GIVES_OTHER(to, root) ? from_count : to_count,
                         ROOT_GIVES_OTHER(to, root) ? from_type : to_type, root, comm, pending))

COLLECTIVE(Allgather, Iallgather,
           (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, COUNT to_count,
            MPI_Datatype to_type, MPI_Comm comm),
           (from, from_count, from_type, to, to_count, to_type, comm),
           record_exchange(start_ns, CT_TRACE_ALLGATHER,
                           from == MPI_IN_PLACE ? ct_tracer_bytes(to_count, to_type)
                                                : ct_tracer_bytes(from_count, from_type),
                           ct_tracer_bytes(to_count, to_type), comm, pending))

COLLECTIVE(Alltoall, Ialltoall,
           (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, COUNT to_count,
            MPI_Datatype to_type, MPI_Comm comm),
           (from, from_count, from_type, to, to_count, to_type, comm),
           record_exchange(start_ns, CT_TRACE_ALLTOALL,
                           from == MPI_IN_PLACE ? ct_tracer_bytes(to_count, to_type)
                                                : ct_tracer_bytes(from_count, from_type),
                           ct_tracer_bytes(to_count, to_type), comm, pending))

static COUNT own_block(const COUNT *counts, MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return counts[rank];
}

COLLECTIVE(Gatherv, Igatherv,
           (const void *from, COUNT from_count, MPI_Datatype from_type, void *to,
            const COUNT *to_counts, const DISPLACEMENT *displacements, MPI_Datatype to_type,
            int root, MPI_Comm comm),
           (from, from_count, from_type, to, to_counts, displacements, to_type, root, comm),
           record_own(start_ns, CT_TRACE_GATHER,
                      from == MPI_IN_PLACE ? own_block(to_counts, comm) : from_count,
                      from == MPI_IN_PLACE ? to_type : from_type, root, comm, pending))

COLLECTIVE(Scatterv, Iscatterv,
           (const void *from, const COUNT *from_counts, const DISPLACEMENT *displacements,
            MPI_Datatype from_type, void *to, COUNT to_count, MPI_Datatype to_type, int root,
            MPI_Comm comm),
           (from, from_counts, displacements, from_type, to, to_count, to_type, root, comm),
           record_own(start_ns, CT_TRACE_SCATTER,
                      to == MPI_IN_PLACE ? own_block(from_counts, comm) : to_count,
                      to == MPI_IN_PLACE ? from_type : to_type, root, comm, pending))

COLLECTIVE(Allgatherv, Iallgatherv,
           (const void *from, COUNT from_count, MPI_Datatype from_type, void *to,
            const COUNT *to_counts, const DISPLACEMENT *displacements, MPI_Datatype to_type,
            MPI_Comm comm),
           (from, from_count, from_type, to, to_counts, displacements, to_type, comm),
           record_own(start_ns, CT_TRACE_ALLGATHER,
                      from == MPI_IN_PLACE ? own_block(to_counts, comm) : from_count,
                      from == MPI_IN_PLACE ? to_type : from_type, 0, comm, pending))

/* ---- a size for each member ---- */

static void record_alltoallv(uint64_t start_ns, struct ct_tracer_blocks blocks, MPI_Comm comm,
                             struct ct_tracer_pending pending)
{
    ct_tracer_vector(start_ns, (struct ct_trace_event){.kind = CT_TRACE_ALLTOALLV}, blocks, comm,
                     pending);
}

COLLECTIVE(Alltoallv, Ialltoallv,
           (const void *from, const COUNT *from_counts, const DISPLACEMENT *from_displacements,
            MPI_Datatype from_type, void *to, const COUNT *to_counts,
            const DISPLACEMENT *to_displacements, MPI_Datatype to_type, MPI_Comm comm),
           (from, from_counts, from_displacements, from_type, to, to_counts, to_displacements,
            to_type, comm),
           record_alltoallv(start_ns,
                            from == MPI_IN_PLACE
                                ? (struct ct_tracer_blocks){.COUNTS = to_counts, .type = to_type}
                                : (struct ct_tracer_blocks){.COUNTS = from_counts,
                                                            .type = from_type},
                            comm, pending))

COLLECTIVE(Alltoallw, Ialltoallw,
           (const void *from, const COUNT *from_counts, const DISPLACEMENT *from_displacements,
            const MPI_Datatype *from_types, void *to, const COUNT *to_counts,
            const DISPLACEMENT *to_displacements, const MPI_Datatype *to_types, MPI_Comm comm),
           (from, from_counts, from_displacements, from_types, to, to_counts, to_displacements,
            to_types, comm),
           record_alltoallv(start_ns,
                            from == MPI_IN_PLACE
                                ? (struct ct_tracer_blocks){.COUNTS = to_counts, .types = to_types}
                                : (struct ct_tracer_blocks){.COUNTS = from_counts,
                                                            .types = from_types},
                            comm, pending))

static void record_reduce_scatter(uint64_t start_ns, struct ct_tracer_blocks blocks, bool vector,
                                  MPI_Comm comm, struct ct_tracer_pending pending)
{
    int n;
    uint64_t bytes = 0;
    PMPI_Comm_size(comm, &n);
    for (int i = 0; i < n; i++)
        bytes += ct_tracer_bytes(ct_tracer_block_count(&blocks, i), blocks.type);
    ct_tracer_vector(
        start_ns,
        (struct ct_trace_event){.kind = CT_TRACE_REDUCE_SCATTER, .bytes = bytes, .vector = vector},
        blocks, comm, pending);
}

COLLECTIVE(Reduce_scatter, Ireduce_scatter,
           (const void *from, void *to, const COUNT *counts, MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (from, to, counts, type, op, comm),
           record_reduce_scatter(start_ns,
                                 (struct ct_tracer_blocks){.COUNTS = counts, .type = type}, true,
                                 comm, pending))

COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
           (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (from, to, count, type, op, comm),
           record_reduce_scatter(start_ns, (struct ct_tracer_blocks){.count = count, .type = type},
                                 false, comm, pending))

/* ---- neighbours ---- */

#define SAME(n, of) ((struct ct_tracer_blocks){.count = (n), .type = (of)})
#define EACH(n, of) ((struct ct_tracer_blocks){.COUNTS = (n), .type = (of)})
#define EACH_TYPE(n, of) ((struct ct_tracer_blocks){.COUNTS = (n), .types = (of)})

COLLECTIVE(Neighbor_allgather, Ineighbor_allgather,
           (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, COUNT to_count,
            MPI_Datatype to_type, MPI_Comm comm),
           (from, from_count, from_type, to, to_count, to_type, comm),
           ct_tracer_neighbor(start_ns, SAME(from_count, from_type), SAME(to_count, to_type), comm,
                              pending))

COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv,
           (const void *from, COUNT from_count, MPI_Datatype from_type, void *to,
            const COUNT *to_counts, const DISPLACEMENT *displacements, MPI_Datatype to_type,
            MPI_Comm comm),
           (from, from_count, from_type, to, to_counts, displacements, to_type, comm),
           ct_tracer_neighbor(start_ns, SAME(from_count, from_type), EACH(to_counts, to_type), comm,
                              pending))

COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall,
           (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, COUNT to_count,
            MPI_Datatype to_type, MPI_Comm comm),
           (from, from_count, from_type, to, to_count, to_type, comm),
           ct_tracer_neighbor(start_ns, SAME(from_count, from_type), SAME(to_count, to_type), comm,
                              pending))

COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv,
           (const void *from, const COUNT *from_counts, const DISPLACEMENT *from_displacements,
            MPI_Datatype from_type, void *to, const COUNT *to_counts,
            const DISPLACEMENT *to_displacements, MPI_Datatype to_type, MPI_Comm comm),
           (from, from_counts, from_displacements, from_type, to, to_counts, to_displacements,
            to_type, comm),
           ct_tracer_neighbor(start_ns, EACH(from_counts, from_type), EACH(to_counts, to_type),
                              comm, pending))

COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw,
           (const void *from, const COUNT *from_counts, const MPI_Aint *from_displacements,
            const MPI_Datatype *from_types, void *to, const COUNT *to_counts,
            const MPI_Aint *to_displacements, const MPI_Datatype *to_types, MPI_Comm comm),
           (from, from_counts, from_displacements, from_types, to, to_counts, to_displacements,
            to_types, comm),
           ct_tracer_neighbor(start_ns, EACH_TYPE(from_counts, from_types),
                              EACH_TYPE(to_counts, to_types), comm, pending))
