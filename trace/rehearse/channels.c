/* Messages on their way, and receives that wait for them. */
#include "core/array.h"
#include "trace/rehearse/stage.h"

#include <stdlib.h>

enum { RANK_BITS = 20, TAG_BITS = 33 };

/* Pairs of ranks get numbers; a channel lives as long as something is in it. */
static enum ct_status key_of(struct ct_stage *stage, struct ct_way way, uint64_t *key_p)
{
    uint64_t pair = ((uint64_t)way.comm << RANK_BITS | way.source) << RANK_BITS | way.destination;
    uint32_t number = ct_map_find(&stage->messages.pairs, pair);
    if (number == 0) {
        number = ++stage->messages.n_pairs;
        if (way.comm >> (64 - 2 * RANK_BITS) != 0 || number >> (64 - TAG_BITS) != 0 ||
            !ct_map_add(&stage->messages.pairs, pair, number))
            return ct_no_memory(stage->err, "traces");
    }
    *key_p = (uint64_t)number << TAG_BITS | ((uint64_t)way.tag & ((UINT64_C(1) << TAG_BITS) - 1));
    return CT_OK;
}

static struct ct_channel *find_channel(struct ct_stage *stage, uint64_t key)
{
    uint32_t found = ct_map_find(&stage->messages.channel_numbers, key);
    return found ? &stage->messages.channels[found - 1] : NULL;
}

static enum ct_status open_channel(struct ct_stage *stage, uint64_t key, bool has_messages,
                                   struct ct_channel **channel_p)
{
    *channel_p = find_channel(stage, key);
    if (*channel_p)
        return CT_OK;
    uint32_t i = stage->messages.n_channels;
    if (stage->messages.n_free_channels > 0)
        i = stage->messages.free_channels[--stage->messages.n_free_channels];
    else if (!CT_ARRAY_RESERVE(stage->messages.channels, stage->messages.room_channels,
                               (size_t)i + 1) ||
             !CT_ARRAY_RESERVE(stage->messages.free_channels, stage->messages.room_free_channels,
                               (size_t)i + 1))
        return ct_no_memory(stage->err, "traces");
    else
        stage->messages.n_channels++;
    if (!ct_map_add(&stage->messages.channel_numbers, key, i + 1))
        return ct_no_memory(stage->err, "traces");
    stage->messages.channels[i] = (struct ct_channel){.key = key, .has_messages = has_messages};
    *channel_p = &stage->messages.channels[i];
    return CT_OK;
}

static struct ct_op *op_of(struct ct_stage *stage, uint32_t rank, uint32_t op)
{
    return &stage->processes[rank].ops[op];
}

static enum ct_status push_node(struct ct_stage *stage, uint64_t key, bool has_messages,
                                struct ct_node node)
{
    struct ct_channel *channel;
    CT_TRY(open_channel(stage, key, has_messages, &channel));
    uint32_t i = stage->messages.free_node;
    if (i != 0)
        stage->messages.free_node = stage->messages.nodes[i - 1].next;
    else if (!CT_ARRAY_RESERVE(stage->messages.nodes, stage->messages.room_nodes,
                               (size_t)stage->messages.n_nodes + 1))
        return ct_no_memory(stage->err, "traces");
    else
        i = ++stage->messages.n_nodes;
    node.next = 0;
    stage->messages.nodes[i - 1] = node;
    if (channel->last)
        stage->messages.nodes[channel->last - 1].next = i;
    else
        channel->first = i;
    channel->last = i;
    return CT_OK;
}

static struct ct_node pop_node(struct ct_stage *stage, struct ct_channel *channel)
{
    uint32_t i = channel->first;
    struct ct_node node = stage->messages.nodes[i - 1];
    channel->first = node.next;
    stage->messages.nodes[i - 1].next = stage->messages.free_node;
    stage->messages.free_node = i;
    if (channel->first == 0) {
        uint32_t number = (uint32_t)(channel - stage->messages.channels);
        ct_map_remove(&stage->messages.channel_numbers, channel->key, number + 1);
        stage->messages.free_channels[stage->messages.n_free_channels++] = number;
        *channel = (struct ct_channel){0};
    }
    return node;
}

static bool fits_receive(const struct ct_op *receive, uint64_t sent)
{
    if (receive->cut)
        return sent > receive->bytes;
    return receive->any_size || (receive->exact ? sent == receive->bytes : sent <= receive->bytes);
}

/* A message meets its receive. */
static enum ct_status meet_message(struct ct_stage *stage, struct ct_way way,
                                   const struct ct_node *message, struct ct_op *receive,
                                   struct ct_op *synchronous)
{
    uint64_t sent = message->bytes;
    if (!fits_receive(receive, sent))
        return ct_fail(stage->err, CT_EFORMAT,
                       "rank %u sends %llu B to rank %u, tag %lld, which %s %llu B", way.source,
                       (unsigned long long)sent, way.destination, (long long)way.tag,
                       receive->cut     ? "receives only the begin,"
                       : receive->exact ? "receives"
                                        : "has room for",
                       (unsigned long long)receive->bytes);
    if (receive->receives && !receive->expected && !stage->has_unwaited) {
        stage->has_unwaited = true;
        stage->unwaited = way;
    }
    stage->answer.any_may_differ |=
        way.destination == stage->own && message->order < receive->after;
    if (receive->freed != 0)
        stage->answer.freed[receive->freed - 1].bytes = sent;
    receive->bytes = sent;
    receive->pending--;
    if (synchronous)
        synchronous->pending--;
    return ct_stage_cross(stage, message->epoch, receive->began);
}

enum ct_status ct_stage_send(struct ct_stage *stage, const struct ct_actor *actor,
                             struct ct_way way, uint64_t bytes, bool synchronous, uint32_t op)
{
    uint64_t key = 0;
    CT_TRY(key_of(stage, way, &key));
    struct ct_channel *channel = find_channel(stage, key);
    const struct ct_node message = {.bytes = bytes,
                                    .epoch = actor->process->epoch,
                                    .order = ct_actor_synced(actor),
                                    .rank = way.source,
                                    .op = op,
                                    .synchronous = synchronous};
    if (!channel || channel->has_messages)
        return push_node(stage, key, true, message);
    struct ct_node receive = pop_node(stage, channel);
    struct ct_op freed = {.pending = 1,
                          .bytes = receive.bytes,
                          .began = receive.epoch,
                          .receives = true,
                          .expected = true,
                          .after = receive.order,
                          .freed = receive.freed};
    return meet_message(stage, way, &message,
                        receive.op == CT_OP_FREED ? &freed : op_of(stage, receive.rank, receive.op),
                        synchronous ? op_of(stage, way.source, op) : NULL);
}

enum ct_status ct_stage_receive(struct ct_stage *stage, struct ct_way way, uint32_t op)
{
    uint64_t key = 0;
    CT_TRY(key_of(stage, way, &key));
    struct ct_channel *channel = find_channel(stage, key);
    struct ct_op *receiver = op_of(stage, way.destination, op);
    if (!channel || !channel->has_messages)
        return push_node(stage, key, false, (struct ct_node){.rank = way.destination, .op = op});
    struct ct_node message = pop_node(stage, channel);
    return meet_message(stage, way, &message, receiver,
                        message.synchronous && message.op != CT_OP_FREED
                            ? op_of(stage, message.rank, message.op)
                            : NULL);
}

void ct_stage_set_free(struct ct_stage *stage, uint32_t rank, uint32_t op)
{
    const struct ct_op *of = op_of(stage, rank, op);
    uint64_t key = 0;
    struct ct_channel *channel =
        key_of(stage, of->way, &key) == CT_OK ? find_channel(stage, key) : NULL;
    for (uint32_t i = channel ? channel->first : 0; i != 0; i = stage->messages.nodes[i - 1].next) {
        struct ct_node *node = &stage->messages.nodes[i - 1];
        if (node->rank != rank || node->op != op)
            continue;
        node->op = CT_OP_FREED;
        if (!channel->has_messages) {
            node->bytes = of->bytes;
            node->epoch = of->began;
            node->order = of->after;
            node->freed = of->freed;
        }
    }
}

bool ct_stage_has_message(struct ct_stage *stage, struct ct_way way)
{
    uint64_t key = 0;
    struct ct_channel *channel =
        key_of(stage, way, &key) == CT_OK ? find_channel(stage, key) : NULL;
    return channel && channel->has_messages;
}

enum ct_status ct_stage_check_messages(struct ct_stage *stage)
{
    for (uint32_t i = 0; i < stage->messages.n_channels; i++) {
        const struct ct_channel *channel = &stage->messages.channels[i];
        const struct ct_node *node =
            channel->first == 0 ? NULL : &stage->messages.nodes[channel->first - 1];
        if (node && !channel->has_messages && node->op == CT_OP_FREED)
            return ct_fail(stage->err, CT_EFORMAT,
                           "rank %u frees a receive, tag %lld, that gets no message", node->rank,
                           (long long)(channel->key & UINT32_MAX));
        if (!node || !channel->has_messages)
            continue;
        return ct_fail(stage->err, CT_EFORMAT,
                       "rank %u sends a message of %llu B, tag %lld, that is never received",
                       node->rank, (unsigned long long)node->bytes,
                       (long long)(channel->key & UINT32_MAX));
    }
    const struct ct_way *way = &stage->unwaited;
    return stage->has_unwaited
               ? ct_fail(stage->err, CT_EUNSUPPORTED,
                         "rank %u sends a message, tag %lld, to a receive of rank %u that no call "
                         "completes: whether it came is not in a trace",
                         way->source, (long long)way->tag, way->destination)
               : CT_OK;
}
