#include "lp-bridge/goal/channels.h"

#include "core/array.h"
#include "core/random.h"

struct ct_channel {
    uint32_t source, destination;
    int64_t under_way;
};

struct ct_message_end ct_message_end_of(uint32_t rank, uint32_t peer, uint32_t tag, bool is_sent)
{
    return is_sent ? (struct ct_message_end){rank, peer, tag, true}
                   : (struct ct_message_end){peer, rank, tag, false};
}

static uint64_t key_of(const struct ct_message_end *end)
{
    return ct_random_mix(ct_map_pair(end->source, end->destination) + ct_random_at(end->tag, 0));
}

void ct_channels_count(struct ct_channels *channels, struct ct_message_end end)
{
    const uint64_t key = key_of(&end);
    channels->under_way += end.is_sent ? key : -key;
}

bool ct_channels_list(struct ct_channels *channels, struct ct_message_end end)
{
    uint32_t i;
    if (!ct_map_number(&channels->numbers, key_of(&end), &i))
        return false;
    if (i == channels->n) {
        if (!CT_ARRAY_RESERVE(channels->channels, channels->room, (size_t)i + 1))
            return false;
        channels->channels[channels->n++] = (struct ct_channel){end.source, end.destination, 0};
    }
    channels->channels[i].under_way += end.is_sent ? 1 : -1;
    return true;
}

bool ct_channels_behind(const struct ct_channels *channels, size_t i, uint32_t *rank_p)
{
    const struct ct_channel *channel = &channels->channels[i];
    if (channel->under_way != 0)
        *rank_p = channel->under_way > 0 ? channel->destination : channel->source;
    return channel->under_way != 0;
}

void ct_channels_clear(struct ct_channels *channels)
{
    ct_map_clear(&channels->numbers);
    channels->n = 0;
    channels->under_way = 0;
}

void ct_channels_free(struct ct_channels *channels)
{
    free(channels->channels);
    ct_map_free(&channels->numbers);
    *channels = (struct ct_channels){0};
}
