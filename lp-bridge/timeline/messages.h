/*
 * Which call receives what a call sent, without keeping the messages: only channels (sender,
 * receiver, tag, communicator) and, of one rank at a time, its receives. Messages of a channel do
 * not overtake: the first sent meets the first receive that was posted, as in convert/match.c,
 * which keeps all messages and whose rules these are.
 *
 * A pass over a rank is ct_messages_begin(), ct_messages_next() for each event, ct_messages_end().
 * First, all ranks are counted, and ct_messages_pair() follows. Then a rank can be passed as often
 * as needed: once to put its receives in order, and once more for the numbers of its messages.
 */
#ifndef CT_LP_BRIDGE_TIMELINE_MESSAGES_H
#define CT_LP_BRIDGE_TIMELINE_MESSAGES_H

#include "lp-bridge/convert/events.h"

struct ct_messages; /* opaque */

/* What a pass over the events of a rank is for. */
enum ct_messages_pass {
    CT_MESSAGES_COUNT, /* first, of all ranks: how many messages each channel has */
    CT_MESSAGES_ORDER, /* in which order the rank posted its receives, by what they got */
    CT_MESSAGES_NUMBER /* right after it: the messages of each call */
};

/* Messages that a call begins, and those that it knows to be complete, by number, from 1 on. */
struct ct_message_ends {
    uint64_t sent;            /* 0: none, or none that anybody received */
    const uint64_t *received; /* [n_received]; valid until the next call */
    size_t n_received;
};

/* CT_OK; CT_ENOMEM. events: only what they say of themselves is used */
enum ct_status ct_messages_new(const struct ct_events *events, struct ct_messages **messages_p,
                               struct ct_error *err);
void ct_messages_free(struct ct_messages *messages);

void ct_messages_begin(struct ct_messages *of, uint32_t rank, enum ct_messages_pass pass);

/*
 * The rank's next event.
 * ends_p: only of CT_MESSAGES_NUMBER; may be NULL otherwise
 * CT_OK; CT_EFORMAT (a rank, tag or communicator that there is not); CT_EUNSUPPORTED (more than
 * 2^30 tags); CT_ENOMEM
 */
enum ct_status ct_messages_next(struct ct_messages *of, const struct ct_trace_event *event,
                                struct ct_message_ends *ends_p, struct ct_error *err);
enum ct_status ct_messages_end(struct ct_messages *of, struct ct_error *err);

/* After all ranks have been counted. */
void ct_messages_pair(struct ct_messages *of);

/* Highest number of a message; 0: there are none. */
uint64_t ct_messages_total(const struct ct_messages *messages);

#endif
