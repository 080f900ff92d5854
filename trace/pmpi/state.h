/**
 * The tracer's state, shared by its files. In a simulation, where all ranks are in one process,
 * each has its own (pmpi/simulated.c).
 */
#pragma once

#include "core/map.h"
#include "core/parts.h"
#include "trace/pmpi/sites.h"
#include "trace/pmpi/tracer.h"
#include "trace/ranks.h"
#include "trace/stream.h"

#include <pthread.h>
#include <stdatomic.h>

/** A communicator. Its number in the trace is its index in the table. */
struct ct_tracer_comm {
    struct ct_ranks group;  /**< of the world; n is 0: there are others, and it is refused. Of an
                               intercommunicator those of both groups: first the group whose first
                               rank is lower */
    struct ct_ranks remote; /**< of an intercommunicator: the group that its ranks are of; else 0 */
    /** Of an intercommunicator, numbers of the communicators that its collectives are written with:
     * of this rank's group, and of both groups, for messages; 0: it had none yet. */
    uint32_t local, both;
    uint32_t n_pending; /**< of its collectives, those that did not block */
};

/** A window: a communicator of its own, with the ranks of the one that it was made of. */
struct ct_tracer_window {
    uint32_t comm;
    bool is_open;               /**< accesses may be under way */
    bool is_unchecked;          /**< the last lock said MPI_MODE_NOCHECK */
    uint64_t *posted, *started; /**< ranks of the world that MPI_Win_post, MPI_Win_start named */
    size_t n_posted, n_started;
};

enum ct_tracer_purpose {
    CT_TRACER_UNUSED,
    CT_TRACER_SEND, /**< or an access */
    CT_TRACER_RECEIVE,
    CT_TRACER_COLLECTIVE
};

/** What the tracer keeps of one thread. */
struct ct_tracer_thread {
    uint32_t number;                     /**< in the trace, plus 1; 0: it has no event yet */
    uint64_t after;                      /**< events that had ended when its call began */
    uint64_t idle_ns;                    /**< time in calls without an event of their own, since
                                            its last event */
    uint64_t idle_after;                 /**< `after` of the first of them */
    uint64_t left_ns, left_processor_ns; /**< clock and processor time at the end of a call, if
                                            has_left: computing begins */
    bool has_left;
    uint64_t behind_ns; /**< distance from the clock: time between calls that was not compute */
};

/** A request. Its number in the trace is its index in the table; 0 is not used. */
struct ct_tracer_request {
    enum ct_tracer_purpose purpose;
    enum ct_tracer_use use;
    bool active;
    bool silent; /**< with MPI_PROC_NULL, or refused: not in the trace */
    uint32_t comm;
    struct ct_trace_event begin; /**< of a persistent request: what MPI_Start adds */
    uint64_t *values;            /**< those of begin, owned; NULL: none are kept */
    uint32_t next_piece;   /**< the request that completes with this one, and has no handle; or 0 */
    bool is_later;         /**< as in struct ct_tracer_piece */
    int n_parts;           /**< of a partitioned message; else 0 */
    int n_ready;           /**< of these, since it was started */
    bool is_receipt_given; /**< what a receive gets is known from begin, not from a status */
    const struct ct_tracer_thread *by; /**< thread that made it, or that dropped it: to compare */
    uint64_t since;     /**< events of the rank up to the one that made it, or dropped it */
    uint32_t next_free; /**< where purpose is CT_TRACER_UNUSED; 0: none */
};

/** One struct, since it is all that the tracer has of state, and one lock is for it. */
struct ct_tracer_state {
    struct ct_trace_stream *stream; /**< NULL: nothing is traced; used with the lock held */
    atomic_bool tracing;            /**< whether stream is not NULL; readable without the lock */
    atomic_bool finalizing;         /**< the trace has ended, and MPI_Finalize is under way */
    atomic_uint n_late;             /**< calls since then: of callbacks */
    bool by_processor;              /**< compute is processor time; set before tracing is */
    bool has_sites;                 /**< places of calls are recorded; likewise */
    struct ct_tracer_sites sites;
    bool has_threads;           /**< MPI_THREAD_MULTIPLE; likewise */
    _Atomic uint64_t n_events;  /**< written so far, but for places */
    _Atomic uint64_t behind_ns; /**< of the thread whose call ended last */
    uint32_t n_threads;         /**< that have numbers */
    MPI_Comm world;             /**< whose ranks are those of the trace */
    int world_rank;
    pthread_mutex_t lock;
    struct ct_tracer_comm *comms;
    uint32_t n_comms;
    struct ct_tracer_request *requests;
    uint32_t n_requests, free_request;
    struct ct_tracer_window *windows;
    uint32_t n_windows;
    struct ct_map window_numbers; /**< plus 1 */
    struct ct_map comm_numbers;   /**< plus 1 */
    struct ct_map request_numbers;
    struct ct_map message_comms; /**< communicators of matched messages, plus 1 */
};
#if CT_SIMULATED
struct ct_tracer_state *ct_tracer_self(void);
struct ct_tracer_thread *ct_tracer_find_thread(void);
#define ct_tracer (*ct_tracer_self())
#define ct_tracer_this_thread (*ct_tracer_find_thread())
#else
extern struct ct_tracer_state ct_tracer;
extern _Thread_local struct ct_tracer_thread ct_tracer_this_thread
    __attribute__((tls_model("initial-exec")));
#endif

/** Whether tracing is on; if so, the lock is held until ct_tracer_leave(). */
bool ct_tracer_enter(void);
void ct_tracer_leave(void);

/** The clock of the trace, within a call. */
uint64_t ct_tracer_read_clock(void);

/** Write an event of this thread that began at start_ns and ends now; on failure tracing ends. */
void ct_tracer_write(uint64_t start_ns, struct ct_trace_event event);
/** Events of the rank with the next one of this thread, if that is written now. */
uint64_t ct_tracer_events_with_next(void);
/** A call that began at start_ns has no event: its time is added to the next one without values. */
void ct_tracer_pass(uint64_t start_ns);
/** End the file, with the lock held; nothing is traced any more. @return CT_OK; CT_EIO */
enum ct_status ct_tracer_close(struct ct_error *err);
/** The same, and print the reason. */
void ct_tracer_give_up(const char *why);

/** Handles are numbers in some MPI libraries and pointers in others. */
#define CT_TRACER_HANDLE(handle) ((uint64_t)(uintptr_t)(handle))

/** Number of the communicator of a call that began at start_ns; false: it has ranks of other
 * worlds, and has been refused. */
bool ct_tracer_find_comm(uint64_t start_ns, MPI_Comm comm, uint32_t *number_p);
/** The same of a call with neighbours: intercommunicators, which have none, are refused, too. */
bool ct_tracer_find_group(uint64_t start_ns, MPI_Comm comm, uint32_t *number_p);
/** A communicator with the ranks of another, without a handle; false as above. */
bool ct_tracer_add_copy(uint64_t start_ns, MPI_Comm comm, uint32_t *number_p);
/** The same of the rank's own group of an intercommunicator. */
bool ct_tracer_add_local(uint64_t start_ns, MPI_Comm comm, uint32_t *number_p);
/**
 * Write a collective of an intercommunicator as collectives of the rank's own group and messages
 * between the groups (docs/traces.md).
 * @param event   [in] its number of the communicator is set; root is as the program gave it; values
 *                     of an alltoallv: bytes to each rank of the other group; of a reduce_scatter:
 *                     of each one of this group
 * @param others  [in] blocks of the other group, see ct_tracer_collective()
 * @return whether it is one that is written like that; else nothing is
 */
bool ct_tracer_write_between(uint64_t start_ns, MPI_Comm comm, const struct ct_trace_event *event,
                             const struct ct_tracer_blocks *others,
                             struct ct_tracer_pending pending);
/** A call to ranks of other worlds: it is recorded by name, the same for all such calls. */
void ct_tracer_refuse_others(uint64_t start_ns);
/**
 * Append the members of a group, as ranks of the world.
 * @param members  [in]     n, of malloc(), or NULL; not the caller's any more
 * @param n_p      [in,out] their number
 * @return free(); NULL: out of memory, or a process outside of the world
 */
uint64_t *ct_tracer_append_members(uint64_t *members, size_t *n_p, MPI_Group group);
/** A rank of a communicator as one of the world; below 0 (MPI_ANY_SOURCE): -1. */
int32_t ct_tracer_world_rank(uint32_t comm, int rank);

/**
 * Write the event of a call that gave a request. A persistent request has an event of its own
 * (send_init), and the given one is kept for MPI_Start.
 */
void ct_tracer_begin_request(uint64_t start_ns, MPI_Request handle, enum ct_tracer_purpose purpose,
                             enum ct_tracer_use use, bool silent, struct ct_trace_event event);
/** One of the events of a call whose request completes all of them. */
struct ct_tracer_piece {
    struct ct_trace_event event; /**< without values; what a receive gets is what it says */
    bool is_later; /**< it begins when all before it have ended: a stage of its own; else together
                      with the one before */
};
/** The same for a call of several events, of which only the first has the handle. */
void ct_tracer_begin_pieces(uint64_t start_ns, MPI_Request handle, enum ct_tracer_use use,
                            const struct ct_tracer_piece *pieces, size_t n);
/** A receive got what its request says, whatever statuses say; its message has parts, if not 0. */
void ct_tracer_trust_begin(MPI_Request handle, int n_parts);
/**
 * Source, tag and size of a received message, from its status; false: it was from MPI_PROC_NULL.
 * After a wait or test the caller checks whether the request was cancelled; after a probe MPICH
 * leaves that undefined.
 */
bool ct_tracer_arrived(const MPI_Status *status, uint32_t comm, struct ct_trace_message *message_p);
