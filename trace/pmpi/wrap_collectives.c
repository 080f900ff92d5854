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

/* Blocks of a vector: of one size, of one each, of one each with a type of its own. */
#define SAME(n, of) ((struct ct_tracer_blocks){.count = (n), .type = (of)})
#define EACH(n, of) ((struct ct_tracer_blocks){.COUNTS = (n), .type = (of)})
#define EACH_TYPE(n, of) ((struct ct_tracer_blocks){.COUNTS = (n), .types = (of)})

/* SimGrid's MPI has no intercommunicators, and MPI_ROOT is a rank there. */
#define IS_ROOT_BETWEEN(root) (!CT_SIMULATED && (root) == MPI_ROOT)

/* Collectives of one size. Of an intercommunicator, a rank beside the root gives MPI_PROC_NULL, and
 * may give any type. */
static void record_simple(uint64_t start_ns, enum ct_trace_kind kind, MPI_Count count,
                          MPI_Datatype type, int root, MPI_Comm comm,
                          struct ct_tracer_pending pending)
{
    const struct ct_trace_event event = {
        .kind = kind,
        .root = (uint32_t)root,
        .bytes = root == MPI_PROC_NULL ? 0 : ct_tracer_bytes(count, type)};
    ct_tracer_collective(start_ns, event, SAME(count, type), comm, pending);
}

/* Each rank sends to all, and receives from all. */
static void record_exchange(uint64_t start_ns, enum ct_trace_kind kind, uint64_t sent,
                            struct ct_tracer_blocks received, MPI_Comm comm,
                            struct ct_tracer_pending pending)
{
    ct_tracer_collective(start_ns, (struct ct_trace_event){.kind = kind, .bytes = sent}, received,
                         comm, pending);
}

/* Collectives with a size for each member, of which this rank's is recorded. Between two groups the
 * root has none, and knows those of the others. */
static void record_own(uint64_t start_ns, enum ct_trace_kind kind, struct ct_tracer_blocks own,
                       struct ct_tracer_blocks others, int root, MPI_Comm comm,
                       struct ct_tracer_pending pending)
{
    const bool has_own = root != MPI_PROC_NULL && !IS_ROOT_BETWEEN(root);
    const struct ct_trace_event event = {.kind = kind,
                                         .vector = true,
                                         .root = (uint32_t)root,
                                         .bytes = has_own ? ct_tracer_block_bytes(&own, 0) : 0};
    ct_tracer_collective(start_ns, event, others, comm, pending);
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

#define ROOT_GIVES_OTHER(buffer, root) ((buffer) == MPI_IN_PLACE || IS_ROOT_BETWEEN(root))

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
                           SAME(to_count, to_type), comm, pending))

COLLECTIVE(Alltoall, Ialltoall,
           (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, COUNT to_count,
            MPI_Datatype to_type, MPI_Comm comm),
           (from, from_count, from_type, to, to_count, to_type, comm),
           record_exchange(start_ns, CT_TRACE_ALLTOALL,
                           from == MPI_IN_PLACE ? ct_tracer_bytes(to_count, to_type)
                                                : ct_tracer_bytes(from_count, from_type),
                           SAME(to_count, to_type), comm, pending))

static struct ct_tracer_blocks own_block(const COUNT *counts, MPI_Datatype type, MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return SAME(counts[rank], type);
}

COLLECTIVE(Gatherv, Igatherv,
           (const void *from, COUNT from_count, MPI_Datatype from_type, void *to,
            const COUNT *to_counts, const DISPLACEMENT *displacements, MPI_Datatype to_type,
            int root, MPI_Comm comm),
           (from, from_count, from_type, to, to_counts, displacements, to_type, root, comm),
           record_own(start_ns, CT_TRACE_GATHER,
                      from == MPI_IN_PLACE ? own_block(to_counts, to_type, comm)
                                           : SAME(from_count, from_type),
                      EACH(to_counts, to_type), root, comm, pending))

COLLECTIVE(Scatterv, Iscatterv,
           (const void *from, const COUNT *from_counts, const DISPLACEMENT *displacements,
            MPI_Datatype from_type, void *to, COUNT to_count, MPI_Datatype to_type, int root,
            MPI_Comm comm),
           (from, from_counts, displacements, from_type, to, to_count, to_type, root, comm),
           record_own(start_ns, CT_TRACE_SCATTER,
                      to == MPI_IN_PLACE ? own_block(from_counts, from_type, comm)
                                         : SAME(to_count, to_type),
                      EACH(from_counts, from_type), root, comm, pending))

COLLECTIVE(Allgatherv, Iallgatherv,
           (const void *from, COUNT from_count, MPI_Datatype from_type, void *to,
            const COUNT *to_counts, const DISPLACEMENT *displacements, MPI_Datatype to_type,
            MPI_Comm comm),
           (from, from_count, from_type, to, to_counts, displacements, to_type, comm),
           record_own(start_ns, CT_TRACE_ALLGATHER,
                      from == MPI_IN_PLACE ? own_block(to_counts, to_type, comm)
                                           : SAME(from_count, from_type),
                      EACH(to_counts, to_type), 0, comm, pending))

/* ---- a size for each member ---- */

static void record_alltoallv(uint64_t start_ns, struct ct_tracer_blocks sent,
                             struct ct_tracer_blocks received, MPI_Comm comm,
                             struct ct_tracer_pending pending)
{
    ct_tracer_vector(start_ns, (struct ct_trace_event){.kind = CT_TRACE_ALLTOALLV}, sent, received,
                     comm, pending);
}

COLLECTIVE(Alltoallv, Ialltoallv,
           (const void *from, const COUNT *from_counts, const DISPLACEMENT *from_displacements,
            MPI_Datatype from_type, void *to, const COUNT *to_counts,
            const DISPLACEMENT *to_displacements, MPI_Datatype to_type, MPI_Comm comm),
           (from, from_counts, from_displacements, from_type, to, to_counts, to_displacements,
            to_type, comm),
           record_alltoallv(start_ns,
                            from == MPI_IN_PLACE ? EACH(to_counts, to_type)
                                                 : EACH(from_counts, from_type),
                            EACH(to_counts, to_type), comm, pending))

COLLECTIVE(Alltoallw, Ialltoallw,
           (const void *from, const COUNT *from_counts, const DISPLACEMENT *from_displacements,
            const MPI_Datatype *from_types, void *to, const COUNT *to_counts,
            const DISPLACEMENT *to_displacements, const MPI_Datatype *to_types, MPI_Comm comm),
           (from, from_counts, from_displacements, from_types, to, to_counts, to_displacements,
            to_types, comm),
           record_alltoallv(start_ns,
                            from == MPI_IN_PLACE ? EACH_TYPE(to_counts, to_types)
                                                 : EACH_TYPE(from_counts, from_types),
                            EACH_TYPE(to_counts, to_types), comm, pending))

static void record_reduce_scatter(uint64_t start_ns, struct ct_tracer_blocks blocks, bool vector,
                                  MPI_Comm comm, struct ct_tracer_pending pending)
{
    int n;
    uint64_t bytes = 0;
    PMPI_Comm_size(comm, &n);
    for (int i = 0; i < n; i++)
        bytes += ct_tracer_block_bytes(&blocks, i);
    ct_tracer_vector(
        start_ns,
        (struct ct_trace_event){.kind = CT_TRACE_REDUCE_SCATTER, .bytes = bytes, .vector = vector},
        blocks, (struct ct_tracer_blocks){0}, comm, pending);
}

COLLECTIVE(Reduce_scatter, Ireduce_scatter,
           (const void *from, void *to, const COUNT *counts, MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (from, to, counts, type, op, comm),
           record_reduce_scatter(start_ns, EACH(counts, type), true, comm, pending))

COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
           (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (from, to, count, type, op, comm),
           record_reduce_scatter(start_ns, SAME(count, type), false, comm, pending))

/* ---- neighbours ---- */

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
