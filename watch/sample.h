/**
 * What one probe of a watch has seen: a message from one host to another and its answer.
 *
 * A watch knows hosts by number, in the order of its table of hosts, which never loses a row: a
 * host that leaves keeps its number. Times of a sample are those of the host that asked; one-way
 * times are corrected by the clock offset and drift that the watch has estimated for the pair.
 */
#pragma once

#include <stdint.h>

enum ct_watch_fate {
    CT_WATCH_ANSWERED, /**< the answer came */
    CT_WATCH_LOST,     /**< no answer within the deadline */
    CT_WATCH_SKIPPED   /**< not sent when it was due: the asking host was late, or the share of the
                          link was used up */
};

/** Messages from this size on show the rate, smaller ones the latency. */
enum { CT_WATCH_LARGE_BYTES = 4096 };

struct ct_watch_sample {
    int64_t unix_ns;       /**< when it was sent, or was due */
    uint32_t from, to;     /**< hosts; different */
    uint32_t bytes;        /**< of the message: a small one shows latency, a large one the rate */
    uint32_t answer_bytes; /**< of its answer: at most bytes */
    uint8_t fate;          /**< enum ct_watch_fate */
    float round_s;         /**< there and back, without hold_s; NaN unless answered */
    float there_s;         /**< one way; NaN: the clocks are not known well enough */
    float back_s;          /**< one way; NaN likewise */
    float hold_s; /**< from arrival to answer at the other host: large where that host is slow */
    float late_s; /**< sent later than due by this: large where the asking host is slow */
};
