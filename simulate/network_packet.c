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
 * the burst. With round-robin inputs have buckets, too (tokens.h): nodes that packets come from
 * and, where a node sends, nodes that they go to.
 *
 * Acknowledgements, if they have bytes, come back when a full packet leaves its last port. They are
 * no packets, but take their tokens, or time in which the port is not used.
 *
 * A port has a lane for each hop number, and with round-robin for each way that packets come by.
 * FIFO: of the packets at the head of a lane the one that came first is next. Round-robin: lanes
 * are served in turn, a packet each. Shared: so are messages, of which each has a lane.
 *
 * A node sends in order, whatever the order of ports: its programs hand their messages to one card,
 * unless inputs have buckets, or links are shared.
 * With a window, a stream, which is what a job sends from a node to another one, hands over packets
 * as long as its window has room, and the rest of a message waits outside the queue.
 *
 * Losses: whether packets of a message are lost, and how often in a row, is drawn when it is sent.
 * They take no time on links when they are sent again.
 *
 * Back-pressure: a packet is sent only if the next port's buffer has room for it. There is one
 * buffer for each hop number, as with virtual channels, so that no circle of full buffers can
 * arise, whatever the routes are. Room is known to be free as soon as the tail has gone on. Nodes
 * take what comes.
 */
#include "core/array.h"
#include "core/random.h"
#include "simulate/network_kinds.h"
#include "simulate/packet_state.h"

#include <math.h>
#include <stdlib.h>

static const uint32_t none = CT_PACKETS_NONE;

enum { WORK_AT_ONCE = 65536 }; /* events of one message, until the caller may stop */

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
    ct_map_free(&net->streams_of);
    ct_tokens_free(&net->tokens);
    free(net->events.heap);
    ct_routes_free(net->routes);
    free(net);
}

/* How much later a message is that loses this share of its packets: by as many tries as the
 * unluckiest packet takes. Of n packets none takes more than k further ones with the probability
 * (1 - lost^(k + 1))^n. */
static double draw_again_ns(struct packets *net, double bytes, double lost_frac)
{
    double n = fmax(1, ceil(bytes / net->packet_bytes)), left_frac = lost_frac, again_ns = 0;
    if (!(lost_frac > 0))
        return 0;
    double draw = ct_random_unit(ct_random_next(&net->losses.seed));
    while (pow(1 - left_frac, n) <= draw && left_frac > 0) {
        again_ns += net->losses.again_ns;
        left_frac *= lost_frac;
    }
    return again_ns;
}

static enum ct_status send_packets(void *state, double now_ns, const struct ct_transfer *transfer,
                                   struct ct_error *err)
{
    struct packets *net = state;
    struct ct_path path;
    CT_TRY(ct_routes_find(net->routes, transfer->from, transfer->to, &path, err));
    if (now_ns > net->last.at_ns) /* events at this time, if there are any, are still to come */
        net->last = (struct ct_event){.at_ns = now_ns};
    net->ways = ct_routes_ways(net->routes);
    uint32_t packet = ct_packets_new_packet(net), stream = none;
    if (packet == none ||
        !CT_ARRAY_RESERVE(net->transfers, net->n_transfers, transfer->number + (size_t)1))
        return ct_no_memory(err, "network");
    if (net->window_bytes > 0 && !ct_packets_find_stream(net, transfer, &stream))
        return ct_no_memory(err, "network");
    net->transfers[transfer->number] =
        (struct transfer){.first_way = path.first,
                          .last_way = path.last,
                          .n_ways = (uint16_t)path.n,
                          .tells_left = transfer->tells_left,
                          .stream = stream,
                          .hop_ns = path.latency_ns * (1 + transfer->late_frac) / path.n,
                          .again_ns = draw_again_ns(net, transfer->bytes, path.lost_frac)};
    net->packets[packet] = (struct packet){.bytes = transfer->bytes + net->message_header_bytes,
                                           .transfer = transfer->number,
                                           .is_last = true};
    bool done = stream == none ? ct_packets_arrive(net, packet, now_ns)
                               : ct_packets_append(net, stream, packet, now_ns);
    return done ? CT_OK : ct_no_memory(err, "network");
}

/* @return false: out of memory */
static bool process_event(struct packets *net, const struct ct_event *event,
                          struct ct_simulate_network_event *event_p)
{
    uint32_t number = event->what >> CT_PACKETS_BITS;
    switch ((enum ct_packets_event)(event->what & CT_PACKETS_MASK)) {
    case CT_PACKETS_ARRIVE:
        return ct_packets_arrive(net, number, event->at_ns);
    case CT_PACKETS_DONE:
        if (net->ports[number].is_busy && net->ports[number].left != none) {
            event_p->news = CT_NEWS_LEFT;
            event_p->number = net->ports[number].left;
        }
        return ct_packets_done(net, number, event->at_ns);
    case CT_PACKETS_BACK:
        return ct_packets_back(net, number, event->at_ns);
    default:
        event_p->news = CT_NEWS_THERE;
        event_p->number = number;
        return true;
    }
}

static enum ct_status run_packets(void *state, double until_ns,
                                  struct ct_simulate_network_event *event_p, struct ct_error *err)
{
    struct packets *net = state;
    *event_p = (struct ct_simulate_network_event){.news = CT_NEWS_NONE};
    if (ct_events_are_old(&net->events))
        ct_packets_age(net);
    while (event_p->news == CT_NEWS_NONE && ct_events_next_ns(&net->events) < until_ns) {
        const struct ct_event event = ct_events_take(&net->events);
        net->last = (struct ct_event){event.at_ns, UINT32_MAX, event.order};
        event_p->work++;
        event_p->at_ns = event.at_ns;
        if (!process_event(net, &event, event_p))
            return ct_no_memory(err, "network");
        if (event_p->news == CT_NEWS_NONE && event_p->work >= WORK_AT_ONCE)
            event_p->news = CT_NEWS_LATER;
    }
    return CT_OK;
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

static struct ct_network_use use_packets(const void *state)
{
    const struct packets *net = state;
    return net->use;
}

static enum ct_status make_ports(struct packets *net, struct ct_error *err)
{
    net->n_ports = ct_routes_n_ways(net->routes);
    net->ports = calloc(net->n_ports + (size_t)1, sizeof *net->ports);
    if (!net->ports)
        return ct_no_memory(err, "network");
    for (uint32_t i = 0; i < net->n_ports; i++)
        net->ports[i] = (struct port){.ns_per_byte = ct_routes_ns_per_byte(net->routes, i),
                                      .tokens = {-INFINITY},
                                      .wakes_ns = INFINITY,
                                      .first = none,
                                      .last = none,
                                      .served = none,
                                      .came_by = none,
                                      .left = none,
                                      .quiet = none};
    return CT_OK;
}

/* Inputs are assured a share each, and one is left for what is of none of them. */
static struct ct_tokens tokens_of(const struct ct_simulate_network_setup *setup)
{
    const struct ct_port_queues *queues = &setup->queues;
    bool has_inputs = queues->burst_bytes > 0 && queues->order == CT_PORT_ROUND_ROBIN;
    return (struct ct_tokens){.burst_bytes = queues->burst_bytes,
                              .n_shares = has_inputs ? setup->n_nodes + 1.0 : 0};
}

enum ct_status ct_simulate_network_packet_new(const struct ct_simulate_network_setup *setup,
                                              struct ct_simulate_network *network_p,
                                              struct ct_error *err)
{
    static const struct ct_simulate_network_ops ops = {.name = "packet",
                                                       .send = send_packets,
                                                       .run = run_packets,
                                                       .latency_ns = latency_packets,
                                                       .ways = ways_packets,
                                                       .use = use_packets,
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
        !(setup->ack_bytes >= 0) || !(setup->back_frac >= 0) || !(setup->window_bytes >= 0))
        return ct_fail(err, CT_EINVAL,
                       "network: headers of %g and %g B, acknowledgements of %g B and %g of a "
                       "packet, a window of %g B; none may be below 0",
                       setup->packet_header_bytes, setup->message_header_bytes, setup->ack_bytes,
                       setup->back_frac, setup->window_bytes);
    struct packets *net = malloc(sizeof *net);
    if (!net)
        return ct_no_memory(err, "network");
    const struct ct_tokens tokens = tokens_of(setup);
    *net = (struct packets){.order = setup->queues.order,
                            .packet_header_bytes = setup->packet_header_bytes,
                            .message_header_bytes = setup->message_header_bytes,
                            .ack_bytes = setup->ack_bytes,
                            .back_frac = setup->back_frac,
                            .window_bytes = setup->window_bytes,
                            .losses = setup->losses,
                            .n_jobs = setup->n_jobs,
                            .packet_bytes = setup->packet_bytes,
                            .buffer_bytes = setup->buffer_bytes,
                            .tokens = tokens,
                            .use = {.is_known = true,
                                    .has_chosen = ct_tokens_has_inputs(&tokens),
                                    .under_way_most = setup->window_bytes > 0 ? 0 : INFINITY},
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
