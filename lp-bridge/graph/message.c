#include "lp-bridge/graph/message.h"

const struct ct_protocol ct_protocols[CT_PROTOCOLS] = {
    [CT_PROTOCOL_EAGER] =
        {.name = "eager",
         .n_steps = 2,
         .steps = {{CT_SIDE_SENDER, CT_WAIT_SEND, CT_OVERHEAD_SEND, CT_CARRIES_DATA},
                   {CT_SIDE_RECEIVER, CT_WAIT_RECV, CT_OVERHEAD_RECV, CT_CARRIES_NOTHING}},
         .met = 1,
         .send_ends = {0, CT_MOMENT_PAID},
         .recv_ends = {1, CT_MOMENT_PAID}},
    [CT_PROTOCOL_RENDEZVOUS] =
        {.name = "rendezvous",
         .n_steps = 4,
         .steps = {{CT_SIDE_SENDER, CT_WAIT_SEND, CT_OVERHEAD_CONTROL, CT_CARRIES_CONTROL},
                   {CT_SIDE_RECEIVER, CT_WAIT_RECV, CT_OVERHEAD_CONTROL, CT_CARRIES_CONTROL},
                   {CT_SIDE_SENDER, CT_WAIT_NOTHING, CT_OVERHEAD_SEND, CT_CARRIES_DATA},
                   {CT_SIDE_RECEIVER, CT_WAIT_NOTHING, CT_OVERHEAD_RECV, CT_CARRIES_NOTHING}},
         .met = 1,
         .send_ends = {2, CT_MOMENT_LEFT},
         .recv_ends = {3, CT_MOMENT_PAID}},
    [CT_PROTOCOL_PUT] =
        {.name = "rendezvous",
         .n_steps = 6,
         .steps = {{CT_SIDE_SENDER, CT_WAIT_SEND, CT_OVERHEAD_CONTROL, CT_CARRIES_CONTROL},
                   {CT_SIDE_RECEIVER, CT_WAIT_RECV, CT_OVERHEAD_CONTROL, CT_CARRIES_CONTROL},
                   {CT_SIDE_SENDER, CT_WAIT_NOTHING, CT_OVERHEAD_SEND, CT_CARRIES_DATA},
                   {CT_SIDE_RECEIVER, CT_WAIT_NOTHING, CT_OVERHEAD_CONTROL, CT_CARRIES_CONTROL},
                   {CT_SIDE_SENDER, CT_WAIT_NOTHING, CT_OVERHEAD_CONTROL, CT_CARRIES_CONTROL},
                   {CT_SIDE_RECEIVER, CT_WAIT_NOTHING, CT_OVERHEAD_RECV, CT_CARRIES_NOTHING}},
         .met = 1,
         .send_ends = {4, CT_MOMENT_PAID},
         .recv_ends = {5, CT_MOMENT_PAID}},
};

enum ct_protocol_kind ct_protocol_of(uint64_t bytes, size_t eager_max_bytes)
{
    return bytes > eager_max_bytes ? CT_PROTOCOL_RENDEZVOUS : CT_PROTOCOL_EAGER;
}

bool ct_protocol_send_needs_recv(const struct ct_protocol *protocol)
{
    return protocol->send_ends.step >= protocol->met;
}

size_t ct_message_parts(const struct ct_message_span *span, struct ct_message_part *parts_p)
{
    size_t n = 0;
    for (uint8_t i = span->from.step; i <= span->to.step; i++) {
        const struct ct_message_step *step = &span->protocol->steps[i];
        enum ct_message_moment from = i == span->from.step ? span->from.moment : CT_MOMENT_BEGIN;
        enum ct_message_moment to = i == span->to.step ? span->to.moment : CT_MOMENT_THERE;
        bool pays = from < CT_MOMENT_PAID && to >= CT_MOMENT_PAID;
        bool leaves = from < CT_MOMENT_LEFT && to >= CT_MOMENT_LEFT;
        bool travels = step->carries != CT_CARRIES_NOTHING;
        struct ct_message_part part = {
            .overhead = pays ? step->overhead : CT_OVERHEAD_NONE,
            .rank = span->rank[step->by],
            .peer = span->rank[step->by == CT_SIDE_SENDER ? CT_SIDE_RECEIVER : CT_SIDE_SENDER],
            .leaves = travels && leaves,
            .arrives = travels && to == CT_MOMENT_THERE,
            .bytes = step->carries == CT_CARRIES_DATA ? ct_message_gap_bytes(span->bytes) : 0};
        if (part.overhead != CT_OVERHEAD_NONE || part.leaves || part.arrives)
            parts_p[n++] = part;
    }
    return n;
}
