/*
 * What the parts of the network of packets (network_packet.c) share.
 *
 * An event that would change nothing is not added to those to come, but its time and its place
 * among those at the same time are kept. Where it matters later whether it would have happened,
 * they are compared with the last event (ct_packets_is_past()). This is so for the end of a packet
 * on a port where no other one waits, and for news that a packet is there to a sender that has
 * nothing to send. So results are the same as with these events, to the last digit.
 */
#pragma once

#include "core/map.h"
#include "simulate/events.h"
#include "simulate/routes.h"
#include "simulate/tokens.h"

enum { CT_PACKETS_NONE = UINT32_MAX };

/* Two bits of an event, below an index. */
enum ct_packets_event {
    CT_PACKETS_ARRIVE,  /* a packet comes to the port of its next way */
    CT_PACKETS_DONE,    /* a port has sent, or, if it is not busy, has tokens again: way */
    CT_PACKETS_DELIVER, /* the last packet of a transfer is there */
    CT_PACKETS_BACK,    /* the sender of a stream hears that a packet is there */
    CT_PACKETS_BITS = 2,
    CT_PACKETS_MASK = 3
};

/* A packet in a queue or on a link; where a node sends, all that is left of a message; after it is
 * there, what counts in a window until the sender hears of it. */
struct packet {
    double bytes;
    double back_ns;    /* when the sender hears */
    uint32_t transfer; /* number of it */
    uint32_t order;    /* in which packets came to ports; of the event of back_ns */
    uint32_t next;     /* of its lane, or of its stream, or free one */
    uint16_t hop;      /* of its path: the way that it waits for, or is on */
    bool is_last;      /* of its message */
};

/* Packets at a port that are sent in the order in which they came. */
struct lane {
    uint32_t key;   /* what it is for */
    uint32_t input; /* bucket, where inputs have one */
    uint16_t hop;
    uint32_t head, tail; /* packets */
    uint32_t next;       /* of the port, or free one */
};

/* The beginning of a way. */
struct port {
    double ns_per_byte;
    struct ct_bucket tokens;
    double wakes_ns; /* when packets no longer wait for tokens; INFINITY: none does */
    double passed_bytes;
    double *used; /* [n_used]: bytes of the buffer at its other end, by hop number */
    uint16_t n_used;
    bool is_busy;
    bool is_quiet;        /* busy, but the event that ends that is not among those to come */
    uint32_t first, last; /* lanes */
    uint32_t served;      /* lane that was served last; none: it has ended, or its turn has */
    /* What it sends, if it is busy. */
    uint32_t came_by; /* way; none: from a node */
    double bytes;
    double done_ns;
    uint32_t done_order;
    uint32_t left; /* transfer whose last byte leaves a node, and that tells; none */
    uint16_t hop;
    /* Quiet ports that send what came by this one, and its place among those of another. */
    uint32_t quiet, before, after;
};

struct transfer {
    uint32_t first_way, last_way; /* struct ct_path */
    uint16_t n_ways;
    bool tells_left;
    uint32_t stream; /* none: without windows */
    double hop_ns;   /* latency of each way */
    double again_ns; /* its last packet is there so much later, since packets were lost */
};

/* What a job sends from a node to another one. */
struct stream {
    double under_way_bytes;
    uint32_t head, tail; /* packets: messages, or what is left of them, outside the port's
                            queue: they wait for the window */
    uint32_t first_back, last_back; /* packets that are there: the sender will hear */
    bool is_told;                   /* an event for the first one is among those to come */
};

/* One struct, since each step of a packet needs its port, stream, lane and transfer. */
struct packets {
    struct ct_routes *routes;
    const uint32_t *ways; /* of the routes; NULL: one switch */
    enum ct_port_order order;
    double packet_bytes, buffer_bytes;
    struct ct_tokens tokens;
    double packet_header_bytes, message_header_bytes, ack_bytes, back_frac, window_bytes;
    uint32_t n_jobs;
    struct ct_map streams_of; /* (job and node that sends, node): number of a stream */
    struct stream *streams;
    uint32_t n_streams, room_streams;
    struct port *ports; /* [way] */
    uint32_t n_ports;
    struct packet *packets;
    uint32_t n_packets, room_packets, free_packet;
    struct lane *lanes;
    uint32_t n_lanes, room_lanes, free_lane;
    struct transfer *transfers; /* [number] */
    uint32_t n_transfers;       /* room */
    uint32_t n_came;
    struct ct_losses losses; /* the seed is the state of the generator */
    struct ct_events events;
    struct ct_event last; /* what is before it is past */
    struct ct_network_use use;
};

/* Way number `hop` of a transfer. */
static inline uint32_t ct_packets_way(const struct packets *net, const struct transfer *transfer,
                                      uint16_t hop)
{
    if (net->ways)
        return net->ways[transfer->first_way + hop];
    return hop == 0 ? transfer->first_way : transfer->last_way;
}

/* Whether an event with this time and order would have happened. */
static inline bool ct_packets_is_past(const struct packets *net, double at_ns, uint32_t order)
{
    const struct ct_event event = {at_ns, 0, order};
    return ct_event_is_before(event, net->last);
}

/* @return false: out of memory */
static inline bool ct_packets_add(struct packets *net, double at_ns, enum ct_packets_event what,
                                  uint32_t index, uint32_t order)
{
    const struct ct_event event = {at_ns, index << CT_PACKETS_BITS | (uint32_t)what, order};
    return ct_events_put(&net->events, event);
}

/* ---- packet_pool.c ---- */

/* A packet; none: out of memory. */
uint32_t ct_packets_new_packet(struct packets *net);
uint32_t ct_packets_new_lane(struct packets *net);
/* A stream counts what its sender has heard of. */
void ct_packets_settle(struct packets *net, struct stream *stream);
/* A stream that waits for its window will hear of the first packet that is there; others do not
 * listen. @return false: out of memory */
bool ct_packets_listen(struct packets *net, uint32_t stream);
/* Orders of events are made smaller. */
void ct_packets_age(struct packets *net);

static inline void ct_packets_drop_packet(struct packets *net, uint32_t packet)
{
    net->packets[packet].next = net->free_packet;
    net->free_packet = packet;
}

/* ---- packet_ports.c; @return false: out of memory ---- */

/* The next packet of a queue, cut off a message if it has more; none: out of memory. */
uint32_t ct_packets_cut(struct packets *net, uint32_t *head_p, uint32_t *tail_p);
/* A packet comes to the port of its way. */
bool ct_packets_arrive(struct packets *net, uint32_t packet, double now_ns);
/* A port has sent its packet, or has tokens again. */
bool ct_packets_done(struct packets *net, uint32_t way, double now_ns);

/* ---- packet_streams.c; likewise ---- */

/* The stream of a transfer. */
bool ct_packets_find_stream(struct packets *net, const struct ct_transfer *transfer,
                            uint32_t *number_p);
/* A message behind those of its stream. */
bool ct_packets_append(struct packets *net, uint32_t stream, uint32_t message, double now_ns);
/* A sender hears that the first packet of a stream is there. */
bool ct_packets_back(struct packets *net, uint32_t stream, double now_ns);
