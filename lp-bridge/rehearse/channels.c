/* Messages on their way, and receives that wait for them. */
#include "core/array.h"
#include "lp-bridge/rehearse/stage.h"

#include <stdlib.h>

enum { RANK_BITS = 20, TAG_BITS = 33 };

/* Pairs of ranks get numbers; a channel lives as long as something is in it. */
static enum ct_status key_of(struct ct_stage *stage, struct ct_way way, uint64_t *key_p)
{
    uint64_t pair = ((uint64_t)way.comm << RANK_BITS | way.source) << RANK_BITS | way.destination;
    uint32_t number = ct_handle_map_find(&stage->pairs, pair);
    if (number == 0) {
        number = ++stage->n_pairs;
        if (way.comm >> (64 - 2 * RANK_BITS) != 0 || number >> (64 - TAG_BITS) != 0 ||
            !ct_handle_map_add(&stage->pairs, pair, number))
            return ct_stage_no_memory(stage);
    }
    *key_p = (uint64_t)number << TAG_BITS | ((uint64_t)way.tag & ((UINT64_C(1) << TAG_BITS) - 1));
    return CT_OK;
}

static struct ct_channel *find_channel(struct ct_stage *stage, uint64_t key)
{
    uint32_t found = ct_handle_map_find(&stage->channel_numbers, key);
    return found ? &stage->channels[found - 1] : NULL;
}

static enum ct_status open_channel(struct ct_stage *stage, uint64_t key, bool has_messages,
                                   struct ct_channel **channel_p)
{
    *channel_p = find_channel(stage, key);
    if (*channel_p)
        return CT_OK;
    uint32_t i = stage->n_channels;
    if (stage->n_free_channels > 0)
        i = stage->free_channels[--stage->n_free_channels];
    else if (!CT_ARRAY_RESERVE(stage->channels, stage->room_channels, (size_t)i + 1) ||
             !CT_ARRAY_RESERVE(stage->free_channels, stage->room_free_channels, (size_t)i + 1))
        return ct_stage_no_memory(stage);
    else
        stage->n_channels++;
    if (!ct_handle_map_add(&stage->channel_numbers, key, i + 1))
        return ct_stage_no_memory(stage);
    stage->channels[i] = (struct ct_channel){.key = key, .has_messages = has_messages};
    *channel_p = &stage->channels[i];
    return CT_OK;
}

static enum ct_status push(struct ct_stage *stage, uint64_t key, bool has_messages,
                           struct ct_node node)
{
    struct ct_channel *channel;
    enum ct_status status = open_channel(stage, key, has_messages, &channel);
    if (status != CT_OK)
        return status;
    uint32_t i = stage->free_node;
    if (i != 0)
        stage->free_node = stage->nodes[i - 1].next;
    else if (!CT_ARRAY_RESERVE(stage->nodes, stage->room_nodes, (size_t)stage->n_nodes + 1))
        return ct_stage_no_memory(stage);
    else
        i = ++stage->n_nodes;
    node.next = 0;
    stage->nodes[i - 1] = node;
    if (channel->last)
        stage->nodes[channel->last - 1].next = i;
    else
        channel->first = i;
    channel->last = i;
    return CT_OK;
}

static struct ct_node pop(struct ct_stage *stage, struct ct_channel *channel)
{
    uint32_t i = channel->first;
    struct ct_node node = stage->nodes[i - 1];
    channel->first = node.next;
    stage->nodes[i - 1].next = stage->free_node;
    stage->free_node = i;
    if (channel->first == 0) {
        uint32_t number = (uint32_t)(channel - stage->channels);
        ct_handle_map_remove(&stage->channel_numbers, channel->key, number + 1);
        stage->free_channels[stage->n_free_channels++] = number;
        *channel = (struct ct_channel){0};
    }
    return node;
}

/* A message meets its receive. */
static enum ct_status meet(struct ct_stage *stage, struct ct_way way, uint64_t sent,
                           uint64_t sent_epoch, struct ct_op *receive, struct ct_op *synchronous)
{
    bool fits =
        receive->any_size || (receive->exact ? sent == receive->bytes : sent <= receive->bytes);
    if (!fits)
        return ct_fail(
            stage->err, CT_EFORMAT, "rank %u sends %llu B to rank %u, tag %lld, which %s %llu B",
            way.source, (unsigned long long)sent, way.destination, (long long)way.tag,
            receive->exact ? "receives" : "has room for", (unsigned long long)receive->bytes);
    if (receive->receives && !receive->expected && !stage->has_unwaited) {
        stage->has_unwaited = true;
        stage->unwaited = way;
    }
    receive->bytes = sent;
    receive->pending--;
    if (synchronous)
        synchronous->pending--;
    return ct_stage_cross(stage, sent_epoch, receive->began);
}

enum ct_status ct_stage_send(struct ct_stage *stage, struct ct_way way, uint64_t bytes,
                             bool synchronous, uint32_t op)
{
    uint64_t key = 0;
    enum ct_status status = key_of(stage, way, &key);
    if (status != CT_OK)
        return status;
    struct ct_channel *channel = find_channel(stage, key);
    struct ct_op *sender = synchronous ? &stage->actors[way.source].ops[op] : NULL;
    if (!channel || channel->has_messages)
        return push(stage, key, true,
                    (struct ct_node){.bytes = bytes,
                                     .epoch = stage->actors[way.source].epoch,
                                     .rank = way.source,
                                     .op = op,
                                     .synchronous = synchronous});
    struct ct_node receive = pop(stage, channel);
    return meet(stage, way, bytes, stage->actors[way.source].epoch,
                &stage->actors[receive.rank].ops[receive.op], sender);
}

enum ct_status ct_stage_receive(struct ct_stage *stage, struct ct_way way, uint32_t op)
{
    uint64_t key = 0;
    enum ct_status status = key_of(stage, way, &key);
    if (status != CT_OK)
        return status;
    struct ct_channel *channel = find_channel(stage, key);
    struct ct_op *receiver = &stage->actors[way.destination].ops[op];
    if (!channel || !channel->has_messages)
        return push(stage, key, false, (struct ct_node){.rank = way.destination, .op = op});
    struct ct_node message = pop(stage, channel);
    return meet(stage, way, message.bytes, message.epoch, receiver,
                message.synchronous ? &stage->actors[message.rank].ops[message.op] : NULL);
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
    for (uint32_t i = 0; i < stage->n_channels; i++) {
        const struct ct_channel *channel = &stage->channels[i];
        if (channel->first == 0 || !channel->has_messages)
            continue;
        const struct ct_node *node = &stage->nodes[channel->first - 1];
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
