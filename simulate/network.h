/**
 * Networks that a simulation can run on, behind one interface: what is sent at a time, and when it
 * has left and is there. A network does not know what the messages are for.
 *
 * - packet: messages are cut into packets, which queue at the ports of the switches on their path
 *   (network_packet.c);
 * - alpha-beta: alpha + beta N for N bytes, in order, one message at a time where they leave a node
 *   and where they enter one, and no other contention [D, section 4.2, MACRELS];
 * - none: all is there at once [D, section 4.2, "compute only"].
 *
 * Time never goes back: now_ns of a call is not below that of a call before, nor below the time of
 * the last event.
 */
#pragma once

#include "topology/route.h"

/** The order in which a port serves waiting messages: its inputs in turn, all in one queue, or all
 * messages in turn, also those that a node sends: each has its share of the link. */
enum ct_port_order { CT_PORT_ROUND_ROBIN, CT_PORT_FIFO, CT_PORT_SHARED };
extern const char *const ct_port_order_names[]; /**< NULL-terminated */

/** Properties of the queues of ports. */
struct ct_port_queues {
    enum ct_port_order order;
    double packet_bytes; /**< of a full packet on a link, > 0: the least window; where inputs have
                              buckets, most bytes that one of them lets pass together (0:
                              burst_bytes) */
    double ahead_bytes;  /**< the window: most bytes of a program under way from a node to another
                              one; 0: no limit */
    double burst_bytes;  /**< bytes that an unused link lets pass at once, >= 0; 0: none */
};

enum { CT_SIMULATE_JOBS_MAX = 16 }; /**< programs on a network */

enum ct_simulate_network_kind {
    CT_NETWORK_PACKET,
    CT_NETWORK_ALPHA_BETA,
    CT_NETWORK_NONE,
    CT_NETWORK_KINDS
};
extern const char *const ct_simulate_network_names[]; /**< NULL-terminated */

/** What is sent from a node to another one. */
struct ct_transfer {
    uint32_t from, to; /**< nodes, different ones */
    uint32_t job;
    uint32_t number; /**< of the sender's choice, below 2^30, of one transfer under way at a time */
    double bytes;    /**< >= 0 */
    double late_frac; /**< its latency is so much longer than that of its path, >= 0 */
    bool tells_left;  /**< whether the sender asks when the last byte has left */
};

enum ct_simulate_network_news {
    CT_NEWS_NONE,  /**< nothing that concerns the sender */
    CT_NEWS_LEFT,  /**< the last byte has left */
    CT_NEWS_THERE, /**< all bytes are there */
    CT_NEWS_LATER  /**< not yet: much was processed, so that the caller may want to stop */
};

/** What a network tells of a transfer, or that it has nothing to tell. */
struct ct_simulate_network_event {
    enum ct_simulate_network_news news;
    uint32_t number; /**< of the transfer */
    double at_ns;
    uint64_t work; /**< events that were processed, each counted with what it takes time in
                        proportion to */
};

/** A direction of a link, and what has passed it. */
struct ct_network_way {
    uint32_t way; /**< of a topology: 2 l + d is link l from its end d on */
    double ns_per_byte;
    double passed_bytes;
};

/** What a run of a network used of its queues: on others that offer as much it is the same. */
struct ct_network_use {
    bool is_known;
    bool has_chosen; /**< a port that serves in turn had more than one of these to choose from, or
                        differs from others in what it lets pass at once */
    double under_way_most; /**< bytes of a window that were in use; INFINITY: a window was full, or
                                there are none */
};

struct ct_simulate_network_ops {
    const char *name;
    /** Begin a transfer. @return CT_OK; CT_ENODATA (no route); CT_ENOMEM */
    enum ct_status (*send)(void *state, double now_ns, const struct ct_transfer *transfer,
                           struct ct_error *err);
    /**
     * Process what happens before a time, until there is news, or for a while.
     * @param until_ns  [in]  INFINITY: whatever is to come
     * @param event_p   [out] CT_NEWS_NONE: nothing happens before that time any more;
     * CT_NEWS_LATER: call again
     * @return CT_OK; CT_ENOMEM
     */
    enum ct_status (*run)(void *state, double until_ns, struct ct_simulate_network_event *event_p,
                          struct ct_error *err);
    /** Time of a transfer without bytes on the idle network. @return as send() */
    enum ct_status (*latency_ns)(void *state, uint32_t from, uint32_t to, double *latency_p,
                                 struct ct_error *err);
    /**
     * What has passed each link until a time, not before that of the last event: messages that
     * have left are counted whole. NULL: the network has no links.
     * @param ways  [out] NULL: not asked for
     * @return how many
     */
    uint32_t (*ways)(void *state, double now_ns, struct ct_network_way *ways);
    /** What was used so far. NULL: not known. */
    struct ct_network_use (*use)(const void *state);
    void (*free)(void *state);
};

/** ct_simulate_network_free() */
struct ct_simulate_network {
    const struct ct_simulate_network_ops *ops;
    void *state;
};

/** What a direction of a link does not have of what the topology says. */
struct ct_way_change {
    uint32_t way;     /**< of a topology: 2 l + d is link l from its end d on */
    double slower;    /**< factor of the time of a byte, > 0 */
    double later_ns;  /**< added to the latency of all paths by it, >= 0 */
    double lost_frac; /**< packet: of the packets on it, each by a draw of its own; 0 .. 1, not 1 */
};

/** packet: what is lost is sent again until it arrives, after the same time each time; so a message
 * is there when the last of its packets is. While it waits, it blocks nothing. */
struct ct_losses {
    double again_ns; /**< from when it was to be there until it is there by another try, >= 0 */
    uint64_t seed;
};

/** One struct, since routes, ports and streams of the packet network read nearly all of it. */
struct ct_simulate_network_setup {
    const struct ct_topology *topology; /**< borrowed while the network is used; NULL: one switch */
    const uint32_t
        *nodes;       /**< [n_nodes]: of the topology; borrowed likewise; one switch: not used */
    uint32_t n_nodes; /**< >= 1 */
    uint32_t n_jobs;  /**< 1 .. CT_SIMULATE_JOBS_MAX */
    /**
     * G of the slowest link of a node, > 0, and of the slowest one between switches; others have it
     * in proportion to their rates, if the topology has rates. link NaN: all are in proportion to
     * the link of the node.
     */
    double injection_ns_per_byte, link_ns_per_byte;
    /** Latency of every path, or else, if NaN, (h + 1) wires and h switches of a path of h. */
    double latency_ns, wire_ns, switch_ns;
    struct ct_path_latencies by_switches; /**< beyond latency_ns, where that is given */
    /**
     * Whether the latencies of a path's links are added, less those of the path between the nodes
     * that latency_ns was measured between. All links of the topology then have one.
     */
    bool adds_links;
    double measured_ns;
    const struct ct_way_change *changes; /**< [n_changes], with a topology; borrowed likewise */
    size_t n_changes;
    struct ct_losses losses;      /**< with changes by which packets are lost */
    struct ct_port_queues queues; /**< packet: order and burst */
    double packet_bytes;          /**< packet: largest packet without its header, > 0 */
    double buffer_bytes; /**< packet: of a port's input, for each hop that messages may have come
                            by; at least a packet */
    /** packet: bytes that links carry beside those of the program, >= 0. */
    double packet_header_bytes;  /**< with each packet */
    double message_header_bytes; /**< with each message, in front of its bytes */
    /** packet: bytes that come back for each packet of packet_bytes, by the links of its path, >=
     * 0. They wait for nothing, and what is sent there next waits for them. */
    double ack_bytes;
    double back_frac; /**< packet: the same for each packet, as a part of its bytes, >= 0 */
    /**
     * packet: most bytes of a job that are under way from a node to another one: from the queue of
     * the node's port until the sender hears, a latency after they are there, that they are. A
     * packet may go if none is under way. 0: no limit
     */
    double window_bytes;
};

/**
 * @param setup      [in]  fields that a kind does not need are not read
 * @param network_p  [out] unchanged on error
 * @return CT_OK; CT_EINVAL (out of range); what ct_routes_new() returns; CT_ENOMEM
 */
enum ct_status ct_simulate_network_new(enum ct_simulate_network_kind kind,
                                       const struct ct_simulate_network_setup *setup,
                                       struct ct_simulate_network *network_p, struct ct_error *err);
void ct_simulate_network_free(struct ct_simulate_network *network);
