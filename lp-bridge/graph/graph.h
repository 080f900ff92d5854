/**
 * The execution graph of an MPI program: when each operation of a schedule can start, as the
 * longest path to it, with costs linear in the parameters of the LogGPS model.
 *
 * One vertex an operation (calc, send, recv), in topological order. A vertex stands for one point
 * in time: the start of a calc or a send, and for a recv the moment at which it is posted and the
 * message (with rendezvous: the request) is there. A receive that another operation follows by
 * `irequires` has a second vertex, for the moment at which it is posted; a send on a NIC that takes
 * one message at a time has one for the moment at which the message leaves. An edge u -> v with
 * cost w says x(v) >= x(u) + w, and w = compute + o * n_o + L * n_L + G * n_G [LLAMP, section II].
 *
 *     x(v) = max over edges (x(u) + w),   T = max over operations of their end.
 *
 * Costs of a message of s bytes, with B = max(s - 1, 0), are sums over its steps (message.h):
 * - eager (s <= S): the send ends o after its start; the message is there at start + o + L + B G;
 *   the receive ends o after the later of that and its posting.
 * - rendezvous (s > S): the request is there at start + o + L; a = the later of that and the
 *   posting; the grant is back at b = a + o + L; the send ends at b + o + B G, the receive at
 *   b + o + L + B G + o.
 * A message of a rank to itself does not enter the network: L and G are 0 in its rules, and o
 * stays. (LogGOPSim treats it as any other message.) With one message at a time on each NIC (see
 * options) an eager message leaves at d = max(start + o, d' + B' G), d' and B' those of the message
 * before, and is there at d + L + B G. With overheads by size, o is o_s(s) where a message is sent,
 * o_r(s) where it is received, and o_s(0) for request and grant; they are constants then, and no
 * longer linear in a parameter. With gaps by size, B G is the time measured for that size, in
 * units of G, and L of the message is longer by the part that was measured: both stay linear.
 *
 * Times inside are nanoseconds, the unit of GOAL, so that schedules in whole nanoseconds are
 * computed without rounding.
 */
#pragma once

#include "core/status.h"
#include "lp-bridge/goal/goal.h"
#include "lp-bridge/graph/message.h"
#include "model/loggp/overhead.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ct_vertex_kind {
    CT_VERTEX_CALC,
    CT_VERTEX_SEND,
    CT_VERTEX_RECV,
    CT_VERTEX_POSTED,  /**< a receive that is posted; the receive itself is a vertex of its own */
    CT_VERTEX_LEAVING, /**< the first byte of a message leaves; its send is a vertex of its own */
    CT_VERTEX_INPUT,   /**< of a schedule that goes on: where its rank was */
    CT_VERTEX_OUTPUT,  /**< of one that is continued: where its rank is then */
    CT_VERTEX_STEP,    /**< with progress in calls: step CT_STEP_FIRST of a message begins; the
                            kinds that follow are those of the steps that follow */
    CT_STEP_FIRST = 2,
    CT_VERTEX_KINDS = CT_VERTEX_STEP + CT_MESSAGE_STEPS_MAX - CT_STEP_FIRST
};

/** What an edge waits for. */
enum ct_edge_kind {
    CT_EDGE_FINISH,  /**< the end of its source */
    CT_EDGE_START,   /**< the start of its source; of a send: the start and its overhead; of a
                          message that leaves: its last byte */
    CT_EDGE_MESSAGE, /**< the message, or the request, that its source sends */
    CT_EDGE_SENT,    /**< the end of the rendezvous send that its source, a receive, matches */
    CT_EDGE_KINDS
};

/** The parameters in which costs are linear. */
struct ct_loggps {
    double o_ns; /**< overhead of the CPU for a message, on either side; not used in a graph with
                    overheads by size */
    double L_ns; /**< latency of the network */
    double G_ns_per_byte; /**< gap per byte, the inverse of bandwidth */
};

/**
 * Cost of an edge: compute + overhead + o * o_ns + L * L_ns + G * G_ns_per_byte, for the L and G of
 * a pair.
 */
struct ct_cost {
    double compute_ns;
    double overhead_ns; /**< of a graph with overheads by size; o is 0 then */
    double g_ns;        /**< until the next message may leave; 0 of most edges */
    double o, L, G;     /**< how often each parameter counts: messages, messages, bytes */
    uint32_t from, to;  /**< sender and receiver of the message that L and G are of; equal: none. In
                             a graph with peers o is of these two, too */
};

struct ct_graph_options {
    /** Messages above this many bytes use rendezvous (S); SIZE_MAX: none does. */
    size_t eager_max_bytes;
    /**
     * One operation at a time on each CPU of a rank, in the order of the schedule: each waits for
     * the end of the one before (of a send: until its overhead is paid). This models blocking
     * calls, and the overheads of many sends one after the other. It does not model a receive that
     * is posted early and completed late: such a receive blocks its CPU. If its message depends on
     * an operation after it, the schedule has a cycle, which is an error.
     */
    bool serialize;
    /**
     * One message at a time on each NIC of a rank, in the order of the schedule: the first byte of
     * an eager message leaves when its send has paid its overhead and the last byte of the message
     * before it has left. So many sends at once share the bandwidth, as in LogGOPSim; without it
     * each has all of G. Messages by rendezvous neither wait for others nor delay them, and
     * messages do not share the NIC at which they arrive. If dependencies contradict the order of
     * the schedule, there is a cycle, which is an error.
     */
    bool serialize_nic;
    /** Overheads by message size, copied; NULL: o is a parameter, the same for all sizes. */
    const struct ct_overheads *overheads;
    /** Gaps by message size, copied, with the G that they were measured with, > 0: bytes then
     * count by what they take in terms of it, and latencies of bytes are later. NULL: G is the same
     * for all sizes. */
    const struct ct_gaps *gaps;
    double gaps_G_s_per_byte;
    /**
     * g: from the moment at which the first byte of an eager message leaves a rank until that of
     * the next one on its NIC, in the order of the schedule, it takes at least this, and with
     * serialize_nic that time after the last byte. So it costs something where it exceeds o. 0: not
     * asked for.
     */
    double g_ns;
    /** Messages above S are put, as over sockets, in place of LogGPS's rendezvous (message.h). */
    bool puts;
    /**
     * Progress in calls only: a step of a message that a rank makes begins when what it follows is
     * there and the rank is in MPI. That is so from the begin of a call that the mark of the
     * message names (struct ct_goal_mark) until the message has ended, but for pauses of away_ns:
     *
     *     begin <= max(what it waits for, begin of the call) + away
     *
     * so T with equality is an upper bound for such a library, and max-plus. The call is the one
     * that waits for the message, without pauses. Where that would let messages wait for each other
     * in a cycle, the first call that waits after the message was begun, for all messages: what
     * it waits for, the begin of the message has waited for, too. T without this option, where
     * steps begin at once, is the lower bound.
     */
    bool in_call;
    /** Keep both ranks of every message, so that o may differ from pair to pair, too. */
    bool peers;
};

/** Compact and immutable once built. One struct, since costs of edges are made of all of it. */
struct ct_graph {
    uint32_t n_ranks, n_vertices, n_edges;
    uint64_t n_operations;      /**< of the schedule; further vertices are parts of these */
    bool goes_on, is_continued; /**< as the schedule (goal.h) */
    uint64_t *amount;           /**< n_vertices; calc: ns; send and recv: bytes of the message */
    uint32_t *rank;             /**< n_vertices */
    uint32_t *operation;        /**< n_vertices; index within the rank, as in the schedule */
    uint32_t *first_edge; /**< n_vertices + 1; edges into v: first_edge[v] .. first_edge[v + 1] */
    uint32_t *edges;      /**< n_edges; ct_edge_source() and ct_edge_kind() read them */
    uint8_t *what;        /**< n_vertices; ct_vertex_kind() and the flags below */
    uint32_t *receiver;   /**< n_vertices; where a message that leaves goes to; NULL: none leaves */
    uint32_t *peer; /**< n_vertices; the other rank of a send, a receive, a step or what leaves; of
                         others their own; NULL: not asked for */
    bool in_call;   /**< steps of messages have vertices, and peer is there */
    bool by_first_call; /**< steps wait for the first call after their message has begun */
    struct ct_overheads overheads; /**< by message size; none: o is a parameter */
    struct ct_gaps gaps;           /**< by message size; none: G is the same for all */
    double gaps_G_s_per_byte;      /**< G that counts for 1 in them */
    double g_ns;                   /**< between messages that leave a rank */
    /** Of what an edge stands for, by protocol, its source and its kind; ct_graph_sum_steps(). */
    struct ct_message_sum sums[CT_PROTOCOLS][CT_VERTEX_KINDS][CT_EDGE_KINDS];
};

enum {
    CT_VERTEX_KIND_MASK = 15,
    CT_VERTEX_PROTOCOL_SHIFT = 4, /**< two bits: enum ct_protocol_kind of its message */
    CT_VERTEX_PROTOCOL_MASK = 3 << CT_VERTEX_PROTOCOL_SHIFT,
    CT_VERTEX_FINAL = 64, /**< nothing waits for its end: T may be its end */
    CT_VERTEX_LEAF = 128, /**< no edge leaves it */
    CT_GRAPH_VERTICES_MAX = 1 << 29
};

static inline enum ct_vertex_kind ct_vertex_kind(const struct ct_graph *graph, uint32_t v)
{
    return (enum ct_vertex_kind)(graph->what[v] & CT_VERTEX_KIND_MASK);
}

/**
 * Protocol of the message of a send, a receive, a step or a message that leaves; not defined for
 * other vertices.
 */
static inline const struct ct_protocol *ct_vertex_protocol(const struct ct_graph *graph, uint32_t v)
{
    return &ct_protocols[(graph->what[v] & CT_VERTEX_PROTOCOL_MASK) >> CT_VERTEX_PROTOCOL_SHIFT];
}

/** Side that a step of a message is of; not defined for other vertices. */
static inline enum ct_message_side ct_vertex_side(const struct ct_graph *graph, uint32_t v)
{
    size_t step = (size_t)ct_vertex_kind(graph, v) - CT_VERTEX_STEP + CT_STEP_FIRST;
    return ct_vertex_protocol(graph, v)->steps[step].by;
}

/* An edge is one word: its source, its kind, and whether it is the last that leaves its source. */
static inline uint32_t ct_edge_source(uint32_t edge)
{
    return edge >> 3;
}

static inline enum ct_edge_kind ct_edge_kind(uint32_t edge)
{
    return (enum ct_edge_kind)(edge >> 1 & 3);
}

static inline bool ct_edge_is_last(uint32_t edge)
{
    return edge & 1;
}

/**
 * Build the graph of a schedule. Messages match first-in first-out for each source, destination
 * and tag.
 * @param goal     [in]  borrowed, may be freed after the call
 * @param graph_p  [out] ct_graph_free(); unchanged on error
 * @return CT_OK; CT_EINVAL naming the operations (a cycle, an operation without its counterpart, a
 *         send larger than its receive), more than 2^29 vertices, or overheads that
 *         ct_overheads_check() refuses; CT_EUNSUPPORTED: in_call of a schedule without marks;
 *         CT_ENOMEM
 */
enum ct_status ct_graph_build(const struct ct_goal *goal, const struct ct_graph_options *options,
                              struct ct_graph *graph_p, struct ct_error *err);

/**
 * The same of a schedule that nobody needs any more: its memory is freed as the graph is made, so
 * that less is needed at a time.
 * @param goal  [in,out] freed in any case
 */
enum ct_status ct_graph_take(struct ct_goal *goal, const struct ct_graph_options *options,
                             struct ct_graph *graph_p, struct ct_error *err);

void ct_graph_free(struct ct_graph *graph);

/** Memory of the graph, bytes. */
size_t ct_graph_bytes(const struct ct_graph *graph);

/** Cost of one of the edges into v. */
struct ct_cost ct_graph_edge_cost(const struct ct_graph *graph, uint32_t v, uint32_t edge);

/** Cost between the point in time of a vertex and the end of its operation. */
struct ct_cost ct_graph_finish_cost(const struct ct_graph *graph, uint32_t v);
