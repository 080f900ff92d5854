/* Wrappers of one-sided communication: windows, accesses to them, and what synchronizes these. */
#include "trace/pmpi/wrap.h"

/* ---- windows ---- */

#define NEW_WINDOW(name, parameters, arguments)                                                    \
    CT_TRACE_CALL(name, parameters, arguments)                                                     \
    {                                                                                              \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = next_##name arguments;                                                          \
        if (code == MPI_SUCCESS)                                                                   \
            ct_tracer_new_window(start_ns, *window, comm);                                         \
        return code;                                                                               \
    }

NEW_WINDOW(Win_create,
           (void *base, MPI_Aint bytes, DISPLACEMENT unit, MPI_Info info, MPI_Comm comm,
            MPI_Win *window),
           (base, bytes, unit, info, comm, window))
NEW_WINDOW(Win_allocate,
           (MPI_Aint bytes, DISPLACEMENT unit, MPI_Info info, MPI_Comm comm, void *base_p,
            MPI_Win *window),
           (bytes, unit, info, comm, base_p, window))
NEW_WINDOW(Win_allocate_shared,
           (MPI_Aint bytes, DISPLACEMENT unit, MPI_Info info, MPI_Comm comm, void *base_p,
            MPI_Win *window),
           (bytes, unit, info, comm, base_p, window))

/* ---- accesses ---- */

/* With a request and without. parameters, arguments: without the window; there and back: bytes. */
#define ACCESS(blocking, nonblocking, access_mode, parameters, arguments, there, back)             \
    CT_TRACE_CALL(blocking, (UNPACK parameters, MPI_Win window), (UNPACK arguments, window))       \
    {                                                                                              \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = next_##blocking(UNPACK arguments, window);                                      \
        if (code == MPI_SUCCESS)                                                                   \
            ct_tracer_access(start_ns, window,                                                     \
                             (struct ct_tracer_access){access_mode, rank, there, back}, NULL);     \
        return code;                                                                               \
    }                                                                                              \
    CT_TRACE_CALL(nonblocking, (UNPACK parameters, MPI_Win window, MPI_Request * request),         \
                  (UNPACK arguments, window, request))                                             \
    {                                                                                              \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = next_##nonblocking(UNPACK arguments, window, request);                          \
        if (code == MPI_SUCCESS)                                                                   \
            ct_tracer_access(start_ns, window,                                                     \
                             (struct ct_tracer_access){access_mode, rank, there, back}, request);  \
        return code;                                                                               \
    }

#define PUT_PARAMETERS                                                                             \
    const void *origin, COUNT count, MPI_Datatype type, int rank, MPI_Aint displacement,           \
        COUNT target_count, MPI_Datatype target_type
#define GET_PARAMETERS                                                                             \
    void *origin, COUNT count, MPI_Datatype type, int rank, MPI_Aint displacement,                 \
        COUNT target_count, MPI_Datatype target_type
#define GET_ACCUMULATE_PARAMETERS                                                                  \
    const void *origin, COUNT count, MPI_Datatype type, void *result, COUNT result_count,          \
        MPI_Datatype result_type, int rank, MPI_Aint displacement, COUNT target_count,             \
        MPI_Datatype target_type, MPI_Op op
#define ARGUMENTS origin, count, type, rank, displacement, target_count, target_type
#define GET_ACCUMULATE_ARGUMENTS                                                                   \
    origin, count, type, result, result_count, result_type, rank, displacement, target_count,      \
        target_type, op
#define BYTES ct_tracer_bytes(count, type)

ACCESS(Put, Rput, CT_TRACE_PUT, (PUT_PARAMETERS), (ARGUMENTS), BYTES, 0)
ACCESS(Get, Rget, CT_TRACE_GET, (GET_PARAMETERS), (ARGUMENTS), 0, BYTES)
ACCESS(Accumulate, Raccumulate, CT_TRACE_ACCUMULATE, (PUT_PARAMETERS, MPI_Op op), (ARGUMENTS, op),
       BYTES, 0)
/* What is not changed needs no data. */
ACCESS(Get_accumulate, Rget_accumulate, CT_TRACE_GET_ACCUMULATE, (GET_ACCUMULATE_PARAMETERS),
       (GET_ACCUMULATE_ARGUMENTS), op == MPI_NO_OP ? 0 : BYTES,
       ct_tracer_bytes(result_count, result_type))

#ifndef CT_TRACE_LARGE

NEW_WINDOW(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *window),
           (info, comm, window))

CT_TRACE_CALL(Win_free, (MPI_Win * window), (window))
{
    MPI_Win before = *window;
    uint64_t start_ns = ct_tracer_now();
    int code = next_Win_free(window);
    if (code == MPI_SUCCESS)
        ct_tracer_drop_window(start_ns, before);
    return code;
}

#define ELEMENT(name, access_mode, parameters, arguments, there)                                   \
    CT_TRACE_CALL(name, parameters, arguments)                                                     \
    {                                                                                              \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = next_##name arguments;                                                          \
        if (code == MPI_SUCCESS)                                                                   \
            ct_tracer_access(                                                                      \
                start_ns, window,                                                                  \
                (struct ct_tracer_access){access_mode, rank, there, ct_tracer_bytes(1, type)},     \
                NULL);                                                                             \
        return code;                                                                               \
    }

ELEMENT(Fetch_and_op, CT_TRACE_FETCH_AND_OP,
        (const void *origin, void *result, MPI_Datatype type, int rank, MPI_Aint displacement,
         MPI_Op op, MPI_Win window),
        (origin, result, type, rank, displacement, op, window),
        op == MPI_NO_OP ? 0 : ct_tracer_bytes(1, type))
#if !CT_SIMULATED /* the parameters of SMPI's differ */
/* The new value and the one to compare with. */
ELEMENT(Compare_and_swap, CT_TRACE_COMPARE_AND_SWAP,
        (const void *origin, const void *compare, void *result, MPI_Datatype type, int rank,
         MPI_Aint displacement, MPI_Win window),
        (origin, compare, result, type, rank, displacement, window), ct_tracer_bytes(2, type))
#endif

/* ---- synchronization ---- */

/* After the arguments: what the call is, and what it names besides the window. */
#define SYNCHRONIZE(name, parameters, arguments, ...)                                              \
    CT_TRACE_CALL(name, parameters, arguments)                                                     \
    {                                                                                              \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = next_##name arguments;                                                          \
        if (code == MPI_SUCCESS)                                                                   \
            ct_tracer_synchronize(start_ns, window,                                                \
                                  (struct ct_tracer_synchronization){.what = __VA_ARGS__});        \
        return code;                                                                               \
    }
#define ALL .rank = CT_TRACER_ALL_RANKS

SYNCHRONIZE(Win_fence, (int assert_, MPI_Win window), (assert_, window), CT_TRACER_FENCE)
SYNCHRONIZE(Win_post, (MPI_Group group, int assert_, MPI_Win window), (group, assert_, window),
            CT_TRACER_POST, .group = group, .assert = assert_)
SYNCHRONIZE(Win_start, (MPI_Group group, int assert_, MPI_Win window), (group, assert_, window),
            CT_TRACER_START, .group = group, .assert = assert_)
SYNCHRONIZE(Win_complete, (MPI_Win window), (window), CT_TRACER_END_START)
SYNCHRONIZE(Win_wait, (MPI_Win window), (window), CT_TRACER_END_POST)
SYNCHRONIZE(Win_lock, (int type, int rank, int assert_, MPI_Win window),
            (type, rank, assert_, window), CT_TRACER_LOCK, .rank = rank, .assert = assert_)
SYNCHRONIZE(Win_lock_all, (int assert_, MPI_Win window), (assert_, window), CT_TRACER_LOCK, ALL,
            .assert = assert_)
SYNCHRONIZE(Win_unlock, (int rank, MPI_Win window), (rank, window), CT_TRACER_UNLOCK, .rank = rank)
SYNCHRONIZE(Win_unlock_all, (MPI_Win window), (window), CT_TRACER_UNLOCK, ALL)
/* MPICH waits for the other rank also where a flush is local. */
SYNCHRONIZE(Win_flush, (int rank, MPI_Win window), (rank, window), CT_TRACER_FLUSH, .rank = rank)
SYNCHRONIZE(Win_flush_all, (MPI_Win window), (window), CT_TRACER_FLUSH, ALL)
SYNCHRONIZE(Win_flush_local, (int rank, MPI_Win window), (rank, window), CT_TRACER_FLUSH,
            .rank = rank)
SYNCHRONIZE(Win_flush_local_all, (MPI_Win window), (window), CT_TRACER_FLUSH, ALL)

CT_TRACE_CALL(Win_test, (MPI_Win window, int *flag), (window, flag))
{
    uint64_t start_ns = ct_tracer_now();
    int code = next_Win_test(window, flag);
    if (code == MPI_SUCCESS && *flag)
        ct_tracer_synchronize(start_ns, window,
                              (struct ct_tracer_synchronization){.what = CT_TRACER_END_POST});
    else if (code == MPI_SUCCESS)
        ct_tracer_found_nothing(start_ns);
    return code;
}
#endif
