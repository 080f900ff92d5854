/**
 * What a simulation tells about the time of each rank and about each message: where the time of MPI
 * goes. Source: [D] (docs/models.md), section 3.1, and
 * equations 1 to 4.
 *
 * The time of a rank, from the begin of a pass to the end of the last operation of the rank, is cut
 * into spans that neither overlap nor leave gaps. So the lengths of the spans of a rank add up to
 * its run time (to rounding). Each span is one of four parts:
 *
 * - COMPUTE: a calc of the rank is under way, whatever else happens at that time;
 * - STACK: the software of MPI works, on the rank itself, or on the other rank of the message that
 *   this one waits for: copies, posted headers and RDMA, pinned memory, overheads of LogGPS;
 * - SYNC: the rank waits for the program of another rank: a receive for the send to begin, a send
 *   that needs its receive for this to be posted, a message for a rank that computes and makes no
 *   progress, a send for credit;
 * - NETWORK: the rest. The rank waits for bytes, a header, a request or an acknowledgement under
 *   way.
 *
 * Every wait is attributed to the operation that ends it: the one whose end lets the rank continue.
 * For a receive whose send begins (after its copy and its header) at t_send, the wait is SYNC up to
 * t_send; for a send by rendezvous whose receive is posted at t_recv, up to t_recv. These are
 * equations 1 to 4, since the wait begins when the rank has nothing else to do, and never before
 * the call. What comes after follows the steps of the message. In a collective, each of its
 * messages is an operation of its own. So the parts of a call are sums over the spans of its
 * operations.
 *
 * Work of the stack that a rank does while it computes (asynchronous progress) is hidden: COMPUTE.
 *
 * Spans of a rank are reported in ascending order of time, spans of different ranks in any order;
 * equal input gives equal calls in the same order. A span with zero length is not reported. Two
 * spans in a row may have the same part and the same operation.
 */
#pragma once

#include "lp-bridge/graph/message.h"

#include <stdbool.h>
#include <stdint.h>

/** Where the time of a rank goes. */
enum ct_time_part { CT_TIME_COMPUTE, CT_TIME_STACK, CT_TIME_SYNC, CT_TIME_NETWORK, CT_TIME_PARTS };
extern const char *const ct_time_part_names[]; /**< "compute", "stack", "sync", "network", NULL */
/** For pictures: "synchronization", and "#0072B2", distinct with any colour vision. */
extern const char *const ct_time_part_titles[CT_TIME_PARTS],
    *const ct_time_part_colours[CT_TIME_PARTS];

enum { CT_TIME_NO_OP = UINT32_MAX };

/** A piece of the time of a rank. */
struct ct_time_span {
    uint32_t program; /**< index in the programs of the simulation */
    uint32_t pass;    /**< of that program, from 0 */
    uint32_t rank;
    uint32_t op;   /**< COMPUTE: the calc; STACK on the rank itself: the send or receive that the
                        work is for; others: the operation whose end ended the wait. Numbered over
                        all ranks, as the ops of the schedule: goal->ops[op] */
    uint32_t next; /**< the operation that began because the wait ended: the first one of several;
                        CT_TIME_NO_OP: none, or no wait */
    enum ct_time_part part;
    double begin_ns, end_ns; /**< begin_ns < end_ns; time 0 is the begin of the simulation */
};

/**
 * A step of a message (lp-bridge/graph/message.h). It may begin when the step before has arrived;
 * from then to ready_ns it waits for its send or receive, or for a rank that computes; from
 * ready_ns to paid_ns the software works, or other work on that rank comes first; from paid_ns to
 * there_ns what it sends is under way. ready_ns <= paid_ns <= there_ns.
 */
struct ct_message_times {
    double ready_ns, paid_ns, there_ns; /**< there_ns = paid_ns: the step sends nothing */
};

/** A message that is complete on both sides. */
struct ct_observed_message {
    uint32_t program, pass;
    uint32_t op[CT_MESSAGE_SIDES];   /**< the send and the receive, numbered as above */
    uint32_t rank[CT_MESSAGE_SIDES]; /**< equal: a message of a rank to itself */
    uint64_t bytes;
    const char *protocol;               /**< "mailbox", "eager", "rendezvous"; not to be freed */
    double posted_ns[CT_MESSAGE_SIDES]; /**< begin of the send, posting of the receive */
    double ended_ns[CT_MESSAGE_SIDES];  /**< end of the send, end of the receive */
    uint8_t n_steps;
    uint8_t met;                          /**< the step that waits for the receive to be posted */
    uint8_t by_receiver;                  /**< bit i: step i is one of the receiver */
    const struct ct_message_times *steps; /**< [n_steps]; valid during the call only */
};

/** An operation that begins, because all that it waited for has ended or begun. */
struct ct_observed_begin {
    uint32_t program, pass;
    uint32_t op;    /**< numbered as above */
    uint32_t after; /**< the last one that it waited for; CT_TIME_NO_OP: it waited for none */
    bool at_start;  /**< for `after` to begin, not to end */
    double at_ns;   /**< of a send or a receive: its posted_ns */
};

/** A rank that has ended a pass: its run time, which its spans add up to. */
struct ct_observed_rank {
    uint32_t program, pass, rank;
    double begin_ns, end_ns; /**< begin of the pass; end of the last operation of the rank, or the
                                  begin if it has none */
};

/**
 * Functions that a simulation calls while it runs. Any of them may be NULL. They must not change
 * what the simulation works on. A simulation with an observer has the same results as without.
 */
struct ct_observer {
    void (*span)(void *context, const struct ct_time_span *span);
    void (*message)(void *context, const struct ct_observed_message *message);
    /** After the last span of the rank in this pass. */
    void (*rank)(void *context, const struct ct_observed_rank *rank);
    void (*begin)(void *context, const struct ct_observed_begin *begin);
    void *context; /**< borrowed; first argument of each call */
};

/** An observer that adds spans up, as a start: seconds are up to the caller. */
struct ct_time_sum {
    double part_ns[CT_TIME_PARTS];
};

/** Add a span to a sum. */
static inline void ct_time_add(struct ct_time_sum *sum, const struct ct_time_span *span)
{
    sum->part_ns[span->part] += span->end_ns - span->begin_ns;
}

/** Two observers of one simulation. */
struct ct_observer_pair {
    struct ct_observer first, second;
};

/** An observer that calls both, the first one first. @param pair  [in] borrowed */
struct ct_observer ct_observer_of_pair(struct ct_observer_pair *pair);
