/**
 * Acting a traced program without its network: the events of all ranks in turn, each as soon as
 * what it waits for has happened. A program that gets to its end here does so on any MPI; one that
 * does not is refused with the call that it stops at. It also gives what one rank has to know
 * before it can act its own events: the memory it needs, and the sizes that only others' traces
 * tell.
 *
 * - A send never waits, unless it is synchronous. A receive waits for its message, a probe for one
 *   that it would get, a wait or test for what it completed.
 * - A collective waits for all members, with two exceptions: the root of a bcast or scatter, and
 *   all but the root of a reduce or gather, pass. A communicator is made by all members at once.
 * - Messages with the same ranks, tag and communicator do not overtake each other.
 *
 * A stream: memory grows with what is under way at the same time, and by a few words for each
 * collective of all ranks, but not with the length of traces.
 * Pure: no MPI.
 */
#ifndef CT_LP_BRIDGE_REHEARSE_REHEARSAL_H
#define CT_LP_BRIDGE_REHEARSE_REHEARSAL_H

#include "lp-bridge/convert/events.h"

/** Memory for the two directions of a call, bytes. */
struct ct_room {
    uint64_t send, receive;
};

/** Sizes that a collective call has, one for each member, where they are not all the same. */
struct ct_sizes_use {
    uint64_t call; /**< which of the rank's calls that have such sizes, from 0 */
    size_t first;  /**< in sizes */
};

/** The end of a collective that blocks and that all ranks make together; counted from 1. */
struct ct_mark {
    uint64_t call; /**< the same number for calls of the same kind, communicator, root and size */
    uint64_t messages; /**< of all ranks, since the mark before */
    bool crossed;      /**< some message or request begins before it and ends after it */
};

enum { CT_REHEARSAL_NAME_MAX = 64 };

/** What one rank has to know. Owned; ct_rehearsal_free(). */
struct ct_rehearsal {
    struct ct_room *slots; /**< [n_slots] by place (rehearse/slots.h) */
    uint32_t n_slots;
    struct ct_room message;    /**< calls that block: messages */
    struct ct_room collective; /**< and collectives */
    uint64_t reduced_bytes;    /**< largest vector that the rank gives to a reduction */
    uint64_t buffered_bytes;   /**< of all buffered sends together */
    uint64_t n_buffered;
    uint64_t total_bytes; /**< of all of that */
    /**
     * gather: what each gives (for the root); scatter: what each gets (for the root); allgather:
     * what each gives; alltoallv: what each gives to the rank. Calls with other kinds do not count.
     * Calls of the first three that are missing have the same size for all.
     */
    struct ct_sizes_use *uses; /**< [n_uses] by call */
    size_t n_uses;
    uint64_t *sizes;
    uint64_t n_unmodelled;                      /**< calls whose communication is not known */
    char unmodelled[CT_REHEARSAL_NAME_MAX + 1]; /**< the first of them */
    struct ct_mark *marks;                      /**< [n_marks] */
    size_t n_marks;
    /** Whether members make their communicators at different points of the program, as far as the
     * traces tell: these must all be made before it starts. */
    bool comms_first;
};
void ct_rehearsal_free(struct ct_rehearsal *rehearsal);

/** Whether a kind of call has sizes of its own for each member: see struct ct_rehearsal. */
bool ct_rehearsal_has_sizes(enum ct_trace_kind kind);

/**
 * Act the program.
 * @param events       [in]  of all ranks, at their start; at their end afterwards
 * @param rank         [in]  that the answer is for
 * @param rehearsal_p  [out] unchanged on error
 * @return CT_OK; CT_EFORMAT (it cannot end, or ranks do not fit together: rank and place are
 *         named; a trace that ends before MPI_Finalize); CT_EUNSUPPORTED (a send that is cancelled,
 *         a size above 2^31 - 1 bytes); CT_ENOMEM
 */
enum ct_status ct_rehearse(const struct ct_events *events, uint32_t rank,
                           struct ct_rehearsal *rehearsal_p, struct ct_error *err);

#endif
