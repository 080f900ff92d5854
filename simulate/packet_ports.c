/* Ports: which packet is sent next, and when it has been sent. */
#include "core/array.h"
#include "simulate/packet_state.h"

#include <math.h>

static const uint32_t none = CT_PACKETS_NONE;

/* ---- lanes ---- */

/* What packets that share a lane have in common, beside their hop number. */
static uint32_t key_of(const struct packets *net, const struct packet *packet)
{
    const struct transfer *transfer = &net->transfers[packet->transfer];
    if (ct_tokens_has_inputs(&net->tokens))
        return packet->hop == 0 ? transfer->last_way : ct_packets_way(net, transfer, 0);
    if (net->order == CT_PORT_SHARED)
        return packet->transfer;
    if (net->order == CT_PORT_FIFO || packet->hop == 0)
        return 0;
    return ct_packets_way(net, transfer, (uint16_t)(packet->hop - 1));
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
    uint32_t input = none, way = (uint32_t)(port - net->ports);
    if (ct_tokens_has_inputs(&net->tokens) && !ct_tokens_input(&net->tokens, way, key, &input))
        return none;
    at = ct_packets_new_lane(net);
    if (at == none)
        return none;
    net->lanes[at] = (struct lane){key, input, hop, none, none, none};
    append_lane(net, port, at);
    return at;
}

static bool enqueue_packet(struct packets *net, struct port *port, uint32_t number)
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
    if (port->served == none || net->order == CT_PORT_FIFO)
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

uint32_t ct_packets_cut(struct packets *net, uint32_t *head_p, uint32_t *tail_p)
{
    uint32_t head = *head_p, cut = head;
    if (net->packets[head].bytes > net->packet_bytes) {
        cut = ct_packets_new_packet(net);
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

/* ---- quiet ports: those whose end of a packet is not among the events to come ---- */

/* A port is quiet only if nothing waits at it, and nothing at the port whose buffer its packet is
 * in waits for room there. */
static bool can_be_quiet(const struct packets *net, const struct port *port)
{
    if (port->first != none || port->left != none)
        return false;
    if (port->came_by == none)
        return true;
    const struct port *from = &net->ports[port->came_by];
    return from->first == none || from->is_busy;
}

static void become_quiet(struct packets *net, struct port *port)
{
    port->is_quiet = true;
    if (port->came_by == none)
        return;
    uint32_t way = (uint32_t)(port - net->ports);
    struct port *from = &net->ports[port->came_by];
    port->before = none;
    port->after = from->quiet;
    if (from->quiet != none)
        net->ports[from->quiet].before = way;
    from->quiet = way;
}

static void end_quiet(struct packets *net, struct port *port)
{
    port->is_quiet = false;
    if (port->came_by == none)
        return;
    if (port->before == none)
        net->ports[port->came_by].quiet = port->after;
    else
        net->ports[port->before].after = port->after;
    if (port->after != none)
        net->ports[port->after].before = port->before;
}

/* The buffer that a packet was in has room for another. */
static void release_port(const struct packets *net, struct port *port)
{
    port->is_busy = false;
    if (port->came_by != none)
        net->ports[port->came_by].used[port->hop - 1] -= port->bytes;
}

/* Whether the packet of a quiet port has gone by now. */
static bool settle_debt(struct packets *net, struct port *port)
{
    if (!port->is_quiet || !ct_packets_is_past(net, port->done_ns, port->done_order))
        return false;
    end_quiet(net, port);
    release_port(net, port);
    return true;
}

/* The end of a packet becomes an event, since something waits for it. */
static bool speak_for(struct packets *net, struct port *port)
{
    end_quiet(net, port);
    return ct_packets_add(net, port->done_ns, CT_PACKETS_DONE, (uint32_t)(port - net->ports),
                          port->done_order);
}

/* What has left the buffers that a port sends to is counted, and the port hears of the rest. */
static bool recall_port(struct packets *net, const struct port *port)
{
    bool done = true;
    while (port->quiet != none && done) {
        struct port *to = &net->ports[port->quiet];
        done = settle_debt(net, to) || speak_for(net, to);
    }
    return done;
}

/* ---- what is sent next ---- */

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

/* Nearly always there is room for the largest packet: then the packet need not be looked at. */
static inline bool has_room_for_any(const struct packets *net, const struct port *port,
                                    const struct lane *lane)
{
    return lane->hop >= port->n_used || !(port->used[lane->hop] > 0) ||
           port->used[lane->hop] + net->packet_bytes <= net->buffer_bytes;
}

static bool has_room(const struct packets *net, const struct port *port, const struct lane *lane)
{
    return has_room_for_any(net, port, lane) ||
           port->used[lane->hop] + next_bytes(net, lane) <= net->buffer_bytes ||
           is_last_hop(net, &net->packets[lane->head]);
}

/* The same after what has left the buffer is counted. @return false: out of memory */
static bool count_room(struct packets *net, const struct port *port, const struct lane *lane,
                       bool *has_room_p)
{
    *has_room_p = has_room(net, port, lane);
    if (*has_room_p)
        return true;
    if (!recall_port(net, port))
        return false;
    *has_room_p = has_room(net, port, lane);
    return true;
}

static inline bool find_room(struct packets *net, const struct port *port, const struct lane *lane,
                             bool *has_room_p)
{
    *has_room_p = has_room_for_any(net, port, lane);
    return *has_room_p || count_room(net, port, lane, has_room_p);
}

/* The lane that is served next; none: none can be. */
static bool choose_lane(struct packets *net, const struct port *port, uint32_t *chosen_p)
{
    uint32_t chosen = none;
    for (uint32_t at = port->first; at != none; at = net->lanes[at].next) {
        const struct lane *lane = &net->lanes[at];
        bool is_first =
            chosen == none || (int32_t)(net->packets[lane->head].order -
                                        net->packets[net->lanes[chosen].head].order) < 0;
        if (!is_first)
            continue;
        bool is_possible;
        if (!find_room(net, port, lane, &is_possible))
            return false;
        if (!is_possible)
            continue;
        chosen = at;
        if (net->order != CT_PORT_FIFO)
            break;
    }
    *chosen_p = chosen;
    return true;
}

/* The same where inputs have buckets. *wakes_p: when a lane can be served that has no tokens now;
 * INFINITY: there is none, or one is served. */
static bool choose_input(struct packets *net, const struct port *port, double now_ns,
                         uint32_t *chosen_p, double *wakes_p)
{
    double wakes_ns = INFINITY;
    uint32_t borrows = none;
    for (uint32_t at = port->first; at != none; at = net->lanes[at].next) {
        bool is_possible;
        if (!find_room(net, port, &net->lanes[at], &is_possible))
            return false;
        if (!is_possible)
            continue;
        const struct ct_tokens_due due =
            ct_tokens_due(&net->tokens, &port->tokens, net->lanes[at].input);
        if (ct_tokens_is_due(due.assured_ns, port->ns_per_byte, now_ns)) {
            *chosen_p = at;
            return true;
        }
        if (borrows == none && ct_tokens_is_due(due.lent_ns, port->ns_per_byte, now_ns))
            borrows = at;
        wakes_ns = ct_lesser(wakes_ns, ct_lesser(due.assured_ns, due.lent_ns));
    }
    *chosen_p = borrows;
    *wakes_p = borrows == none ? wakes_ns : INFINITY;
    return true;
}

/* ---- sending ---- */

static bool reserve_room(struct port *port, uint16_t hop, double bytes)
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
static double pass_bucket(struct packets *net, struct port *port, uint32_t input, double bytes,
                          double now_ns)
{
    if (!(net->tokens.burst_bytes > 0 || net->ack_bytes > 0 || net->back_frac > 0))
        return now_ns + bytes * port->ns_per_byte;
    return ct_tokens_pass(&net->tokens, &port->tokens, input, port->ns_per_byte, bytes, now_ns);
}

/* What comes back for a packet takes the links of its path in the other direction. */
static bool acknowledge_transfer(struct packets *net, const struct transfer *transfer, double bytes,
                                 double now_ns)
{
    uint32_t begin = ct_routes_reverse(net->routes, transfer->last_way);
    uint32_t end = ct_routes_reverse(net->routes, ct_packets_way(net, transfer, 0));
    for (uint16_t hop = 0; hop < transfer->n_ways; hop++) {
        uint32_t way = ct_routes_reverse(net->routes, ct_packets_way(net, transfer, hop));
        uint32_t input = none;
        struct port *port = &net->ports[way];
        if (ct_tokens_has_inputs(&net->tokens) &&
            !ct_tokens_input(&net->tokens, way, way == begin ? end : begin, &input))
            return false;
        port->passed_bytes += bytes;
        ct_tokens_take(&net->tokens, &port->tokens, input, port->ns_per_byte, bytes, now_ns);
    }
    return true;
}

/* When the port after another one may begin with a packet. */
static double reach_ns(const struct packets *net, const struct packet *packet, double now_ns,
                       double done_ns)
{
    const struct transfer *transfer = &net->transfers[packet->transfer];
    if (net->tokens.burst_bytes > 0)
        return done_ns + transfer->hop_ns;
    const struct port *next = &net->ports[ct_packets_way(net, transfer, packet->hop)];
    double head_ns = now_ns + transfer->hop_ns;
    double tail_ns = done_ns + transfer->hop_ns - wire_bytes(net, packet) * next->ns_per_byte;
    return head_ns > tail_ns ? head_ns : tail_ns;
}

/* A packet is there at a time; what a window counts comes back as news. */
static bool deliver_packet(struct packets *net, uint32_t number, double there_ns)
{
    struct packet *packet = &net->packets[number];
    const struct transfer *transfer = &net->transfers[packet->transfer];
    if (packet->is_last)
        there_ns += transfer->again_ns;
    if (packet->is_last && !ct_packets_add(net, there_ns, CT_PACKETS_DELIVER, packet->transfer,
                                           ct_events_next_order(&net->events)))
        return false;
    if (transfer->stream == none) {
        ct_packets_drop_packet(net, number);
        return true;
    }
    struct stream *stream = &net->streams[transfer->stream];
    packet->back_ns = there_ns + transfer->n_ways * transfer->hop_ns;
    packet->order = ct_events_next_order(&net->events);
    packet->next = none;
    if (stream->first_back == none)
        stream->first_back = number;
    else
        net->packets[stream->last_back].next = number;
    stream->last_back = number;
    return ct_packets_listen(net, transfer->stream);
}

/* A packet that others wait behind, and that has passed already, since there were tokens for it:
 * its end is no event, unless someone asks for it. */
static bool has_passed(const struct port *port, double now_ns)
{
    return !port->is_quiet && port->left == none && port->done_ns <= now_ns;
}

/* A packet begins to leave a port. */
static bool transmit_packet(struct packets *net, struct port *port, uint32_t number, uint32_t input,
                            double now_ns)
{
    struct packet *packet = &net->packets[number];
    const struct transfer *transfer = &net->transfers[packet->transfer];
    double bytes = wire_bytes(net, packet), done_ns = pass_bucket(net, port, input, bytes, now_ns);
    uint16_t hop = packet->hop;
    port->is_busy = true;
    port->bytes = packet->bytes;
    port->passed_bytes += bytes;
    port->hop = hop;
    port->came_by = hop == 0 ? none : ct_packets_way(net, transfer, (uint16_t)(hop - 1));
    port->left = hop == 0 && packet->is_last && transfer->tells_left ? packet->transfer : none;
    port->done_ns = done_ns;
    port->done_order = ct_events_next_order(&net->events);
    if (can_be_quiet(net, port))
        become_quiet(net, port);
    else if (!has_passed(port, now_ns) &&
             !ct_packets_add(net, done_ns, CT_PACKETS_DONE, (uint32_t)(port - net->ports),
                             port->done_order))
        return false;
    bool is_full = !(packet->bytes < net->packet_bytes);
    double back_bytes = (is_full ? net->ack_bytes : 0) + net->back_frac * packet->bytes;
    if (is_last_hop(net, packet) && back_bytes > 0 &&
        !acknowledge_transfer(net, transfer, back_bytes, now_ns))
        return false;
    if (is_last_hop(net, packet))
        return deliver_packet(net, number, done_ns + transfer->hop_ns);
    packet->hop++;
    return reserve_room(port, hop, packet->bytes) &&
           ct_packets_add(net, reach_ns(net, packet, now_ns, done_ns), CT_PACKETS_ARRIVE, number,
                          ct_events_next_order(&net->events));
}

/* A port is served again when it has tokens; one that waits for room, when there is room. */
static bool wait_for_tokens(struct packets *net, struct port *port, double wakes_ns)
{
    if (!(wakes_ns < port->wakes_ns))
        return true;
    port->wakes_ns = wakes_ns;
    return ct_packets_add(net, wakes_ns, CT_PACKETS_DONE, (uint32_t)(port - net->ports),
                          ct_events_next_order(&net->events));
}

/* One packet, if any may be sent. */
static bool serve_one(struct packets *net, struct port *port, double now_ns)
{
    uint32_t at;
    double wakes_ns = INFINITY;
    net->use.has_chosen |= net->lanes[port->first].next != none;
    end_turn(net, port);
    bool done = ct_tokens_has_inputs(&net->tokens) ? choose_input(net, port, now_ns, &at, &wakes_ns)
                                                   : choose_lane(net, port, &at);
    if (!done)
        return false;
    if (at == none)
        return wait_for_tokens(net, port, wakes_ns);
    uint32_t input = net->lanes[at].input;
    uint32_t packet = ct_packets_cut(net, &net->lanes[at].head, &net->lanes[at].tail);
    if (packet == none)
        return false;
    was_served(net, port, at);
    return transmit_packet(net, port, packet, input, now_ns);
}

/* As many as may be sent now. */
static bool serve_port(struct packets *net, struct port *port, double now_ns)
{
    while (!port->is_busy && port->first != none) {
        if (!serve_one(net, port, now_ns))
            return false;
        if (!port->is_busy) /* nothing may */
            return true;
        if (!has_passed(port, now_ns))
            continue;
        release_port(net, port);
        if (port->came_by != none && !serve_port(net, &net->ports[port->came_by], now_ns))
            return false;
    }
    return true;
}

bool ct_packets_arrive(struct packets *net, uint32_t number, double now_ns)
{
    const struct packet *packet = &net->packets[number];
    struct port *port =
        &net->ports[ct_packets_way(net, &net->transfers[packet->transfer], packet->hop)];
    settle_debt(net, port);
    if (!enqueue_packet(net, port, number))
        return false;
    return port->is_quiet ? speak_for(net, port) : serve_port(net, port, now_ns);
}

bool ct_packets_done(struct packets *net, uint32_t way, double now_ns)
{
    struct port *port = &net->ports[way];
    uint32_t came_by = port->came_by;
    if (port->wakes_ns <= now_ns)
        port->wakes_ns = INFINITY;
    settle_debt(net, port);
    if (!port->is_busy || port->is_quiet) /* it had no tokens */
        return serve_port(net, port, now_ns);
    release_port(net, port);
    return serve_port(net, port, now_ns) &&
           (came_by == none || serve_port(net, &net->ports[came_by], now_ns));
}
