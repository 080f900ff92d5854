/**
 * The steps of a message under its protocol. Linear costs (graph.h), replays and simulations
 * (simulate/) are all derived from these.
 *
 * In a step one side acts. Its CPU pays an overhead, and then the side sends the bytes of the
 * message, or a control message without bytes, such as a request or a grant; the last step may send
 * nothing. A step begins when the transfer of the step before has arrived and, if the step waits
 * for the send or the receive, when the program has reached that. Its moments, for B bytes that
 * leave:
 *
 *     BEGIN -- overhead --> PAID -- B G --> LEFT -- L --> THERE, the BEGIN of the next step
 *
 * B is the size of the message minus 1, and 0 for a control message [LLAMP, section II-A]. The
 * protocols of LogGPS, with the overheads control, send and recv (below):
 *
 *     eager       sender    waits for the send     pays send     data ->        send ends: PAID
 *                 receiver  waits for the receive  pays recv                    receive ends: PAID
 *
 *     rendezvous  sender    waits for the send     pays control  request ->
 *                 receiver  waits for the receive  pays control  <- grant
 *                 sender                           pays send     data ->        send ends: LEFT
 *                 receiver                         pays recv                    receive ends: PAID
 *
 * and, of MPI over sockets, in place of rendezvous:
 *
 *     put         sender    waits for the send     pays control  request ->
 *                 receiver  waits for the receive  pays control  <- grant
 *                 sender                           pays send     data ->
 *                 receiver                         pays control  <- acknowledgement
 *                 sender                           pays control  end ->         send ends: PAID
 *                 receiver                         pays recv                    receive ends: PAID
 *
 * Another protocol is another row of the table in message.c, and a value of enum
 * ct_protocol_kind; another kind of work of a CPU is a value of enum ct_message_overhead.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ct_message_side { CT_SIDE_SENDER, CT_SIDE_RECEIVER, CT_MESSAGE_SIDES };

/** What a step waits for, beside the step before. */
enum ct_message_wait {
    CT_WAIT_NOTHING, /**< the library continues by itself */
    CT_WAIT_SEND,    /**< the start of the send */
    CT_WAIT_RECV     /**< the posting of the receive */
};

/** Overhead of a step; where the graph has no overheads by size, each is o. */
enum ct_message_overhead {
    CT_OVERHEAD_NONE,
    CT_OVERHEAD_CONTROL, /**< sending a message without bytes: o, or o_s(0) */
    CT_OVERHEAD_SEND,    /**< sending the bytes: o, or o_s(size) */
    CT_OVERHEAD_RECV,    /**< receiving them: o, or o_r(size) */
    CT_MESSAGE_OVERHEADS
};

/** What leaves for the other side at the end of a step. */
enum ct_message_content { CT_CARRIES_NOTHING, CT_CARRIES_CONTROL, CT_CARRIES_DATA };

struct ct_message_step {
    enum ct_message_side by;
    enum ct_message_wait waits_for;
    enum ct_message_overhead overhead;
    enum ct_message_content carries; /**< NOTHING: in the last step only */
};

enum ct_message_moment { CT_MOMENT_BEGIN, CT_MOMENT_PAID, CT_MOMENT_LEFT, CT_MOMENT_THERE };

struct ct_message_point {
    uint8_t step;
    enum ct_message_moment moment;
};

enum { CT_MESSAGE_STEPS_MAX = 6 };

struct ct_protocol {
    const char *name;
    struct ct_message_step steps[CT_MESSAGE_STEPS_MAX]; /**< n_steps; the first one by the sender */
    uint8_t n_steps;
    uint8_t met; /**< the step that waits for the receive */
    struct ct_message_point send_ends, recv_ends;
};

enum ct_protocol_kind { CT_PROTOCOL_EAGER, CT_PROTOCOL_RENDEZVOUS, CT_PROTOCOL_PUT, CT_PROTOCOLS };

extern const struct ct_protocol ct_protocols[CT_PROTOCOLS];

/** Eager up to eager_max_bytes (S), rendezvous above. */
enum ct_protocol_kind ct_protocol_of(uint64_t bytes, size_t eager_max_bytes);

/** Whether a send ends only after its receive is posted. */
bool ct_protocol_send_needs_recv(const struct ct_protocol *protocol);

/**
 * The span from one point of a message to a later one. An edge of the graph represents a span, or
 * compute.
 */
struct ct_message_span {
    const struct ct_protocol *protocol;
    struct ct_message_point from, to; /**< equal: no part of a message */
    uint32_t rank[CT_MESSAGE_SIDES];  /**< equal: a message of a rank to itself, or a span in which
                                           nothing travels */
    uint64_t bytes;                   /**< size of the message */
};

/** The part of a span in one step. */
struct ct_message_part {
    enum ct_message_overhead overhead; /**< is paid first */
    uint32_t rank, peer; /**< the rank that acts, and the destination of what leaves */
    bool leaves;         /**< it takes B G until the last byte has left */
    bool arrives;        /**< and L until that is there */
    double bytes;        /**< B of what leaves */
};

/**
 * The parts of a span in the order of time, those without any cost left out.
 * @param parts_p  [out] CT_MESSAGE_STEPS_MAX
 * @return how many there are
 */
size_t ct_message_parts(const struct ct_message_span *span, struct ct_message_part *parts_p);

/** B of a message: its size minus 1, or 0 if it has no bytes. */
static inline double ct_message_gap_bytes(uint64_t bytes)
{
    return bytes > 0 ? (double)(bytes - 1) : 0;
}

/** How often each cost counts in a span between two ranks. */
struct ct_message_sum {
    uint8_t overheads[CT_MESSAGE_OVERHEADS];
    uint8_t L, G;       /**< G: of the B of its bytes */
    uint8_t L_of_bytes; /**< those of L that are of its bytes, not of control messages */
};
