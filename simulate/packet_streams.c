/* Streams: what a job sends from a node to another one, as its window allows. */
#include "core/array.h"
#include "simulate/packet_state.h"

static const uint32_t none = CT_PACKETS_NONE;

/* Hand packets of a stream over, as many as its window has room for. */
static bool fill_window(struct packets *net, uint32_t number, double now_ns)
{
    for (;;) {
        struct stream *stream = &net->streams[number];
        if (stream->head == none)
            return true;
        double left = net->packets[stream->head].bytes;
        double under_way =
            stream->under_way_bytes + (left < net->packet_bytes ? left : net->packet_bytes);
        if (stream->under_way_bytes > 0 && under_way > net->window_bytes) {
            net->use.under_way_most = INFINITY;
            return ct_packets_listen(net, number);
        }
        if (under_way > net->use.under_way_most)
            net->use.under_way_most = under_way;
        uint32_t packet = ct_packets_cut(net, &stream->head, &stream->tail);
        stream->under_way_bytes = under_way;
        if (packet == none || !ct_packets_arrive(net, packet, now_ns))
            return false;
    }
}

bool ct_packets_back(struct packets *net, uint32_t number, double now_ns)
{
    struct stream *stream = &net->streams[number];
    stream->is_told = false;
    ct_packets_settle(net, stream);
    return fill_window(net, number, now_ns);
}

bool ct_packets_find_stream(struct packets *net, const struct ct_transfer *transfer,
                            uint32_t *number_p)
{
    uint32_t from = transfer->from * net->n_jobs + transfer->job;
    if (!ct_map_number(&net->streams_of, ct_map_pair(from, transfer->to), number_p) ||
        !CT_ARRAY_RESERVE(net->streams, net->room_streams, net->streams_of.n + (size_t)1))
        return false;
    if (net->n_streams < net->streams_of.n)
        net->streams[net->n_streams++] = (struct stream){0, none, none, none, none, false};
    return true;
}

bool ct_packets_append(struct packets *net, uint32_t number, uint32_t message, double now_ns)
{
    struct stream *stream = &net->streams[number];
    ct_packets_settle(net, stream);
    net->packets[message].next = none;
    if (stream->head == none)
        stream->head = message;
    else
        net->packets[stream->tail].next = message;
    stream->tail = message;
    return fill_window(net, number, now_ns);
}
