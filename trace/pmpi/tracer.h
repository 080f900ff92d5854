/**
 * libcrosstalk-trace.so: the tracer that is loaded into an unmodified MPI program (PMPI, the
 * profiling interface of the MPI standard, chapter "Tool Support"). Every wrapper calls the real
 * function, then passes the call to the tracer.
 *
 * The tracer's state is global, since the program that calls the wrappers cannot pass it.
 *
 * In a simulation the wrappers are part of crosstalk-simgrid, in which symbols of the programs that
 * it loads are found first.
 */
#pragma once

#include "trace/format.h"

#include <mpi.h>

/** Name of the environment variable with the folder for the traces. */
#define CT_TRACE_DIRECTORY_VARIABLE "CROSSTALK_TRACE_DIR"

/** Environment: "cpu": the time between calls is the thread's processor time; else the clock's. */
#define CT_TRACE_COMPUTE_VARIABLE "CROSSTALK_TRACE_COMPUTE"

/** Environment: "1": places of calls are recorded. */
#define CT_TRACE_SITES_VARIABLE "CROSSTALK_TRACE_CALL_SITES"

/** Begin tracing, after PMPI_Init; without the variable nothing is traced. */
void ct_tracer_begin(void);
/**
 * The same to a folder, made if it does not exist, of a program whose ranks are those of a
 * communicator, on all of them. On failure a message is printed, and nothing is traced.
 */
void ct_tracer_begin_in(const char *directory, MPI_Comm world);
/** End the trace, before PMPI_Finalize. */
void ct_tracer_end(void);
/** After PMPI_Finalize: rank 0 names calls that callbacks of attributes made in it. */
void ct_tracer_finalized(void);

/**
 * Time at the beginning of a call, on the clock of the trace, nanoseconds; 0: nothing is traced.
 */
uint64_t ct_tracer_now(void);

/** Arguments of a message as the program gave them. */
struct ct_tracer_message {
    MPI_Count count;
    MPI_Datatype type;
    int rank, tag; /**< rank in comm, or MPI_PROC_NULL, MPI_ANY_SOURCE */
    MPI_Comm comm;
};

/** Kind of a request. */
enum ct_tracer_use {
    CT_TRACER_ONCE,
    CT_TRACER_PERSISTENT,
    /** A persistent collective, a partitioned message: no event where it is made or freed, and a
     * nonblocking call each time it is started. */
    CT_TRACER_PLANNED
};

/**
 * A send or a receive that was made, or a request for one.
 * @param start_ns  [in] ct_tracer_now() before the call
 * @param request   [in] returned by the call; NULL: it was blocking
 * @param use       [in] CT_TRACER_PERSISTENT: nothing has been sent yet
 */
void ct_tracer_send(uint64_t start_ns, struct ct_tracer_message message, enum ct_trace_mode mode,
                    const MPI_Request *request, enum ct_tracer_use use);
void ct_tracer_receive_request(uint64_t start_ns, struct ct_tracer_message message,
                               const MPI_Request *request, enum ct_tracer_use use);
/** A receive that blocked. */
void ct_tracer_received(uint64_t start_ns, MPI_Comm comm, const MPI_Status *status);
/* A call that blocks got the begin of a message: code is its error. Other errors are no calls. */
void ct_tracer_cut(uint64_t start_ns, int code, struct ct_tracer_message room,
                   const MPI_Status *status);
void ct_tracer_sendrecv(uint64_t start_ns, struct ct_tracer_message to, const MPI_Status *status);
/** A nonblocking sendrecv: a nonblocking send and a nonblocking receive, completed together. */
void ct_tracer_isendrecv(uint64_t start_ns, struct ct_tracer_message to,
                         struct ct_tracer_message from, const MPI_Request *request);
/**
 * A partitioned message: one of all parts, sent when the last part is ready, as MPICH does.
 * @param message  [in] count: of one part
 */
void ct_tracer_parts(uint64_t start_ns, enum ct_trace_kind kind, struct ct_tracer_message message,
                     int n_parts, const MPI_Request *request);
/** More parts of a partitioned message are ready. */
void ct_tracer_ready(uint64_t start_ns, MPI_Request handle, int n_parts);

/** The request of a collective; NULL: it blocked. */
struct ct_tracer_pending {
    const MPI_Request *request;
    enum ct_tracer_use use; /**< CT_TRACER_PLANNED: nothing has been sent yet */
};
/** Sizes of the blocks of a vector collective: counts or one count, types or one type. */
struct ct_tracer_blocks {
    const int *counts;             /**< NULL: large_counts */
    const MPI_Count *large_counts; /**< NULL as well: count, for all */
    MPI_Count count;
    const MPI_Datatype *types; /**< NULL: type, for all */
    MPI_Datatype type;
};
/**
 * A collective. Its communicator, times and request are added to the event.
 * @param event   [in] kind, root (rank in comm), bytes, values (sizes only)
 * @param others  [in] what an intercommunicator needs: of an allgather or alltoall blocks from each
 *                     rank of the other group; of a vector's root: from or to each of them; of a
 *                     gather or scatter: the block of one rank
 */
void ct_tracer_collective(uint64_t start_ns, struct ct_trace_event event,
                          struct ct_tracer_blocks others, MPI_Comm comm,
                          struct ct_tracer_pending pending);
/** A collective whose values are the bytes of a block for each member of the communicator; of an
 * intercommunicator for each of the other group (alltoallv), or of the rank's own one. */
void ct_tracer_vector(uint64_t start_ns, struct ct_trace_event event,
                      struct ct_tracer_blocks blocks, struct ct_tracer_blocks others, MPI_Comm comm,
                      struct ct_tracer_pending pending);
/** A collective of neighbours: blocks for each destination and from each source. */
void ct_tracer_neighbor(uint64_t start_ns, struct ct_tracer_blocks to, struct ct_tracer_blocks from,
                        MPI_Comm comm, struct ct_tracer_pending pending);

/** Persistent requests that were started. */
void ct_tracer_started(uint64_t start_ns, int n, const MPI_Request *requests);

/**
 * Requests that a wait or test completed: of the list those whose indices are given, or,
 * where it is NULL, the first n.
 * @param code      [in]  of the call: after an error, the requests that it names complete are those
 *                        without one, and receives of messages longer than their buffers
 * @param handles   [in]  as they were before the call
 * @param statuses  [in]  n, in the order of the indices
 */
void ct_tracer_completed(uint64_t start_ns, enum ct_trace_kind kind, int code,
                         const MPI_Request *handles, int n, const int *indices,
                         const MPI_Status *statuses);
/**
 * The program has seen that a request is complete, and keeps it: for what follows, that is a test
 * that completed it, and the later wait, test or free is none.
 */
void ct_tracer_seen(uint64_t start_ns, MPI_Request handle, const MPI_Status *status);
/** A test or a probe that found nothing. */
void ct_tracer_found_nothing(uint64_t start_ns);
/** A request that was cancelled or freed. */
void ct_tracer_request_event(uint64_t start_ns, enum ct_trace_kind kind, MPI_Request handle);

/** A matched probe found a message, or (message MPI_MESSAGE_NULL) a plain one did. */
void ct_tracer_probed(uint64_t start_ns, MPI_Comm comm, const MPI_Status *status,
                      MPI_Message message);
/**
 * A receive of a message that a matched probe had found.
 * @param message  [in] as it was before the call
 * @param count    [in] of type: the room for the message
 * @param status   [in] of a receive that blocked; NULL: there is a request
 */
void ct_tracer_matched_receive(uint64_t start_ns, MPI_Message message, MPI_Count count,
                               MPI_Datatype type, const MPI_Status *status,
                               const MPI_Request *request);

/** A communicator was made; parent where its members are the parent's, else MPI_COMM_NULL. */
void ct_tracer_new_comm(uint64_t start_ns, MPI_Comm comm, MPI_Comm parent);
/** A communicator was freed, or will be once it is not used any more. */
void ct_tracer_drop_comm(uint64_t start_ns, MPI_Comm comm);

/** A window was made of a communicator; one was freed. */
void ct_tracer_new_window(uint64_t start_ns, MPI_Win window, MPI_Comm comm);
void ct_tracer_drop_window(uint64_t start_ns, MPI_Win window);

/** A one-sided access as the program asked for it. */
struct ct_tracer_access {
    enum ct_trace_mode mode; /**< CT_TRACE_PUT ... */
    int rank;                /**< of the window, or MPI_PROC_NULL */
    uint64_t bytes, answer;  /**< there and back */
};
/** @param request  [in] NULL: the call has none */
void ct_tracer_access(uint64_t start_ns, MPI_Win window, struct ct_tracer_access access,
                      const MPI_Request *request);

/** What synchronizes accesses, with what it names besides the window. */
enum ct_tracer_sync {
    CT_TRACER_FENCE,
    CT_TRACER_POST,  /**< group, assert */
    CT_TRACER_START, /**< the same */
    CT_TRACER_END_START,
    CT_TRACER_END_POST,
    CT_TRACER_LOCK, /**< rank, or CT_TRACER_ALL_RANKS; assert */
    CT_TRACER_UNLOCK,
    CT_TRACER_FLUSH
};
enum { CT_TRACER_ALL_RANKS = -1000 };
struct ct_tracer_synchronization {
    enum ct_tracer_sync what;
    MPI_Group group;
    int rank, assert;
};
void ct_tracer_synchronize(uint64_t start_ns, MPI_Win window,
                           struct ct_tracer_synchronization sync);

/** A call whose communication is not in the trace. */
void ct_tracer_unmodelled(uint64_t start_ns, const char *name);

/** Bytes of block i. */
uint64_t ct_tracer_block_bytes(const struct ct_tracer_blocks *blocks, int i);
/** Bytes of count elements. */
uint64_t ct_tracer_bytes(MPI_Count count, MPI_Datatype type);
