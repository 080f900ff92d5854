/*
 * Packets on the paths of a network.
 *
 * A message is cut into packets of at most packet_bytes. Each way of its path is a port, which
 * sends one packet at a time. Switches cut through: the head of a packet goes on after the latency
 * of the hop, and as early as the tail, which follows at the rate of the slower link, can keep up
 * with it. So a message alone takes L + B G on links of equal rates, whatever the size of packets.
 *
 * With a burst, ports are shapers with a token bucket: an unused port collects tokens for bytes at
 * its rate, up to the burst, and the bytes of a packet that it has tokens for take no time. Such
 * ports store and forward: the packet goes on when the port has let all of it pass. A message alone
 * of B bytes on links of equal rates takes L + max(0, B - burst) G, if a packet is not larger than
 * the burst.
 *
 * A port has a lane for each hop number, and with round-robin for each way that packets come by.
 * FIFO: of the packets at the head of a lane the one that came first is next. Round-robin: lanes
 * are served in turn, a packet each.
 *
 * A node sends in order, whatever the order of ports: its programs hand their messages to one card.
 * With a window, a stream, which is what a job sends from a node to another one, hands over packets
 * as long as its window has room, and the rest of a message waits outside the queue.
 *
 * Back-pressure: a packet is sent only if the next port's buffer has room for it. There is one
 * buffer for each hop number, as with virtual channels, so that no circle of full buffers can
 * arise, whatever the routes are. Room is known to be free as soon as the tail has gone on. Nodes
 * take what comes.
 */
#include "core/array.h"
#include "simulate/events.h"
#include "simulate/network_kinds.h"
#include "simulate/pair_map.h"
#include "simulate/routes.h"

#include <math.h>
#include <stdlib.h>

static const uint32_t none = UINT32_MAX;

/* Two bits of an event, below an index. */
enum { ARRIVE, DONE, DELIVER, CREDIT, WHAT_BITS = 2, WHAT_MASK = 3 };

/* A packet in a queue or on a link; where a node sends, all that is left of a message. */
struct packet {
    double bytes;
    uint32_t transfer;
    uint32_t order; /* in which packets came to ports */
    uint32_t next;  /* of its lane, or free one */
    uint16_t hop;   /* of its path: the way that it waits for, or is on */
    bool is_last;   /* of its message */
};

/* Packets at a port that are sent in the order in which they came. */
struct lane {
    uint32_t key; /* what it is for */
    uint16_t hop;
    uint32_t head, tail; /* packets */
    uint32_t next;       /* of the port, or free one */
};

/* The beginning of a way. */
struct port {
    double ns_per_byte;
    double tokens, counted_ns; /* bytes that may pass at once, as counted at that time */
    double passed_bytes;
    double *used; /* [n_used]: bytes of the buffer at its other end, by hop number */
    uint16_t n_used;
    bool is_busy;
    uint32_t first, last; /* lanes */
    uint32_t served;      /* lane that was served last; none: it has ended, or its turn has */
    /* What it sends, if it is busy. */
    double bytes;
    uint32_t came_by; /* way; none: from a node */
    uint16_t hop;
    uint32_t left; /* transfer whose last byte leaves a node, and that tells; none */
};

struct transfer {
    uint32_t first_way; /* of its path */
    uint16_t n_ways;
    bool tells_left;
    uint32_t stream; /* none: without windows */
    double hop_ns;   /* latency of each way */
};

/* What a job sends from a node to another one. */
struct stream {
    double under_way_bytes;
    uint32_t head, tail; /* packets: messages, or what is left of them, outside the port's queue */
};

struct packets {
    struct ct_routes *routes;
    enum ct_links_order order;
    double packet_bytes, buffer_bytes, burst_bytes;
    double packet_header_bytes, message_header_bytes, window_bytes;
    uint32_t n_jobs;
    struct ct_pair_map streams_of; /* (job and node that sends, node): number of a stream */
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
    struct ct_events events;
};

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "network: out of memory");
}

static void free_packets(void *state)
{
    struct packets *net = state;
    if (!net)
        return;
    for (uint32_t i = 0; net->ports && i < net->n_ports; i++)
        free(net->ports[i].used);
    free(net->ports);
    free(net->packets);
    free(net->lanes);
    free(net->transfers);
    free(net->streams);
    ct_pair_map_free(&net->streams_of);
    free(net->events.heap);
    ct_routes_free(net->routes);
    free(net);
}

/* ---- pools ---- */

static uint32_t new_packet(struct packets *net)
{
    uint32_t at = net->free_packet;
    if (at != none) {
        net->free_packet = net->packets[at].next;
        return at;
    }
    if (!CT_ARRAY_RESERVE(net->packets, net->room_packets, net->n_packets + (size_t)1))
        return none;
    return net->n_packets++;
}

static void drop_packet(struct packets *net, uint32_t packet)
{
    net->packets[packet].next = net->free_packet;
    net->free_packet = packet;
}

static uint32_t new_lane(struct packets *net)
{
    uint32_t at = net->free_lane;
    if (at != none) {
        net->free_lane = net->lanes[at].next;
        return at;
    }
    if (!CT_ARRAY_RESERVE(net->lanes, net->room_lanes, net->n_lanes + (size_t)1))
        return none;
    return net->n_lanes++;
}

/* ---- queues of a port ---- */

static uint32_t way_of(const struct packets *net, const struct packet *packet, uint16_t hop)
{
    return ct_routes_way(net->routes, net->transfers[packet->transfer].first_way + hop);
}

/* What packets that share a lane have in common, beside their hop number. */
static uint32_t key_of(const struct packets *net, const struct packet *packet)
{
    if (net->order == CT_LINKS_FIFO || packet->hop == 0)
        return 0;
    return way_of(net, packet, (uint16_t)(packet->hop - 1));
}

static void append_lane(struct packets *net, struct port *port, uint32_t at)
{
    net->lanes[at].next = none;
    if (port->first == none)
        port->first = at;
    else
        net->lanes[port->last].next = at;
    port->last = at;
}

static uint32_t find_lane(struct packets *net, struct port *port, uint32_t key, uint16_t hop)
{
    uint32_t at = port->first;
    while (at != none && (net->lanes[at].key != key || net->lanes[at].hop != hop))
        at = net->lanes[at].next;
    if (at != none)
        return at;
    at = new_lane(net);
    if (at == none)
        return none;
    net->lanes[at] = (struct lane){key, hop, none, none, none};
    append_lane(net, port, at);
    return at;
}

static bool enqueue(struct packets *net, struct port *port, uint32_t number)
{
    struct packet *packet = &net->packets[number];
    uint32_t at = find_lane(net, port, key_of(net, packet), packet->hop);
    if (at == none)
        return false;
    struct lane *lane = &net->lanes[at];
    packet->order = net->n_came++;
    packet->next = none;
    if (lane->head == none)
        lane->head = number;
    else
        net->packets[lane->tail].next = number;
    lane->tail = number;
    return true;
}

/* Bytes that the head of a lane has in the next packet. */
static double next_bytes(const struct packets *net, const struct lane *lane)
{
    double bytes = net->packets[lane->head].bytes;
    return bytes < net->packet_bytes ? bytes : net->packet_bytes;
}

static bool is_last_hop(const struct packets *net, const struct packet *packet)
{
    return packet->hop + 1 == net->transfers[packet->transfer].n_ways;
}

static bool has_room(const struct packets *net, const struct port *port, const struct lane *lane)
{
    if (is_last_hop(net, &net->packets[lane->head]) || lane->hop >= port->n_used)
        return true;
    double used = port->used[lane->hop];
    return !(used > 0) || used + next_bytes(net, lane) <= net->buffer_bytes;
}

/* The lane that is served next; none: none can be. */
static uint32_t choose_lane(const struct packets *net, const struct port *port)
{
    uint32_t chosen = none;
    for (uint32_t at = port->first; at != none; at = net->lanes[at].next) {
        const struct lane *lane = &net->lanes[at];
        if (!has_room(net, port, lane))
            continue;
        bool is_first =
            chosen == none || (int32_t)(net->packets[lane->head].order -
                                        net->packets[net->lanes[chosen].head].order) < 0;
        if (!is_first)
            continue;
        chosen = at;
        if (net->order == CT_LINKS_ROUND_ROBIN)
            break;
    }
    return chosen;
}

/* Take a lane out of the list of its port. */
static void unlink_lane(struct packets *net, struct port *port, uint32_t at)
{
    uint32_t before = none, next = net->lanes[at].next;
    for (uint32_t i = port->first; i != at; i = net->lanes[i].next)
        before = i;
    if (before == none)
        port->first = next;
    else
        net->lanes[before].next = next;
    if (port->last == at)
        port->last = before;
}

/* Lanes that came since this one was served are before it now. */
static void end_turn(struct packets *net, struct port *port)
{
    if (port->served == none || net->order == CT_LINKS_FIFO)
        return;
    unlink_lane(net, port, port->served);
    append_lane(net, port, port->served);
    port->served = none;
}

/* A lane has been served; an empty one ends. */
static void was_served(struct packets *net, struct port *port, uint32_t at)
{
    port->served = at;
    if (net->lanes[at].head != none)
        return;
    unlink_lane(net, port, at);
    net->lanes[at].next = net->free_lane;
    net->free_lane = at;
    port->served = none;
}

/* The next packet of a queue, cut off a message if it has more; none: out of memory. */
static uint32_t cut_packet(struct packets *net, uint32_t *head_p, uint32_t *tail_p)
{
    uint32_t head = *head_p, cut = head;
    if (net->packets[head].bytes > net->packet_bytes) {
        cut = new_packet(net);
        if (cut == none)
            return none;
        net->packets[cut] = net->packets[head];
        net->packets[cut].bytes = net->packet_bytes;
        net->packets[cut].is_last = false;
        net->packets[head].bytes -= net->packet_bytes;
        return cut;
    }
    *head_p = net->packets[head].next;
    if (*head_p == none)
        *tail_p = none;
    return cut;
}

/* ---- sending ---- */

static bool reserve(struct port *port, uint16_t hop, double bytes)
{
    uint16_t n = port->n_used;
    if (hop >= n) {
        if (!CT_ARRAY_RESIZE(port->used, hop + (size_t)1))
            return false;
        for (; n <= hop; n++)
            port->used[n] = 0;
        port->n_used = n;
    }
    port->used[hop] += bytes;
    return true;
}

/* What links carry of a packet. */
static double wire_bytes(const struct packets *net, const struct packet *packet)
{
    return packet->bytes + net->packet_header_bytes;
}

/* When a packet that begins to pass a port now has passed. */
static double pass(const struct packets *net, struct port *port, double bytes, double now_ns)
{
    if (!(net->burst_bytes > 0))
        return now_ns + bytes * port->ns_per_byte;
    double unused_ns = now_ns - port->counted_ns;
    double tokens = fmin(net->burst_bytes, port->tokens + unused_ns / port->ns_per_byte);
    double at_once = fmin(tokens, bytes);
    port->tokens = tokens - at_once;
    return port->counted_ns = now_ns + (bytes - at_once) * port->ns_per_byte;
}

/* When the port after another one may begin with a packet. */
static double reach_ns(const struct packets *net, const struct packet *packet, double now_ns,
                       double done_ns)
{
    double hop_ns = net->transfers[packet->transfer].hop_ns;
    const struct port *next = &net->ports[way_of(net, packet, packet->hop)];
    if (net->burst_bytes > 0)
        return done_ns + hop_ns;
    double head_ns = now_ns + hop_ns;
    double tail_ns = done_ns + hop_ns - wire_bytes(net, packet) * next->ns_per_byte;
    return head_ns > tail_ns ? head_ns : tail_ns;
}

/* A packet is there at a time; what a window counts comes back as news. */
static bool deliver(struct packets *net, uint32_t number, double there_ns)
{
    struct packet *packet = &net->packets[number];
    const struct transfer *transfer = &net->transfers[packet->transfer];
    uint32_t what = packet->transfer << WHAT_BITS | DELIVER;
    if (packet->is_last && !ct_events_add(&net->events, there_ns, what))
        return false;
    if (transfer->stream == none) {
        drop_packet(net, number);
        return true;
    }
    packet->transfer = transfer->stream;
    return ct_events_add(&net->events, there_ns + transfer->n_ways * transfer->hop_ns,
                         number << WHAT_BITS | CREDIT);
}

/* A packet begins to leave a port. */
static bool transmit(struct packets *net, uint32_t way, uint32_t number, double now_ns)
{
    struct port *port = &net->ports[way];
    struct packet *packet = &net->packets[number];
    const struct transfer *transfer = &net->transfers[packet->transfer];
    double bytes = wire_bytes(net, packet), done_ns = pass(net, port, bytes, now_ns);
    uint16_t hop = packet->hop;
    port->is_busy = true;
    port->bytes = packet->bytes;
    port->passed_bytes += bytes;
    port->hop = hop;
    port->came_by = hop == 0 ? none : way_of(net, packet, (uint16_t)(hop - 1));
    port->left = hop == 0 && packet->is_last && transfer->tells_left ? packet->transfer : none;
    if (!ct_events_add(&net->events, done_ns, way << WHAT_BITS | DONE))
        return false;
    if (is_last_hop(net, packet))
        return deliver(net, number, done_ns + transfer->hop_ns);
    packet->hop++;
    return reserve(port, hop, packet->bytes) &&
           ct_events_add(&net->events, reach_ns(net, packet, now_ns, done_ns),
                         number << WHAT_BITS | ARRIVE);
}

static bool serve(struct packets *net, uint32_t way, double now_ns)
{
    struct port *port = &net->ports[way];
    if (port->is_busy || port->first == none)
        return true;
    end_turn(net, port);
    uint32_t at = choose_lane(net, port);
    if (at == none)
        return true;
    uint32_t packet = cut_packet(net, &net->lanes[at].head, &net->lanes[at].tail);
    if (packet == none)
        return false;
    was_served(net, port, at);
    return transmit(net, way, packet, now_ns);
}

static bool arrive(struct packets *net, uint32_t number, double now_ns)
{
    const struct packet *packet = &net->packets[number];
    uint32_t way = way_of(net, packet, packet->hop);
    return enqueue(net, &net->ports[way], number) && serve(net, way, now_ns);
}

/* Hand packets of a stream over, as many as its window has room for. */
static bool fill_window(struct packets *net, uint32_t number, double now_ns)
{
    for (;;) {
        struct stream *stream = &net->streams[number];
        if (stream->head == none)
            return true;
        double left = net->packets[stream->head].bytes;
        double under_way = stream->under_way_bytes + fmin(left, net->packet_bytes);
        if (stream->under_way_bytes > 0 && under_way > net->window_bytes)
            return true;
        uint32_t packet = cut_packet(net, &stream->head, &stream->tail);
        stream->under_way_bytes = under_way;
        if (packet == none || !arrive(net, packet, now_ns))
            return false;
    }
}

/* The sender of a packet hears that it is there. */
static bool take_credit(struct packets *net, uint32_t number, double now_ns)
{
    const struct packet *packet = &net->packets[number];
    uint32_t stream = packet->transfer;
    net->streams[stream].under_way_bytes -= packet->bytes;
    drop_packet(net, number);
    return fill_window(net, stream, now_ns);
}

/* The stream of a transfer. @return false: out of memory */
static bool find_stream(struct packets *net, const struct ct_transfer *transfer, uint32_t *number_p)
{
    uint32_t from = transfer->from * net->n_jobs + transfer->job;
    if (!ct_pair_map_find(&net->streams_of, from, transfer->to, number_p) ||
        !CT_ARRAY_RESERVE(net->streams, net->room_streams, net->streams_of.n + (size_t)1))
        return false;
    if (net->n_streams < net->streams_of.n)
        net->streams[net->n_streams++] = (struct stream){0, none, none};
    return true;
}

/* A message behind those of its stream. */
static bool append_message(struct packets *net, uint32_t number, uint32_t message, double now_ns)
{
    struct stream *stream = &net->streams[number];
    net->packets[message].next = none;
    if (stream->head == none)
        stream->head = message;
    else
        net->packets[stream->tail].next = message;
    stream->tail = message;
    return fill_window(net, number, now_ns);
}

/* A port has sent a packet: the buffer that it was in has room for another. */
static bool finish(struct packets *net, uint32_t way, double now_ns)
{
    struct port *port = &net->ports[way];
    uint32_t came_by = port->came_by;
    port->is_busy = false;
    if (came_by != none)
        net->ports[came_by].used[port->hop - 1] -= port->bytes;
    return serve(net, way, now_ns) && (came_by == none || serve(net, came_by, now_ns));
}

/* ---- the interface ---- */

static enum ct_status send_packets(void *state, double now_ns, const struct ct_transfer *transfer,
                                   struct ct_error *err)
{
    struct packets *net = state;
    const struct ct_path *path;
    enum ct_status status = ct_routes_find(net->routes, transfer->from, transfer->to, &path, err);
    if (status != CT_OK)
        return status;
    uint32_t packet = new_packet(net);
    if (packet == none ||
        !CT_ARRAY_RESERVE(net->transfers, net->n_transfers, transfer->number + (size_t)1))
        return no_memory(err);
    uint32_t stream = none;
    if (net->window_bytes > 0 && !find_stream(net, transfer, &stream))
        return no_memory(err);
    net->transfers[transfer->number] = (struct transfer){.first_way = path->first,
                                                         .n_ways = (uint16_t)path->n,
                                                         .tells_left = transfer->tells_left,
                                                         .stream = stream,
                                                         .hop_ns = path->latency_ns / path->n};
    net->packets[packet] = (struct packet){.bytes = transfer->bytes + net->message_header_bytes,
                                           .transfer = transfer->number,
                                           .is_last = true};
    bool done =
        stream == none ? arrive(net, packet, now_ns) : append_message(net, stream, packet, now_ns);
    return done ? CT_OK : no_memory(err);
}

static double next_packets(void *state)
{
    const struct packets *net = state;
    return ct_events_next_ns(&net->events);
}

static enum ct_status step_packets(void *state, struct ct_simulate_network_event *event_p,
                                   struct ct_error *err)
{
    struct packets *net = state;
    const struct ct_event event = ct_events_take(&net->events);
    uint32_t number = event.what >> WHAT_BITS;
    bool done = true;
    *event_p = (struct ct_simulate_network_event){CT_NEWS_NONE, number};
    switch (event.what & WHAT_MASK) {
    case ARRIVE:
        done = arrive(net, number, event.at_ns);
        break;
    case DONE:
        if (net->ports[number].left != none)
            *event_p = (struct ct_simulate_network_event){CT_NEWS_LEFT, net->ports[number].left};
        done = finish(net, number, event.at_ns);
        break;
    case CREDIT:
        done = take_credit(net, number, event.at_ns);
        break;
    default:
        event_p->news = CT_NEWS_THERE;
        break;
    }
    return done ? CT_OK : no_memory(err);
}

static enum ct_status latency_packets(void *state, uint32_t from, uint32_t to, double *latency_p,
                                      struct ct_error *err)
{
    const struct packets *net = state;
    return ct_routes_latency_ns(net->routes, from, to, latency_p, err);
}

static uint32_t ways_packets(void *state, double now_ns, struct ct_network_way *ways)
{
    const struct packets *net = state;
    (void)now_ns;
    for (uint32_t i = 0; ways && i < net->n_ports; i++)
        ways[i] = (struct ct_network_way){i, net->ports[i].ns_per_byte, net->ports[i].passed_bytes};
    return net->n_ports;
}

static enum ct_status make_ports(struct packets *net, struct ct_error *err)
{
    net->n_ports = ct_routes_n_ways(net->routes);
    net->ports = calloc(net->n_ports + (size_t)1, sizeof *net->ports);
    if (!net->ports)
        return no_memory(err);
    for (uint32_t i = 0; i < net->n_ports; i++)
        net->ports[i] = (struct port){.ns_per_byte = ct_routes_ns_per_byte(net->routes, i),
                                      .tokens = net->burst_bytes,
                                      .first = none,
                                      .last = none,
                                      .served = none,
                                      .came_by = none,
                                      .left = none};
    return CT_OK;
}

enum ct_status ct_simulate_network_packet_new(const struct ct_simulate_network_setup *setup,
                                              struct ct_simulate_network *network_p,
                                              struct ct_error *err)
{
    static const struct ct_simulate_network_ops ops = {.name = "packet",
                                                       .send = send_packets,
                                                       .next_ns = next_packets,
                                                       .step = step_packets,
                                                       .latency_ns = latency_packets,
                                                       .ways = ways_packets,
                                                       .free = free_packets};
    if (!(setup->queues.burst_bytes >= 0))
        return ct_fail(err, CT_EINVAL, "network: a burst of %g B, which must not be below 0",
                       setup->queues.burst_bytes);
    if (!(setup->packet_bytes > 0) || !(setup->buffer_bytes >= setup->packet_bytes))
        return ct_fail(err, CT_EINVAL,
                       "network: packets of %g B and buffers of %g B; packets must be above 0, and "
                       "a buffer must have room for one",
                       setup->packet_bytes, setup->buffer_bytes);
    if (!(setup->packet_header_bytes >= 0) || !(setup->message_header_bytes >= 0) ||
        !(setup->window_bytes >= 0))
        return ct_fail(err, CT_EINVAL,
                       "network: headers of %g and %g B, a window of %g B; none may be below 0",
                       setup->packet_header_bytes, setup->message_header_bytes,
                       setup->window_bytes);
    struct packets *net = malloc(sizeof *net);
    if (!net)
        return no_memory(err);
    *net = (struct packets){.order = setup->queues.order,
                            .packet_header_bytes = setup->packet_header_bytes,
                            .message_header_bytes = setup->message_header_bytes,
                            .window_bytes = setup->window_bytes,
                            .n_jobs = setup->n_jobs,
                            .packet_bytes = setup->packet_bytes,
                            .buffer_bytes = setup->buffer_bytes,
                            .burst_bytes = setup->queues.burst_bytes,
                            .free_packet = none,
                            .free_lane = none};
    enum ct_status status = ct_routes_new(setup, &net->routes, err);
    if (status == CT_OK)
        status = make_ports(net, err);
    if (status == CT_OK)
        *network_p = (struct ct_simulate_network){&ops, net};
    else
        free_packets(net);
    return status;
}
