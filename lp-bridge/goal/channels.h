/**
 * Messages under way, where a program is read in windows: for each pair of ranks and each tag how
 * many more were sent than received.
 */
#pragma once

#include "core/map.h"

/** {0}: none. */
struct ct_channels {
    /** Sum over messages of numbers drawn for their channels, those of receives subtracted: 0 if
     * each channel has as many of both. By chance it is 0 once in 2^64. */
    uint64_t under_way;
    struct ct_map numbers; /**< key of a channel -> its index in channels + 1 */
    struct ct_channel *channels;
    size_t n, room;
};

/** One end of a message. */
struct ct_message_end {
    uint32_t source, destination, tag;
    bool is_sent; /**< the end at the source */
};

/** Of a rank that sends or receives. */
struct ct_message_end ct_message_end_of(uint32_t rank, uint32_t peer, uint32_t tag, bool is_sent);

/** Count it in under_way. */
void ct_channels_count(struct ct_channels *channels, struct ct_message_end end);
/** List it by its channel. @return false: out of memory */
bool ct_channels_list(struct ct_channels *channels, struct ct_message_end end);

/**
 * Of what was listed: the rank that has not done its share.
 * @param i       0 .. n - 1
 * @param rank_p  [out] unchanged if there is none
 * @return whether there is one
 */
bool ct_channels_behind(const struct ct_channels *channels, size_t i, uint32_t *rank_p);

/** None, with the memory kept. */
void ct_channels_clear(struct ct_channels *channels);
void ct_channels_free(struct ct_channels *channels);
