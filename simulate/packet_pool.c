/* Packets and lanes that are used again, and what streams count. */
#include "core/array.h"
#include "simulate/packet_state.h"

static const uint32_t none = CT_PACKETS_NONE;

void ct_packets_settle(struct packets *net, struct stream *stream)
{
    uint32_t at;
    while ((at = stream->first_back) != none) {
        const struct packet *packet = &net->packets[at];
        if (!ct_packets_is_past(net, packet->back_ns, packet->order))
            return;
        stream->under_way_bytes -= packet->bytes;
        stream->first_back = packet->next;
        ct_packets_drop_packet(net, at);
    }
}

bool ct_packets_listen(struct packets *net, uint32_t number)
{
    struct stream *stream = &net->streams[number];
    uint32_t at = stream->first_back;
    if (stream->head == none || at == none || stream->is_told)
        return true;
    stream->is_told = true;
    return ct_packets_add(net, net->packets[at].back_ns, CT_PACKETS_BACK, number,
                          net->packets[at].order);
}

/* Packets that count in a window stay until their stream sends again: take back those of all. */
static void settle_all(struct packets *net)
{
    for (uint32_t i = 0; i < net->n_streams; i++)
        ct_packets_settle(net, &net->streams[i]);
}

uint32_t ct_packets_new_packet(struct packets *net)
{
    if (net->free_packet == none && net->n_packets == net->room_packets &&
        net->n_packets >= net->n_streams)
        settle_all(net);
    uint32_t at = net->free_packet;
    if (at != none) {
        net->free_packet = net->packets[at].next;
        return at;
    }
    if (!CT_ARRAY_RESERVE(net->packets, net->room_packets, net->n_packets + (size_t)1))
        return none;
    return net->n_packets++;
}

uint32_t ct_packets_new_lane(struct packets *net)
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

void ct_packets_age(struct packets *net)
{
    ct_events_age(&net->events);
    net->last.order = ct_events_aged(net->last.order);
    for (uint32_t i = 0; i < net->n_ports; i++)
        net->ports[i].done_order = ct_events_aged(net->ports[i].done_order);
    for (uint32_t i = 0; i < net->n_streams; i++)
        for (uint32_t at = net->streams[i].first_back; at != none; at = net->packets[at].next)
            net->packets[at].order = ct_events_aged(net->packets[at].order);
}
