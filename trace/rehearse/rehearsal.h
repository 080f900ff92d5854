/**
 * Rehearsal of a traced program: the events of all ranks are executed in turn, without a network,
 * each as soon as the events that it waits for have happened. A program that ends here ends with
 * every MPI; one that does not is refused, with the call at which it stops. The rehearsal also
 * collects the facts that a rank needs before it replays its events: memory for its buffers, and
 * sizes that are only in the traces of other ranks.
 *
 * - A send never waits, unless it is synchronous. A receive waits for its message, a probe for a
 *   message that it would find, a wait or test for the requests that it completed.
 * - A collective waits for all members, with two exceptions: the root of a bcast or scatter, and
 *   all ranks but the root of a reduce or gather, continue at once. A communicator is made by all
 *   members at once.
 * - A one-sided access is there at once, and nothing waits for it.
 * - Messages with the same ranks, tag and communicator do not overtake each other.
 * - A call of one of several threads of a rank begins when all calls of the rank have ended that
 *   had when it began in the trace (struct ct_trace_event, `after`). Threads are else independent.
 *   Two calls that may so overlap are refused if their order makes a difference: sends, or
 *   receives, of different sizes with the same partner, tag and communicator, a receive that got no
 *   message beside one that it fits, collectives on one communicator, communicators of the same
 *   ranks.
 *
 * Traces are read as a stream: memory grows with the operations that are under way at the same
 * time, and by a few words for each collective of all ranks, but not with the length of the traces.
 * Pure: no MPI.
 */
#pragma once

#include "trace/convert/events.h"
#include "trace/unmodelled.h"

/** Memory for the two directions of a call, bytes. */
struct ct_room {
    uint64_t send, receive;
};

/** Memory for the calls of a thread that block. */
struct ct_thread_rooms {
    struct ct_room message, collective;
};

/** Sizes of a collective call that differ between members, one for each member. */
struct ct_sizes_use {
    uint64_t position; /**< of the call's event, ct_script.position */
    size_t first;      /**< in sizes */
};

/** A receive that is freed before its message comes. */
struct ct_freed_use {
    uint64_t position; /**< of the event that posts it, ct_script.position */
    uint64_t bytes;    /**< of the message */
};

/** A mark: the end of a blocking collective of all ranks. Marks are counted from 1. */
struct ct_mark {
    uint64_t call; /**< the same number for calls of the same kind, communicator, root and size */
    uint64_t messages; /**< of all ranks, since the mark before */
    bool crossed;      /**< a message or request begins before it and ends after it */
};

/** The facts that one rank needs: one struct, since a replay asks for any of them. Owned;
 * ct_rehearsal_free(). */
struct ct_rehearsal {
    struct ct_room *slots; /**< [n_slots] by place (rehearse/slots.h) */
    uint32_t n_slots;
    struct ct_thread_rooms *threads; /**< [n_threads] */
    uint32_t n_threads;
    uint64_t reduced_bytes;  /**< largest vector that the rank gives to a reduction */
    uint64_t buffered_bytes; /**< of all buffered sends together */
    uint64_t n_buffered;
    bool has_accesses;     /**< one-sided, of any rank */
    uint64_t access_bytes; /**< room for the largest message of one, and for an element; or 0 */
    struct ct_freed_use *freed; /**< [n_freed] by position */
    size_t n_freed;
    uint64_t freed_bytes; /**< buffers of all requests that are freed while they are under way */
    uint64_t total_bytes; /**< of all of that */
    /**
     * gather: bytes that each member sends (for the root); scatter: bytes that each receives (for
     * the root); allgather: bytes that each sends; alltoallv: bytes that each sends to this rank.
     * Calls of the first three kinds that are not listed have the same size for all members.
     */
    struct ct_sizes_use *uses; /**< [n_uses] by position */
    size_t n_uses;
    uint64_t *sizes;
    /** [n_unmodelled] of all ranks, in the order of first use: not in the traces */
    struct ct_trace_unmodelled *unmodelled;
    size_t n_unmodelled;
    struct ct_mark *marks; /**< [n_marks] */
    size_t n_marks;
    /**
     * Whether, according to the traces, members make a communicator at different points of the
     * program: then all communicators must be made before it starts.
     */
    bool comms_first;
    /**
     * Whether a persistent receive from any source, or with any tag, of this rank could get another
     * message than in the traces: one that is sent before all ranks synchronize, after the receive
     * is complete, in a barrier or another collective that waits for all.
     */
    bool any_may_differ;
};
void ct_rehearsal_free(struct ct_rehearsal *rehearsal);

/** Whether a kind of call has a size for each member: see struct ct_rehearsal. */
bool ct_rehearsal_has_sizes(enum ct_trace_kind kind);

/**
 * Rehearse the program.
 * @param events       [in]  of all ranks, at their start; at their end afterwards
 * @param rank         [in]  rank whose facts are collected
 * @param rehearsal_p  [out] unchanged on error
 * @return CT_OK; CT_EFORMAT (the program cannot end, or ranks are not consistent: the message names
 *         rank and event; a trace ends before MPI_Finalize); CT_EUNSUPPORTED (a send that is
 *         cancelled, a size above 2^31 - 1 bytes, calls of threads whose order is not known);
 *         CT_ENOMEM
 */
enum ct_status ct_rehearse(const struct ct_events *events, uint32_t rank,
                           struct ct_rehearsal *rehearsal_p, struct ct_error *err);
